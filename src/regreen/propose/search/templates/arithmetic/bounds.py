"""Numbers that go beyond their bounds, and are brought to them: a result, a time that is waited for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import ATOM, COMPARISON, Expression
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


TEMPLATES = (
    Template("no_less_than_the_largest", (ast.Assign,), no_less_than_the_largest, ("smaller", "content")),
    Template("bit_for_bound", (ast.Compare,), bit_for_bound, ("reversed", "content")),
    Template("nothing_for_below_zero", (ast.BinOp,), nothing_for_below_zero, ("negative", "larger", "content")),
    Template("at_least_all", (ast.Return,), at_least_all, ("smaller",)),
    Template("cap_result", (ast.Return,), cap_result, ("larger",)),
    Template("wait_for_bound", (ast.If,), wait_for_bound, ("smaller", "content", "shorter")),
)
