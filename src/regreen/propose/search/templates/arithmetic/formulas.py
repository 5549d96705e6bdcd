"""Formulas as they are taught, with a slip: the other way round, simple interest, a distance without its root, one side
of a triangle."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import AND, OPERATOR_SYMBOLS, POWER, SUM, TERM, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, is_written_number, whole_number


def convert_back(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x * 1.8 + 32` becomes `(x - 32) / 1.8`, and the other way round: the scale was meant that it comes from."""
    inner = node.left
    if not isinstance(inner, ast.BinOp) or not isinstance(inner.left, ast.Name):
        return
    if not (_is_number(node.right) and _is_number(inner.right)):
        return
    name, near, far = (context.text(part) for part in (inner.left, inner.right, node.right))
    if isinstance(node.op, ast.Add) and isinstance(inner.op, ast.Mult):
        yield context.put(node, Expression(f"({name} - {far}) / {near}", TERM))
    elif isinstance(node.op, ast.Div) and isinstance(inner.op, ast.Sub):
        yield context.put(node, Expression(f"{name} * {far} + {near}", SUM))


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and is_written_number(node.value)


def exchange_steps(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`base / factor - offset` becomes `(base - offset) / factor`, and the other way round: which step comes first."""
    inner = node.left
    if not isinstance(inner, ast.BinOp) or isinstance(node.right, ast.BinOp):
        return
    steps = {type(inner.op), type(node.op)}
    if len(steps & {ast.Add, ast.Sub}) == 1 and len(steps & {ast.Mult, ast.Div, ast.FloorDiv}) == 1:
        first, second = (OPERATOR_SYMBOLS[type(op)][0] for op in (node.op, inner.op))
        changed = binary_operation(context.expression(inner.left), first, context.expression(node.right))
        yield context.put(node, binary_operation(changed, second, context.expression(inner.right)))


def compound(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`1 + rate * years` becomes `(1 + rate) ** years`, and the other way round: interest on interest, or none."""
    if isinstance(node.op, ast.Add) and whole_number(node.left) == 1 and isinstance(node.right, ast.BinOp):
        share = node.right
        if isinstance(share.op, ast.Mult):
            rate, times = context.expression(share.left).at(TERM), context.expression(share.right).at(POWER)
            yield context.put(node, Expression(f"(1 + {rate}) ** {times}", POWER))
    if isinstance(node.op, ast.Pow) and isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Add):
        growth = node.left
        if whole_number(growth.left) == 1:
            rate, times = context.expression(growth.right).at(TERM), context.expression(node.right).at(TERM + 1)
            yield context.put(node, Expression(f"1 + {rate} * {times}", SUM), LIKELY)


def root_of_squares(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(x2 - x1) ** 2 + (y2 - y1) ** 2` becomes its root: that is a distance."""
    parent = context.parent(node)
    if not isinstance(node.op, ast.Add) or (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add | ast.Pow)):
        return
    last = node.left.right if isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Add) else node.left
    if _is_square(node.right) and _is_square(last):
        yield context.put(node, Expression(f"({context.text(node)}) ** 0.5", POWER))


def _is_square(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and whole_number(node.right) == 2


def other_measure(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`2 * pi * r` becomes `pi * r ** 2`, and the other way round; cones for cylinders, faces for volumes."""
    if isinstance(context.parent(node), ast.BinOp):
        return
    text = context.text(node)
    for pattern, *others in _MEASURES:
        found = re.fullmatch(pattern, text)
        for other in others if found is not None else ():
            yield context.put(node, Expression(found.expand(other), TERM))  # type: ignore[union-attr]


_PI = r"(?P<pi>(?:math\.)?pi|3\.14\d*)"
_SQUARE = r"(?P<r>[\w.]+) ?(?:\*\* ?2|\* ?(?P=r))"
_MEASURES = (
    (rf"2 \* {_PI} \* (?P<r>[\w.]+)", r"\g<pi> * \g<r> ** 2"),
    (rf"{_PI} \* {_SQUARE}", r"2 * \g<pi> * \g<r>"),
    (
        rf"{_PI} \* {_SQUARE} \* (?P<h>[\w.]+)",
        r"\g<pi> * \g<r> ** 2 * \g<h> / 3",
        r"2 * \g<pi> * \g<r> * \g<h>",
        r"2 * \g<pi> * \g<r> * (\g<r> + \g<h>)",
    ),
    (rf"4 \* {_PI} \* {_SQUARE}", r"4 / 3 * \g<pi> * \g<r> ** 3"),
    (rf"(?:4 / 3|\(4 / 3\)) \* {_PI} \* (?P<r>[\w.]+) \*\* 3", r"4 * \g<pi> * \g<r> ** 2"),
    (r"(?P<r>[A-Za-z_][\w.]*) \*\* 3", r"6 * \g<r> ** 2"),
    (rf"6 \* {_SQUARE}", r"\g<r> ** 3", r"4 * \g<r> ** 2"),
)
"""The measures of circles, cylinders, spheres and cubes as they are written, and those that they are taken for."""


def other_distance(node: ast.BinOp | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`abs(x) + abs(y)` becomes `max(abs(x), abs(y))`, and the other way round: with steps askew, or without."""
    if isinstance(node, ast.BinOp):
        parts = [node.left, node.right] if isinstance(node.op, ast.Add) else []
    else:
        parts = node.args if context.text(node.func) == "max" and not node.keywords else []
    if len(parts) != 2 or not all(context.text(part).startswith("abs(") for part in parts):
        return
    one, two = map(context.text, parts)
    other = Expression(f"max({one}, {two})") if isinstance(node, ast.BinOp) else Expression(f"{one} + {two}", SUM)
    yield context.put(node, other)


def area_without_sign(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return twice / 2` of `twice += x1 * y2 - x2 * y1` becomes `return abs(twice) / 2`: the sign tells which
    way round one went."""
    if not isinstance(node.ctx, ast.Load) or not any(isinstance(part, ast.Return) for part in context.around(node)):
        return
    if node.id in context.cached("sums of cross products", lambda: _cross_products(context)):
        parent = context.parent(node)
        if not isinstance(parent, ast.Call) or callee_name(parent) != "abs":
            yield context.wrap(node, "abs")


def _cross_products(context: TemplateContext) -> frozenset[str]:
    """The variables to which `x1 * y2 - x2 * y1` is added."""
    found = set()
    for part in context.scope.nodes:
        term = part.value if isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add) else None
        if isinstance(term, ast.BinOp) and isinstance(term.op, ast.Sub):
            sides = (term.left, term.right)
            if all(isinstance(side, ast.BinOp) and isinstance(side.op, ast.Mult) for side in sides):
                found.add(context.text(part.target))  # type: ignore[attr-defined]
    return frozenset(found)


def square_each_round(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """In a loop that halves the exponent and multiplies by `base`, `base = base * base % modulus` comes with
    each round."""
    halved = [part for part in node.body if isinstance(part, ast.AugAssign) and isinstance(part.op, _HALVING)]
    if not halved:
        return
    for part in context.program.below(node):
        update = part.value if isinstance(part, ast.Assign | ast.AugAssign) else None
        product = update.left if isinstance(update, ast.BinOp) and isinstance(update.op, ast.Mod) else update
        if isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Mult):
            base, rest = part.value, ""
        elif isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult):
            base = product.right
            rest = f" % {context.text(update.right)}" if product is not update else ""  # type: ignore[union-attr]
        else:
            continue
        if isinstance(base, ast.Name) and not any(_stores(other, base.id) for other in context.program.below(node)):
            yield from context.before(halved[0], (f"{base.id} = {base.id} * {base.id}{rest}",))
            return


_HALVING = (ast.FloorDiv, ast.RShift)


def _stores(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)


def each_two_sides(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a + b > c` of three parameters becomes `a + b > c and a + c > b and b + c > a`."""
    total = node.left
    if not isinstance(total, ast.BinOp) or not isinstance(total.op, ast.Add) or len(node.ops) != 1:
        return
    sides = [context.text(part) for part in (total.left, total.right, node.comparators[0])]
    if not isinstance(node.ops[0], ast.Gt | ast.GtE) or sorted(sides) != sorted(context.scope.parameters):
        return
    sign = ">" if isinstance(node.ops[0], ast.Gt) else ">="
    one, two, three = sides
    asked = " and ".join(
        f"{x} + {y} {sign} {z}" for x, y, z in ((one, two, three), (one, three, two), (two, three, one))
    )
    if isinstance(context.parent(node), ast.Return | ast.If | ast.IfExp):
        yield context.put(node, Expression(asked, AND))


def exact_constant(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`3.14` becomes `math.pi`, and `2.718` `math.e`: all of their digits."""
    for name, digits in _CONSTANTS.items():
        text = context.text(node)
        if isinstance(node.value, float) and len(text) >= _FEWEST_DIGITS and digits.startswith(text[:-1]):
            exact, imports = context.member_of("math", name)
            yield WeightedEdits((*imports, context.edit(node, Expression(exact))))


_CONSTANTS = {"pi": "3.14159265358979323846", "e": "2.71828182845904523536"}
_FEWEST_DIGITS = 4


def other_zero_point(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`c * 9 / 5` becomes `c * 9 / 5 + 32`, and `f * 5 / 9` `(f - 32) * 5 / 9`: the scales begin elsewhere."""
    text = context.text(node)
    if isinstance(context.parent(node), ast.BinOp):
        return
    if re.fullmatch(r"\w+ \* (?:9 / 5|1\.8)|9 / 5 \* \w+|1\.8 \* \w+", text):
        yield context.put(node, Expression(f"{text} + 32", SUM))
    elif (found := re.fullmatch(r"(\w+) (\* 5 / 9|/ 1\.8)", text)) is not None:
        yield context.put(node, Expression(f"({found[1]} - 32) {found[2]}", TERM))


def from_lower_end(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`value / width` becomes `(value - low) / width`, where `width` is made of `high - low`: counted from the end."""
    if not isinstance(node.op, ast.Div | ast.FloorDiv) or not isinstance(
        node.left, ast.Name | ast.Attribute | ast.Subscript
    ):
        return
    for low in dict.fromkeys(_subtracted_in(node.right, context)):
        if low != context.text(node.left):
            yield context.put(node.left, binary_operation(context.expression(node.left), "-", Expression(low)))


def _subtracted_in(divisor: ast.expr, context: TemplateContext) -> Iterator[str]:
    """The names that are taken away in a divisor, or in what the function assigns to the variable that divides."""
    whole: list[ast.expr] = [divisor]
    if isinstance(divisor, ast.Name):
        assigned = (part for part in context.scope.nodes if isinstance(part, ast.Assign))
        whole += [part.value for part in assigned if context.text(part.targets[0]) == divisor.id]
    for part in (each for root in whole for each in ast.walk(root)):
        if (
            isinstance(part, ast.BinOp)
            and isinstance(part.op, ast.Sub)
            and isinstance(part.right, ast.Name | ast.Attribute)
        ):
            yield context.text(part.right)


def weigh_by_total(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sum(v * w for v, w in zip(xs, ws)) / len(xs)` becomes `... / sum(ws)`: a mean by weights."""
    around = context.parent(node)
    if callee_name(node) != "len" or not isinstance(around, ast.BinOp) or around.right is not node:
        return
    paired = (part for part in ast.walk(around.left) if isinstance(part, ast.Call) and callee_name(part) == "zip")
    measured = context.text(node.args[0]) if node.args else ""
    for other in (context.text(argument) for part in paired for argument in part.args):
        if other != measured:
            yield context.put(node, f"sum({other})")


def median_for_mean(node: ast.BinOp | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sum(places) / len(places)`, rounded or not, becomes `sorted(places)[len(places) // 2]`: nearest to all is the
    middle one, and not the mean."""
    inner = node.args[0] if isinstance(node, ast.Call) and callee_name(node) in ("round", "int") and node.args else node
    found = _MEAN.fullmatch(context.text(inner))
    if found:
        items = found["items"] or found["given"]
        yield context.put(node, f"sorted({items})[len({items}) // 2]")


_MEAN = re.compile(r"sum\((?P<items>[\w.]+)\) //? len\((?P=items)\)|(?:statistics\.)?f?mean\((?P<given>[\w.]+)\)")


def quadrant_of_angle(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`math.atan(east / north)` becomes `math.atan2(east, north)`: a quotient does not tell which of two opposite
    directions it was, and has none for 0."""
    shared = node.args[0] if callee_name(node) == "atan" and len(node.args) == 1 else None
    if isinstance(shared, ast.BinOp) and isinstance(shared.op, ast.Div):
        name = f"{context.text(node.func)}2"
        yield context.put(node, f"{name}({context.text(shared.left)}, {context.text(shared.right)})")


def nearest_step(node: ast.BinOp | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`heading // step` becomes `(heading + step / 2) // step`, and `int(x / step)` becomes `round(x / step)`, where
    prose asks for the nearest."""
    if not re.search(r"\b(?:nearest|closest)\b", context.clues.prose):
        return
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.FloorDiv):
            whole, step = context.expression(node.left), context.expression(node.right)
            half = binary_operation(step, "/", Expression("2"))
            yield context.put(node, binary_operation(binary_operation(whole, "+", half), "//", step))
        return
    shared = node.args[0] if callee_name(node) == "int" and len(node.args) == 1 else None
    if isinstance(shared, ast.BinOp) and isinstance(shared.op, ast.Div):
        yield context.put(node, f"round({context.text(shared)})")


TEMPLATES = (
    Template("quadrant_of_angle", (ast.Call,), quadrant_of_angle, ("content", "negative", "zero")),
    Template("nearest_step", (ast.BinOp, ast.Call), nearest_step, ("close", "content", "off_by_one")),
    Template("median_for_mean", (ast.BinOp, ast.Call), median_for_mean, ("close", "content", "larger")),
    Template("weigh_by_total", (ast.Call,), weigh_by_total, ("content",)),
    Template("from_lower_end", (ast.BinOp,), from_lower_end, ("content", "index")),
    Template("exact_constant", (ast.Constant,), exact_constant, ("close", "rounding")),
    Template("other_zero_point", (ast.BinOp,), other_zero_point, ("content", "close")),
    Template("convert_back", (ast.BinOp,), convert_back, ("content",)),
    Template("exchange_steps", (ast.BinOp,), exchange_steps, ("content", "close")),
    Template("compound", (ast.BinOp,), compound, ("content", "close")),
    Template("root_of_squares", (ast.BinOp,), root_of_squares, ("content", "close")),
    Template("other_measure", (ast.BinOp,), other_measure, ("content", "close")),
    Template("other_distance", (ast.BinOp, ast.Call), other_distance, ("content",)),
    Template("area_without_sign", (ast.Name,), area_without_sign, ("sign", "content")),
    Template("square_each_round", (ast.While,), square_each_round, ("content",)),
    Template("each_two_sides", (ast.Compare,), each_two_sides, ("negated",)),
)
