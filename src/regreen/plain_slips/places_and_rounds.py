"""Places that are not there, rounds without an end, and spans whose ends belong to two names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.plain_slips.given_kinds import kinds_given
from regreen.plain_slips.located_program import LocatedProgram, PlainSlip, nodes_within
from regreen.syntax import CHANGING_METHODS, FUNCTIONS, callee_name, names_within, walk, whole_number
from regreen.types import Edit

_LEAVING: Final = (ast.Break, ast.Return, ast.Raise, ast.Try)


def places_behind_the_end(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`for j in range(len(xs)):` with `xs[j + 1]`, which the last round never finds, and with nothing asked before."""
    known = kinds_given(program.nodes, program) if "range(" in program.source else {}
    for node in program.nodes if known else ():
        loops = [node] if isinstance(node, ast.For) else getattr(node, "generators", [])
        if len(loops) != 1 or not isinstance(loop := loops[0], ast.For | ast.comprehension):
            continue
        match loop:
            case (
                ast.For(target=ast.Name(id=place), iter=ast.Call(args=[*_, bound]) as call)
                | ast.comprehension(target=ast.Name(id=place), iter=ast.Call(args=[*_, bound]) as call)
            ) if callee_name(call) == "range" and len(call.args) < _WITH_STEP:
                length = _length_of(bound, node, program)
                is_list = dict not in known.get(length, set())
                far = _farthest(length, place, node, program) if length and is_list else 0
                if far and not _is_asked_about(place, node, program):
                    yield PlainSlip("place_behind_end", (_less(bound, far, program),))


_WITH_STEP: Final = 3
"""Arguments of `range` with a step."""


def _length_of(bound: ast.expr, node: ast.AST, program: LocatedProgram) -> str:
    """What `len(xs)`, or a variable that is given just that, is the length of; empty for anything else."""
    if isinstance(bound, ast.Name):
        around = program.parents.get(node)
        while around is not None and not isinstance(around, FUNCTIONS):
            around = program.parents.get(around)
        stored = [
            program.parents[part]
            for part in (walk(around) if around is not None else ())
            if isinstance(part, ast.Name) and part.id == bound.id and isinstance(part.ctx, ast.Store)
        ]
        if len(stored) != 1 or not isinstance(stored[0], ast.Assign):
            return ""
        bound = stored[0].value
    is_length = isinstance(bound, ast.Call) and callee_name(bound) == "len" and len(bound.args) == 1
    return program.text(bound.args[0]) if is_length else ""  # type: ignore[attr-defined]


def _farthest(items: str, place: str, node: ast.AST, program: LocatedProgram) -> int:
    """How far behind the place of the round items are read, at most; 0 where they are changed, or none is read."""
    far = 0
    for part in walk(node):
        is_call = isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)
        owner = part.func.value if is_call and part.func.attr in CHANGING_METHODS else None  # type: ignore[attr-defined]
        is_set = isinstance(part, ast.Name) and part.id == items and isinstance(part.ctx, ast.Store)
        if is_set or (owner is not None and program.text(owner) == items):
            return 0
        match part:
            case ast.Subscript(
                value=ast.expr() as read, slice=ast.BinOp(left=ast.Name(id=name), op=ast.Add(), right=number)
            ) if name == place and program.text(read) == items:
                far = max(far, whole_number(number) or 0)
    return far


def _is_asked_about(place: str, node: ast.AST, program: LocatedProgram) -> bool:
    """Whether a round may end, or something is asked about its place, before anything is read."""
    for part in walk(node):
        if isinstance(part, _LEAVING):
            return True
        tests = [part.test] if isinstance(part, ast.If | ast.While | ast.IfExp | ast.Assert) else []
        tests += part.values if isinstance(part, ast.BoolOp) else getattr(part, "ifs", [])
        # `xs[j] > xs[j + 1]` reads it, and asks nothing about the place.
        for test in tests:
            asked = walk(test)
            inside = {id(inner) for one in asked if isinstance(one, ast.Subscript) for inner in walk(one.slice)}
            if any(isinstance(one, ast.Name) and one.id == place and id(one) not in inside for one in asked):
                return True
    return False


def _less(bound: ast.expr, far: int, program: LocatedProgram) -> Edit:
    end = program.span(bound)[1]
    return Edit(end, end, f" - {far}")


def fractions_as_places(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`mid = (low + high) / 2` of which `xs[mid]` is read, and `range(n / 2)`: a place is a whole number."""
    for function in program.functions() if "/" in program.source else ():
        inside = list(nodes_within(function))
        places = {
            node.slice.id for node in inside if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name)
        }
        for node in inside:
            quotient = None
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(op=ast.Div()) as value) if name in places:
                    quotient = value
                case ast.Call(args=[ast.BinOp(op=ast.Div()) as value]) if callee_name(node) == "range":
                    quotient = value
                case ast.Subscript(slice=ast.BinOp(op=ast.Div()) as value):
                    quotient = value
            if quotient is not None and any(whole_number(side) is not None for side in (quotient.left, quotient.right)):
                start, end = program.span(quotient.left)[1], program.span(quotient.right)[0]
                at = program.source.index("/", start, end)
                yield PlainSlip("fraction_as_place", (Edit(at, at + 1, "//"),))


def stuck_rounds(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`while i < len(text):` with `if text[i] == " ": continue`, before which nothing moves `i`: no end."""
    for loop in program.nodes:
        if not isinstance(loop, ast.While) or not isinstance(loop.test, ast.Compare):
            continue
        asked = {name for name in names_within(loop.test) if name != "len"}
        steps = [step for step in walk(loop) if isinstance(step, ast.AugAssign) and _moved(step) & asked]
        plain = {program.text(step) for step in steps if whole_number(step.value) is not None}
        if len(plain) != 1 or any(
            isinstance(part, ast.Call) and callee_name(part) != "len" for part in walk(loop.test)
        ):
            continue
        for branch in loop.body:
            if any(_moved(part) & asked for part in walk(branch) if isinstance(part, ast.stmt)) or not isinstance(
                branch, ast.If
            ):
                break
            last = branch.body[-1]
            is_changing = any(isinstance(part, ast.Call | ast.Delete) for step in branch.body for part in walk(step))
            if isinstance(last, ast.Continue) and not is_changing:
                at = program.span(last)[0]
                yield PlainSlip("stuck_round", (Edit(at, at, f"{next(iter(plain))}\n{program.indent(last)}"),))


def _moved(step: ast.AST) -> set[str]:
    """The names that a statement gives another value."""
    targets = step.targets if isinstance(step, ast.Assign) else [getattr(step, "target", None)]
    return {part.id for target in targets if target is not None for part in walk(target) if isinstance(part, ast.Name)}


def crossed_spans(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`range(col, row + 3)` beside `range(row, row + 3)`: from one name to another one's end."""
    for function in program.functions() if program.source.count("range(") > 1 else ():
        spans = [found for node in nodes_within(function) if (found := _span_from(node, program)) is not None]
        for call, begin, stop, size in spans:
            is_beside = any(other[1] == other[2] == stop and other[3] == size for other in spans)
            if begin != stop and is_beside:
                yield PlainSlip("crossed_span", program.put(call.args[1], f"{begin} + {size}"))


def _span_from(node: ast.AST, program: LocatedProgram) -> tuple[ast.Call, str, str, str] | None:
    """`range(row, row + 3)` with the names at both ends and how far it goes."""
    match node:
        case ast.Call(args=[ast.Name(id=begin), ast.BinOp(left=ast.Name(id=stop), op=ast.Add(), right=size)]) if (
            callee_name(node) == "range" and whole_number(size) is not None
        ):
            return node, begin, stop, program.text(size)
    return None


PLACES_AND_ROUNDS: Final = (places_behind_the_end, fractions_as_places, stuck_rounds, crossed_spans)
