"""The parts of a program that the checks can reach, judged by its text alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from regreen.localise.program_statements import Statement, functions, header_nodes
from regreen.syntax import DEFINITIONS, Function

Owner: TypeAlias = Function | ast.ClassDef


def reachable(tree: ast.Module, entry_point: str | None) -> frozenset[ast.AST]:
    """The functions and classes that a call of `entry_point` may run; empty when there is no such entry point.

    Calls are matched by name alone, which gives too many rather than too few. "Class.method" names one method.
    """
    return _closure(tree, _find(tree, entry_point))


def run_at_import(tree: ast.Module, parts: Sequence[Statement]) -> frozenset[ast.AST]:
    """The functions and classes that may run while the module is imported, before coverage is recorded."""
    named = _by_name(tree)
    early = (part for part in parts if part.function is None and not _only_as_script(part))
    names = {name for part in early for own in header_nodes(part.node) for name in mentioned_names(own)}
    return _closure(tree, [owner for name in sorted(names) for owner in named.get(name, ())])


def _closure(tree: ast.Module, waiting: list[Owner]) -> frozenset[ast.AST]:
    """The owners and all functions and classes that they mention by name, directly or indirectly."""
    named = _by_name(tree)
    found: set[ast.AST] = set()
    while waiting:
        owner = waiting.pop()
        if owner not in found:
            found.add(owner)
            waiting.extend(chain.from_iterable(named.get(name, ()) for name in mentioned_names(owner)))
    return frozenset(found)


def is_within(statement: Statement, owners: frozenset[ast.AST]) -> bool:
    """Whether a statement is one of the owners or stands inside one."""
    return statement.node in owners or any(parent in owners for parent in statement.parents)


def mentioned_names(node: ast.AST) -> Iterator[str]:
    """Names, and names of attributes, that the code under a node reads."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Store):
            yield inner.id
        elif isinstance(inner, ast.Attribute):
            yield inner.attr


def assigned_names(node: ast.AST) -> Iterator[str]:
    """Names that a statement assigns."""
    return (n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _only_as_script(part: Statement) -> bool:
    """Whether a statement is under `if __name__ == "__main__"`, which no check runs."""
    guards = (node for node in (part.node, *part.parents) if isinstance(node, ast.If))
    return any("__name__" in mentioned_names(guard.test) for guard in guards)


def _find(tree: ast.Module, entry_point: str | None) -> list[Owner]:
    """The definitions with a plain or dotted name."""
    places: list[ast.AST] = [tree]
    owners: list[Owner] = []
    for part in (entry_point or "").split("."):
        owners = [owner for place in places for owner in _definitions(place) if owner.name == part]
        places = list(owners)
    return owners


def _definitions(place: ast.AST) -> Iterator[Owner]:
    """Functions and classes defined directly in a node, or under an `if` or a `try` there."""
    waiting: list[ast.AST] = list(ast.iter_child_nodes(place))
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, DEFINITIONS):
            yield node
        elif isinstance(node, ast.stmt | ast.ExceptHandler):
            waiting.extend(ast.iter_child_nodes(node))


def _by_name(tree: ast.Module) -> dict[str, list[Owner]]:
    """Functions, methods and classes by their bare name; a call of a class may run all of its methods."""
    named: dict[str, list[Owner]] = {}
    classes: Sequence[Owner] = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    for owner in chain(functions(tree), classes):
        named.setdefault(owner.name, []).append(owner)
    for alias, name in _aliases(tree):
        named.setdefault(alias, []).extend(named.get(name, ()))
    return named


def _aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(second name, name) of module-level functions, as in `size = length` or `size = cache(length)`."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield from ((target, name) for target in assigned_names(node) for name in mentioned_names(node.value))
