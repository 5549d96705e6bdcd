"""Parses text that may be broken, for what can be learnt from it without running it."""

from __future__ import annotations

import ast
import warnings


def parse(text: str) -> ast.Module | None:
    """The syntax tree of `text`; None where it does not parse."""
    with warnings.catch_warnings():
        # A doubtful escape in the user's strings is the user's own affair.
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
