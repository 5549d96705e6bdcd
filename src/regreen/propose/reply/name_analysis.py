"""The names that a piece of code defines, and those that it takes from outside."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from regreen.syntax import DEFINITIONS, FUNCTIONS, Function, imported_name, walk

PREDEFINED_NAMES: Final = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__", "__builtins__", "__class__"}

_BINDERS: Final = frozenset(
    {*DEFINITIONS, ast.arg, ast.alias, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping}
)
"""Nodes other than names that bind names: few of the many kinds."""


def defined_names(tree: ast.Module) -> set[str]:
    """Functions and classes of a module, methods by their own name and as "Class.method"."""
    names = set()
    for node in tree.body:
        if isinstance(node, DEFINITIONS):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            methods = [member.name for member in node.body if isinstance(member, FUNCTIONS)]
            names.update([*methods, *(f"{node.name}.{name}" for name in methods)])
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            names.update(bound_names(node))
    return names


def bound_names(statement: ast.stmt) -> set[str]:
    """Names that a statement of a module binds."""
    if isinstance(statement, DEFINITIONS):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {imported_name(alias) for alias in statement.names}
    return _stored(statement)


@lru_cache(maxsize=128)
def free_names(node: ast.AST) -> frozenset[str]:
    """Names that a definition or statement uses and does not bind itself.

    A name that is bound anywhere in a function counts as local in all of it.
    """
    if isinstance(node, ast.ClassDef):
        outside: list[ast.AST] = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
        inside = [free_names(member) for member in node.body]
        own = {name for member in node.body if not isinstance(member, FUNCTIONS) for name in bound_names(member)}
        return frozenset(loaded_names(outside) | (set().union(*inside) - own if inside else set()))
    if isinstance(node, FUNCTIONS):
        outside = [*node.decorator_list, *_around(node.args), *([node.returns] if node.returns else [])]
        around, body = loaded_names(outside), _below(node.body)
        own = (_stored_in(body) | _parameters(node.args) | {node.name}) - _global_names(body)
        return frozenset(around | (_loaded_in(body) - own))
    return frozenset(loaded_names([node]) - _stored_inside(node))


def local_names(function: Function) -> set[str]:
    """Parameters and variables of a function."""
    return _stored(*function.body) | _parameters(function.args)


def _every_parameter(arguments: ast.arguments) -> Iterator[ast.arg]:
    """All parameters, starred ones included."""
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None)


def _around(arguments: ast.arguments) -> Iterator[ast.AST]:
    """The expressions that are evaluated where the function is defined: defaults and annotations."""
    yield from arguments.defaults
    yield from (default for default in arguments.kw_defaults if default is not None)
    yield from (argument.annotation for argument in _every_parameter(arguments) if argument.annotation is not None)


def _parameters(arguments: ast.arguments) -> set[str]:
    return {argument.arg for argument in _every_parameter(arguments)}


def _below(roots: Iterable[ast.AST]) -> list[ast.AST]:
    """The nodes, and all below them."""
    return [node for root in roots for node in walk(root)]


def _global_names(nodes: Iterable[ast.AST]) -> set[str]:
    return {name for node in nodes if isinstance(node, ast.Global) for name in node.names}


def loaded_names(roots: Iterable[ast.AST]) -> set[str]:
    """Every name that is read in the nodes or below them."""
    return _loaded_in(_below(roots))


def _loaded_in(nodes: Iterable[ast.AST]) -> set[str]:
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _stored(*roots: ast.AST) -> set[str]:
    """Every name that is bound somewhere in the nodes or below them."""
    return _stored_in(_below(roots))


def _stored_in(nodes: Iterable[ast.AST]) -> set[str]:
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                found.add(node.id)
        elif type(node) not in _BINDERS:
            continue
        elif isinstance(node, DEFINITIONS):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.alias):
            found.add(imported_name(node))
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            found.add(node.rest)
    return found


def _stored_inside(node: ast.AST) -> set[str]:
    """Names that are local to comprehensions and lambdas in a statement."""
    inner = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
    return _stored(*(part for part in walk(node) if isinstance(part, inner)))
