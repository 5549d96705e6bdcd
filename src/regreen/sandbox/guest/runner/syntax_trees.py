"""Parsing beside a program that is running."""

from __future__ import annotations

import ast
from gc import disable, enable, isenabled


def syntax_tree(text: str | bytes, filename: str = "<unknown>", flags: int = 0) -> ast.Module:
    """The syntax tree of a text; `flags` are those of `compile`. Raises SyntaxError or ValueError if it is no Python.

    No garbage is collected meanwhile. Where something is parsed in between, as it is to show the traceback of an error
    in a `__del__`, Python has counted wrongly how deep the tree is, and raises SystemError.
    """
    was_on = isenabled()
    try:
        disable()
        tree: ast.Module = compile(text, filename, "exec", flags=flags | ast.PyCF_ONLY_AST, dont_inherit=True)
    finally:
        if was_on:
            enable()
    return tree
