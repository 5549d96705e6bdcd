"""Takes statements that an edit adds out again: those that no run can reach, or any one of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from regreen.select.signs.gains import count_gained
from regreen.select.tokens import edit_spans, lines_of
from regreen.syntax import first_line, parsed_or_none, walk_statements

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_BLOCK_FIELDS = ("body", "orelse", "finalbody")


def without_unreachable(before: str, after: str) -> str:
    """`after` without the statements added to `before` behind a `return`, `raise`, `continue` or `break`."""
    return _without(after, {line for dead, lines in _added(before, after) if dead for line in lines})


def count_unreachable(source: str) -> int:
    """Number of statements of a program behind one that leaves their block; each counts once, whatever it holds."""
    count = 0
    for block in blocks_of(source):
        left = next((place for place, statement in enumerate(block, 1) if _leaves(statement)), len(block))
        count += len(block) - left
    return count


def unreachable_gained(before: str, after: str) -> int:
    """By how many statements out of reach a program has more than another one, at least 0."""
    return count_gained(before, after, count_unreachable)


def without_one(before: str, after: str) -> Iterator[str]:
    """`after` without one of the statements added to `before`: one text for each of them, the last one first."""
    for _, lines in reversed(list(_added(before, after))):
        # A carriage return ends a line for Python but not for patches: there line numbers may name no line at all.
        if (smaller := _without(after, lines)) != after:
            yield smaller


def _added(before: str, after: str) -> Iterator[tuple[bool, set[int]]]:
    """Each statement of new lines alone: whether it is unreachable, and its lines with the comments before it."""
    new = {
        n + 1
        for change in edit_spans(lines_of(before), lines_of(after))
        for n in range(change.new_start, change.new_end)
    }
    for block in blocks_of(after):
        dead = False
        for previous, statement in pairwise([None, *block]):
            assert statement is not None
            dead = dead or (previous is not None and _leaves(previous))
            first, last = first_line(statement), statement.end_lineno or statement.lineno
            start = first if previous is None else (previous.end_lineno or 0) + 1
            if new.issuperset(range(first, last + 1)):
                yield dead, new.intersection(range(start, last + 1))


def blocks_of(source: str) -> Iterator[list[ast.stmt]]:
    """Every block of statements of a program, outer ones first; none where it does not parse."""
    root = parsed_or_none(source)
    for holder in walk_statements(root) if root else ():
        for name in _BLOCK_FIELDS:
            if block := getattr(holder, name, None):
                yield block


def _leaves(statement: ast.stmt) -> bool:
    """Whether a statement always leaves its block, so that no later one is reached."""
    if isinstance(statement, ast.If):
        return bool(statement.orelse) and _leaves(statement.body[-1]) and _leaves(statement.orelse[-1])
    return isinstance(statement, _LEAVING)


def _without(source: str, lines: set[int]) -> str:
    return "".join(line for number, line in enumerate(lines_of(source), 1) if number not in lines)
