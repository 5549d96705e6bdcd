"""Lists that are filled by place, and have none yet."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import ATOM, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.variables.shared_state import copied_value
from regreen.syntax import callee_name, whole_number
from regreen.types import Edit

_FILLINGS: Final = ('" "', "0", "None", '""')
"""What stands where there is nothing."""


def give_places(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sums = []` before `sums[i] += x`, with `i` of `enumerate(row)`, becomes `sums = [0] * len(row)`: a list has the
    places alone that it was given."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Name) or not isinstance(value, ast.List) or value.elts:
        return
    for stored, place in _stores(target.id, context):
        first = "1" if isinstance(stored, ast.AugAssign) and isinstance(stored.op, ast.Mult) else "0"
        filling = "None" if isinstance(stored, ast.Assign) else first
        for loop in context.loops_around(stored):
            if isinstance(loop, ast.For):
                for length, weight in _lengths(loop, place, context):
                    yield context.put(value, f"[{filling}] * {length}", weight)
                    if filling == "None":
                        yield context.put(value, f"[0] * {length}", HALF * weight)


def _stores(name: str, context: TemplateContext) -> Iterator[tuple[ast.Assign | ast.AugAssign, str]]:
    """The statements that change an item of a list by its place, with the name of the place."""
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign | ast.AugAssign):
            target = part.target if isinstance(part, ast.AugAssign) else part.targets[0]
            place = target.slice if isinstance(target, ast.Subscript) else None
            if isinstance(place, ast.Name) and context.text(target) == f"{name}[{place.id}]":
                yield part, place.id


def _lengths(loop: ast.For, place: str, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """How many places a loop goes through by this name, as text that can be asked before the loops."""
    call, target = loop.iter, loop.target
    if not isinstance(call, ast.Call) or not call.args:
        return
    if callee_name(call) == "range" and isinstance(target, ast.Name) and target.id == place:
        yield context.expression(call.args[min(len(call.args) - 1, 1)]).at(ATOM), 1.0
    if callee_name(call) == "enumerate" and isinstance(target, ast.Tuple) and context.text(target.elts[0]) == place:
        items = call.args[0]
        outer = next((part for part in context.loops_around(loop) if isinstance(part, ast.For)), None)
        if outer is not None and context.text(outer.target) == context.text(items):
            rows = context.expression(outer.iter)
            yield f"len({rows.at(ATOM)}[0])", 1.0
            yield f"(len({rows.at(ATOM)}[0]) if {rows.at(TEST)} else 0)", HALF
        else:
            yield f"len({context.text(items)})", 1.0


def pad_what_is_left_out(node: ast.GeneratorExp | ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`line[c] for line in lines if c < len(line)` becomes `line[c] if c < len(line) else " " for line in lines`: what
    is too short has a place, too."""
    if len(node.generators) != 1 or len(node.generators[0].ifs) != 1 or not isinstance(node.elt, ast.Subscript):
        return
    part, asked = node.generators[0], node.generators[0].ifs[0]
    if not isinstance(asked, ast.Compare) or f"len({context.text(node.elt.value)})" not in context.text(asked):
        return
    start = context.outer(part.iter)[1]
    end = context.outer(asked)[1]
    for filling in _FILLINGS:
        there = Expression(f"{context.text(node.elt)} if {context.text(asked)} else {filling}", TEST)
        yield WeightedEdits((context.edit(node.elt, there), Edit(start, end, "")))


def put_back_in_order(node: ast.GeneratorExp | ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[i] for i in order` becomes `x for _, x in sorted(zip(order, xs))`: `order` says where each one is to stand,
    and not which one comes next."""
    part, place = node.generators[0], node.elt
    if len(node.generators) != 1 or part.ifs or not isinstance(part.target, ast.Name):
        return
    if not isinstance(place, ast.Subscript) or context.text(place.slice) != part.target.id:
        return
    if isinstance(part.iter, ast.Name):
        start, end = context.program.spans[place][0], context.outer(part.iter)[1]
        yield context.replace(start, end, f"x for _, x in sorted(zip({part.iter.id}, {context.text(place.value)}))")


def each_with_its_partner(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`wider = list(order)` and a loop over `reversed(order)` that adds partners becomes `wider = []` and a loop over
    `order` that adds each with its partner: they stand side by side."""
    block, wider = context.program.block(node), context.text(node.targets[0])
    loop = block[block.index(node) + 1] if node is not block[-1] else None
    copied = copied_value(node.value, context)
    if (
        not isinstance(copied, ast.Name)
        or not isinstance(loop, ast.For)
        or len(loop.body) != 1
        or not isinstance(loop.target, ast.Name)
    ):
        return
    step, source = loop.body[0], copied.id
    if context.text(loop.iter) not in (source, f"reversed({source})", f"{source}[::-1]"):
        return
    if context.text(step).startswith(f"{wider}.append("):
        for first in context.before(step, (f"{wider}.append({loop.target.id})",)):
            begun = context.edit(node.value, Expression("[]"))
            yield WeightedEdits((begun, context.edit(loop.iter, Expression(source)), *first.edits))


def pad_short_rows(node: ast.GeneratorExp | ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`row[c] for row in rows` becomes `row[c] if c < len(row) else " " for row in rows`: the last one may be too
    short."""
    part, cell = node.generators[0], node.elt
    if (
        len(node.generators) != 1
        or part.ifs
        or not isinstance(cell, ast.Subscript)
        or isinstance(cell.slice, ast.Slice)
    ):
        return
    row, place = context.text(cell.value), context.text(cell.slice)
    if isinstance(part.target, ast.Name) and row == part.target.id and whole_number(cell.slice) is None:
        for filling in _FILLINGS:
            yield context.put(cell, Expression(f"{context.text(cell)} if {place} < len({row}) else {filling}", TEST))


TEMPLATES = (
    Template("pad_short_rows", (ast.GeneratorExp, ast.ListComp), pad_short_rows, ("index",)),
    Template("each_with_its_partner", (ast.Assign,), each_with_its_partner, ("order",)),
    Template("put_back_in_order", (ast.GeneratorExp, ast.ListComp), put_back_in_order, ("order", "content")),
    Template("pad_what_is_left_out", (ast.GeneratorExp, ast.ListComp), pad_what_is_left_out, ("shorter", "content")),
    Template("give_places", (ast.Assign,), give_places, ("index", "shorter")),
)
