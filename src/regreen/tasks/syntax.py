"""Parses text that may be broken, for what can be learnt from it without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen import syntax


def parse(text: str) -> ast.Module | None:
    """The syntax tree of `text`; None where it does not parse."""
    try:
        return syntax.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def may_define(text: str, name: str) -> bool:
    """Whether a program could have something called `name`, e.g. "f" or "C.f"; of one that does not parse, it could."""
    tree = parse(text)
    return tree is None or not {name.rpartition(".")[2], "*"}.isdisjoint(_bound(tree))


def _bound(tree: ast.Module) -> Iterator[str]:
    """Names that a program gives to something, anywhere in it."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name) | ast.Name(name, ast.Store()):
                yield name
            case ast.alias():
                yield node.asname or node.name.partition(".")[0]
