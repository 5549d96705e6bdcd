"""The least and the most of a part alone: of those that are asked for, or with what counts where there are none."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.expressions import SUM, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name

_EITHER: Final = ("min", "max")


def most_of_those_asked(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(distance)` becomes `max((distance[one] for one in homes), default=0)` for a parameter that holds places: of
    those alone that are asked for."""
    if (
        callee_name(node) not in _EITHER
        or len(node.args) != 1
        or node.keywords
        or not isinstance(node.args[0], ast.Name)
    ):
        return
    held = node.args[0].id
    if held in context.scope.parameters:
        return
    for name in context.scope.parameters:
        if name in context.scope.of_kind("list", ""):
            one = context.new_name("one", "item")
            yield context.put(node, f"{callee_name(node)}(({held}[{one}] for {one} in {name}), default=0)")


def include_the_default(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(widths, default=least)` becomes `max(least, max(widths, default=least))`: it counts not only where there are
    none."""
    default = next((option.value for option in node.keywords if option.arg == "default"), None)
    if callee_name(node) not in _EITHER or default is None or isinstance(default, ast.Constant):
        return
    if len(node.keywords) == 1 and len(node.args) == 1:
        text, own = context.text(node), context.text(default)
        yield context.put(node, f"{callee_name(node)}({own}, {text})")


def only_where_there_is_none(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(values, default=0) or "none"` becomes `max(values) if values else "none"`: 0 may be the largest."""
    match node:
        case ast.BoolOp(op=ast.Or(), values=[ast.Call(args=[ast.Name(id=held)], keywords=options) as call, other]):
            if callee_name(call) in _EITHER and all(option.arg == "default" for option in options):
                text = f"{callee_name(call)}({held}) if {held} else {context.expression(other).at(TEST)}"
                yield context.put(node, Expression(text, TEST))


def extremes_of_span(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`abs(xs[j] - xs[i])`, in a loop over `j` within one over `i`, becomes `max(xs[i:j + 1]) - min(xs[i:j + 1])`:
    those between the two count as well."""
    match node:
        case ast.Call(
            func=ast.Name(id="abs"),
            args=[
                ast.BinOp(
                    left=ast.Subscript(value=items, slice=ast.Name(id=one)),
                    op=ast.Sub(),
                    right=ast.Subscript(value=others, slice=ast.Name(id=other)),
                )
            ],
        ) if context.text(items) == context.text(others):
            pass
        case _:
            return
    loops = [
        loop.target.id
        for loop in context.loops_around(node)
        if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name)
    ]
    if [name for name in loops if name in (one, other)][:2] in ([one, other], [other, one]):
        last, first = [name for name in loops if name in (one, other)][:2]
        span = f"{context.text(items)}[{first}:{last} + 1]"
        yield context.put(node, Expression(f"max({span}) - min({span})", SUM))


TEMPLATES = (
    Template("only_where_there_is_none", (ast.BoolOp,), only_where_there_is_none, ("content",)),
    Template("include_the_default", (ast.Call,), include_the_default, ("shorter", "smaller", "content")),
    Template("most_of_those_asked", (ast.Call,), most_of_those_asked, ("larger", "content")),
    Template("extremes_of_span", (ast.Call,), extremes_of_span, ("larger", "longer", "smaller")),
)
