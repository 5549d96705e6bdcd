"""Reading program text as Python, quietly."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache

from regreen.syntax import parse

UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `tree` and `literal` may raise."""


@lru_cache(maxsize=64)
def tree(source: str) -> ast.Module:
    """The syntax tree of `source`, to be read and never changed."""
    return parse(source)


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
