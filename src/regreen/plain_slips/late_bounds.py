"""Bounds that are asked about too late: a place is looked at before it is known to be there."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from regreen.plain_slips.located_program import LocatedProgram, PlainSlip
from regreen.syntax import blocks_in, walk
from regreen.types import Edit


def late_bounds(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`while text[i] == " " and i < len(text)`, and `if x > last or xs[x] or x >= len(xs)`: the bound belongs first."""
    for node in program.nodes:
        if not isinstance(node, ast.BoolOp):
            continue
        for place, part in enumerate(node.values):
            bounded = _bounded(part, isinstance(node.op, ast.And), program)
            before = [n for n, other in enumerate(node.values[:place]) if _looks_at(other, *bounded, program)]
            if before:
                moved = [part, *node.values[before[0] : place]]
                old = node.values[before[0] : place + 1]
                edits = (
                    Edit(*_bracketed(a, program), program.source[slice(*_bracketed(b, program))])
                    for a, b in zip(old, moved, strict=True)
                )
                yield PlainSlip("late_bound", tuple(edits))
                break


def late_guards(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`if cells[r][c] != "~": return 0` before `if r < 0 or r >= len(cells): return 0`: the bound belongs first."""
    for block in blocks_in(program.nodes):
        for first, second in pairwise(_guards(block)):
            if program.text(first.body[0]) != program.text(second.body[0]):
                continue
            behind = [guard for guard in _guards(block) if guard.lineno >= second.lineno]
            same = [guard for guard in behind if program.text(guard.body[0]) == program.text(first.body[0])]
            late = [guard for guard in same if _bounds_what_is_read(guard, first, program)]
            if late and not any(_bounds_what_is_read(first, guard, program) for guard in late):
                start, end = program.lines(first)
                stop = program.lines(late[-1])[1]
                text = program.source[start:end]
                edits = (Edit(start, end, ""), Edit(stop, stop, text))
                yield PlainSlip("late_guard", edits)
                break


def _guards(block: Sequence[ast.stmt]) -> list[ast.If]:
    """The statements of a block that only leave, under a condition, and stand beside one another."""
    found: list[ast.If] = []
    for step in block:
        if (
            isinstance(step, ast.If)
            and not step.orelse
            and len(step.body) == 1
            and isinstance(step.body[0], ast.Return)
        ):
            found.append(step)
        elif found:
            break
    return found


def _bounds_what_is_read(guard: ast.If, first: ast.If, program: LocatedProgram) -> bool:
    tests = guard.test.values if isinstance(guard.test, ast.BoolOp) else [guard.test]
    return any(_looks_at(first.test, *_bounded(test, False, program), program) for test in tests)


def _bounded(test: ast.expr, holds: bool, program: LocatedProgram) -> tuple[str, str]:
    """`i` and `xs` of `i < len(xs)`, which holds for the places that are there, and of `i >= len(xs)`, which does not;
    empty texts for anything else."""
    wanted = (ast.Lt, ast.NotEq) if holds else (ast.GtE, ast.Eq)
    match test:
        case ast.Compare(
            left=ast.Name(id=name), ops=[op], comparators=[ast.Call(func=ast.Name(id="len"), args=[items])]
        ) if isinstance(op, wanted):
            return name, program.text(items)
    return "", ""


def _looks_at(node: ast.expr, name: str, items: str, program: LocatedProgram) -> bool:
    """Whether an expression surely reads `items[name]`."""
    first = node.values[0] if isinstance(node, ast.BoolOp) else node
    return any(
        isinstance(part, ast.Subscript)
        and isinstance(part.slice, ast.Name)
        and part.slice.id == name
        and program.text(part.value) == items
        for part in walk(first)
    )


def _bracketed(node: ast.expr, program: LocatedProgram) -> tuple[int, int]:
    """Where an operand begins and ends, brackets around it included."""
    start, end = program.span(node)
    source = program.source
    while True:
        left, right = start - 1, end
        while left >= 0 and source[left] in " \t":
            left -= 1
        while right < len(source) and source[right] in " \t":
            right += 1
        if left < 0 or right >= len(source) or source[left] != "(" or source[right] != ")":
            return start, end
        if left and (source[left - 1].isalnum() or source[left - 1] in "_)]"):
            return start, end
        start, end = left, right + 1


LATE_BOUNDS: Final = (late_bounds, late_guards)
