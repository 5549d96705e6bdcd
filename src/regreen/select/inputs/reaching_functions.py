"""In which functions of a program a change at some lines may show: those that are changed, and those that call them."""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from regreen.syntax import FUNCTIONS, callee_name, parsed_or_none, walk

_WORDS_OF_ITS_OWN: Final = "__"
"""How a method begins that is called by a sign or a builtin."""


def reaching_functions(source: str, lines: Collection[int]) -> frozenset[str]:
    """The names of functions, methods and classes whose use may reach these lines; empty where nothing does.

    Of a method that an operator calls, or the making of an object, its class is named.
    """
    return _reaching(source, frozenset(lines))


@lru_cache(maxsize=16)
def _reaching(source: str, lines: frozenset[int]) -> frozenset[str]:
    module = parsed_or_none(source)
    nodes = walk(module) if module else []
    owners = {id(inner): node.name for node in nodes if isinstance(node, ast.ClassDef) for inner in node.body}
    called = set()
    found = set()
    for function in (node for node in nodes if isinstance(node, FUNCTIONS)):
        owner = owners.get(id(function), "")
        name = owner if owner and function.name.startswith(_WORDS_OF_ITS_OWN) else function.name
        called |= {(name, used) for used in _used_names(function)}
        if any(function.lineno <= line <= (function.end_lineno or 0) for line in lines):
            found.add(name)
    while more := {name for name, used in called if used in found} - found:
        found |= more
    return frozenset(found)


def _used_names(function: ast.AST) -> frozenset[str]:
    """The names that it calls, and the attributes that it reads: one of these may be a property."""
    nodes = walk(function)
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return frozenset(attributes | {callee_name(node) for node in nodes if isinstance(node, ast.Call)} - {""})
