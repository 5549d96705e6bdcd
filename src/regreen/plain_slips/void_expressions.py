"""Expressions that mean nothing as they stand: a method that nobody calls, `1 % n`, a range that is always empty."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.plain_slips.located_program import LocatedProgram, PlainSlip, is_own_attribute, names_stored
from regreen.syntax import callee_name, walk, whole_number
from regreen.types import Edit

STRAIGHT_STEPS: Final = frozenset({(0, 1), (1, 0), (0, -1), (-1, 0)})
_ALL_STEPS: Final = STRAIGHT_STEPS | {(1, 1), (1, -1), (-1, 1), (-1, -1)}
_IDENTITY: Final = re.compile(r"\bis(?:\s+not)?\b")
_HIGH: Final = frozenset({"right", "bottom", "high", "hi", "last", "end"})
_LOW: Final = frozenset({"left", "top", "low", "lo", "first", "start"})
_ASKING: Final = (ast.If, ast.While, ast.IfExp)


def uncalled_methods(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`if self.is_full:` of a class whose `is_full` is a method without parameters, which is always true."""
    for owner in program.classes():
        methods = [node for node in owner.body if isinstance(node, ast.FunctionDef) and not node.decorator_list]
        plain = {method.name for method in methods if len(method.args.args) == 1 and not method.args.vararg}
        inside = walk(owner)
        plain -= {n.attr for n in inside if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
        # `full = property(full)` makes another thing of it.
        plain -= {name for stmt in owner.body if isinstance(stmt, ast.Assign) for name in names_stored(stmt)}
        for node in inside:
            is_meant = is_own_attribute(node) and node.attr in plain
            if is_meant and (_is_value(node, program) or _is_kept_as_list(node, program)):
                yield PlainSlip("uncalled_method", program.put(node, f"{program.text(node)}()"))  # type: ignore[arg-type]


def _is_kept_as_list(node: ast.AST, program: LocatedProgram) -> bool:
    """Whether a variable is given what an expression gives and then used as the items that it would give if called."""
    kept = program.parents[node]
    name = kept.targets[0] if isinstance(kept, ast.Assign) and len(kept.targets) == 1 else None
    function = kept
    while not isinstance(function, ast.FunctionDef | ast.Module):
        function = program.parents[function]
    if not isinstance(name, ast.Name) or function is program.module:
        return False
    uses = [n for n in walk(function) if isinstance(n, ast.Name) and n.id == name.id and n is not name]
    return bool(uses) and all(_is_use_of_items(use, program.parents[use]) for use in uses)


def _is_use_of_items(use: ast.Name, around: ast.AST) -> bool:
    """Whether something is done with a variable that can be done with a list, and not with a method."""
    if not isinstance(use.ctx, ast.Load):
        return False
    if isinstance(around, ast.Call):
        return use in around.args and callee_name(around) in _OF_ITEMS
    if isinstance(around, ast.For | ast.comprehension):
        return around.iter is use
    return isinstance(around, ast.BinOp) or (isinstance(around, ast.Subscript) and around.value is use)


_OF_ITEMS: Final = frozenset("len set list sorted sum max min any all enumerate reversed tuple".split())


def uncalled_questions(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`if c.isdigit`: a method of a text that is asked itself, and not called."""
    own = {node.name for node in program.nodes if isinstance(node, ast.FunctionDef)}
    for node in program.nodes:
        if isinstance(node, ast.Attribute) and node.attr in _QUESTIONS_OF_TEXTS - own:
            parent = program.parents[node]
            is_filter = isinstance(parent, ast.comprehension) and node in parent.ifs
            if is_filter or _is_value(node, program):
                yield PlainSlip("uncalled_question", program.put(node, f"{program.text(node)}()"))


_QUESTIONS_OF_TEXTS: Final = frozenset(
    "isdigit isalpha isalnum isupper islower isspace isnumeric isdecimal istitle isidentifier isascii".split()
)


def _is_value(node: ast.AST, program: LocatedProgram) -> bool:
    """Whether an expression is asked about, compared or reckoned with."""
    parent = program.parents[node]
    if isinstance(parent, _ASKING):
        return parent.test is node
    if isinstance(parent, ast.Compare):
        # Two methods may be compared, and a method with a number may not.
        return any(isinstance(other, ast.Constant | ast.BinOp) for other in (parent.left, *parent.comparators))
    return isinstance(parent, ast.BoolOp | ast.BinOp) or (
        isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
    )


def loose_remainders(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`head + 1 % size`, which is `head + 1`."""
    for node in program.nodes:
        rest = node.right if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) else None
        if not isinstance(rest, ast.BinOp) or not isinstance(rest.op, ast.Mod) or whole_number(rest.left) != 1:
            continue
        if program.source[program.span(rest)[0] - 1] != "(":
            assert isinstance(node, ast.BinOp)
            start, end = program.span(node.left)[0], program.span(rest.left)[1]
            yield PlainSlip("loose_remainder", (Edit(start, start, "("), Edit(end, end, ")")))


def repeated_steps(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`(0, 1), (1, 0), (0, -1), (1, 0)`: of the steps to the neighbours on a grid one twice, and one missing; so is it
    beside `(-1, 1)`, the only one that is not straight."""
    for node in program.nodes:
        if not isinstance(node, ast.Tuple | ast.List):
            continue
        steps = [grid_step(part) for part in node.elts]
        for known in (STRAIGHT_STEPS, _ALL_STEPS):
            if len(steps) == len(known) == len(set(steps)) + 1 and set(steps) < known:
                (missing,) = known - set(steps)
                last = max(place for place, step in enumerate(steps) if steps.count(step) > 1)
                yield PlainSlip("repeated_step", program.put(node.elts[last], repr(missing)))
        odd = [place for place, step in enumerate(steps) if step not in STRAIGHT_STEPS]
        if len(steps) == len(set(steps)) == len(STRAIGHT_STEPS) and len(odd) == 1:
            (missing,) = STRAIGHT_STEPS - set(steps)
            if steps[odd[0]] not in (None, (0, 0)):
                yield PlainSlip("repeated_step", program.put(node.elts[odd[0]], repr(missing)))


def grid_step(node: ast.expr) -> tuple[int, int] | None:
    """The two numbers of `(0, -1)`; None for anything else."""
    numbers = [whole_number(part) for part in node.elts] if isinstance(node, ast.Tuple | ast.List) else []
    first, second = numbers if len(numbers) == 2 else (None, None)
    return None if first is None or second is None else (first, second)


def repeated_moves(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`go(y + 1, x)`, `go(y - 1, x)`, `go(y, x + 1)`, `go(y - 1, x)`: of four ways one twice, and one missing."""
    for places in _places_side_by_side(program):
        moves = [(_moved(row), _moved(column)) for row, column in places]
        steps = [(down, right) for (_, down), (_, right) in moves]
        are_named_alike = len({(row, column) for (row, _), (column, _) in moves}) == 1 and moves[0][0][0]
        if not are_named_alike or len(steps) != len(STRAIGHT_STEPS) or len(set(steps)) != len(steps) - 1:
            continue
        if set(steps) < STRAIGHT_STEPS:
            (missing,) = STRAIGHT_STEPS - set(steps)
            last = max(place for place, step in enumerate(steps) if steps.count(step) > 1)
            sides = zip(places[last], moves[last], missing, strict=True)
            edits = [
                Edit(*program.span(side), _written(name, step)) for side, (name, old), step in sides if old != step
            ]
            yield PlainSlip("repeated_move", tuple(edits))


def _places_side_by_side(program: LocatedProgram) -> Iterator[list[tuple[ast.expr, ast.expr]]]:
    """The pairs in a list, and those that calls of one function in one block, or in one statement, are handed."""
    for node in program.nodes:
        if isinstance(node, ast.Tuple | ast.List):
            yield [pair for part in node.elts if len(pair := _pair_of([part])) == _TWO]  # type: ignore[misc]
        called: dict[str, list[ast.Call]] = {}
        block = getattr(node, "body", None)
        for call in _calls_of(block) if isinstance(block, list) else _calls_within(node):
            called.setdefault(program.text(call.func), []).append(call)
        for calls in called.values():
            yield [pair for call in calls if len(pair := _pair_of(call.args)) == _TWO]  # type: ignore[misc]


def _calls_of(block: list[ast.stmt]) -> Iterator[ast.Call]:
    return (part.value for part in block if isinstance(part, ast.Expr) and isinstance(part.value, ast.Call))


def _calls_within(node: ast.AST) -> Iterator[ast.Call]:
    if isinstance(node, ast.Return | ast.Assign | ast.AugAssign) and node.value is not None:
        calls = (part for part in walk(node.value) if isinstance(part, ast.Call))
        yield from sorted(calls, key=lambda call: (call.lineno, call.col_offset))


def _pair_of(arguments: list[ast.expr]) -> tuple[ast.expr, ...]:
    """A place that is handed over: a pair, or the last two of several arguments."""
    if len(arguments) == 1:
        return tuple(arguments[0].elts) if isinstance(arguments[0], ast.Tuple) else ()
    return tuple(arguments[-_TWO:])


_TWO: Final = 2


def _moved(node: ast.expr) -> tuple[str, int]:
    """The variable and the step of `x`, `x + 1` and `x - 1`; no name for anything else."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and whole_number(node.right) == 1:
        return _name_of(node), 1 if isinstance(node.op, ast.Add) else -1
    return (node.id, 0) if isinstance(node, ast.Name) else ("", 0)


def _written(name: str, step: int) -> str:
    return name if step == 0 else f"{name} {'+' if step > 0 else '-'} 1"


def empty_ranges(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`range(n - 1, -1)` and `range(right, left - 1)`, which go down and have no step."""
    for node in program.nodes:
        if not isinstance(node, ast.Call) or callee_name(node) != "range" or len(node.args) != 2:
            continue
        start, stop = node.args
        last = whole_number(stop)
        goes_down = last is not None and last <= 0 and _is_size(start)
        is_below = isinstance(stop, ast.BinOp) and isinstance(stop.op, ast.Sub) and _name_of(stop) in _LOW
        if goes_down or (is_below and _name_of(start) in _HIGH):
            end, close = program.span(stop)[1], program.span(node)[1]
            # Brackets around the bound, or a comma behind it, are left to the search.
            if program.source[end:close].strip() == ")":
                yield PlainSlip("empty_range", (Edit(end, end, ", -1"),))


def _is_size(node: ast.expr) -> bool:
    """Whether an expression is a length, or a variable or a length less one: no number below zero."""
    if isinstance(node, ast.BinOp):
        is_less = isinstance(node.op, ast.Sub) and whole_number(node.right) == 1
        return is_less and isinstance(node.left, ast.Name | ast.Attribute | ast.Call)
    return isinstance(node, ast.Call) and callee_name(node) == "len"


def _name_of(node: ast.expr) -> str:
    """The variable of `x`, `x - 1` and `x + 1`; empty for anything else."""
    inner = node.left if isinstance(node, ast.BinOp) and whole_number(node.right) == 1 else node
    return inner.id if isinstance(inner, ast.Name) else ""


def compared_identities(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`x is "a"` and `n is not 0`, where Python itself warns."""
    for node in program.nodes:
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Is | ast.IsNot):
            continue
        other = node.comparators[0]
        if isinstance(other, ast.Constant) and isinstance(other.value, str | int) and type(other.value) is not bool:
            symbol = "==" if isinstance(node.ops[0], ast.Is) else "!="
            low, high = program.span(node.left)[1], program.span(other)[0]
            written = _IDENTITY.search(program.source, low, high)
            if written is not None:
                yield PlainSlip("compared_identity", (Edit(*written.span(), symbol),))


def lone_alternatives(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`x == 1 or 2`, which is always true, also with a condition behind it: `x == 1 or 2 and y`."""
    for node in program.nodes:
        if not isinstance(node, ast.BoolOp) or not isinstance(node.op, ast.Or):
            continue
        first = node.values[0]
        if not isinstance(first, ast.Compare) or len(first.ops) != 1 or not isinstance(first.ops[0], ast.Eq):
            continue
        rest = [_first_of_all(part) for part in node.values[1:]]
        alone = [part for part in rest if isinstance(part, ast.Constant) and part.value not in (None, False)]
        is_name = isinstance(first.left, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
        if is_name and len(alone) == len(node.values) - 1 and not any(isinstance(part.value, bool) for part in alone):
            left = program.text(first.left)
            edits = tuple(Edit(program.span(part)[0], program.span(part)[0], f"{left} == ") for part in alone)
            yield PlainSlip("lone_alternative", edits)


def _first_of_all(part: ast.expr) -> ast.expr:
    """`2` of `2 and x in xs`; anything else as it is."""
    return part.values[0] if isinstance(part, ast.BoolOp) and isinstance(part.op, ast.And) else part


def settled_pairs(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`n < 1 and n > 9`, which no number is, and `n != 1 or n != 2`, which every one is: the other word was meant."""
    for node in program.nodes:
        if not isinstance(node, ast.BoolOp) or len(node.values) != len(("one", "other")):
            continue
        one, other = map(_limit_of, node.values)
        if one is None or other is None or ast.dump(one[0]) != ast.dump(other[0]):
            continue
        meets_none, meets_all = _sides(one[1:], other[1:])
        is_void = meets_none if isinstance(node.op, ast.And) else meets_all
        begin, end = program.span(node.values[0])[1], program.span(node.values[1])[0]
        # Between them may stand a comment with the same word.
        between = _WORD.fullmatch(program.source, begin, end)
        if is_void and between is not None:
            other_word = "or" if isinstance(node.op, ast.And) else "and"
            yield PlainSlip("settled_pair", (Edit(*between.span(1), other_word),))


_WORD: Final = re.compile(r"[\s()\\]*(and|or)[\s()\\]*")
"""What joins two conditions, with brackets and ends of lines around it."""


def _limit_of(node: ast.expr) -> tuple[ast.expr, type[ast.cmpop], int | str] | None:
    """What is compared with a whole number or a text, how, and with which; None for anything else."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return None
    right = node.comparators[0]
    number = whole_number(right)
    limit = right.value if isinstance(right, ast.Constant) and isinstance(right.value, str) else number
    is_length = isinstance(node.left, ast.Call) and callee_name(node.left) == "len"
    is_same_twice = is_length or isinstance(node.left, ast.Name | ast.Attribute)
    return (node.left, type(node.ops[0]), limit) if limit is not None and is_same_twice else None


def _sides(one: tuple[type[ast.cmpop], int | str], other: tuple[type[ast.cmpop], int | str]) -> tuple[bool, bool]:
    """Whether no value meets both of two limits, and whether every one meets one of them."""
    for (kind, limit), (other_kind, other_limit) in ((one, other), (other, one)):
        if kind is other_kind and limit != other_limit and kind in (ast.Eq, ast.NotEq):
            return kind is ast.Eq, kind is ast.NotEq
        if not isinstance(limit, int) or not isinstance(other_limit, int):
            continue
        if kind in (ast.Lt, ast.LtE) and other_kind in (ast.Gt, ast.GtE):
            # `n < 4 and n > 8`; `n < 8 or n > 4`.
            return limit < other_limit, limit > other_limit
    return False, False


def cut_spans(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`(end - start).seconds`, which leaves out the days."""
    for node in program.nodes:
        is_span = isinstance(node, ast.Attribute) and node.attr == "seconds" and isinstance(node.ctx, ast.Load)
        if is_span and isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Sub):  # type: ignore[attr-defined]
            assert isinstance(node, ast.Attribute)
            end = program.span(node)[1]
            yield PlainSlip("cut_span", (Edit(end - len("seconds"), end, "total_seconds()"),))


EXPRESSIONS: Final = (
    cut_spans,
    uncalled_methods,
    uncalled_questions,
    loose_remainders,
    repeated_steps,
    repeated_moves,
    empty_ranges,
    compared_identities,
    lone_alternatives,
    settled_pairs,
)
