"""Numbers that go beyond their bounds, and are brought to them: a result, a time that is waited for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import permutations
from typing import Final, TypeGuard

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import AND, ATOM, COMPARISON, TERM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template, here_or_everywhere
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.iteration.both_ends import names_of_length
from regreen.syntax import ORDERS, callee_name, whole_number

_SIZED = ("str", "list", "tuple", "set", "dict", "")
"""Kinds of what has a length, or may have one."""


def cap_result(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return best` becomes `return min(best, n)`, where `n = len(xs)`, or `min(best, len(xs))`: what goes round twice
    has no more than there is."""
    goes_round = any(isinstance(part, ast.For | ast.While) for part in context.scope.nodes)
    if not isinstance(node.value, ast.Name) or not goes_round:
        return
    result = node.value.id
    sized = [name for name in context.scope.parameters if context.scope.kinds.get(name, "") in ("str", "list", "")]
    held = [length for name in sized for length in names_of_length(name, context)]
    bounds = held or [f"len({name})" for name in sized if name != context.scope.receiver]
    for bound in dict.fromkeys(bounds):
        if bound != result:
            yield context.put(node.value, f"min({result}, {bound})")


def wait_for_bound(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if opens <= at <= closes:` comes behind `at = max(at, opens)`: who is too early waits."""
    match node.test:
        case ast.Compare(left=low, ops=[first, second], comparators=[ast.Name(id=name), high]):
            pass
        case _:
            return
    if not isinstance(first, ORDERS) or not isinstance(second, ORDERS):
        return
    least, most = (high, low) if isinstance(first, ast.Gt | ast.GtE) else (low, high)
    yield from context.before(node, (f"{name} = max({name}, {context.text(least)})",))
    yield from context.before(node, (f"{name} = min({name}, {context.text(most)})",), HALF)


def at_least_all(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return (most - 1) * (n + 1) + ties` becomes `return max(len(tasks), (most - 1) * (n + 1) + ties)`: it takes no
    less than all of them do."""
    if not isinstance(node.value, ast.BinOp):
        return
    for name in context.scope.parameters:
        if name != context.scope.receiver and context.scope.kinds.get(name, "") in _SIZED:
            yield context.put(node.value, f"max(len({name}), {context.text(node.value)})")


def nothing_for_below_zero(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`min(a.end, b.end) - max(a.start, b.start)` becomes `max(0, ...)` of it, here or wherever it is so reckoned: what
    does not overlap shares nothing."""
    if not _is_overlap(node):
        return
    alike = [part for part in context.scope.nodes if _is_overlap(part) and not _is_bounded(context.parent(part))]
    yield from here_or_everywhere(
        node, {part: context.edit(part, Expression(f"max(0, {context.text(part)})", ATOM)) for part in alike}
    )


def _is_bounded(parent: ast.AST) -> bool:
    return isinstance(parent, ast.Call) and callee_name(parent) == "max"


def _is_overlap(node: ast.AST) -> TypeGuard[ast.BinOp]:
    """Whether a node is `min(...) - max(...)`."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
        return False
    called = [callee_name(side) for side in (node.left, node.right) if isinstance(side, ast.Call)]
    return called == ["min", "max"]


def bit_for_bound(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`code >= 16` becomes `code & 16` in a function that asks for other bits: a higher bit tells nothing of this
    one."""
    number = whole_number(node.comparators[0])
    is_bound = len(node.ops) == 1 and isinstance(node.ops[0], ast.GtE | ast.Gt | ast.Eq)
    if number is None or number < 2 or number & (number - 1) or not is_bound:
        return
    left = context.text(node.left)
    bits = (part for part in context.scope.nodes if isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitAnd))
    if any(context.text(part.left) == left for part in bits):
        yield context.put(node, Expression(f"{left} & {number}", COMPARISON))


def no_less_than_the_largest(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`low = 0` beside `high = sum(xs)` of a search between both becomes `low = max(xs)`: each of them has to fit."""
    low = node.targets[0]
    if not isinstance(low, ast.Name) or whole_number(node.value) not in (0, 1):
        return
    for part in context.scope.nodes:
        match part:
            case ast.Assign(value=ast.Call(func=ast.Name(id="sum"), args=[ast.Name(id=items)])) if part is not node:
                yield context.put(node.value, f"max({items})")


def spans_that_overlap(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`start1 <= start2 and start2 < end1` becomes `start1 < end2 and start2 < end1`: two spans overlap also where the
    second one began before the first one."""
    match node:
        case ast.BoolOp(op=ast.And(), values=[ast.Compare() as first, ast.Compare() as second]):
            compared = [_less_and_more(part, context) for part in (first, second)]
        case ast.Compare(left=low, ops=[ast.Lt() | ast.LtE(), ast.Lt() | ast.LtE() as op], comparators=[middle, high]):
            texts = [context.text(part) for part in (low, middle, high)]
            compared = [(texts[0], "<=", texts[1]), (texts[1], "<" if isinstance(op, ast.Lt) else "<=", texts[2])]
        case _:
            return
    for (least, _, one), (other, sign, most) in permutations(compared):
        if one == other and one and (end := _end_of(one, context)):
            yield context.put(node, Expression(f"{least} {sign} {end} and {one} {sign} {most}", AND))


def _less_and_more(node: ast.Compare, context: TemplateContext) -> tuple[str, str, str]:
    """`a`, `<=` and `b` of `a <= b` and of `b >= a`; empty texts of any other comparison."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ORDERS):
        return "", "", ""
    sides = context.text(node.left), context.text(node.comparators[0])
    sign = "<" if isinstance(node.ops[0], ast.Lt | ast.Gt) else "<="
    is_turned = isinstance(node.ops[0], ast.Gt | ast.GtE)
    return (sides[1], sign, sides[0]) if is_turned else (sides[0], sign, sides[1])


def _end_of(start: str, context: TemplateContext) -> str:
    """What ends where that begins: `end2` of `start2`, `b[1]` of `b[0]`; empty where the function knows none."""
    if re.fullmatch(r"[sa]\d*", start):
        name = {"s": "e", "a": "b"}[start[0]] + start[1:]
        return name if name in context.scope.visible else ""
    for begin, end in _BEGINNINGS:
        name = start.replace(begin, end)
        if name != start and (name in context.scope.visible or "[" in name or "." in name):
            return name
    return ""


_BEGINNINGS: Final = (
    *(("start", "end"), ("begin", "end"), ("first", "last"), ("from", "to"), ("left", "right"), ("low", "high")),
    *(("arrive", "leave"), ("open", "close"), ("[0]", "[1]")),
)


def not_before_it_is_there(node: ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`free_at = free_at + minutes`, beside `wait = free_at - arrival`, becomes `free_at = max(free_at, arrival) +
    minutes`: nothing begins before it is there."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.BinOp(left=ast.Name(id=before), op=ast.Add(), right=more)
        ) if name == before:
            pass
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=more):
            pass
        case _:
            return
    for part in context.scope.nodes:
        match part:
            case ast.BinOp(left=one, op=ast.Sub(), right=other):
                pass
            case ast.Compare(left=one, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()], comparators=[other]):
                pass
            case _:
                continue
        for here, there in ((one, other), (other, one)):
            if isinstance(here, ast.Name) and here.id == name and whole_number(there) is None:
                line = f"{name} = max({name}, {context.text(there)}) + {context.expression(more).at(TERM)}"
                yield from context.restate(node, (line,))


TEMPLATES = (
    Template("no_less_than_the_largest", (ast.Assign,), no_less_than_the_largest, ("smaller", "content")),
    Template("bit_for_bound", (ast.Compare,), bit_for_bound, ("reversed", "content")),
    Template("nothing_for_below_zero", (ast.BinOp,), nothing_for_below_zero, ("negative", "larger", "content")),
    Template("at_least_all", (ast.Return,), at_least_all, ("smaller",)),
    Template("cap_result", (ast.Return,), cap_result, ("larger",)),
    Template("wait_for_bound", (ast.If,), wait_for_bound, ("smaller", "content", "shorter")),
    Template(
        "spans_that_overlap",
        (ast.BoolOp, ast.Compare),
        spans_that_overlap,
        ("negated", "shorter", "smaller", "content"),
    ),
    Template("not_before_it_is_there", (ast.Assign, ast.AugAssign), not_before_it_is_there, ("smaller", "content")),
)
