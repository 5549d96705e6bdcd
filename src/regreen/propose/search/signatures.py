"""The parameters of functions and classes: of the program's own, and of those that it imports from beside it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from regreen.syntax import FUNCTIONS, Definition, Function, imported_name, parsed_or_none

_MOST_MODULES: Final = 40
"""Modules that are read; a program that imports more is not repaired by what they say."""
_MOST_STEPS: Final = 3
"""Modules that a name may be handed on by before the one that defines it."""


@dataclass(frozen=True, slots=True)
class ImportedSignatures:
    """What is known of calls of functions that stand in other modules; both parts may be empty."""

    parameters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Name as the program calls it (a method by its own) -> what may be given by keyword."""
    coroutines: frozenset[str] = frozenset()
    """Names of functions and methods that are to be awaited."""


def names_to_give(function: Function) -> tuple[str, ...]:
    """The parameters of a function that a call may name, those that can only be named last."""
    given = (*function.args.args, *function.args.kwonlyargs)
    return tuple(a.arg for a in given if a.arg not in ("self", "cls"))


def fields(node: ast.ClassDef) -> tuple[str, ...]:
    """The parameters of a class's constructor, or the fields of a data class."""
    for statement in node.body:
        if isinstance(statement, FUNCTIONS) and statement.name == "__init__":
            return names_to_give(statement)
    hinted = (s.target for s in node.body if isinstance(s, ast.AnnAssign))
    return tuple(target.id for target in hinted if isinstance(target, ast.Name))


def read_signatures(source: str, package: Sequence[str], modules: Mapping[tuple[str, ...], str]) -> ImportedSignatures:
    """The signatures of what a program of this package imports from these modules (dotted name -> text).

    A name that several of them define in different ways is left out.
    """
    tree = parsed_or_none(source)
    if tree is None:
        return ImportedSignatures()
    library = _Library(modules)
    found: dict[str, set[tuple[str, ...]]] = {}
    coroutines: dict[str, set[bool]] = {}
    for name, definition in _imported(tree, tuple(package), library):
        for called, parameters, is_coroutine in _callables(name, definition):
            found.setdefault(called, set()).add(parameters)
            coroutines.setdefault(called, set()).add(is_coroutine)
    return ImportedSignatures(
        {name: next(iter(kinds)) for name, kinds in found.items() if len(kinds) == 1},
        frozenset(name for name, kinds in coroutines.items() if kinds == {True}),
    )


class _Library:
    """Modules that are parsed when they are first asked for."""

    def __init__(self, modules: Mapping[tuple[str, ...], str]) -> None:
        self._modules = modules
        self._trees: dict[tuple[str, ...], ast.Module | None] = {}

    def tree(self, name: tuple[str, ...]) -> ast.Module | None:
        """The tree of a module; None where there is none that parses, or too many were read."""
        if name not in self._trees and name in self._modules and len(self._trees) < _MOST_MODULES:
            self._trees[name] = parsed_or_none(self._modules[name])
        return self._trees.get(name)

    def package_of(self, name: tuple[str, ...]) -> tuple[str, ...]:
        """The package that relative imports in a module start from."""
        is_package = any(other[:-1] == name for other in self._modules)
        return name if is_package else name[:-1]

    def definition(self, module: tuple[str, ...], name: str, steps: int = _MOST_STEPS) -> Definition | None:
        """What a module calls by this name, its own or one that it imports."""
        tree = self.tree(module)
        for statement in tree.body if tree is not None else ():
            if isinstance(statement, (*FUNCTIONS, ast.ClassDef)) and statement.name == name:
                return statement
            if isinstance(statement, ast.ImportFrom) and steps:
                origin = _origin(statement, self.package_of(module))
                for alias in statement.names:
                    if imported_name(alias) == name and origin != module:
                        return self.definition(origin, alias.name, steps - 1)
        return None

    def definitions(self, module: tuple[str, ...]) -> Iterator[tuple[str, Definition]]:
        """Everything that a module defines itself."""
        tree = self.tree(module)
        for statement in tree.body if tree is not None else ():
            if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
                yield statement.name, statement


def _imported(tree: ast.Module, package: tuple[str, ...], library: _Library) -> Iterator[tuple[str, Definition]]:
    """Each name under which the program can call what another module defines, and the definition."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from library.definitions(tuple(alias.name.split(".")))
        elif isinstance(node, ast.ImportFrom):
            origin = _origin(node, package)
            for alias in node.names:
                definition = library.definition(origin, alias.name)
                if definition is not None:
                    yield imported_name(alias), definition
                else:
                    yield from library.definitions((*origin, alias.name))


def _origin(node: ast.ImportFrom, package: tuple[str, ...]) -> tuple[str, ...]:
    """The module that an import names; `package` is the one that relative imports start from."""
    start = package[: len(package) + 1 - node.level] if node.level else ()
    return (*start, *(node.module.split(".") if node.module else ()))


def _callables(name: str, definition: Definition) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """What can be called because of a definition: name, parameters, and whether the call is to be awaited."""
    if isinstance(definition, FUNCTIONS):
        yield name, names_to_give(definition), isinstance(definition, ast.AsyncFunctionDef)
        return
    yield name, fields(definition), False
    for statement in definition.body:
        if isinstance(statement, FUNCTIONS) and not statement.name.startswith("__"):
            yield statement.name, names_to_give(statement), isinstance(statement, ast.AsyncFunctionDef)
