"""Shares of an amount: what is taken off, what is left, and what does not come out even."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, UNLIKELY
from regreen.propose.search.expressions import ATOM, FACTOR, SUM, TERM, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, body_after_docstring

_TAKEN_OFF: Final = frozenset(
    "discount discounts discounted off rebate reduced reduction reduce less cheaper percent % depreciation decay loses "
    "fee deduct deducted tax commission".split()
)
_SHARES: Final = ("discount", "rebate", "percent", "rate", "fraction", "share", "reduction")


def what_is_left(node: ast.Constant | ast.Name | ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total *= 0.05` becomes `total *= 0.95`, and `price * discount` `price * (1 - discount)`: what is left where a
    share is taken off. `price * rate / 100` becomes `price * (100 - rate) / 100`."""
    if not _is_factor(node, context):
        return
    likely = 1.0 if _TAKEN_OFF & context.clues.words or "%" in context.clues.prose else UNLIKELY
    whole = _whole(node, context)
    if isinstance(node, ast.Constant):
        part = node.value if isinstance(node.value, int | float) else 0
        if 0 < part < whole:
            yield context.put(node, repr(round(whole - part, 10)), likely)
        return
    share = node.left if isinstance(node, ast.BinOp) else node
    if isinstance(share, ast.Name) and any(word in share.id.lower() for word in _SHARES):
        yield context.put(share, Expression(f"({whole} - {share.id})", ATOM), likely)


def more_by_share(node: ast.Constant | ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`price *= 0.2` becomes `price *= 1.2`, and `price * rate` `price * (1 + rate)`: the amount and what is added."""
    if not _is_factor(node, context):
        return
    if isinstance(node, ast.Constant):
        if isinstance(node.value, float) and 0 < node.value < 1:
            yield context.put(node, repr(round(1 + node.value, 10)))
    elif any(word in node.id.lower() for word in (*_SHARES, "interest", "tax", "growth")):
        yield context.put(node, Expression(f"1 + {node.id}", SUM))


def _is_factor(node: ast.expr, context: TemplateContext) -> bool:
    """Whether something is multiplied by an expression."""
    around = context.parent(node)
    if isinstance(around, ast.AugAssign):
        return around.value is node and isinstance(around.op, ast.Mult)
    return isinstance(around, ast.BinOp) and isinstance(around.op, ast.Mult) and around.right is node


def _whole(node: ast.expr, context: TemplateContext) -> int:
    """100 for what is divided by it, else 1."""
    product = context.parent(node)
    quotient = node if isinstance(node, ast.BinOp) or product is None else context.parent(product)
    if not isinstance(quotient, ast.BinOp) or not isinstance(quotient.op, ast.Div):
        return 1
    return 100 if context.text(quotient.right) == "100" else 1


def share_out_rest(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[share] * people`, with `share = round(cents / people)`, becomes `[cents // people + 1] * (cents % people) +
    [cents // people] * (people - cents % people)`: the first ones take what does not come out even."""
    shared, people = node.left, context.text(node.right)
    if not isinstance(node.op, ast.Mult) or not isinstance(shared, ast.List) or len(shared.elts) != 1:
        return
    share = shared.elts[0]
    values = [share]
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign) and context.text(part.targets[0]) == context.text(share):
            values = [part.value]
    for quotient in (part for value in values for part in ast.walk(value) if isinstance(part, ast.BinOp)):
        if isinstance(quotient.op, ast.Div | ast.FloorDiv) and context.text(quotient.right) == people:
            whole, number = context.expression(quotient.left).at(TERM), context.expression(quotient.right).at(FACTOR)
            each, rest = f"{whole} // {number}", f"{whole} % {number}"
            first = f"[{each} + 1] * ({rest}) + [{each}] * ({people} - {rest})"
            last = f"[{each}] * ({people} - {rest}) + [{each} + 1] * ({rest})"
            yield context.put(node, Expression(first, SUM))
            yield context.put(node, Expression(last, SUM), HALF)


def shortfall_of_each(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sum(n * count for n in needed) - sum(stock)` becomes `sum(max(0, n * count - have) for n, have in zip(needed,
    stock))`: what is left of one does not make up for what lacks of another."""
    wanted, there = (_summed(side, context) for side in (node.left, node.right))
    if not isinstance(node.op, ast.Sub) or wanted is None or there is None:
        return
    (one, items, each), (other, others, had) = wanted, there
    if one == other:
        return
    names = f"{one}, {other} in zip({items}, {others})"
    yield context.put(node, Expression(f"sum(max(0, {each} - {had}) for {names})", ATOM))


def _summed(node: ast.expr, context: TemplateContext) -> tuple[str, str, str] | None:
    """A name for each item, the items, and what is added up of each; None for anything but a sum over a sequence."""
    match node:
        case ast.Call(func=ast.Name(id="sum"), args=[ast.Name(id=items)]):
            given = items[:-1] if items.endswith("s") and len(items) > 1 else ""
            name = context.new_name(*[given] * bool(given), f"one_{items}")
            return name, items, name
        case ast.Call(
            func=ast.Name(id="sum"),
            args=[
                ast.GeneratorExp(elt=each, generators=[ast.comprehension(target=ast.Name(id=name), iter=over, ifs=[])])
            ],
        ):
            return name, context.text(over), context.expression(each).at(SUM)
    return None


def brackets_add_up(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if x <= 1000: return x * 0.1` and then `return x * 0.2` becomes `return 1000 * 0.1 + (x - 1000) * 0.2`: a higher
    rate is that of what is above its bound alone, as taxes have it."""
    brackets = list(_brackets(body_after_docstring(node)))
    asked = [bound for bound, _ in brackets if isinstance(bound, ast.Compare)]
    names = {_amount(bound) for bound in asked}
    if len(asked) != len(brackets) - 1 or brackets[-1][0] is not None or len(names) != 1 or "" in names:
        return
    amount, bounds = names.pop(), [context.text(bound.comparators[0]) for bound in asked]
    texts = [context.text(value) for _, value in brackets]
    if any(len(re.findall(rf"\b{amount}\b", text)) != 1 or not set(text) & {"*", "/"} for text in texts):
        return
    edits, below = [], ["0", *bounds]
    for place, (_, value) in enumerate(brackets[1:], 1):
        full = [_of(texts[k], amount, f"({below[k + 1]} - {below[k]})" if k else below[k + 1]) for k in range(place)]
        rest = _of(texts[place], amount, f"({amount} - {below[place]})")
        edits.append(context.edit(value, Expression(" + ".join((*full, rest)), SUM)))
    yield WeightedEdits(tuple(edits))


def _brackets(body: list[ast.stmt]) -> Iterator[tuple[ast.expr | None, ast.expr]]:
    """The questions in a row, each with what is returned under it, and at last what is returned without one."""
    for step in body:
        match step:
            case ast.If(test=test, body=[ast.Return(value=ast.expr() as value)], orelse=other):
                yield test, value
                yield from _brackets(other)
            case ast.Return(value=ast.expr() as value):
                yield None, value
                return
            case _:
                return


def _amount(test: ast.expr | None) -> str:
    """`x` of `x <= 1000`; empty for another question."""
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt() | ast.LtE()]):
            return name
    return ""


def _of(text: str, amount: str, part: str) -> str:
    """What is returned for a part of the amount."""
    return re.sub(rf"\b{amount}\b", lambda _: part, text)


def part_of_each_bracket(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`lower = 0`, which nothing reads, before `for upper, rate in brackets:` with `total += upper * rate` makes it
    `total += (upper - lower) * rate`, and so what is above the last one; `lower = upper` ends each round: each part by
    itself."""
    upper = node.target.elts[0] if isinstance(node.target, ast.Tuple) else None
    if not isinstance(upper, ast.Name) or not context.program.alone(node.body[-1]):
        return
    added = [part.value for part in ast.walk(node) if isinstance(part, ast.AugAssign)]
    products = [part for value in added for part in ast.walk(value) if isinstance(part, ast.BinOp)]
    amounts = [part.left for part in products if isinstance(part.op, ast.Mult) and isinstance(part.left, ast.Name)]
    for lower in context.cached("begun with nothing and not read", lambda: _begun_unread(context)):
        if any(amount.id == upper.id for amount in amounts if isinstance(amount, ast.Name)):
            edits = [context.edit(amount, Expression(f"{context.text(amount)} - {lower}", SUM)) for amount in amounts]
            for ended in context.after(node.body[-1], (f"{lower} = {upper.id}",)):
                yield WeightedEdits(tuple(sorted((*edits, *ended.edits), key=edit_position)))


def _begun_unread(context: TemplateContext) -> list[str]:
    """The variables that begin with 0 and that nothing reads."""
    begun = (part for part in context.scope.nodes if isinstance(part, ast.Assign) and context.text(part.value) == "0")
    names = (context.text(part.targets[0]) for part in begun)
    return [name for name in names if name in context.scope.unused]


def last_piece_without_gap(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`length // (size + gap)` becomes `(length + gap) // (size + gap)`: behind the last piece there is no gap."""
    match node:
        case ast.BinOp(left=length, op=ast.FloorDiv(), right=ast.BinOp(left=size, op=ast.Add(), right=gap)):
            for each, weight in ((gap, 1.0), (size, HALF)):
                whole = binary_operation(context.expression(length), "+", context.expression(each))
                yield context.put(length, whole, weight)


TEMPLATES = (
    Template("part_of_each_bracket", (ast.For,), part_of_each_bracket, ("larger", "content")),
    Template("brackets_add_up", FUNCTIONS, brackets_add_up, ("larger", "content")),
    Template("shortfall_of_each", (ast.BinOp,), shortfall_of_each, ("content", "larger", "smaller")),
    Template("share_out_rest", (ast.BinOp,), share_out_rest, ("content", "one_item")),
    Template("what_is_left", (ast.Constant, ast.Name, ast.BinOp), what_is_left, ("smaller", "larger", "content")),
    Template("more_by_share", (ast.Constant, ast.Name), more_by_share, ("smaller", "content")),
    Template("last_piece_without_gap", (ast.BinOp,), last_piece_without_gap, ("smaller", "off_by_one", "content")),
)
