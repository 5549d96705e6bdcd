"""A program's text with its tree: where each node stands, and what surrounds it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from functools import cached_property
from typing import Final, NamedTuple, TypeGuard
from weakref import WeakKeyDictionary

from regreen.syntax import (
    DEFINITIONS,
    FUNCTIONS,
    Function,
    LineStarts,
    callee_name,
    imported_name,
    is_attribute_of,
    names_set,
    walk,
    walk_scope,
)
from regreen.types import Edit


class PlainSlip(NamedTuple):
    """A slip that is plain from the text, and what undoes it."""

    kind: str
    edits: tuple[Edit, ...]
    """In the order of the text, apart from one another."""


class LocatedProgram:
    """One program that parses."""

    def __init__(self, source: str, module: ast.Module) -> None:
        self.source = source
        self.module = module
        self.nodes = walk(module)
        self._places = LineStarts(source)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node around each node."""
        return {child: node for node in ast.walk(self.module) for child in ast.iter_child_nodes(node)}

    @cached_property
    def unbound(self) -> frozenset[str]:
        """Names that are read and that nothing is bound to anywhere; none where they may come from elsewhere."""
        if any(word in self.source for word in _FROM_ELSEWHERE):
            return frozenset()
        read = {node.id for node in self.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        return frozenset(read - _PREDEFINED - self._bound)

    @property
    def _bound(self) -> set[str]:
        """All names that something is bound to anywhere."""
        names = names_stored(self.module)
        for node in self.nodes:
            if isinstance(node, DEFINITIONS) and not isinstance(self.parents[node], ast.ClassDef):
                names.add(node.name)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                names |= {imported_name(alias) for alias in node.names}
            elif isinstance(node, ast.Global | ast.Nonlocal):
                names |= set(node.names)
            elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
                names.add(node.name)
            elif isinstance(node, ast.MatchMapping) and node.rest:
                names.add(node.rest)
        return names

    @cached_property
    def stands_alone(self) -> bool:
        """Whether nothing is imported whose objects may have methods of any name."""
        for node in self.nodes:
            if isinstance(node, ast.Import) and any(alias.name not in _MODULES_OF_VALUES for alias in node.names):
                return False
            if isinstance(node, ast.ImportFrom) and node.module not in _MODULES_OF_VALUES:
                return False
        return True

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        """Where a node begins and ends, in characters."""
        return self._places.span(node)

    def text(self, node: ast.expr | ast.stmt | ast.keyword) -> str:
        """A node as it is written."""
        start, end = self.span(node)
        return self.source[start:end]

    def lines(self, node: ast.stmt) -> tuple[int, int]:
        """Where the lines of a statement begin and end, the last line end included."""
        end = self.source.find("\n", self.span(node)[1])
        return self.line_start(node), len(self.source) if end < 0 else end + 1

    def line_start(self, node: ast.expr | ast.stmt) -> int:
        """Where the first line of a node begins."""
        return self._places.starts[node.lineno - 1]

    def indent(self, node: ast.stmt) -> str:
        """The blanks before a statement."""
        return self.source[self.line_start(node) : self.span(node)[0]]

    def put(self, node: ast.expr | ast.stmt, text: str) -> tuple[Edit]:
        """The edit that puts a text in a node's place."""
        return (Edit(*self.span(node), text),)

    def functions(self) -> Iterator[Function]:
        """All functions and methods."""
        return (node for node in self.nodes if isinstance(node, FUNCTIONS))

    def classes(self) -> Iterator[ast.ClassDef]:
        """All classes."""
        return (node for node in self.nodes if isinstance(node, ast.ClassDef))


_FROM_ELSEWHERE: Final = ("import *", "exec(", "globals(", "NameError", "gettext", "builtins", "F821")
"""What a program says where names may come from elsewhere; F821 is what linters say of one that comes from nowhere."""
_MODULES_OF_VALUES: Final = frozenset(
    "__future__ abc bisect collections collections.abc copy dataclasses datetime decimal enum fractions functools "
    "heapq itertools json math operator random re statistics string sys time typing".split()
)
_PREDEFINED: Final = frozenset({*dir(builtins), "__file__", "__name__", "__class__", "__path__"})


def is_own_attribute(node: ast.AST | None) -> TypeGuard[ast.Attribute]:
    """Whether a node is `self.x`."""
    return is_attribute_of(node, "self")


def is_own_function(node: ast.expr) -> bool:
    """Whether what is called is a function by its name, or a method of the same object."""
    return isinstance(node, ast.Name) or is_own_attribute(node)


def names_stored(node: ast.AST) -> set[str]:
    """The names that are given a value somewhere in a node, parameters included."""
    return {*names_set(walk(node)), *(part.arg for part in walk(node) if isinstance(part, ast.arg))}


def first_name(node: ast.AST) -> str:
    """The variable with which an expression begins: `rooms` in `rooms[i].guests`; empty where it does with none."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


_within: WeakKeyDictionary[Function, list[ast.AST]] = WeakKeyDictionary()
"""What `nodes_within` gives: a dozen questions go through the same nodes."""


def nodes_within(function: Function) -> list[ast.AST]:
    """The nodes of a function, without those of functions in it; the list must not be changed."""
    if function not in _within:
        _within[function] = [node for stmt in function.body for node in walk_scope(stmt)]
    return _within[function]


def gives_result(function: Function) -> bool:
    """Whether a function returns or yields something."""
    return any(
        isinstance(node, ast.Yield | ast.YieldFrom) or (isinstance(node, ast.Return) and node.value is not None)
        for node in nodes_within(function)
    )


def list_variables(function: Function) -> set[str]:
    """The variables of a function that are lists wherever they are given a value, calls of their own methods aside."""
    plain: set[str] = set()
    other: set[str] = set()
    for node in nodes_within(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, node.value
            is_own = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
            if is_new_list(value):
                plain.add(name)
            elif not is_own:
                other.add(name)
    return plain - other


def is_new_list(node: ast.expr) -> bool:
    """Whether an expression makes a list."""
    is_called = isinstance(node, ast.Call) and callee_name(node) in ("list", "sorted")
    return isinstance(node, ast.List | ast.ListComp) or is_called
