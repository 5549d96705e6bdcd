"""How many there are of each: duplicates that count, amounts that have to be there, counts that begin again."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.expressions import ATOM, COMPARISON, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def duplicates_that_count(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`set(times) - {None}` becomes `[time for time in times if time is not None]`."""
    match node:
        case ast.BinOp(
            left=ast.Call(func=ast.Name(id="set"), args=[items]),
            op=ast.Sub(),
            right=ast.Set(elts=[ast.Constant() as out]),
        ):
            item = context.new_name("item", "value")
            sign = "is not" if out.value is None else "!="
            kept = f"{item} for {item} in {context.text(items)} if {item} {sign} {context.text(out)}"
            yield context.put(node, f"[{kept}]")


def enough_of_each(node: ast.GeneratorExp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`all(item in pantry for item in needs)` becomes `all(pantry.get(item, 0) >= amount for item, amount in
    needs.items())`, and for lists `all(pantry.count(item) >= needs.count(item) for item in needs)`."""
    match node:
        case ast.GeneratorExp(
            elt=ast.Compare(left=ast.Name(id=item), ops=[ast.In()], comparators=[held]),
            generators=[ast.comprehension(target=ast.Name(id=asked), iter=items, ifs=[])],
        ) if item == asked and not isinstance(held, ast.Constant) and _is_only_argument(node, context):
            pass
        case _:
            return
    amount = context.new_name("amount", "count")
    there, needed = context.expression(held).at(ATOM), context.expression(items).at(ATOM)
    if context.kind(items) not in ("list", "str", "set"):
        yield context.put(node, f"{there}.get({item}, 0) >= {amount} for {item}, {amount} in {needed}.items()")
    if context.kind(items) not in ("dict", "set"):
        yield context.put(node, f"{there}.count({item}) >= {needed}.count({item}) for {item} in {needed}")


def _is_only_argument(node: ast.expr, context: TemplateContext) -> bool:
    """Whether a call is handed this and nothing else, so that a generator needs no brackets of its own."""
    call = context.parent(node)
    return isinstance(call, ast.Call) and call.args == [node] and not call.keywords


def begin_count_again(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if not ok: misses[user] = misses.get(user, 0) + 1` gains `else: misses[user] = 0`: only those in a row count."""
    if node.orelse:
        return
    for step in node.body:
        match step:
            case ast.Assign(targets=[ast.Subscript() as entry], value=ast.BinOp(op=ast.Add())):
                pass
            case ast.AugAssign(target=ast.Subscript() as entry, op=ast.Add()):
                pass
            case _:
                continue
        yield from context.after(node, ("else:", f"\t{context.text(entry)} = 0"))


def use_up_where_taken(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if stock[colour] > 0: shared.append(colour)` gains `stock[colour] -= 1`: what is taken is there no more."""
    match node.test:
        case ast.Compare(
            left=ast.Subscript() as entry, ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0)]
        ):
            pass
        case ast.Compare(left=ast.Subscript() as entry, ops=[ast.GtE()], comparators=[ast.Constant(value=1)]):
            pass
        case ast.Subscript() as entry:
            pass
        case _:
            return
    held = context.text(entry)
    changes = (part for part in context.scope.nodes if isinstance(part, ast.AugAssign))
    if any(context.loops_around(node)) and all(context.text(part.target) != held for part in changes):
        yield from context.before(node.body[0], (f"{held} -= 1",))


def enough_for_the_amount(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`stock[item] == 0` becomes `stock[item] < amount`, where `amount` is taken off `stock[item]` later;
    `stock[item] > 0` becomes `stock[item] >= amount`."""
    match node:
        case ast.Compare(left=held, ops=[ast.Eq() | ast.LtE()], comparators=[ast.Constant(value=0)]):
            sign = "<"
        case ast.Compare(left=held, ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0)]):
            sign = ">="
        case _:
            return
    text = context.text(held)
    for amount in dict.fromkeys(_taken_off(text, context)):
        yield context.put(node, Expression(f"{text} {sign} {amount}", COMPARISON))


def _taken_off(held: str, context: TemplateContext) -> Iterator[str]:
    """The variables that are taken off what is held."""
    for part in context.scope.nodes:
        match part:
            case ast.AugAssign(target=target, op=ast.Sub(), value=ast.Name(id=amount)) if context.text(target) == held:
                yield amount
            case ast.Assign(
                targets=[target], value=ast.BinOp(left=before, op=ast.Sub(), right=ast.Name(id=amount))
            ) if context.text(target) == context.text(before) == held:
                yield amount


TEMPLATES: Final = (
    Template(
        "duplicates_that_count",
        (ast.BinOp,),
        duplicates_that_count,
        ("larger", "smaller", "shorter", "repeats", "off_by_one", "key", "value"),
    ),
    Template(
        "enough_of_each", (ast.GeneratorExp,), enough_of_each, ("negated", "longer", "shorter", "larger", "content")
    ),
    Template("begin_count_again", (ast.If,), begin_count_again, ("larger", "smaller", "longer", "content")),
    Template("use_up_where_taken", (ast.If,), use_up_where_taken, ("longer", "larger", "repeats")),
    Template(
        "enough_for_the_amount", (ast.Compare,), enough_for_the_amount, ("content", "negated", "value", "not_raised")
    ),
)
