"""Games of two players in turns: numbers of positions (Sprague, Grundy)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.expressions import binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def parts_are_one_position(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`reached.add(g[x])` and `reached.add(g[n - x])` become `reached.add(g[x] ^ g[n - x])`: what is cut in two is one
    position of both parts (Sprague and Grundy)."""
    block = context.program.block(node)
    place = block.index(node) + 1
    following = block[place] if place < len(block) else None
    if not isinstance(following, ast.Expr):
        return
    match node.value, following.value:
        case (
            ast.Call(func=ast.Attribute(attr="add" | "append") as one, args=[ast.Subscript(value=table) as first]),
            ast.Call(func=other, args=[ast.Subscript(value=same) as second]),
        ) if context.text(one) == context.text(other) and context.text(table) == context.text(same):
            both = context.edit(first, binary_operation(context.expression(first), "^", context.expression(second)))
            yield WeightedEdits((both, context.delete(following).edits[0]))


def least_not_reached(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(reached) + 1` becomes the smallest whole number that is not among `reached`, which may have gaps (the
    minimum excludant)."""
    match node:
        case ast.BinOp(
            left=ast.Call(func=ast.Name(id="max"), args=[ast.Name(id=held), *_]),
            op=ast.Add(),
            right=ast.Constant(value=1),
        ):
            number = context.new_name("n", "number")
            yield context.put(node, f"next({number} for {number} in range(len({held}) + 1) if {number} not in {held})")


TEMPLATES = (
    Template("least_not_reached", (ast.BinOp,), least_not_reached, ("content", "negated")),
    Template("parts_are_one_position", (ast.Expr,), parts_are_one_position, ("content", "negated")),
)
