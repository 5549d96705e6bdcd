"""Counters and totals of nested loops that nothing sets back, or that begin each round at the wrong place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import Expression
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import names_within, whole_number


def restart_counter(node: ast.While | ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`j = 1` before `while i < n: while j < n: ...` moves in as `j = i + 1`, or `j = i`; so does `least = 0` of
    a selection sort before `for i in ...`."""
    place = _place(node, context)
    block = context.program.block(node)
    for inner in node.body:
        if not place or not isinstance(inner, ast.While | ast.For):
            continue
        for begun in block[: block.index(node)]:
            if not isinstance(begun, ast.Assign) or not isinstance(begun.value, ast.Constant | ast.Name):
                continue
            name = context.text(begun.targets[0])
            if type(getattr(begun.value, "value", 0)) is not int or not _counts_in(name, inner, node, context):
                continue
            removed = context.delete(begun).edits[0] if context.program.alone(begun) else None
            starts = (f"{place} + 1", place) if isinstance(inner, ast.While) else (place,)
            for start, weight in zip(starts, (1.0, LIKELY), strict=False):
                for set_back in context.before(inner, (f"{name} = {start}",), weight):
                    if removed is not None:
                        yield WeightedEdits((removed, *set_back.edits), weight)


def _place(loop: ast.While | ast.For, context: TemplateContext) -> str:
    """The variable that a loop counts: `i` of `for i in range(n)` and of `while i < n`; empty where there is none."""
    if isinstance(loop, ast.For):
        is_range = context.text(loop.iter).startswith("range(")
        return loop.target.id if is_range and isinstance(loop.target, ast.Name) else ""
    left = loop.test.left if isinstance(loop.test, ast.Compare) else None
    return left.id if isinstance(left, ast.Name) else ""


def _counts_in(name: str, inner: ast.stmt, loop: ast.While | ast.For, context: TemplateContext) -> bool:
    """Whether a variable is moved on within an inner loop, and within the outer one nowhere else."""
    places = [
        part
        for part in context.program.below(loop)
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)
    ]
    inside = set(context.program.below(inner))
    is_index = any(
        isinstance(part, ast.Subscript) and context.text(part.slice) == name for part in context.program.below(loop)
    )
    return bool(places) and is_index and all(part in inside for part in places)


def own_value_each_round(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`count = [0, 0]` before a loop moves to its beginning, where inner loops alone change it, the rest of the loop
    reads it, and nothing behind the loop does: each round has its own."""
    block = context.program.block(node)
    index = block.index(node)
    for begun in block[:index]:
        name = begun.targets[0] if isinstance(begun, ast.Assign) and _is_first(begun.value) else None
        if not isinstance(name, ast.Name) or not context.program.alone(begun):
            continue
        is_read_behind = any(name.id in names_within(later) for later in block[index + 1 :])
        if not is_read_behind and _belongs_to_round(name.id, node, context):
            removed = context.delete(begun).edits[0]
            for put in context.before(node.body[0], (context.text(begun),)):
                yield WeightedEdits((removed, *put.edits))


def _is_first(value: ast.expr) -> bool:
    """Whether a value is one to begin with: a constant, one in capitals, or a collection of such."""
    is_call = isinstance(value, ast.Call) and not value.args
    return is_call or all(
        isinstance(part, _PLAIN) or (isinstance(part, ast.Name) and part.id.isupper()) for part in ast.walk(value)
    )


_PLAIN: Final = (
    *(ast.Constant, ast.List, ast.Dict, ast.Tuple, ast.UnaryOp, ast.BinOp),
    *(ast.operator, ast.unaryop, ast.expr_context),
)


def _belongs_to_round(name: str, loop: ast.For | ast.While, context: TemplateContext) -> bool:
    """Whether the statements of a loop that change a variable are loops, and others read it."""
    changing = [part for part in loop.body if any(_is_changed(name, inner) for inner in context.program.below(part))]
    others = (part for part in loop.body if part not in changing)
    is_nested = bool(changing) and all(isinstance(part, ast.For | ast.While) for part in changing)
    return is_nested and any(name in names_within(part) for part in others)


def _is_changed(name: str, node: ast.AST) -> bool:
    """Whether a node gives a variable, or an item of it, a value."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == name
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)


def begin_with_own_length(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`length = 0` beside `line = [word]` becomes `length = len(word)`: what begins anew with an item has its length.

    Or what is added with each further one: `total = 0` becomes `total = price` where `total += price` stands.
    """
    target = node.targets[0]
    if not isinstance(target, ast.Name) or context.text(node.value) != "0":
        return
    for beside in context.program.block(node):
        match beside:
            case ast.Assign(value=ast.List(elts=[ast.Name(id=item)])):
                yield context.put(node.value, f"len({item})")
                for part in context.scope.nodes:
                    if isinstance(part, ast.AugAssign) and context.text(part.target) == target.id:
                        yield context.put(node.value, context.expression(part.value))


def each_not_the_sum(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if total > 360: total -= 30` behind a loop with `total += minutes` becomes `if minutes > 360: minutes -= 30`
    before that: what is asked of the sum was to be asked of each."""
    block = context.program.block(node)
    loop = block[block.index(node) - 1] if block.index(node) else None
    if not isinstance(loop, ast.For) or node.orelse or len(node.body) != 1 or not context.program.alone(node):
        return
    for step in loop.body:
        match step:
            case ast.AugAssign(target=ast.Name(id=total), op=ast.Add(), value=ast.Name(id=one)):
                names = names_within(node)
                if total in names and names <= {total, *context.scope.parameters, *context.scope.globals}:
                    turned = re.sub(rf"\b{total}\b", one, context.text(node))
                    lines = [line.strip() for line in turned.splitlines()]
                    for put in context.before(step, (lines[0], *(f"\t{line}" for line in lines[1:]))):
                        yield WeightedEdits((*put.edits, *context.delete(node).edits))


def count_items_of_runs(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`best = run = 0` and `run = 0` in a loop over neighbours become 1 throughout, or `min(1, len(xs))` at first: a
    run of one item has no step in it."""
    name = node.targets[-1]
    if not isinstance(name, ast.Name) or whole_number(node.value) != 0 or any(context.loops_around(node)):
        return
    begun = [
        part
        for part in context.scope.nodes
        if isinstance(part, ast.Assign) and whole_number(part.value) == 0 and context.text(part.targets[-1]) == name.id
    ]
    steps = (part for part in context.scope.nodes if isinstance(part, ast.AugAssign) and whole_number(part.value) == 1)
    if len(begun) < 2 or not any(context.text(step.target) == name.id for step in steps):
        return
    others = [
        part
        for part in context.program.block(node)
        if isinstance(part, ast.Assign) and whole_number(part.value) == 0 and part not in begun
    ]
    again = [context.edit(part.value, Expression("1")) for part in begun if part is not node]
    items = [
        name for name in context.scope.parameters if context.scope.kinds.get(name, "") in ("str", "list", "tuple", "")
    ]
    for first in ("1", *(f"min(1, len({one}))" for one in items)):
        at_first = [context.edit(part.value, Expression(first)) for part in (node, *others)]
        yield WeightedEdits(tuple(sorted((*at_first, *again), key=edit_position)))


TEMPLATES = (
    Template("count_items_of_runs", (ast.Assign,), count_items_of_runs, ("smaller", "off_by_one")),
    Template("each_not_the_sum", (ast.If,), each_not_the_sum, ("larger", "content")),
    Template("begin_with_own_length", (ast.Assign,), begin_with_own_length, ("content", "off_by_one", "longer")),
    Template("own_value_each_round", (ast.For, ast.While), own_value_each_round),
    Template("restart_counter", (ast.While, ast.For), restart_counter, ("shorter", "content")),
)
