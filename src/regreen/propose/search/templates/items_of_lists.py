"""Items of lists: changed in a variable and not where they are kept, added in parts and not whole, and their places."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY, POSSIBLE
from regreen.propose.search.expressions import Expression
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.types import Edit

_PLACES = ("place", "index", "position")


def write_items_back(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for x in xs: x = x * 2` becomes `for place, x in enumerate(xs): xs[place] = x * 2`: the list changes."""
    if not isinstance(node.target, ast.Name) or not isinstance(node.iter, ast.Name | ast.Attribute | ast.Subscript):
        return
    item, items = node.target.id, context.text(node.iter)
    stored = [
        part
        for part in context.program.below(node)
        if isinstance(part, ast.Name)
        and part.id == item
        and isinstance(part.ctx, ast.Store)
        and part is not node.target
    ]
    if stored and all(isinstance(context.parent(part), ast.Assign | ast.AugAssign) for part in stored):
        place = context.new_name(*_PLACES)
        written = (context.edit(part, Expression(f"{items}[{place}]")) for part in stored)
        yield WeightedEdits((*_counted(node.target, node.iter, place, context), *written))


def _counted(target: ast.expr, items: ast.expr, place: str, context: TemplateContext) -> tuple[Edit, Edit]:
    """The edits that have a loop go through places and items."""
    return (
        context.edit(target, Expression(f"{place}, {context.text(target)}")),
        context.edit(items, Expression(f"enumerate({context.text(items)})")),
    )


def place_of_each(node: ast.For | ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs.index(x)` in `for x in xs` becomes `place` of `for place, x in enumerate(xs)`: an item may come twice."""
    if not isinstance(node.target, ast.Name) or not isinstance(node.iter, ast.Name | ast.Attribute):
        return
    around = node if isinstance(node, ast.For) else context.parent(node)
    asked = f"{context.text(node.iter)}.index({node.target.id})"
    calls = [
        part for part in context.program.below(around) if isinstance(part, ast.Call) and context.text(part) == asked
    ]
    if calls:
        place = context.new_name(*_PLACES)
        edits = (context.edit(call, Expression(place)) for call in calls)
        both = (*_counted(node.target, node.iter, place, context), *edits)
        yield WeightedEdits(tuple(sorted(both, key=edit_position)))


def append_item(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`pairs += (i, j)` and `names += person.name` become `pairs.append((i, j))` and `names.append(person.name)`: a sum
    adds each item, and each letter, by itself."""
    added = node.value
    if not isinstance(node.op, ast.Add) or context.kind(node.target) != "list":
        return
    if isinstance(added, ast.List | ast.ListComp | ast.BinOp) or context.kind(added) == "list":
        return
    text = context.text(added)
    whole = f"({text})" if isinstance(added, ast.Tuple) and not text.startswith("(") else text
    likely = isinstance(added, ast.Tuple | ast.Attribute) or context.kind(added) in ("str", "int", "float", "tuple")
    weight = 1.0 if likely else LIKELY if isinstance(added, ast.Name) else POSSIBLE
    yield from context.restate(node, (f"{context.text(node.target)}.append({whole})",), weight)


def call_what_is_subscripted(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out.append[x]` becomes `out.append(x)`."""
    if isinstance(node.value, ast.Attribute) and node.value.attr in _METHODS:
        yield context.put(node, f"{context.text(node.value)}({context.text(node.slice)})")


_METHODS = frozenset("append extend insert remove add update count index pop get split join startswith".split())

TEMPLATES = (
    Template("write_items_back", (ast.For,), write_items_back, ("content",)),
    Template("place_of_each", (ast.For, ast.comprehension), place_of_each, ("content", "shorter", "off_by_one")),
    Template("append_item", (ast.AugAssign,), append_item, ("longer", "content", "type")),
    Template("call_what_is_subscripted", (ast.Subscript,), call_what_is_subscripted, ("type",)),
)
