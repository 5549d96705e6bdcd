"""What is worked out of a sum and should be worked out of each, and the other way round."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.expressions import SUM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, names_within


def round_behind_the_loop(node: ast.AugAssign | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`cans += math.ceil(area / 5)` in a loop becomes `cans += area`, and behind the loop comes `cans =
    math.ceil(cans / 5)`: what is left of one goes on with the next. So does `cans += area // 5`, with what follows for
    a rest."""
    loop = next(context.loops_around(node), None)
    added = _added(node, context)
    if not isinstance(loop, ast.For) or added is None or node not in loop.body:
        return
    name, value = added
    inner = _rounded_part(value)
    if inner is None:
        return
    whole = context.text(value).replace(context.text(inner), name, 1)
    summed = context.edit(value, context.expression(inner))
    rest = _of_the_rest(node, loop, name)
    if rest is None:
        for later in context.after(loop, (f"{name} = {whole}",)):
            yield WeightedEdits((summed, *later.edits))
    elif isinstance(value, ast.BinOp):
        up = f"{name} = -(-{name} // {context.expression(value.right).at(SUM + 1)})"
        for later in context.after(loop, (up,)):
            yield WeightedEdits((summed, *context.delete(rest).edits, *later.edits))


def _added(node: ast.AugAssign | ast.Assign, context: TemplateContext) -> tuple[str, ast.expr] | None:
    """The variable and what is added to it, of `total += x` and `total = total + x`."""
    match node:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
            return name, value
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.BinOp(left=ast.Name(id=before), op=ast.Add(), right=value)
        ) if name == before:
            return name, value
    return None


def _rounded_part(value: ast.expr) -> ast.expr | None:
    """What is rounded by `round(x)`, `math.ceil(x / k)`, `x // k`."""
    match value:
        case ast.BinOp(left=inner, op=ast.FloorDiv()):
            return inner
        case ast.Call(args=[inner, *_]) if callee_name(value) in ("round", "ceil", "floor", "int"):
            divides = isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Div)
            return inner.left if divides and isinstance(inner, ast.BinOp) else inner
    return None


def _of_the_rest(node: ast.stmt, loop: ast.For, name: str) -> ast.stmt | None:
    """The statement behind `n += x // k` that adds one where something is left: `if x % k: n += 1`."""
    behind = loop.body[loop.body.index(node) + 1 :]
    match behind:
        case [ast.If(test=test, body=[step], orelse=[]) as question, *_] if any(
            isinstance(part, ast.Mod) for part in ast.walk(test)
        ):
            return question if name in names_within(step) else None
    return None


def step_by_step(node: ast.AugAssign | ast.Assign | ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`price -= price * sum(discounts) / 100` becomes `for discount in discounts: price -= price * discount / 100`."""
    if node.value is None:
        return
    for part in ast.walk(node.value):
        match part:
            case ast.Call(func=ast.Name(id="sum"), args=[ast.Name(id=items)]):
                pass
            case _:
                continue
        each = context.new_name(items.removesuffix("s"), "each", "item")
        text = context.text(node).replace(context.text(part), each, 1)
        if isinstance(node, ast.Return):
            yield from _by_factor(node, items, each, part, context)
        elif _is_made_of_itself(node):
            yield from context.restate(node, (f"for {each} in {items}:", f"\t{text}"))


def _by_factor(
    node: ast.Return, items: str, each: str, total: ast.expr, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`return price * (1 - sum(rates))` goes through the rates, and returns the price."""
    match node.value:
        case ast.BinOp(left=ast.Name(id=name), op=ast.Mult(), right=factor):
            text = context.text(factor).replace(context.text(total), each, 1)
            lines = (f"for {each} in {items}:", f"\t{name} *= {text}", f"return {name}")
            yield from context.restate(node, lines)


def _is_made_of_itself(node: ast.AugAssign | ast.Assign) -> bool:
    """Whether what a variable is given is made of what it held."""
    target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
    if not isinstance(target, ast.Name):
        return False
    is_scaled = isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Mult | ast.Div)
    return is_scaled or target.id in names_within(node.value)


def free_of_each_group(node: ast.IfExp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`n - 1 if n >= 3 else n` becomes `n - n // 3`: one of each three."""
    match node:
        case ast.IfExp(
            test=ast.Compare(left=ast.Name(id=asked), ops=[ast.GtE()], comparators=[size]),
            body=ast.BinOp(left=ast.Name(id=name), op=ast.Sub(), right=free),
            orelse=ast.Name(id=other),
        ) if asked == name == other:
            groups = f"{name} // {context.expression(size).at(SUM + 1)}"
            of_each = "" if context.text(free) == "1" else f" * {context.expression(free).at(SUM + 1)}"
            yield context.put(node, Expression(f"{name} - {groups}{of_each}", SUM))


def common_multiple_of_all(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`math.prod(xs) // math.gcd(*xs)` becomes `math.lcm(*xs)`: that is right of two alone."""
    match node:
        case ast.BinOp(
            left=ast.Call(args=[items]) as product, op=ast.FloorDiv(), right=ast.Call(args=[ast.Starred()]) as divisor
        ) if callee_name(product) == "prod" and callee_name(divisor) == "gcd":
            lcm, edits = context.member_of("math", "lcm")
            put = context.put(node, f"{lcm}(*{context.text(items)})")
            yield WeightedEdits((*edits, *put.edits))


TEMPLATES: Final = (
    Template(
        "round_behind_the_loop",
        (ast.AugAssign, ast.Assign),
        round_behind_the_loop,
        ("larger", "smaller", "off_by_one", "close"),
    ),
    Template("step_by_step", (ast.AugAssign, ast.Assign, ast.Return), step_by_step, ("close", "larger", "smaller")),
    Template("free_of_each_group", (ast.IfExp,), free_of_each_group, ("larger",)),
    Template("common_multiple_of_all", (ast.BinOp,), common_multiple_of_all, ("larger", "smaller")),
)
