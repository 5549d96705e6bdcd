"""Parts that are rounded by themselves, and halves below zero."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from regreen.propose.search.expressions import (
    ATOM,
    COMPARISON,
    FACTOR,
    SUM,
    TERM,
    TEST,
    Expression,
    binary_operation,
    unary_operation,
)
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


def round_each(node: ast.BinOp | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(opened + lonely + 1) // 2` becomes `(opened + 1) // 2 + (lonely + 1) // 2`, `round(a + b)` becomes `round(a) +
    round(b)`, and `sum(xs) // 3` the sum of `x // 3`: each is rounded by itself."""
    if isinstance(node, ast.BinOp):
        if not isinstance(node.op, ast.FloorDiv):
            return
        before, whole, behind = "", node.left, f" // {context.expression(node.right).at(FACTOR)}"
    else:
        if callee_name(node) not in _ROUNDERS or not node.args or node.keywords:
            return
        further = "".join(f", {context.text(argument)}" for argument in node.args[1:])
        before, whole, behind = f"{context.text(node.func)}(", node.args[0], f"{further})"
        if isinstance(whole, ast.BinOp) and isinstance(whole.op, ast.Div):
            behind = f" / {context.expression(whole.right).at(FACTOR)}{behind}"
            whole = whole.left
    turned = isinstance(whole, ast.UnaryOp) and isinstance(whole.op, ast.USub)
    terms = _terms(whole.operand if isinstance(whole, ast.UnaryOp) else whole)
    numbers = [term for term in terms if isinstance(term, ast.Constant)]
    parts = [term for term in terms if term not in numbers]
    if len(parts) > 1 and len(numbers) <= 1:
        texts = [_with_number(part, numbers, turned=turned, context=context).at(TERM) for part in parts]
        yield context.put(node, Expression(" + ".join(f"{before}{text}{behind}" for text in texts), SUM))
    if isinstance(whole, ast.Call) and callee_name(whole) == "sum" and len(whole.args) == 1:
        yield context.put(node, _sum_of_rounded(whole.args[0], (before, behind), context))


_ROUNDERS: Final = ("round", "int", "ceil", "floor")


def _terms(node: ast.expr) -> list[ast.expr]:
    """The terms of a sum without a difference in it."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_terms(node.left), *_terms(node.right)]
    return [node]


def _with_number(part: ast.expr, numbers: Sequence[ast.expr], *, turned: bool, context: TemplateContext) -> Expression:
    """A term with the number that was added to all of them, below 0 where it is turned."""
    code = context.expression(part)
    for number in numbers:
        code = binary_operation(code, "+", context.expression(number))
    return unary_operation("-", code) if turned else code


def _sum_of_rounded(items: ast.expr, around: tuple[str, str], context: TemplateContext) -> Expression:
    """The sum of items, of which each is rounded: by what stands `around` it."""
    before, behind = around
    if not isinstance(items, ast.GeneratorExp | ast.ListComp):
        item = context.new_name("x", "item", "value")
        return Expression(f"sum({before}{item}{behind} for {item} in {context.text(items)})", ATOM)
    rest = context.program.source[context.program.spans[items.elt][1] : context.program.spans[items][1] - 1]
    return Expression(f"sum({before}{context.expression(items.elt).at(TERM)}{behind}{rest})", ATOM)


def round_the_sum(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sum(to_cents(n * rate) for n in nets)` becomes `to_cents(sum(n * rate for n in nets))`: the whole is rounded,
    not each part."""
    match node:
        case ast.Call(
            func=ast.Name(id="sum"), args=[ast.GeneratorExp(elt=ast.Call(func=rounding, args=[part, *more])) as terms]
        ):
            begin, end = context.program.spans[terms.elt]
            head, tail = context.program.spans[terms]
            inner = context.program.source[end:tail].rstrip().removesuffix(")").rstrip()
            rest = "".join(f", {context.text(one)}" for one in more)
            if "\n" not in context.text(node) and head <= begin:
                yield context.put(node, f"{context.text(rounding)}(sum({context.text(part)}{inner}){rest})")


def exact_halves_up(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`round(amount / step)` becomes `(2 * amount + step) // (2 * step)`: halves go up, and no float is in between."""
    match node:
        case ast.Call(func=ast.Name(id="round"), args=[ast.BinOp(left=amount, op=ast.Div(), right=step)], keywords=[]):
            size = context.expression(step)
            above = f"2 * {context.expression(amount).at(FACTOR)} + {size.at(TERM)}"
            yield context.put(node, Expression(f"({above}) // (2 * {size.at(FACTOR)})", TERM))


def whole_root_within(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`int(((8 * n + 1) ** 0.5 - 1) / 2)` becomes `(math.isqrt(8 * n + 1) - 1) // 2`: the root of a large number is no
    float."""
    match node:
        case ast.Call(
            func=ast.Name(id="int"),
            args=[
                ast.BinOp(
                    left=ast.BinOp(
                        left=ast.BinOp(left=inner, op=ast.Pow(), right=ast.Constant(value=0.5)) as root,
                        op=ast.Add() | ast.Sub(),
                    ) as moved,
                    op=ast.Div(),
                    right=by,
                )
            ],
        ):
            isqrt, imports = context.member_of("math", "isqrt")
            text = context.text(moved).replace(context.text(root), f"{isqrt}({context.text(inner)})", 1)
            put = context.put(node, Expression(f"({text}) // {context.expression(by).at(TERM + 1)}", TERM))
            yield WeightedEdits((*imports, *put.edits))


TEMPLATES = (
    Template("round_the_sum", (ast.Call,), round_the_sum, ("close", "content")),
    Template("round_each", (ast.BinOp, ast.Call), round_each, ("off_by_one", "content")),
    Template("whole_root", (ast.Call,), whole_root, ("off_by_one",)),
    Template("round_before_parting", (ast.Assign,), round_before_parting, ("content", "off_by_one")),
    Template("halves_away_from_zero", (ast.Call,), halves_away_from_zero, ("off_by_one", "sign")),
    Template("exact_halves_up", (ast.Call,), exact_halves_up, ("off_by_one", "rounding", "close", "content")),
    Template("whole_root_within", (ast.Call,), whole_root_within, ("off_by_one", "close", "larger", "smaller")),
)
