"""Endings of numbers that are spelt out: 1st, 2nd, 3rd, and 11th, 12th, 13th."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import SUM, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext

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


TEMPLATES = (Template("ending_of_last_digit", (ast.Call,), ending_of_last_digit, ("text", "content", "end")),)
