"""Numbers that are spelt out: parts that nobody says where they are nothing, and 1st, 2nd, 3rd, 11th."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import OPERATOR_SYMBOLS, SUM, TEST, Expression, binary_operation
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


_ENDINGS: Final = frozenset({"st", "nd", "rd"})


def ending_of_last_digit(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`endings.get(n, "th")` becomes `"th" if n % 100 in (11, 12, 13) else endings.get(n % 10, "th")`, where the
    program has "st", "nd" and "rd"."""
    method = node.func
    if not isinstance(method, ast.Attribute) or method.attr != "get" or len(node.args) != 2:
        return
    number, other = node.args
    written = {part.value for part in context.program.nodes if isinstance(part, ast.Constant)}
    if not written >= _ENDINGS or not isinstance(other, ast.Constant) or other.value != "th":
        return
    is_last = isinstance(number, ast.BinOp) and isinstance(number.op, ast.Mod)
    whole = context.expression(number.left if is_last and isinstance(number, ast.BinOp) else number)
    last = context.text(number) if is_last else f"{whole.at(SUM + 1)} % 10"
    found = f'{context.text(method)}({last}, "th")'
    teens = f'"th" if {whole.at(SUM + 1)} % 100 in (11, 12, 13) else {found}'
    yield context.put(node, Expression(teens, TEST))
    if not is_last:
        yield context.put(number, Expression(last, SUM + 1), LIKELY)


TEMPLATES = (
    Template("ending_of_last_digit", (ast.Call,), ending_of_last_digit, ("text", "content", "end")),
    Template("leave_out_zero_part", (ast.BinOp,), leave_out_zero_part, ("longer", "end")),
)
