"""Parses text that may be broken, for what can be learnt from it without running it."""

from __future__ import annotations

import ast

from regreen import syntax


def parse(text: str) -> ast.Module | None:
    """The syntax tree of `text`; None where it does not parse."""
    try:
        return syntax.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
