"""What stands in a table, or in another place of it, where a key or an item stands."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY
from regreen.propose.search.expressions import ATOM, TERM, Expression, subscript
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, names_within, whole_number

_MOST_PLACES: Final = 4


def entry_at_value(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`step[i][j] = k` becomes `step[i][j] = step[i][k]`, and `depth[child] = node` `depth[child] = depth[node]`."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Subscript) or not isinstance(value, ast.Name) or isinstance(target.slice, ast.Slice):
        return
    if value.id in context.scope.locals and context.text(target.slice) != value.id:
        weight = 1.0 if value.id in _places(context) else HALF
        yield context.put(value, subscript(context.expression(target.value), value.id), weight)


def item_elsewhere(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`letter.isupper()`, where `letter` is an item of `text`, becomes `text[target].isupper()`: another item."""
    if not context.is_read(node):
        return
    items, own = _where_from(node, context)
    if items is not None:
        places = [name for name in _places(context) if name not in own and context.scope.kinds.get(name) != "str"]
        for place in places[:_MOST_PLACES]:
            yield context.put(node, subscript(context.expression(items), place))


def _where_from(node: ast.Name, context: TemplateContext) -> tuple[ast.expr | None, set[str]]:
    """The list or text that a variable holds an item of, None where there is none, and the names of its place."""
    for loop in context.loops_around(node):
        if isinstance(loop, ast.For) and (items := _items_of(loop, node.id)) is not None:
            return items, names_within(loop.target)
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=items, slice=place)):
                if name == node.id and isinstance(items, ast.Name | ast.Attribute):
                    return items, names_within(place)
    return None, set()


def _items_of(loop: ast.For, name: str) -> ast.expr | None:
    """What a loop goes through whose items have this name, counted or not; None where it gives something else."""
    target, items = loop.target, loop.iter
    match target, items:
        case ast.Tuple(elts=[_, item]), ast.Call(func=ast.Name(id="enumerate"), args=[counted]):
            target, items = item, counted
    is_item = isinstance(target, ast.Name) and target.id == name
    return items if is_item and isinstance(items, ast.Name | ast.Attribute) else None


def _places(context: TemplateContext) -> tuple[str, ...]:
    """The local variables by which something is looked up."""
    return context.cached("names of places", lambda: tuple(dict.fromkeys(_found_places(context))))


def _found_places(context: TemplateContext) -> Iterator[str]:
    for part in context.scope.nodes:
        match part:
            case ast.Subscript(slice=ast.Name(id=place)) if place in context.scope.locals:
                yield place


def key_as_kept(node: ast.Subscript | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`counts.get(k - rest, 0)`, where something else is taken `% k`, becomes `counts.get((k - rest) % k, 0)`."""
    match node:
        case ast.Subscript(slice=key) | ast.Call(func=ast.Attribute(attr="get"), args=[key, *_]):
            pass
        case _:
            return
    if not isinstance(key, ast.BinOp) or not isinstance(key.op, ast.Add | ast.Sub | ast.Mult):
        return
    for number, modulus in enumerate(dict.fromkeys(_moduli(context))):
        text = f"{context.expression(key).at(TERM)} % {modulus}"
        yield context.put(key, Expression(text, TERM), 1.0 if number == 0 else LIKELY)


def _moduli(context: TemplateContext) -> Iterator[str]:
    """What the function takes rests by."""
    for part in context.scope.nodes:
        match part:
            case ast.BinOp(op=ast.Mod(), right=by) | ast.AugAssign(op=ast.Mod(), value=by):
                if isinstance(by, ast.Name | ast.Attribute) or whole_number(by) is not None:
                    yield context.text(by)


def begin_where_met(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`path + [name]`, where `name in path` was asked, becomes `path[path.index(name):] + [name]`: a cycle begins where
    it is met."""
    match node:
        case ast.BinOp(left=ast.Name(id=path), op=ast.Add(), right=ast.List(elts=[item])):
            text = context.text(item)
            asked = (context.text(part) for part in context.scope.nodes if isinstance(part, ast.Compare))
            if f"{text} in {path}" in asked:
                yield context.put(node.left, Expression(f"{path}[{path}.index({text}):]", ATOM))


def take_first_of_entry(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`waiting.pop(key)[0]` becomes `waiting[key].pop(0)`: the others under that key stay."""
    match node:
        case ast.Subscript(
            value=ast.Call(func=ast.Attribute(value=held, attr="pop"), args=[key]), slice=ast.Constant() as place
        ):
            yield context.put(node, f"{context.text(held)}[{context.text(key)}].pop({context.text(place)})")


def entry_of_column(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`memory.setdefault(group, {})` in `for row in rows` becomes `memory.setdefault(row[group], {})`: the parameter is
    the name of a column, and each row has its own entry there."""
    if node.id not in context.scope.parameters or not context.is_read(node) or context.kind(node) not in ("str", ""):
        return
    around, loop = context.parent(node), next(context.loops_around(node), None)
    is_key = isinstance(around, ast.Subscript) and around.slice is node
    is_asked = (
        isinstance(around, ast.Call) and around.args[:1] == [node] and callee_name(around) in ("setdefault", "get")
    )
    if not (is_key or is_asked) or not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name):
        return
    row = loop.target.id
    owner = around.value if isinstance(around, ast.Subscript) else around.func.value  # type: ignore[attr-defined]
    has_columns = re.search(rf"\b{row}(?:\[|\.get\(|\.items\()|\bdict\({row}\)", context.program.source)
    if has_columns and row not in names_within(owner):
        yield context.put(node, f"{row}[{node.id}]")


TEMPLATES = (
    Template("entry_of_column", (ast.Name,), entry_of_column, ("content", "key")),
    Template("take_first_of_entry", (ast.Subscript,), take_first_of_entry, ("shorter", "content")),
    Template("begin_where_met", (ast.BinOp,), begin_where_met, ("shorter", "content")),
    Template("entry_at_value", (ast.Assign,), entry_at_value, ("content",)),
    Template("item_elsewhere", (ast.Name,), item_elsewhere, ("content", "index")),
    Template("key_as_kept", (ast.Subscript, ast.Call), key_as_kept, ("key", "smaller", "index")),
)
