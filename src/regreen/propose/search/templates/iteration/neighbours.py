"""Items side by side: one beside itself, the last one, which has no neighbour, and a ring, where it has the first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, UNLIKELY
from regreen.propose.search.expressions import NOT, TERM, TEST, Expression, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, names_within, whole_number

_PAIR: Final = 2


def not_itself(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if xs[i] == xs[j]:` in two loops over the same items becomes `if i != j and xs[i] == xs[j]:`."""
    inner = context.parent(node)
    outer = context.parent(inner) if isinstance(inner, ast.For) else None
    if not isinstance(inner, ast.For) or not isinstance(outer, ast.For):
        return
    names = [loop.target.id for loop in (outer, inner) if isinstance(loop.target, ast.Name)]
    if len(names) == _PAIR and context.text(outer.iter) == context.text(inner.iter):
        is_other = Expression(f"{names[0]} != {names[1]}", NOT)
        if is_other.text not in context.text(node.test):
            yield context.put(node.test, bool_operation(is_other, "and", context.expression(node.test)))


def skip_equal(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for a, b in zip(xs, ys):` passes over those that are equal: `if a == b: continue`."""
    parts = node.target.elts if isinstance(node.target, ast.Tuple) else []
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    is_zip = isinstance(node.iter, ast.Call) and callee_name(node.iter) == "zip"
    if len(names) == _PAIR and is_zip:
        yield from context.before(node.body[0], (f"if {names[0]} == {names[1]}:", "\tcontinue"))
    taken = [_item_taken(stmt, node, context) for stmt in node.body[:_PAIR]]
    if len(taken) == _PAIR and all(taken) and len(node.body) > _PAIR:
        yield from context.before(node.body[_PAIR], (f"if {taken[0]} == {taken[1]}:", "\tcontinue"))


def _item_taken(stmt: ast.stmt, loop: ast.For, context: TemplateContext) -> str:
    """The variable `a` of `a = xs[i]` in a loop over `i`; empty for any other statement."""
    item = stmt.value if isinstance(stmt, ast.Assign) and isinstance(stmt.targets[0], ast.Name) else None
    is_taken = isinstance(item, ast.Subscript) and context.text(item.slice) == context.text(loop.target)
    return context.text(stmt.targets[0]) if is_taken else ""  # type: ignore[attr-defined]


def close_ring(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`zip(corners, corners[1:])` becomes `zip(corners, corners[1:] + corners[:1])`: the last one beside the first."""
    if callee_name(node) != "zip" or len(node.args) != _PAIR:
        return
    items, rest = map(context.text, node.args)
    if rest == f"{items}[1:]":
        yield context.put(node.args[1], Expression(f"{rest} + {items}[:1]"))


def last_without_neighbour(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for i in range(len(xs) - 1)` takes the last item, too, and asks `i + 1 < len(xs)` before its neighbour."""
    bound = node.iter.args[-1] if isinstance(node.iter, ast.Call) and node.iter.args else None
    if not isinstance(bound, ast.BinOp) or not isinstance(bound.op, ast.Sub) or whole_number(bound.right) != 1:
        return
    if not isinstance(node.target, ast.Name) or callee_name(node.iter) != "range":  # type: ignore[arg-type]
        return
    length, place = context.text(bound.left), f"{node.target.id} + 1"
    for part in context.program.below(node):
        if isinstance(part, ast.If) and f"[{place}]" in context.text(part.test):
            there = Expression(f"{place} < {length}", NOT)
            test = bool_operation(there, "and", context.expression(part.test))
            edits = (context.edit(bound, context.expression(bound.left)), context.edit(part.test, test))
            yield WeightedEdits(edits)


def last_of_pairs(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Behind `for here, after in zip(xs, xs[1:]): ... total += value[here]` comes `total += value[xs[-1]]`: the last
    one is no pair's first."""
    pairs, target = node.iter, node.target
    if not isinstance(pairs, ast.Call) or callee_name(pairs) != "zip" or not isinstance(target, ast.Tuple):
        return
    if len(pairs.args) != _PAIR or len(target.elts) != _PAIR or not isinstance(target.elts[0], ast.Name):
        return
    items, here = context.text(pairs.args[0]), target.elts[0].id
    if context.text(pairs.args[1]) != f"{items}[1:]":
        return
    for part in context.program.below(node):
        is_kept = isinstance(part, ast.AugAssign) or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Call))
        line = context.text(part) if is_kept else ""
        if re.search(rf"\b{here}\b", line) and context.text(target.elts[1]) not in names_within(part):
            yield from context.after(node, (re.sub(rf"\b{here}\b", f"{items}[-1]", line),))


def shift_both(node: ast.Tuple, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(2 * i, 2 * i + 1)` becomes `(2 * i + 1, 2 * i + 2)`, and the other way round."""
    if len(node.elts) != _PAIR or not isinstance(node.ctx, ast.Load):
        return
    (first, low), (second, high) = (_split(part, context) for part in node.elts)
    if first != second or high - low != 1:
        return
    for step in (1, -1):
        edits = [
            context.edit(part, Expression(_joined(first, number + step), NOT))
            for part, number in zip(node.elts, (low, high), strict=True)
        ]
        yield WeightedEdits(tuple(edits), 1.0 if step > 0 else HALF)


def shift_places(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[n // 2] + xs[n // 2 + 1]` becomes `xs[n // 2 - 1] + xs[n // 2]`: two neighbours that are both one off."""
    sides = (node.left, node.right)
    if not all(isinstance(side, ast.Subscript) and not isinstance(side.slice, ast.Slice) for side in sides):
        return
    places = [side.slice for side in sides]  # type: ignore[attr-defined]
    (first, low), (second, high) = (_split(place, context) for place in places)
    if first != second or abs(high - low) != 1 or context.text(sides[0].value) != context.text(sides[1].value):  # type: ignore[attr-defined]
        return
    for step in (-1, 1):
        moved = zip(places, (low + step, high + step), strict=True)
        yield WeightedEdits(tuple(context.edit(place, Expression(_joined(first, n), NOT)) for place, n in moved))


def _split(node: ast.expr, context: TemplateContext) -> tuple[str, int]:
    """An expression without the number that is added to it at its end, and that number."""
    if (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Add)
        and (number := whole_number(node.right)) is not None
    ):
        return context.text(node.left), number
    return context.text(node), 0


def _joined(text: str, number: int) -> str:
    sign = "+" if number > 0 else "-"
    return f"{text} {sign} {abs(number)}" if number else text


def close_ring_of_places(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`range(n - 1)` over which `corners[i + 1]` is taken becomes `range(n)` and `corners[(i + 1) % n]`: behind the
    last one comes the first."""
    call, count = node.iter, node.iter.args[-1] if isinstance(node.iter, ast.Call) and node.iter.args else None
    if not isinstance(call, ast.Call) or callee_name(call) != "range" or len(call.args) != 1 or count is None:
        return
    is_less = isinstance(count, ast.BinOp) and isinstance(count.op, ast.Sub) and context.text(count.right) == "1"
    whole = count.left if is_less else count  # type: ignore[attr-defined]
    following = f"{context.text(node.target)} + 1"
    taken = [
        part.slice
        for part in context.program.below(node)
        if isinstance(part, ast.Subscript) and context.text(part.slice) == following
    ]
    if taken and isinstance(whole, ast.Name | ast.Call):
        size = context.text(whole)
        edits = [context.edit(place, Expression(f"({following}) % {size}", TERM)) for place in taken]
        shorter = (context.edit(count, Expression(size)),) if is_less else ()
        # A loop that goes one too far is far more common than a ring.
        yield WeightedEdits((*shorter, *edits), 1.0 if is_less or context.clues.words & _RING else UNLIKELY)


_RING = frozenset("around circle circular closed corners cycle cyclic polygon ring round vertices wrap wraps".split())


def later_ones(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Of two loops over `xs` the inner one goes over what comes later, so that each pair comes once:
    `for i, a in enumerate(xs): for b in xs[i + 1:]`."""
    inner = next((part for part in node.body if isinstance(part, ast.For)), None)
    if inner is None or not isinstance(node.target, ast.Name) or not isinstance(node.iter, ast.Name):
        return
    items = node.iter.id
    if context.text(inner.iter) == items and context.kind(node.iter) in ("list", "str", "tuple", ""):
        place = context.new_name("i", "place", "at")
        header = (
            context.edit(node.target, Expression(f"{place}, {node.target.id}")),
            context.edit(node.iter, Expression(f"enumerate({items})")),
        )
        yield WeightedEdits((*header, context.edit(inner.iter, Expression(f"{items}[{place} + 1:]"))))


def guard_like_other_side(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`row[i - 1]` becomes `row[i - 1] if i > 0 else 0` beside `row[i + 1] if i + 1 < len(row) else 0`, and the other
    way round: both ends have no neighbour."""
    place, items = node.slice, context.text(node.value)
    if not isinstance(place, ast.BinOp) or isinstance(context.parent(node), ast.IfExp) or not context.is_read(node):
        return
    i, step = context.text(place.left), context.text(place.right)
    sign, other = ("-", "+") if isinstance(place.op, ast.Sub) else ("+", "-")
    for guarded in context.scope.nodes:
        if isinstance(guarded, ast.IfExp) and context.text(guarded.body) == f"{items}[{i} {other} {step}]":
            first = f"{i} > 0" if step == "1" else f"{i} >= {step}"
            question = first if sign == "-" else f"{i} + {step} < len({items})"
            yield context.put(
                node, Expression(f"{context.text(node)} if {question} else {context.text(guarded.orelse)}", TEST)
            )


def all_later_ones(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`zip(xs, xs[1:])` becomes `combinations(xs, 2)`: each beside all that follow it, not the next one alone."""
    match node:
        case ast.Call(
            func=ast.Name(id="zip"),
            args=[
                one,
                ast.Subscript(value=other, slice=ast.Slice(lower=ast.Constant(value=1), upper=None, step=None)),
            ],
        ) if context.text(one) == context.text(other):
            pass
        case ast.Call(args=[one]) if callee_name(node) == "pairwise":
            pass
        case _:
            return
    pairs, imports = context.member_of("itertools", "combinations", by_itself=True)
    yield WeightedEdits((*imports, context.edit(node, Expression(f"{pairs}({context.text(one)}, 2)"))))


TEMPLATES = (
    Template("guard_like_other_side", (ast.Subscript,), guard_like_other_side, ("index", "content")),
    Template("later_ones", (ast.For,), later_ones, ("longer", "content")),
    Template("close_ring_of_places", (ast.For,), close_ring_of_places, ("content", "index", "shorter")),
    Template("not_itself", (ast.If,), not_itself, ("longer", "shorter", "off_by_one")),
    Template("skip_equal", (ast.For,), skip_equal, ("longer", "off_by_one")),
    Template("close_ring", (ast.Call,), close_ring, ("shorter",)),
    Template("last_without_neighbour", (ast.For,), last_without_neighbour, ("shorter",)),
    Template("shift_places", (ast.BinOp,), shift_places, ("index", "content")),
    Template("last_of_pairs", (ast.For,), last_of_pairs, ("content", "shorter", "off_by_one")),
    Template("shift_both", (ast.Tuple,), shift_both, ("off_by_one", "index")),
    Template("all_later_ones", (ast.Call,), all_later_ones, ("smaller", "shorter", "content")),
)
