"""Arithmetic of objects with two parts: fractions over one denominator, products crosswise or straight, growth."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY
from regreen.propose.search.expressions import OPERATOR_SYMBOLS, SUM, TERM, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, whole_number
from regreen.types import Edit

_PARTS = 2


def over_common_denominator(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`Ratio(self.n + o.n, self.d + o.d)` becomes `Ratio(self.n * o.d + o.n * self.d, self.d * o.d)`."""
    parts = [_two_sides(argument, (ast.Add, ast.Sub), context) for argument in node.args]
    if len(parts) == _PARTS and None not in parts and not node.keywords:
        (one, two), (below, other) = parts  # type: ignore[misc]
        sign = OPERATOR_SYMBOLS[type(node.args[0].op)][0]  # type: ignore[attr-defined]
        edits = (
            context.edit(node.args[0], Expression(f"{one} * {other} {sign} {two} * {below}", SUM)),
            context.edit(node.args[1], Expression(f"{below} * {other}", TERM)),
        )
        yield WeightedEdits(edits)


def other_products(node: ast.Call | ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`Ratio(self.n * o.d, self.d * o.n)` becomes `Ratio(self.n * o.n, self.d * o.d)`, `x * o.y + y * o.x` becomes
    `x * o.x + y * o.y`, and the other way round: crosswise or straight."""
    if isinstance(node, ast.BinOp):
        products = [node.left, node.right] if isinstance(node.op, ast.Add | ast.Sub) else []
    else:
        products = list(node.args) if len(node.args) == _PARTS else []
    parts = [_two_parts(product, (ast.Mult,), context) for product in products]
    if len(parts) == _PARTS and None not in parts:
        (one, two), (three, four) = parts  # type: ignore[misc]
        if len({_owner(part) for part in (one, two, three, four)}) != _PARTS:
            return
        exchanged = (Expression(f"{one} * {four}", TERM), Expression(f"{three} * {two}", TERM))
        yield WeightedEdits(tuple(context.edit(old, new) for old, new in zip(products, exchanged, strict=True)))


def _owner(text: str) -> str:
    """The object of an attribute."""
    return text.split(".")[0]


def _two_sides(node: ast.expr, operators: tuple[type, ...], context: TemplateContext) -> tuple[str, str] | None:
    """The attributes `self.n` and `o.n`, of two objects, that an operator joins; None for anything else."""
    sides = _two_parts(node, operators, context)
    return sides if sides is not None and _owner(sides[0]) != _owner(sides[1]) else None


def _two_parts(node: ast.expr, operators: tuple[type, ...], context: TemplateContext) -> tuple[str, str] | None:
    """The attributes that an operator joins; None for anything else."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, operators):
        return None
    if not isinstance(node.left, ast.Attribute) or not isinstance(node.right, ast.Attribute):
        return None
    return context.text(node.left), context.text(node.right)


def grow_by_rate(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`balance *= rate` becomes `balance *= 1 + rate`, and `balance += rate` becomes `balance += balance * rate`."""
    rate, held = context.text(node.value), context.text(node.target)
    if not _RATE.search(rate) or not isinstance(node.value, ast.Name | ast.Attribute):
        return
    if isinstance(node.op, ast.Mult):
        yield context.put(node.value, Expression(f"1 + {rate}", SUM))
        yield context.put(node.value, Expression(f"1 + {rate} / 100", SUM))
    elif isinstance(node.op, ast.Add | ast.Sub):
        yield context.put(node.value, Expression(f"{held} * {rate}", TERM))
        yield context.put(node.value, Expression(f"{held} * {rate} / 100", TERM))


_RATE = re.compile("rate|percent|interest|growth|discount")


def sort_each_coordinate(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`low, high = sorted([a, b])` of two corners becomes `zip(*map(sorted, zip(a, b)))`: each coordinate by itself."""
    corners = node.args[0] if callee_name(node) == "sorted" and len(node.args) == 1 and not node.keywords else None
    around = context.parent(node)
    if not isinstance(corners, ast.List | ast.Tuple) or not isinstance(around, ast.Assign):
        return
    target = around.targets[0]
    names = [part.id for part in target.elts if isinstance(part, ast.Name)] if isinstance(target, ast.Tuple) else []
    read = {part.value.id for part in context.scope.nodes if _is_coordinate(part)}  # type: ignore[attr-defined]
    if names and set(names) <= read and len(names) == len(corners.elts):
        yield context.put(node, f"zip(*map(sorted, zip({', '.join(map(context.text, corners.elts))})))")


def _is_coordinate(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and whole_number(node.slice) == 1


def divide_both_parts(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f"{rest // common}/{d}"` becomes `f"{rest // common}/{d // common}"`, where `common = gcd(rest, d)`: both parts
    of a fraction are divided by what they share."""
    if not context.is_read(node) or isinstance(context.parent(node), ast.BinOp):
        return
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=common)], value=ast.Call(args=[_, _] as both) as call):
                is_shared = (callee_name(call) or "").strip("_") in _SHARED and context.parent(node) is not call
                if is_shared and node.id in map(context.text, both) and part.lineno < node.lineno:
                    yield context.put(node, Expression(f"{node.id} // {common}", TERM))


_SHARED = frozenset(("gcd", "hcf", "greatest_common_divisor"))


def sizes_before_parting(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`divmod(n, d)` becomes `divmod(abs(n), abs(d))`: below zero it would go down, away from zero."""
    if callee_name(node) == "divmod" and len(node.args) == _PARTS:
        edits = [context.wrap(part, "abs").edits[0] for part in node.args if not isinstance(part, ast.Constant)]
        if edits:
            yield WeightedEdits(tuple(edits))
            yield WeightedEdits((edits[0],), LIKELY)


def reduce_by_divisor(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return num, den` becomes `return num // common, den // common` behind `common = gcd(num, den)`, where `gcd` is
    imported and never called, or the prose speaks of lowest terms."""
    parts = node.value.elts if isinstance(node.value, ast.Tuple) else []
    if isinstance(node.value, ast.JoinedStr):
        parts = [part.value for part in node.value.values if isinstance(part, ast.FormattedValue)]
    names = [part for part in parts if isinstance(part, ast.Name | ast.Attribute)]
    if len(names) != _PARTS_OF_FRACTION or len(parts) != len(names):
        return
    read = any(callee_name(part) == "gcd" for part in context.scope.nodes if isinstance(part, ast.Call))
    function, imports = context.member_of("math", "gcd")
    if read or (imports and not _LOWEST_TERMS & context.clues.words):
        return
    above, below = (context.text(part) for part in names)
    common = context.new_name("common", "divisor")
    begun = tuple(
        edit
        for change in context.before(node, (f"{common} = {function}({above}, {below}) or 1",))
        for edit in change.edits
    )
    if begun:
        edits = [
            context.edit(part, binary_operation(context.expression(part), "//", Expression(common))) for part in names
        ]
        yield WeightedEdits((*imports, *begun, *edits))


_PARTS_OF_FRACTION: Final = 2
_LOWEST_TERMS: Final = frozenset({"reduced", "reduce", "lowest", "simplest", "simplified", "simplify", "irreducible"})


def sign_to_the_top(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`bottom = abs(bottom)` becomes `if bottom < 0: top, bottom = -top, -bottom`: the fraction keeps its sign."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=bottom)], value=ast.Call(func=ast.Name(id="abs"), args=[ast.Name(id=same)])
        ):
            if bottom == same:
                for top in (name for name in context.scope.parameters if name not in (bottom, context.scope.receiver)):
                    lines = (f"if {bottom} < 0:", f"\t{top}, {bottom} = -{top}, -{bottom}")
                    yield from context.restate(node, lines)


def quarter_turn_back(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`dx, dy = -dy, dx` becomes `dx, dy = dy, -dx`: a quarter turn to the other side."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
        return
    names = [context.text(part) for part in target.elts]
    turned = [context.text(part) for part in value.elts]
    if len(names) != _PARTS or sorted(part.removeprefix("-") for part in turned) != sorted(names):
        return
    if [part.removeprefix("-") for part in turned] == names[::-1] and turned.count(names[0]) + turned.count(
        names[1]
    ) == 1:
        again = context.program.source.count(context.text(node)) > 1
        other = ", ".join(part[1:] if part.startswith("-") else f"-{part}" for part in turned)
        yield context.replace(*context.program.spans[value], other, 1.0 if again else HALF)


def parts_of_the_size(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`units, cents = divmod(self.cents, 100)` before `return f"{units}.{cents:02}"` becomes that of `abs(self.cents)`,
    and the text begins with a minus where it is below 0."""
    match node:
        case ast.Assign(
            targets=[ast.Tuple(elts=[ast.Name(id=first), ast.Name()])],
            value=ast.Call(func=ast.Name(id="divmod"), args=[amount, _]),
        ):
            pass
        case _:
            return
    block = context.program.block(node)
    for step in block[block.index(node) + 1 :][:1]:
        match step:
            case ast.Return(value=ast.JoinedStr(values=[ast.FormattedValue(value=ast.Name(id=shown)), *_]) as text):
                if shown == first:
                    size = context.edit(amount, Expression(f"abs({context.text(amount)})"))
                    begin = context.program.spans[text][0]
                    at = begin + re.search(r"[\"']", context.program.source[begin:]).end()  # type: ignore[union-attr]
                    quote = "'" if context.program.source[at - 1] == '"' else '"'
                    sign = f"{{{quote}-{quote} if {context.text(amount)} < 0 else {quote}{quote}}}"
                    yield WeightedEdits((size, Edit(at, at, sign)))


TEMPLATES = (
    Template("quarter_turn_back", (ast.Assign,), quarter_turn_back, ("sign", "content")),
    Template("sign_to_the_top", (ast.Assign,), sign_to_the_top, ("sign", "content")),
    Template("reduce_by_divisor", (ast.Return,), reduce_by_divisor, ("larger", "content")),
    Template("sizes_before_parting", (ast.Call,), sizes_before_parting, ("negative", "content", "sign")),
    Template("divide_both_parts", (ast.Name,), divide_both_parts, ("content", "larger")),
    Template("sort_each_coordinate", (ast.Call,), sort_each_coordinate, ("negated", "content")),
    Template("over_common_denominator", (ast.Call,), over_common_denominator, ("content",)),
    Template("other_products", (ast.Call, ast.BinOp), other_products, ("content",)),
    Template("grow_by_rate", (ast.AugAssign,), grow_by_rate, ("content", "close")),
    Template("parts_of_the_size", (ast.Assign,), parts_of_the_size, ("content", "longer", "shorter")),
)
