"""Puts changed lines, new imports and helpers into the text of a program."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from regreen.propose.reply.imports import import_place
from regreen.propose.reply.layout import Layout, above
from regreen.propose.reply.symbol_index import ImportedName
from regreen.syntax import DEFINITIONS


@dataclass(frozen=True, slots=True)
class LineChange:
    """New lines for the lines from `first` up to `last`, from 0, `last` excluded."""

    first: int
    last: int
    lines: Sequence[str]


def apply_changes(base: Layout, changes: Sequence[LineChange]) -> str:
    """The program with all changes made; what is inserted at one line stays in the order in which it was given."""
    lines = list(base.lines)
    for change in sorted(changes, key=lambda change: (change.first, change.last))[::-1]:
        lines[change.first : change.last] = change.lines
    return "\n".join(lines)


def import_change(base: Layout, imports: Sequence[ImportedName]) -> list[LineChange]:
    """The imports, after those that the program has."""
    if not imports:
        return []
    at, blanks = import_place(base)
    ordered = sorted(imports, key=lambda line: line.module != "__future__")
    return [LineChange(at, at, [*map(str, ordered), *[""] * blanks])]


def helper_change(base: Layout, helpers: Sequence[tuple[ast.stmt, Sequence[str]]], line: int) -> list[LineChange]:
    """The helpers, before the statement of the module that holds a line."""
    if not helpers:
        return []
    top = next((s for s in base.tree.body if base.span(s)[0] <= line < base.span(s)[1]), None)
    at = above(base.lines, base.span(top)[0]) if top else line
    lines: list[str] = []
    for (node, text), (after, _) in zip(helpers, [*helpers[1:], (None, ())], strict=True):
        apart = after is None or isinstance(node, DEFINITIONS) or isinstance(after, DEFINITIONS)
        lines.extend([*text, *[""] * (2 * apart)])
    return [LineChange(at, at, lines)]
