"""The statements of a program as spans of lines: the unit of suspicion."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from regreen.syntax import DEFINITIONS, FUNCTIONS, Function, first_line, is_string_statement

Part: TypeAlias = ast.stmt | ast.ExceptHandler | ast.match_case

_SILENT = (ast.Global, ast.Nonlocal)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, or the header alone of a compound one."""

    first_line: int
    """From 1, decorators included."""
    last_line: int
    """Inclusive."""
    node: Part
    parents: tuple[ast.AST, ...] = ()
    """Enclosing nodes, outermost first."""

    @property
    def function(self) -> Function | None:
        """The innermost function whose body holds this statement; None at import time."""
        return next((p for p in reversed(self.parents) if isinstance(p, FUNCTIONS)), None)

    @property
    def lines(self) -> frozenset[int]:
        """Every physical line of the span."""
        return frozenset(range(self.first_line, self.last_line + 1))


def statements(tree: ast.Module) -> tuple[Statement, ...]:
    """Every statement of the program in text order, without docstrings and `global` or `nonlocal` declarations."""
    return tuple(_walk(tree, ()))


def line_span(node: ast.AST) -> tuple[int, int]:
    """First and last line of a node, decorators included."""
    last: int = getattr(node, "end_lineno", 0) or getattr(node, "lineno", 1)
    return first_line(node), last


def functions(tree: ast.AST) -> Iterator[Function]:
    """Every function of the tree, methods and nested ones included."""
    return (node for node in ast.walk(tree) if isinstance(node, FUNCTIONS))


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function's body, without the bodies of functions and classes defined in it."""
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def statement_blocks(node: ast.AST) -> Iterator[Sequence[Part]]:
    """The lists of statements directly in a node: body, else, handlers, cases, finally."""
    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list) and block:
            yield block


def header_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes directly in a statement, without the statements in its blocks."""
    held = {id(inner) for block in statement_blocks(node) for inner in block}
    return (child for child in ast.iter_child_nodes(node) if id(child) not in held)


def _walk(owner: ast.AST, parents: tuple[ast.AST, ...]) -> Iterator[Statement]:
    inside = parents if isinstance(owner, ast.Module) else (*parents, owner)
    for node in chain.from_iterable(statement_blocks(owner)):
        if isinstance(node, _SILENT) or is_string_statement(node):
            continue
        yield Statement(*_header(node), node, inside)
        yield from _walk(node, inside)


def _header(node: Part) -> tuple[int, int]:
    """First and last line of a statement, without the lines of its blocks."""
    if isinstance(node, ast.match_case):
        return node.pattern.lineno, _last(node.guard or node.pattern)
    first, last = line_span(node)
    if next(statement_blocks(node), None) is None:
        return first, last
    if isinstance(node, DEFINITIONS):
        return first, max([node.lineno, *map(_last, _signature(node))])
    return first, max([first, *map(_last, _conditions(node))])


def _last(node: ast.AST) -> int:
    return line_span(node)[1]


def _signature(node: Function | ast.ClassDef) -> Iterator[ast.AST]:
    if isinstance(node, ast.ClassDef):
        yield from (*node.bases, *node.keywords)
        return
    arguments = node.args
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *arguments.defaults)
    yield from filter(None, (arguments.vararg, arguments.kwarg, *arguments.kw_defaults, node.returns))


def _conditions(node: ast.AST) -> Iterator[ast.AST]:
    """The expressions between a compound statement's first word and its colon."""
    for name in ("test", "target", "iter", "subject", "type"):
        part = getattr(node, name, None)
        if isinstance(part, ast.AST):
            yield part
    for item in getattr(node, "items", ()):
        yield item.optional_vars or item.context_expr
