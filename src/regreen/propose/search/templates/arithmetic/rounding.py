"""Parts that are rounded by themselves, and halves below zero."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.expressions import TERM
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name

_HALVES = ("0.5", "Fraction(1, 2)", 'Decimal("0.5")', "Decimal('0.5')")


def round_before_parting(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`whole = int(x)` and `parts = round((x - whole) * 1000)` become `whole, parts = divmod(round(x * 1000), 1000)`:
    what is rounded up to a whole one has to be carried."""
    block = context.program.block(node)
    place = block.index(node)
    following = block[place + 1] if place + 1 < len(block) else None
    match node, following:
        case (
            ast.Assign(targets=[ast.Name(id=whole)], value=ast.Call(func=ast.Name(id="int"), args=[given])),
            ast.Assign(
                targets=[ast.Name(id=parts)],
                value=ast.Call(
                    func=ast.Name(id="round"),
                    args=[ast.BinOp(left=ast.BinOp(op=ast.Sub()) as rest, op=ast.Mult(), right=size)],
                ),
            ),
        ) if context.text(rest.right) == whole and context.text(rest.left) == context.text(given):
            number, unit = context.expression(given).at(TERM), context.text(size)
            line = f"{whole}, {parts} = divmod(round({number} * {unit}), {unit})"
            start, end = context.program.lines(node)[0], context.program.lines(following)[1]
            yield context.replace(start, end, f"{context.program.indent(node)}{line}\n")


def halves_away_from_zero(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`int(x + 0.5)` becomes `(-1 if x < 0 else 1) * int(abs(x) + 0.5)`: below zero it rounded the other way."""
    given = node.args[0] if len(node.args) == 1 and callee_name(node) in ("int", "floor") else None
    if not isinstance(given, ast.BinOp) or not isinstance(given.op, ast.Add):
        return
    number, half = context.expression(given.left), context.text(given.right)
    if half in _HALVES:
        # Brackets around the whole: it may be divided by something.
        code = f"((-1 if {number.at(TERM)} < 0 else 1) * int(abs({number.text}) + {half}))"
        yield context.put(node, code)


TEMPLATES = (
    Template("round_before_parting", (ast.Assign,), round_before_parting, ("content", "off_by_one")),
    Template("halves_away_from_zero", (ast.Call,), halves_away_from_zero, ("off_by_one", "sign")),
)
