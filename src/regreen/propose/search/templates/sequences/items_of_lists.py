"""Items of lists: changed in a variable and not where they are kept, added in parts and not whole, taken for their
places, and left behind where the place moves on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE, UNLIKELY
from regreen.propose.search.expressions import Expression, subscript
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name
from regreen.types import Edit

_PLACES = ("place", "index", "position")


def write_items_back(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for x in xs: x = x * 2` becomes `for place, x in enumerate(xs): xs[place] = x * 2`: the list changes."""
    if not isinstance(node.target, ast.Name) or not isinstance(node.iter, ast.Name | ast.Attribute | ast.Subscript):
        return
    item, items = node.target.id, context.text(_part_of_list(node.iter)[0])
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
    _, first = _part_of_list(items)
    begun = f", {context.text(first)}" if first is not None else ""
    return (
        context.edit(target, Expression(f"{place}, {context.text(target)}")),
        context.edit(items, Expression(f"enumerate({context.text(items)}{begun})")),
    )


def _part_of_list(node: ast.expr) -> tuple[ast.expr, ast.expr | None]:
    """The list of `xs[1:-1]` with the place of its first item; any other expression with None."""
    match node:
        case ast.Subscript(value=items, slice=ast.Slice(lower=first, step=None)):
            return items, first
    return node, None


def place_of_each(node: ast.For | ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs.index(x)` in `for x in xs` becomes `place` of `for place, x in enumerate(xs)`: an item may come twice.

    In `for x in xs[1:-1]` it becomes that of `enumerate(xs[1:-1], 1)`."""
    items, _ = _part_of_list(node.iter)
    if not isinstance(node.target, ast.Name) or not isinstance(items, ast.Name | ast.Attribute):
        return
    around = node if isinstance(node, ast.For) else context.parent(node)
    asked = f"{context.text(items)}.index({node.target.id})"
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


def place_for_value(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if xs[i] > best: best = xs[i]` becomes `if xs[i] > xs[best]: best = i`: the place is asked for.

    Of `if xs[i] > best: best = i` only the question is changed."""
    test, step = node.test, node.body[-1]
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(step, ast.Assign):
        return
    value, target = step.value, step.targets[0]
    if isinstance(value, ast.Name) and isinstance(target, ast.Name):
        yield from _looked_up(test, value.id, target.id, context)
    sides = [side for side in (test.left, test.comparators[0]) if context.text(side) == context.text(target)]
    if not isinstance(value, ast.Subscript) or not isinstance(target, ast.Name) or not sides:
        return
    if isinstance(value.slice, ast.Name):
        edits = (
            context.edit(sides[0], subscript(context.expression(value.value), target.id)),
            context.edit(value, context.expression(value.slice)),
        )
        yield WeightedEdits(edits)


def item_for_place(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if i % 2 == 0` in a loop over `range(len(xs))` becomes `if xs[i] % 2 == 0`: the item was meant."""
    parent = context.parent(node)
    is_reckoned = isinstance(parent, ast.BinOp | ast.Compare | ast.AugAssign | ast.Return) or (
        isinstance(parent, ast.Call) and node in parent.args
    )
    if not is_reckoned or not isinstance(node.ctx, ast.Load):
        return
    for loop in context.loops_around(node):
        bound = loop.iter if isinstance(loop, ast.For) and context.text(loop.target) == node.id else None
        if isinstance(bound, ast.Call) and context.text(bound.func) == "range" and bound.args:
            found = _LENGTH.search(context.text(bound))
            if found is not None:
                yield context.put(node, subscript(Expression(found[1]), node.id))


_LENGTH = re.compile(r"len\(([A-Za-z_][\w.]*)\)")


def exchange_items(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[i] = xs[k]` becomes `xs[i], xs[k] = xs[k], xs[i]`: what stood there goes to the other place."""
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Subscript) and isinstance(value, ast.Subscript) and len(node.targets) == 1:
        one, other = context.text(target), context.text(value)
        if context.text(target.value) == context.text(value.value) and one != other:
            yield from context.restate(node, (f"{one}, {other} = {other}, {one}",))


def _looked_up(test: ast.Compare, place: str, best: str, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Of `if xs[i] > best: best = i`, `if xs[i] > xs[best]`: `best` is a place, and no item."""
    for held, asked in ((test.left, test.comparators[0]), (test.comparators[0], test.left)):
        is_item = isinstance(held, ast.Subscript) and context.text(held.slice) == place
        if is_item and isinstance(asked, ast.Name) and asked.id == best:
            yield context.put(asked, subscript(context.expression(held.value), best))  # type: ignore[attr-defined]


def item_at_new_place(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`heappush(heap, (value, i))` under `if i < len(row)` becomes `heappush(heap, (row[i], i))`: the place has moved
    on, and so must what is kept with it."""
    held = context.parent(node)
    if not isinstance(held, ast.Tuple | ast.Call) or not isinstance(node.ctx, ast.Load) or context.is_called(node):
        return
    given = [context.text(one) for one in (held.elts if isinstance(held, ast.Tuple) else held.args)]
    for branch in (part for part in context.around(node) if isinstance(part, ast.If)):
        test = branch.test
        if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Lt):
            continue
        length = test.comparators[0]
        if isinstance(length, ast.Call) and context.text(length.func) == "len" and len(length.args) == 1:
            items, place = length.args[0], context.text(test.left)
            if place in given and node.id not in (place, *(n.id for n in ast.walk(items) if isinstance(n, ast.Name))):
                yield context.put(node, f"{context.text(items)}[{place}]")


def sum_of_items_at(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sum(trio)` becomes `sum(weights[i] for i in trio)`, where `trio` comes from
    `combinations(range(len(weights)), 3)`: the items are meant and not their places."""
    call = context.parent(node)
    if not isinstance(call, ast.Call) or callee_name(call) not in ("sum", "max", "min", "set", "sorted", "len"):
        return
    for part in context.scope.nodes:
        if isinstance(part, ast.For | ast.comprehension) and context.text(part.target) == node.id:
            for owner in re.findall(r"\brange\(len\((\w+)\)\)", context.text(part.iter)):
                name = context.new_name("i", "k", "place")
                yield context.put(node, f"{owner}[{name}] for {name} in {node.id}")


def one_of_each_pair(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return ranked[:n]`, of the items of a mapping, becomes `return [key for key, _ in ranked[:n]]`: the keys alone
    are asked for, or the values."""
    around = context.parent(node)
    if not isinstance(around, ast.Return) or not context.cached("pairs", lambda: _makes_pairs(context)):
        return
    is_slice = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
    if is_slice or (isinstance(node, ast.Call) and callee_name(node) in _OF_PAIRS) or isinstance(node, ast.Name):
        yield context.put(node, f"[key for key, _ in {context.text(node)}]")
        yield context.put(node, f"[value for _, value in {context.text(node)}]", HALF)


_OF_PAIRS: Final = frozenset({"sorted", "most_common", "nlargest", "nsmallest", "list"})


def _makes_pairs(context: TemplateContext) -> bool:
    """Whether a function goes through pairs: items of a mapping, a number with each item, two lists side by side."""
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call))
    return any(callee_name(call) in ("items", "most_common", "enumerate", "zip") for call in calls)


def as_tuples(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return merged` becomes `return [tuple(item) for item in merged]` where it holds lists, or the contrary."""
    if not isinstance(node.value, ast.Name):
        return
    items = node.value.id
    for part in context.scope.nodes:
        is_put = isinstance(part, ast.Call) and part.args and context.text(part.func) == f"{items}.append"
        other = _OTHER_KIND.get(type(part.args[0])) if is_put else None  # type: ignore[attr-defined]
        if other:
            item = context.new_name("item", "entry", f"one_of_{items}")
            yield context.put(node.value, f"[{other}({item}) for {item} in {items}]")
            return


_OTHER_KIND: Final = {ast.List: "tuple", ast.Tuple: "list"}


def each_value_once(node: ast.Tuple | ast.List, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for other in (x - d, x + d):` becomes `for other in {x - d, x + d}:`: both may be one."""
    around = context.parent(node)
    is_gone_through = isinstance(around, ast.For | ast.comprehension) and around.iter is node
    worked_out = [part for part in node.elts if isinstance(part, ast.BinOp)]
    if is_gone_through and worked_out and not any(isinstance(part, ast.Tuple | ast.List) for part in node.elts):
        yield context.put(node, Expression("{" + ", ".join(map(context.text, node.elts)) + "}"))


def keep_each_once(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`found.append(x)` becomes `if x not in found: found.append(x)`, where prose says "once" or the like."""
    call = node.value
    if not isinstance(call, ast.Call) or callee_name(call) != "append" or len(call.args) != 1:
        return
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    is_told = bool(_ONCE & context.clues.words)
    if owner is not None and isinstance(call.args[0], ast.Name | ast.Tuple | ast.Subscript):
        line = f"if {context.text(call.args[0])} not in {context.text(owner)}:"
        yield from context.restate(node, (line, f"\t{context.text(node)}"), 1.0 if is_told else UNLIKELY)


_ONCE: Final = frozenset(
    {"already", "once", "twice", "distinct", "unique", "duplicate", "duplicates", "repeated", "repeats"}
)


TEMPLATES = (
    Template("each_value_once", (ast.Tuple, ast.List), each_value_once, ("larger",)),
    Template("keep_each_once", (ast.Expr,), keep_each_once, ("longer",)),
    Template("as_tuples", (ast.Return,), as_tuples, ("content",)),
    Template("one_of_each_pair", (ast.Name, ast.Call, ast.Subscript), one_of_each_pair, ("content", "kind", "type")),
    Template("sum_of_items_at", (ast.Name,), sum_of_items_at, ("content", "smaller", "larger")),
    Template("place_for_value", (ast.If,), place_for_value),
    Template("item_for_place", (ast.Name,), item_for_place, ("content", "off_by_one")),
    Template("exchange_items", (ast.Assign,), exchange_items, ("content", "order")),
    Template("item_at_new_place", (ast.Name,), item_at_new_place, ("content",)),
    Template("write_items_back", (ast.For,), write_items_back, ("content",)),
    Template("place_of_each", (ast.For, ast.comprehension), place_of_each, ("content", "shorter", "off_by_one")),
    Template("append_item", (ast.AugAssign,), append_item, ("longer", "content", "type")),
    Template("call_what_is_subscripted", (ast.Subscript,), call_what_is_subscripted, ("type",)),
)
