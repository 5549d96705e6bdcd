"""What an expression would have to give at each visit of its line for the checks to pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from regreen.propose.search.synthesis.term_values import UnknownValue, value_of
from regreen.propose.search.synthesis.terms import Values
from regreen.types import Visit

_MOST_VISITS: Final = 12
"""That one goal is made of: different ones, those of red checks first."""
_DEEPEST: Final = 3


@dataclass(frozen=True, slots=True)
class ValueGoal:
    """An expression, and the values that it should have at some visits."""

    node: ast.expr
    visits: tuple[Visit, ...]
    values: Values


def distinct_visits(visits: Sequence[Visit]) -> list[Visit]:
    """Visits with different values, those of red checks first."""
    found: dict[str, Visit] = {}
    for visit in sorted(visits, key=lambda visit: not visit.is_red):
        found.setdefault(repr((sorted(visit.values.items()), visit.should_return)), visit)
    return list(found.values())[:_MOST_VISITS]


def return_goals(node: ast.Return, visits: Sequence[Visit]) -> Iterator[ValueGoal]:
    """Goals for what a `return` gives and for its parts; `visits` are those whose calls should return a known value."""
    if node.value is not None and visits:
        goal = ValueGoal(node.value, tuple(visits), tuple(visit.should_return[0] for visit in visits))
        yield goal
        yield from _inside(goal, _DEEPEST)


def _inside(goal: ValueGoal, depth: int) -> Iterator[ValueGoal]:
    """Goals for the parts of an expression, the other parts being right."""
    for part, values in _aims(goal.node, goal) if depth else ():
        inner = ValueGoal(part, goal.visits, values)
        yield inner
        yield from _inside(inner, depth - 1)


def _aims(node: ast.expr, goal: ValueGoal) -> Iterator[tuple[ast.expr, Values]]:
    if isinstance(node, ast.BinOp):
        yield from _aims_of_operands(node, goal)
    elif isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        if ast.unparse(node.func) in ("math.sqrt", "sqrt") and all(isinstance(v, int | float) for v in goal.values):
            yield node.args[0], tuple(value * value for value in goal.values)
    elif isinstance(node, ast.Tuple | ast.List):
        size, kind = len(node.elts), tuple if isinstance(node, ast.Tuple) else list
        if all(type(value) is kind and len(value) == size for value in goal.values):
            yield from ((part, tuple(value[n] for value in goal.values)) for n, part in enumerate(node.elts))


def _aims_of_operands(node: ast.BinOp, goal: ValueGoal) -> Iterator[tuple[ast.expr, Values]]:
    for part, other, table in ((node.left, node.right, _LEFT), (node.right, node.left, _RIGHT)):
        inverse = table.get(type(node.op))
        values = [] if inverse is None else list(_inverted(inverse, goal, other))
        if values and len(values) == len(goal.values):
            yield part, tuple(values)


def _inverted(inverse: ast.operator | str, goal: ValueGoal, other: ast.expr) -> Iterator[Any]:
    """What one operand has to be, visit by visit; it ends early where that is not known."""
    aim, given = ast.Name("aim", ast.Load()), ast.Name("given", ast.Load())
    left, right = (aim, given) if isinstance(inverse, ast.operator) else (given, aim)
    operation = inverse if isinstance(inverse, ast.operator) else _SIGNS[inverse]
    for value, visit in zip(goal.values, goal.visits, strict=True):
        try:
            names = {"aim": value, "given": value_of(other, visit.values)}
            yield value_of(ast.BinOp(left, operation, right), names)
        except UnknownValue:
            return


_SIGNS: Final[Mapping[str, ast.operator]] = {"-": ast.Sub(), "/": ast.Div()}
_LEFT: Final[Mapping[type[ast.operator], ast.operator | str]] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.Div(),
    ast.Div: ast.Mult(),
}
"""What is done with the aim and the right operand to have the left one."""
_RIGHT: Final[Mapping[type[ast.operator], ast.operator | str]] = {
    ast.Add: ast.Sub(),
    ast.Sub: "-",
    ast.Mult: ast.Div(),
    ast.Div: "/",
}
"""The same for the right operand; a text where the left operand comes first."""


def condition_goal(
    test: ast.expr, visits: Sequence[Visit], if_true: frozenset[str], if_false: frozenset[str]
) -> tuple[tuple[Visit, ...], tuple[bool, ...]]:
    """Visits of a condition with what it should be there, given which checks pass where it is always true, or false.

    A check that passes with one of the two alone needs that; one that passes either way needs nothing; a green one that
    passes neither way needs what it has. Empty where no red check needs anything, or one needs both.
    """
    wanted: dict[int, bool] = {}
    for number, visit in enumerate(visits):
        passes = visit.check in if_true, visit.check in if_false
        if passes[0] != passes[1]:
            wanted[number] = passes[0]
        elif not any(passes) and not visit.is_red:
            try:
                wanted[number] = bool(value_of(test, visit.values))
            except UnknownValue:
                return (), ()
    if not any(visits[number].is_red for number in wanted):
        return (), ()
    return tuple(visits[number] for number in wanted), tuple(wanted.values())
