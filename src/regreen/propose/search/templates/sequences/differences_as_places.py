"""Places that are differences: what lies before the first item is read from the end, without a word."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import COMPARISON, Expression, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, names_within

_MOST_PLACES: Final = 3
_ASKED = ast.If | ast.While | ast.IfExp | ast.comprehension


def ask_for_place(node: _ASKED, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if not wins[pile - taken]` becomes `if taken <= pile and not wins[pile - taken]`."""
    for test in node.ifs if isinstance(node, ast.comprehension) else (node.test,):
        for reached in _reached(test, context):
            yield context.put(test, bool_operation(Expression(reached), "and", context.expression(test)))


def place_is_there(node: ast.Assign | ast.AugAssign | ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`ways[i] += ways[i - coin]` becomes the same under `if coin <= i:`."""
    text = context.text(node)
    if "\n" in text or not context.program.alone(node):
        return
    asked = " ".join(context.text(part.test) for part in context.around(node) if isinstance(part, ast.If | ast.While))
    for reached in _reached(node, context):
        if reached not in asked:
            yield from context.restate(node, (f"if {reached}:", f"\t{text}"), LIKELY)


def _reached(node: ast.AST, context: TemplateContext) -> list[str]:
    """Of each `items[place - back]`, that so many items are before the place: `back <= place`, or `place >= 2`."""
    found: dict[str, None] = {}
    parts = [node, *context.program.below(node)]
    bound = _bound_within(parts)
    for part in parts:
        index = part.slice if isinstance(part, ast.Subscript) else None
        if isinstance(index, ast.BinOp) and isinstance(index.op, ast.Sub) and not isinstance(index.left, ast.Constant):
            place, back = (context.expression(side).at(COMPARISON + 1) for side in (index.left, index.right))
            is_length = isinstance(index.left, ast.Call)
            if place != back and not is_length and not bound & names_within(index):
                is_number = isinstance(index.right, ast.Constant)
                found.setdefault(f"{place} >= {back}" if is_number else f"{back} <= {place}")
    return list(found)[:_MOST_PLACES]


def _bound_within(parts: list[ast.AST]) -> frozenset[str]:
    """The names that are bound within an expression alone: those of comprehensions, and parameters of lambdas."""
    targets = [name for part in parts if isinstance(part, ast.comprehension) for name in names_within(part.target)]
    parameters = [each.arg for part in parts if isinstance(part, ast.Lambda) for each in part.args.args]
    return frozenset((*targets, *parameters))


def places_in_order(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for letter in sorted(key): order.append(key.index(letter))` becomes `for place in sorted(range(len(key)),
    key=lambda place: key[place]): order.append(place)`: `index` finds the first of equal ones alone."""
    call, target = node.iter, node.target
    is_sorted = isinstance(call, ast.Call) and callee_name(call) == "sorted" and len(call.args) == 1
    if not is_sorted or call.keywords or not isinstance(target, ast.Name):  # type: ignore[attr-defined]
        return
    items, item = context.text(call.args[0]), target.id  # type: ignore[attr-defined]
    found = [p for p in context.program.below(node) if isinstance(p, ast.Call)]
    asked = [part for part in found if context.text(part) == f"{items}.index({item})"]
    if not asked:
        return
    place = context.new_name("place", "position")
    inside = {name for part in asked for name in ast.walk(part)}
    others = [n for n in context.program.below(node) if isinstance(n, ast.Name) and n.id == item and n not in inside]
    edits = [context.edit(target, Expression(place))]
    edits.append(context.edit(call, Expression(f"sorted(range(len({items})), key=lambda {place}: {items}[{place}])")))
    edits += [context.edit(part, Expression(place)) for part in asked]
    edits += [context.edit(part, Expression(f"{items}[{place}]")) for part in others if part is not target]
    yield WeightedEdits(tuple(edits))


TEMPLATES = (
    Template("places_in_order", (ast.For,), places_in_order, ("content", "repeats")),
    Template(
        "ask_for_place",
        (ast.If, ast.While, ast.IfExp, ast.comprehension),
        ask_for_place,
        ("content", "index", "longer"),
    ),
    Template("place_is_there", (ast.Assign, ast.AugAssign, ast.Expr), place_is_there, ("content", "index", "longer")),
)
