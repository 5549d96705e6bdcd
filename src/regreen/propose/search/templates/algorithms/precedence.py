"""Which of two operators comes first."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.expressions import OR, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext

_FROM_THE_RIGHT = ("^", "**")


def group_from_the_right(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rank[top] >= rank[token]` becomes `rank[top] > rank[token] or (rank[top] == rank[token] and token != "^")`:
    powers are taken from the right."""
    one, other = node.left, node.comparators[0]
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.GtE | ast.Gt):
        return
    if not isinstance(one, ast.Subscript) or not isinstance(other, ast.Subscript):
        return
    if context.text(one.value) != context.text(other.value) or context.text(one.slice) == context.text(other.slice):
        return
    written = {part.value for part in context.program.nodes if isinstance(part, ast.Constant)}
    token = context.text(other.slice)
    for sign in _FROM_THE_RIGHT:
        if sign in written:
            ranks = context.text(one), context.text(other)
            text = f'{ranks[0]} > {ranks[1]} or ({ranks[0]} == {ranks[1]} and {token} != "{sign}")'
            yield context.put(node, Expression(text, OR))


TEMPLATES = (Template("group_from_the_right", (ast.Compare,), group_from_the_right, ("order", "content")),)
