"""Brackets that are missing on both sides of a division."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.expressions import OPERATOR_SYMBOLS, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext

_SUMS: Final = ast.Add | ast.Sub


def bracket_both_sides(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`v - low / high - low` becomes `(v - low) / (high - low)`."""
    first = node.left
    if not isinstance(node.op, _SUMS) or not isinstance(first, ast.BinOp) or not isinstance(first.op, _SUMS):
        return
    quotient = first.right
    if not isinstance(quotient, ast.BinOp) or not isinstance(quotient.op, ast.Div | ast.FloorDiv):
        return
    above = binary_operation(
        context.expression(first.left), OPERATOR_SYMBOLS[type(first.op)][0], context.expression(quotient.left)
    )
    below = binary_operation(
        context.expression(quotient.right), OPERATOR_SYMBOLS[type(node.op)][0], context.expression(node.right)
    )
    yield context.put(node, binary_operation(above, OPERATOR_SYMBOLS[type(quotient.op)][0], below))


TEMPLATES = (Template("bracket_both_sides", (ast.BinOp,), bracket_both_sides, ("rounding",)),)
