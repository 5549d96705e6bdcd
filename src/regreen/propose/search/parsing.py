"""Parsing that other threads cannot disturb."""

from __future__ import annotations

import ast
from typing import Final

_TRIES: Final = 10


def parse(text: str) -> ast.Module:
    """The tree of a module. Raises SyntaxError or ValueError for text that is no Python, RecursionError for too deep.

    Up to Python 3.12 one counter of depth serves all threads, and two that parse at the same time may find it wrong:
    that says nothing about the text, and trying again helps.
    """
    for _ in range(_TRIES):
        try:
            return ast.parse(text)
        except SystemError:
            continue
    return ast.parse(text)
