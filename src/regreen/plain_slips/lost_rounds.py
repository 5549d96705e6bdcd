"""Loops whose rounds are lost: a variable of two loops, what stands behind a loop and belongs into it, flags that each
round sets anew."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from regreen.plain_slips.located_program import LocatedProgram, PlainSlip, nodes_within
from regreen.syntax import OPPOSITE_SYMBOLS, Function, blocks_in, names_read, names_set, walk
from regreen.types import Edit

_COUNTERS: Final = ("j", "k", "m", "p", "q")


def reused_loop_variables(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`for i in range(n):` with `for i in range(m):` in it, and `i` read behind the inner loop: it is the last `i`."""
    for outer in program.nodes:
        if not isinstance(outer, ast.For) or not isinstance(outer.target, ast.Name):
            continue
        name = outer.target.id
        steps = [part for step in outer.body for part in walk(step)]
        stored = [p for p in steps if isinstance(p, ast.Name) and p.id == name and not isinstance(p.ctx, ast.Load)]
        inner = program.parents[stored[0]] if len(stored) == 1 else None
        if not isinstance(inner, ast.For) or inner.target is not stored[0] or inner not in outer.body:
            continue
        behind = [part for step in outer.body[outer.body.index(inner) + 1 :] for part in walk(step)]
        leaves = any(isinstance(part, ast.Break) for part in walk(inner))
        is_read = any(isinstance(part, ast.Name) and part.id == name for part in behind)
        if not is_read or leaves or inner.orelse:
            continue
        other = next((c for c in _COUNTERS if c not in _names_of(program)), None)
        if other is not None:
            inside = [inner.target, *(part for step in inner.body for part in walk(step))]
            named = [part for part in inside if isinstance(part, ast.Name) and part.id == name]
            edits = sorted((program.put(part, other)[0] for part in named), key=lambda edit: edit.start)
            yield PlainSlip("reused_loop_variable", tuple(edits))


def _names_of(program: LocatedProgram) -> set[str]:
    return {
        part.id if isinstance(part, ast.Name) else part.arg
        for part in program.nodes
        if isinstance(part, ast.Name | ast.arg)
    }


def updates_behind_loops(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`floor = goal` behind the loop that reads `floor`, where nothing reads it any more: each round begins as the
    first one did."""
    for function in program.functions():
        for before, (loop, step) in _loops_with_next(function):
            name, value = _given(step)
            if not name or value is None or name not in before or name in set(names_set(walk(loop))):
                continue
            is_moved = name in {*names_read(walk(loop))} and bool({*names_set(walk(loop))} & {*names_read(walk(value))})
            if is_moved and not _is_used_behind(name, step, function):
                yield PlainSlip("update_behind_loop", _into(loop, step, program))


def _loops_with_next(function: Function) -> Iterator[tuple[set[str], tuple[ast.For | ast.While, ast.stmt]]]:
    """Each loop of a function's own block with the statement behind it, and the names that are set before."""
    known = {part.arg for part in ast.walk(function.args) if isinstance(part, ast.arg)}
    for loop, step in pairwise(function.body):
        if isinstance(loop, ast.For | ast.While) and not loop.orelse and step.lineno == step.end_lineno:
            yield known, (loop, step)
        known = known | {*names_set(walk(loop))}


def _given(step: ast.stmt) -> tuple[str, ast.expr | None]:
    """The variable that a plain assignment sets, and what it is given."""
    match step:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name, value
    return "", None


def _is_used_behind(name: str, step: ast.stmt, function: Function) -> bool:
    """Whether a variable is read behind a statement, or known outside of the function."""
    for node in nodes_within(function):
        if isinstance(node, ast.Global | ast.Nonlocal) and name in node.names:
            return True
        is_read = isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        if is_read and node.lineno > step.lineno:  # type: ignore[attr-defined]
            return True
    return any(isinstance(node, ast.Lambda | ast.FunctionDef) for node in nodes_within(function))


def _into(loop: ast.For | ast.While, step: ast.stmt, program: LocatedProgram) -> tuple[Edit, ...]:
    """The edits that make a statement behind a loop the last one in it."""
    start, end = program.line_start(step), program.span(step)[0]
    return (Edit(start, end, program.indent(loop.body[-1])),)


def endless_counts(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`while i < n: total += i` with `i += 1` behind the loop: nothing in it moves `i`."""
    for block in blocks_in(program.nodes):
        for loop, step in pairwise(block):
            if not isinstance(loop, ast.While) or loop.orelse or not isinstance(step, ast.AugAssign):
                continue
            parts = list(walk(loop))
            read = set(names_read(walk(loop.test)))
            is_plain = isinstance(loop.test, ast.Compare) and isinstance(step.target, ast.Name)
            is_plain &= not any(isinstance(part, _CALLING) for part in walk(loop.test))
            leaves = any(isinstance(part, ast.Break | ast.Return | ast.Raise | ast.Yield) for part in parts)
            if is_plain and not leaves and not read & {*names_set(parts)} and step.target.id in read:  # type: ignore[union-attr]
                yield PlainSlip("endless_count", _into(loop, step, program))


_CALLING: Final = (ast.Call, ast.Attribute, ast.Subscript, ast.NamedExpr)


def flags_set_anew(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`if c.isdigit(): found = True` with `else: found = False` in a loop: of all rounds the last one decides.

    What the flag is before the loop says which of the two is to stay: `good = True` asks of all rounds."""
    for block in blocks_in(program.nodes):
        for place, loop in enumerate(block):
            if not isinstance(loop, ast.For) or any(isinstance(p, ast.Break | ast.Return) for p in walk(loop)):
                continue
            begun = {name: value.value for name, value in map(_given, block[:place]) if _is_flag(value)}  # type: ignore[union-attr]
            for step in walk(loop):
                match step:
                    case ast.If(
                        body=[ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=bool(one)))],
                        orelse=[ast.Assign(targets=[ast.Name(id=again)], value=ast.Constant(value=bool(other)))],
                    ) if name == again and one is not other and name in begun:
                        if name not in {*names_read(walk(loop))}:
                            yield PlainSlip("flag_set_anew", _one_way(step, other is not begun[name], program))


def _one_way(step: ast.If, is_other: bool, program: LocatedProgram) -> tuple[Edit, ...]:
    """The edits that leave of an `if` with an `else` its first branch alone, or the other one."""
    (body,), (other,) = step.body, step.orelse
    rest = Edit(program.lines(body)[1], program.lines(other)[1], "")
    if not is_other:
        return (rest,)
    turned = program.put(step.test, negated(step.test, program))
    return *turned, *program.put(body, program.text(other)), rest


def first_answers(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`if fits(a, b): return True` with `else: return False` in a loop behind which `return True` stands: the first
    round answers for all."""
    for block in blocks_in(program.nodes):
        for loop, behind in pairwise(block):
            steps = loop.body if isinstance(loop, ast.For | ast.While) and not loop.orelse else []
            for step in steps:
                match step, behind:
                    case (
                        ast.If(
                            test=test,
                            body=[ast.Return(value=ast.Constant(value=bool(one)))],
                            orelse=[ast.Return(value=ast.Constant(value=bool(other))) as left],
                        ),
                        ast.Return(value=ast.Constant(value=bool(last))),
                    ) if one is last and other is not last and not _passes_on(loop):
                        start, stop = program.span(step.body[0])
                        edits = (
                            Edit(*program.span(test), negated(test, program)),
                            Edit(start, stop, program.text(left)),
                            Edit(program.lines(step.body[0])[1], program.lines(left)[1], ""),
                        )
                        yield PlainSlip("first_answer", edits)


def _passes_on(loop: ast.AST) -> bool:
    """Whether a loop has rounds that answer nothing."""
    return any(isinstance(part, ast.Continue | ast.Break) for part in walk(loop))


def negated(test: ast.expr, program: LocatedProgram) -> str:
    """A condition that holds where another one does not, as it is written."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return program.text(operand)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return f"{program.text(left)} {OPPOSITE_SYMBOLS[type(op)]} {program.text(right)}"
        case ast.BoolOp() | ast.IfExp() | ast.Lambda() | ast.NamedExpr():
            return f"not ({program.text(test)})"
    return f"not {program.text(test)}"


def _is_flag(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, bool)


def ways_by_the_inner_loop(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`for i: for j: for k: if d[i][k] + d[k][j] < d[i][j]`: the place in between belongs in the outer loop."""
    for outer in program.nodes:
        match outer:
            case ast.For(
                target=ast.Name(id=i) as first,
                body=[
                    ast.For(
                        target=ast.Name(id=j) as second, body=[ast.For(target=ast.Name(id=k) as third, body=[step])]
                    ) as middle
                ],
            ):
                inner = middle.body[0]
                loops = {program.text(loop.iter) for loop in (outer, middle, inner)}  # type: ignore[attr-defined]
                if len(loops) == 1 and (between := _between(step)) in (j, k):
                    order = [between, *(name for name in (i, j, k) if name != between)]
                    edits = [program.put(n, name)[0] for n, name in zip((first, second, third), order, strict=True)]
                    yield PlainSlip("way_by_inner_loop", tuple(edits))


def _between(step: ast.stmt) -> str:
    """`k` of `d[i][k] + d[k][j]` in a statement; empty where there is no such sum."""
    for part in walk(step):
        match part:
            case ast.BinOp(
                left=ast.Subscript(value=ast.Subscript(value=one, slice=ast.Name(id=i)), slice=ast.Name(id=k)),
                op=ast.Add(),
                right=ast.Subscript(value=ast.Subscript(value=other, slice=ast.Name(id=m)), slice=ast.Name(id=j)),
            ) if k == m and len({i, j, k}) == 3 and ast.dump(one) == ast.dump(other):
                return k
    return ""


LOST_ROUNDS: Final = (
    ways_by_the_inner_loop,
    reused_loop_variables,
    updates_behind_loops,
    endless_counts,
    flags_set_anew,
    first_answers,
)
