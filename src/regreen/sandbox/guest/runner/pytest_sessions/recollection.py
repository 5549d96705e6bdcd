"""Test modules that have to be collected anew for every program: those that use it while they are imported."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from regreen.sandbox.guest.runner.syntax_trees import syntax_tree

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_READS_ANNOTATIONS = re.compile(
    rb"\b(?:__annotations__|get_type_hints|get_annotations|signature|singledispatch\w*|fields|__dataclass_fields__|"
    rb"attrs?|beartype|cattrs|dacite|fastapi|injector|msgspec|pydantic|sqlmodel|strawberry|typeguard|typer|NamedTuple)\b"
)
"""What asks for annotations while a program runs."""


def uses_when_imported(source: str, module: str, names: Collection[str]) -> bool:
    """Whether importing a test module uses the program beyond importing its names.

    `names` are those of the program, which the tests may use without an import. What is made of them at import (a
    value, a table of cases, a subclass) would stay that of the first program. A name that the tests import from
    elsewhere is not the program's, though it may stand there as well: `import datetime`.
    """
    tree = syntax_tree(source)
    used = {node.id for node in _run_at_import(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    ours = {*_imported_as(tree, module)}
    return not used.isdisjoint(({*names} - {*_imported_from_elsewhere(tree)}) | ours)


def reads_annotations(texts: Mapping[str, bytes]) -> bool:
    """Whether a module of a project (path -> text) names what goes by annotations while it runs."""
    return any(_READS_ANNOTATIONS.search(text) for text in texts.values())


def reads_when_imported(source: str, names: Collection[str], aliases: Collection[str], data: Collection[str]) -> bool:
    """Whether importing a test module reads data of the program: tables of cases, limits, defaults of arguments.

    `names` are bound to such data in the test module, `aliases` to the program's module, which has it under `data`.
    """
    return any(
        (isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.Attribute) and node.attr in data and _base_name(node) in aliases)
        for node in _run_at_import(syntax_tree(source))
    )


def _base_name(node: ast.Attribute) -> str:
    return node.value.id if isinstance(node.value, ast.Name) else ""


def _imported_as(tree: ast.Module, module: str) -> Iterator[str]:
    """The names under which a text imports a module, or what is in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and module in (
            node.module,
            *(f"{node.module}.{a.name}" for a in node.names),
        ):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            ours = [alias for alias in node.names if alias.name == module]
            yield from (alias.asname or alias.name.partition(".")[0] for alias in ours)


def _imported_from_elsewhere(tree: ast.Module) -> Iterator[str]:
    """The names of what a text imports at its top level, whatever module it is of."""
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)


def _run_at_import(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that are evaluated while a module is imported: all but the bodies of functions."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, _FUNCTIONS):
            waiting += [*node.decorator_list, *node.args.defaults, *(value for value in node.args.kw_defaults if value)]
        elif isinstance(node, ast.Lambda):
            waiting += [*node.args.defaults, *(value for value in node.args.kw_defaults if value)]
        else:
            waiting += ast.iter_child_nodes(node)


class FixtureTables:
    """The fixtures that a session knows before its test module is collected: forgotten are those of each collection."""

    def __init__(self, session: Any) -> None:
        self.manager = session._fixturemanager
        self.before = _copied(vars(self.manager))

    def forget(self) -> None:
        """Forget what was learnt since."""
        for name, table in _copied(self.before).items():
            own = getattr(self.manager, name)
            own.clear()
            own.update(table)


def _copied(table: Any) -> Any:
    """The dicts and sets among the values of a dict, with what dicts and lists they hold copied, too."""
    return {name: _copy(value) for name, value in table.items() if isinstance(value, (dict, set))}


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(inner) for key, inner in value.items()}
    return type(value)(value) if isinstance(value, (list, set)) else value
