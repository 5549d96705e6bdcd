"""Values that a function works out and then overwrites before anything has read them.

Nobody writes such a line on purpose: the second assignment was not meant, or the first one has another name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from regreen.syntax import FUNCTIONS, Function, walk

_BLOCKS: Final = ("body", "orelse")
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_INNER = (*FUNCTIONS, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class OverwrittenValue:
    """A value that is lost."""

    name: str
    assigned: ast.Assign
    """The statement that works it out."""
    overwritten: ast.Assign
    """The later statement of the same block that overwrites it."""


def overwritten_values(function: Function, without: frozenset[ast.stmt] = frozenset()) -> list[OverwrittenValue]:
    """The values that a function loses, in text order, as if the statements of `without` were not there.

    Constants and empty containers are no loss: some people declare variables so. Nor is what an inner function reads.
    """
    kept = _names_kept(function)
    return [
        lost
        for block in _blocks(function)
        for lost in _lost_in([statement for statement in block if statement not in without], kept)
    ]


def overwriting_statements(function: Function) -> list[ast.stmt]:
    """The statements without which no value is lost: first those that overwrite one, then those that do so without
    these, and so on."""
    found: list[ast.stmt] = []
    while lost := overwritten_values(function, frozenset(found)):
        found += dict.fromkeys(value.overwritten for value in lost)
    return found


def _blocks(function: Function) -> Iterator[list[ast.stmt]]:
    """The function's own blocks, without those of `try`, where a handler may read what was assigned."""
    pending: list[ast.stmt] = [function]
    while pending:
        holder = pending.pop()
        for name in _BLOCKS if not isinstance(holder, ast.Try) else ():
            if block := getattr(holder, name, None):
                yield block
                pending += [statement for statement in block if not isinstance(statement, _INNER)]


def _names_kept(function: Function) -> set[str]:
    """The names that others may read: those of inner functions, `global` and `nonlocal` ones."""
    nodes = [node for statement in function.body for node in walk(statement)]
    inner = (part for node in nodes if isinstance(node, _INNER) for part in walk(node))
    outer = (name for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names)
    return {part.id for part in inner if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)} | {*outer}


def _lost_in(block: list[ast.stmt], kept: set[str]) -> Iterator[OverwrittenValue]:
    for place, statement in enumerate(block):
        if isinstance(statement, ast.Assign) and not _is_declaration(statement.value):
            for name in sorted(_targets(statement) - kept):
                later = _overwriting(name, block[place + 1 :])
                if later is not None:
                    yield OverwrittenValue(name, statement, later)


def _overwriting(name: str, following: list[ast.stmt]) -> ast.Assign | None:
    """The first of the following statements that mentions a name, where it assigns it and does nothing else with it."""
    for statement in following:
        if isinstance(statement, _LEAVING):
            return None
        mentions = [node for node in walk(statement) if isinstance(node, ast.Name) and node.id == name]
        if mentions:
            if not isinstance(statement, ast.Assign) or any(isinstance(node.ctx, ast.Load) for node in mentions):
                return None
            return statement if name in _targets(statement) else None
    return None


def _targets(statement: ast.stmt) -> set[str]:
    """The variables that an assignment binds, alone or in a tuple."""
    found: set[str] = set()
    for target in statement.targets if isinstance(statement, ast.Assign) else ():
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        found |= {part.id for part in parts if isinstance(part, ast.Name)}
    return found


def _is_declaration(value: ast.expr) -> bool:
    return not any(isinstance(node, ast.Name | ast.Call) for node in walk(value))
