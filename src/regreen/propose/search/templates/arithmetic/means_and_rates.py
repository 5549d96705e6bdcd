"""Means, rates and parts of a whole: what is taken of each and not of all, means of what may be missing, rates."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import FACTOR, TERM, TEST, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, values_given, whole_number

_OF_THE_WHOLE: Final = frozenset({"abs", "round", "int", "sqrt", "floor", "ceil"})


def of_the_whole(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += abs(x)` before `return total / 2` becomes `total += x` and `return abs(total) / 2`."""
    match node:
        case ast.AugAssign(target=ast.Name(id=name), value=ast.Call(args=[only], keywords=[]) as call):
            pass
        case _:
            return
    if callee_name(call) not in _OF_THE_WHOLE:
        return
    for part in context.scope.nodes:
        if isinstance(part, ast.Return) and part.value is not None:
            read = [p for p in ast.walk(part.value) if isinstance(p, ast.Name) and p.id == name]
            if len(read) == 1:
                whole = context.edit(read[0], Expression(f"{context.text(call.func)}({name})"))
                yield WeightedEdits((context.edit(call, context.expression(only)), whole))


def mean_of_what_is_there(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`((a or 0) + (b or 0)) / 2` becomes `a if b is None else b if a is None else (a + b) / 2`."""
    match node:
        case ast.BinOp(left=ast.BinOp(left=one, op=ast.Add(), right=other), op=ast.Div(), right=number) if (
            whole_number(number) == 2
        ):
            names = [_known(part) for part in (one, other)]
            if all(names):
                a, b = names
                text = f"{a} if {b} is None else {b} if {a} is None else ({a} + {b}) / 2"
                yield context.put(node, Expression(text, TEST))


def _known(node: ast.expr) -> str:
    """`a` of `a or 0`; empty for anything else."""
    match node:
        case ast.BoolOp(op=ast.Or(), values=[ast.Name(id=name), ast.Constant(value=0)]):
            return name
    return ""


def rate_of_the_whole(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sum(way * speed ...) / distance` becomes `distance / sum(way / speed ...)`: at half the speed it takes twice
    as long."""
    if not isinstance(node.op, ast.Div) or not isinstance(node.left, ast.Name):
        return
    for value in values_given(context.scope.nodes, node.left.id):
        match value:
            case ast.Call(
                func=ast.Name(id="sum"),
                args=[ast.GeneratorExp(elt=ast.BinOp(left=way, op=ast.Mult(), right=speed) as product)],
            ):
                turned = context.swap(node.left, node.right).edits
                for one, other in ((way, speed), (speed, way)):
                    quotient = binary_operation(context.expression(one), "/", context.expression(other))
                    yield WeightedEdits((context.edit(product, quotient), *turned), 1.0 if one is way else HALF)


def rest_to_those_who_lost_most(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for i in range(left): shares[i] += 1`, where `shares = [total * w // whole for w in weights]`, becomes a loop
    over the places in the order of `total * w % whole`, the largest first."""
    match node:
        case ast.For(
            iter=ast.Call(func=ast.Name(id="range"), args=[left]) as places,
            body=[ast.AugAssign(target=ast.Subscript(value=ast.Name(id=shares)))],
        ):
            pass
        case _:
            return
    for value in values_given(context.scope.nodes, shares):
        match value:
            case ast.ListComp(
                elt=ast.BinOp(left=above, op=ast.FloorDiv(), right=below),
                generators=[ast.comprehension(target=ast.Name(id=each), iter=items)],
            ):
                lost = f"{context.expression(above).at(TERM)} % {context.expression(below).at(FACTOR)}"
                lost = re.sub(rf"\b{each}\b", f"{context.text(items)}[i]", lost)
                order = f"sorted(range(len({shares})), key=lambda i: -({lost}))"
                yield context.put(places, f"{order}[:{context.text(left)}]")


def part_within_bracket(node: ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`tax = income * percent` in a loop over `i, (start, percent)` becomes `tax += (min(income, end) - start) *
    percent`, where `end` is the start of the next bracket: each is for what lies in it."""
    match node:
        case ast.Assign(targets=[ast.Name() as target], value=ast.BinOp(op=ast.Mult()) as product):
            pass
        case ast.AugAssign(target=ast.Name() as target, op=ast.Add(), value=ast.BinOp(op=ast.Mult()) as product):
            pass
        case _:
            return
    loop = next(context.loops_around(node), None)
    match loop:
        case ast.For(
            target=ast.Tuple(elts=[ast.Name(id=i), ast.Tuple(elts=[ast.Name(id=start), ast.Name(id=rate)])]),
            iter=ast.Call(func=ast.Name(id="enumerate"), args=[table]),
        ):
            pass
        case _:
            return
    factors = [context.text(product.left), context.text(product.right)]
    if rate not in factors:
        return
    amount, brackets = factors[1 - factors.index(rate)], context.text(table)
    end = f"{brackets}[{i} + 1][0] if {i} + 1 < len({brackets}) else {amount}"
    made = f"(min({amount}, {end}) - {start}) * {rate}"
    yield from context.restate(node, (f"{target.id} += {made}",))


def difference_of_compared(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total + own` becomes `total + own - other`, where the function asks whether `own > other`."""
    around = context.parent(node)
    is_added = isinstance(around, ast.BinOp) and isinstance(around.op, ast.Add) and around.right is node
    is_added |= isinstance(around, ast.AugAssign) and isinstance(around.op, ast.Add) and around.value is node
    if not is_added:
        return
    for part in context.scope.nodes:
        match part:
            case ast.Compare(left=ast.Name(id=one), ops=[ast.Gt() | ast.Lt()], comparators=[ast.Name(id=other)]):
                if node.id in (one, other):
                    less = Expression(other if node.id == one else one)
                    whole = around if isinstance(around, ast.BinOp) else node
                    yield context.put(whole, binary_operation(context.expression(whole), "-", less))


def way_in_either_direction(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`way + goal - floor` becomes `way + abs(goal - floor)`: down is as far as up."""
    match node:
        case ast.BinOp(left=ast.BinOp(left=way, op=ast.Add(), right=goal), op=ast.Sub(), right=floor):
            far = f"abs({context.text(goal)} - {context.expression(floor).at(TERM)})"
            yield context.put(node, binary_operation(context.expression(way), "+", Expression(far)))


def mean_of_all_together(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += sum(marks) / len(marks)` and `count += 1` become `total += sum(marks)` and `count += len(marks)`: each
    item counts, not each group."""
    match node:
        case ast.AugAssign(
            op=ast.Add(),
            value=ast.BinOp(
                left=ast.Call(func=ast.Name(id="sum"), args=[one]) as added,
                op=ast.Div(),
                right=ast.Call(func=ast.Name(id="len"), args=[other]) as many,
            ) as mean,
        ) if context.text(one) == context.text(other):
            pass
        case _:
            return
    for step in context.program.block(node):
        match step:
            case ast.AugAssign(op=ast.Add(), value=ast.Constant(value=1) as each) if step is not node:
                whole = context.edit(mean, context.expression(added))
                yield WeightedEdits((whole, context.edit(each, context.expression(many))))


def by_what_was_lost(node: ast.Lambda, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`key=lambda i: weights[i], reverse=True`, where `shares = [total * w // whole for w in weights]`, becomes
    `key=lambda i: total * weights[i] % whole`: what is left goes to those whose remainder is the largest."""
    match node:
        case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=place)])):
            pass
        case _:
            return
    for part in context.scope.nodes:
        match part:
            case ast.ListComp(
                elt=ast.BinOp(left=above, op=ast.FloorDiv(), right=below),
                generators=[ast.comprehension(target=ast.Name(id=each), iter=items, ifs=[])],
            ):
                lost = f"{context.expression(above).at(TERM)} % {context.expression(below).at(FACTOR)}"
                lost = re.sub(rf"\b{each}\b", f"{context.text(items)}[{place}]", lost)
                order = context.parent(context.parent(node))
                is_turned = any(isinstance(part, ast.keyword) and part.arg == "reverse" for part in ast.walk(order))
                yield context.put(node.body, Expression(lost if is_turned else f"-({lost})", TERM))


TEMPLATES: Final = (
    Template("of_the_whole", (ast.AugAssign,), of_the_whole, ("larger", "smaller")),
    Template("mean_of_what_is_there", (ast.BinOp,), mean_of_what_is_there, ("smaller", "larger", "none")),
    Template("rate_of_the_whole", (ast.BinOp,), rate_of_the_whole, ("larger", "smaller")),
    Template("rest_to_those_who_lost_most", (ast.For,), rest_to_those_who_lost_most, ("content", "order")),
    Template("part_within_bracket", (ast.Assign, ast.AugAssign), part_within_bracket, ("larger", "smaller")),
    Template("difference_of_compared", (ast.Name,), difference_of_compared, ("larger", "order", "content")),
    Template("way_in_either_direction", (ast.BinOp,), way_in_either_direction, ("smaller", "negated", "larger")),
    Template("mean_of_all_together", (ast.AugAssign,), mean_of_all_together, ("larger", "smaller", "close", "content")),
    Template("by_what_was_lost", (ast.Lambda,), by_what_was_lost, ("order", "content")),
)
