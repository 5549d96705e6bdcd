"""Parts that are rounded by themselves, and halves below zero."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.expressions import ATOM, COMPARISON, SUM, TERM, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template, here_or_everywhere
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


def whole_root(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`int(n ** 0.5)` and `math.floor(math.sqrt(n))` become `math.isqrt(n)`, `math.ceil(math.sqrt(n))` becomes
    `math.isqrt(n - 1) + 1`, or 0, everywhere or here: of large numbers, floats are not exact."""
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call) and part in context.program.spans)
    roots = {call: root for call in calls if (root := _whole_root(call, context)) is not None}
    _, imports = context.member_of("math", "isqrt")
    edits = {call: context.edit(call, root) for call, root in roots.items()}
    for made in here_or_everywhere(node, edits):
        yield WeightedEdits((*imports, *made.edits), made.weight)


def _whole_root(call: ast.Call, context: TemplateContext) -> Expression | None:
    """The whole root that is exact, for one that is made of a float."""
    way, root = callee_name(call), call.args[0] if len(call.args) == 1 else None
    if way not in ("int", "floor", "ceil") or root is None:
        return None
    match root:
        case ast.Call(args=[number]) if callee_name(root) == "sqrt":
            pass
        case ast.BinOp(left=number, op=ast.Pow(), right=ast.Constant(value=0.5)):
            pass
        case _:
            return None
    exact, _ = context.member_of("math", "isqrt")
    if way == "ceil":
        asked = context.expression(number)
        return Expression(f"{exact}({asked.at(SUM)} - 1) + 1 if {asked.at(COMPARISON + 1)} > 0 else 0", TEST)
    return Expression(f"{exact}({context.text(number)})", ATOM)


TEMPLATES = (
    Template("whole_root", (ast.Call,), whole_root, ("off_by_one",)),
    Template("round_before_parting", (ast.Assign,), round_before_parting, ("content", "off_by_one")),
    Template("halves_away_from_zero", (ast.Call,), halves_away_from_zero, ("off_by_one", "sign")),
)
