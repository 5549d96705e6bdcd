"""Parts of a text that nobody says where they are nothing: the ones of forty, the minutes of a full hour."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.expressions import OPERATOR_SYMBOLS, SUM, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def leave_out_zero_part(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`tens[n // 10] + "-" + ones[n % 10]` becomes `tens[n // 10] + ("-" + ones[n % 10] if n % 10 else "")`, and
    without the sign between where none stands there."""
    if not isinstance(node.op, ast.Add) or isinstance(context.parent(node), ast.BinOp):
        return
    last, first = node.right, node.left
    if (rest := _rest_asked(last, context)) == "":
        return
    between = first.right if isinstance(first, ast.BinOp) and isinstance(first.op, ast.Add) else None
    if isinstance(between, ast.Constant) and isinstance(between.value, str):
        assert isinstance(first, ast.BinOp)
        said = f"{context.text(between)} + {context.expression(last).at(SUM + 1)}"
        before = context.expression(first.left)
    else:
        said, before = context.text(last), context.expression(first)
    part = Expression(f'{said} if {rest} else ""', 2)
    yield context.put(node, binary_operation(before, OPERATOR_SYMBOLS[ast.Add][0], part))


def _rest_asked(node: ast.expr, context: TemplateContext) -> str:
    """`n % 10` of `ones[n % 10]`, `words(n % 10)` and `str(n % 10)`, and the like of a call of `divmod`."""
    inner = node.slice if isinstance(node, ast.Subscript) else None
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        inner = node.args[0]
    is_rest = isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Mod)
    return context.text(inner) if inner is not None and is_rest else ""


TEMPLATES = (Template("leave_out_zero_part", (ast.BinOp,), leave_out_zero_part, ("longer", "end")),)
