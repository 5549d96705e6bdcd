"""Reading program text as Python, quietly."""

from __future__ import annotations

import ast
import warnings

from regreen.syntax import tree

UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `regreen.syntax.tree` and `literal` may raise."""


def parses(source: str) -> bool:
    """Whether a text is a Python program at all."""
    try:
        tree(source)
    except UNPARSABLE:
        return False
    return True


def literal(written: str) -> object:
    """The value of one literal as it is written in a program."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.literal_eval(written)
