"""Items that count as often as they are there: letters to write a note with, each once, those that come again."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE, VERY_LIKELY
from regreen.propose.search.expressions import ATOM, COMPARISON, Expression, attribute_of, subscript
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name
from regreen.types import Edit

_SETS: Final = frozenset({"set", "frozenset"})
_METHODS: Final = {"issubset": "<=", "issuperset": ">=", "intersection": "&", "difference": "-"}
_COMPARED: Final[dict[type[ast.AST], str]] = {ast.LtE: "<=", ast.GtE: ">=", ast.Lt: "<=", ast.Gt: ">="}
_JOINED: Final[dict[type[ast.AST], str]] = {ast.BitAnd: "&", ast.Sub: "-"}


def count_each(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`c not in letters` becomes `note.count(c) > letters.count(c)` for each `c` of `note`, or `letters.count(c) != 1`.

    `item not in seen` becomes `items.count(item) == 1`, and `item in seen` becomes `items.count(item) > 1`, too.
    """
    is_absent = isinstance(node.ops[0], ast.NotIn)
    if len(node.ops) != 1 or not (is_absent or isinstance(node.ops[0], ast.In)) or not isinstance(node.left, ast.Name):
        return
    item, held = node.left.id, node.comparators[0]
    loop = _loop_of(node, item, context)
    if loop is None or context.kind(held) == "dict" or isinstance(held, ast.Constant | ast.Tuple | ast.List | ast.Set):
        return
    here, there = (
        f"{context.text(loop.iter)}.count({item})",
        attribute_of(context.expression(held), f"count({item})").text,
    )
    if context.kind(held) != "set":
        yield context.put(node, Expression(f"{there} {'!=' if is_absent else '=='} 1", COMPARISON))
    if isinstance(loop.iter, ast.Name | ast.Attribute) and context.kind(loop.iter) not in ("set", "dict"):
        if context.kind(held) != "set":
            yield context.put(node, Expression(f"{here} {'>' if is_absent else '<='} {there}", COMPARISON))
        yield context.put(node, Expression(f"{here} {'==' if is_absent else '>'} 1", COMPARISON), LIKELY)


def add_to_totals(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`totals.update(more)` becomes a loop that adds: `totals[key] = totals.get(key, 0) + value`."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "update":
        return
    if len(call.args) != 1 or context.kind(call.func.value) in ("set", "list"):
        return
    totals, more = context.text(call.func.value), context.text(call.args[0])
    key, value = context.new_name("key", "name"), context.new_name("value", "count")
    added = f"\t{totals}[{key}] = {totals}.get({key}, 0) + {value}"
    yield from context.restate(node, (f"for {key}, {value} in {more}.items():", added))


def match_each_once(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if item in other: ...` in a loop takes `item` off a copy of `other`: `rest = list(other)`, `rest.remove(item)`.

    So an item that comes twice is matched by two of them.
    """
    test = node.test
    loop = next(context.loops_around(node), None)
    if loop is None or not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.In):
        return
    held, item = test.comparators[0], context.text(test.left)
    if not isinstance(held, ast.Name) or context.kind(held) in ("set", "dict", "str"):
        return
    if held.id not in context.scope.parameters:
        # A list of the function's own may be taken from as it is.
        if context.kind(held) == "list":
            yield from context.after(node.body[-1], (f"{held.id}.remove({item})",))
        return
    rest = context.new_name("rest", "remaining", "left")
    for begun in context.before(loop, (f"{rest} = list({held.id})",)):
        for taken in context.after(node.body[-1], (f"{rest}.remove({item})",)):
            asked = context.put(held, rest).edits
            yield WeightedEdits((*begun.edits, *asked, *taken.edits))


def seen_before(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`items.count(item) > 1` in a loop over the items becomes `item in items[:place]`: it has been there before."""
    call = node.left
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(node.ops) != 1:
        return
    if call.func.attr != "count" or len(call.args) != 1 or not isinstance(call.args[0], ast.Name):
        return
    item, items = call.args[0].id, context.expression(call.func.value).at(ATOM)
    loop = _loop_of(node, item, context)
    if (
        loop is None
        or context.text(loop.iter) != context.text(call.func.value)
        or not isinstance(node.ops[0], ast.Gt | ast.GtE | ast.NotEq)
    ):
        return
    place = context.new_name("place", "number", "index_")
    edits = (
        context.edit(loop.target, Expression(f"{place}, {item}")),
        context.edit(loop.iter, Expression(f"enumerate({items})")),
        context.edit(node, Expression(f"{item} in {items}[:{place}]", COMPARISON)),
    )
    yield WeightedEdits(edits)


def _loop_of(node: ast.AST, item: str, context: TemplateContext) -> ast.For | ast.comprehension | None:
    """The loop or comprehension around a node whose variable `item` is."""
    for around in context.around(node):
        loops = [around] if isinstance(around, ast.For) else getattr(around, "generators", [])
        for loop in loops:
            if isinstance(loop.target, ast.Name) and loop.target.id == item:
                found: ast.For | ast.comprehension = loop
                return found
    return None


def as_often_in_both(node: ast.Compare | ast.BinOp | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`set(note) <= set(letters)` and `set(a) & set(b)` compare how often each item is there, with a `Counter`."""
    found = _two_sets(node)
    if found is None:
        return
    one, sign, other = found
    counter, imports = _counter(context)
    first, second = (f"{counter}({context.text(items)})" for items in (one, other))
    if sign in ("<=", ">="):
        small, large = (first, second) if sign == "<=" else (second, first)
        yield WeightedEdits((*imports, context.edit(node, Expression(f"not {small} - {large}", COMPARISON - 1))))
    elif isinstance(around := context.parent(node), ast.Call) and node in around.args:
        yield WeightedEdits((*imports, context.edit(node, Expression(f"({first} {sign} {second}).elements()"))))
        yield WeightedEdits((*imports, context.edit(node, Expression(f"({first} {sign} {second}).values()"))), HALF)
    else:
        yield WeightedEdits((*imports, context.edit(node, Expression(f"list(({first} {sign} {second}).elements())"))))


def _two_sets(node: ast.AST) -> tuple[ast.expr, str, ast.expr] | None:
    """What two sets are made of, and how they are compared or joined; None where a node does no such thing."""
    if isinstance(node, ast.Call):
        method = node.func if isinstance(node.func, ast.Attribute) else None
        if method is None or method.attr not in _METHODS or len(node.args) != 1 or not (one := _items(method.value)):
            return None
        return one, _METHODS[method.attr], _items(node.args[0]) or node.args[0]
    if isinstance(node, ast.Compare):
        sign, left, right = _COMPARED.get(type(node.ops[0]), ""), node.left, node.comparators[0]
    else:
        assert isinstance(node, ast.BinOp)
        sign, left, right = _JOINED.get(type(node.op), ""), node.left, node.right
    first, second = _items(left), _items(right)
    return (first, sign, second) if sign and first is not None and second is not None else None


def _items(node: ast.expr) -> ast.expr | None:
    """The argument of `set(items)`."""
    is_set = isinstance(node, ast.Call) and callee_name(node) in _SETS and len(node.args) == 1
    return node.args[0] if is_set else None  # type: ignore[attr-defined]


def _counter(context: TemplateContext) -> tuple[str, tuple[Edit, ...]]:
    return context.member_of("collections", "Counter", by_itself=True)


def count_overlapping(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text.count(part)` becomes a sum over all places: `"aaa".count("aa")` is 1, though it begins at two of them."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "count" or len(node.args) != 1 or node.keywords:
        return
    if context.kind(node.func.value) in ("list", "tuple") or isinstance(node.args[0], ast.Starred):
        return
    text, part = context.expression(node.func.value).at(ATOM), context.text(node.args[0])
    place = context.new_name("i", "place", "place_")
    yield context.put(node, Expression(f"sum({text}.startswith({part}, {place}) for {place} in range(len({text})))"))


def add_counts(node: ast.Expr | ast.Dict | ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`totals.update(more)` and `{**totals, **more}` add what both have, in place of taking it from one."""
    if isinstance(node, ast.Expr):
        call = node.value
        is_update = isinstance(call, ast.Call) and callee_name(call) == "update" and not call.keywords
        arguments = (
            call.args if isinstance(call, ast.Call) and is_update and isinstance(call.func, ast.Attribute) else []
        )
        if len(arguments) == 1 and isinstance(arguments[0], ast.Name | ast.Attribute):
            kept, added = context.text(call.func.value), context.text(arguments[0])  # type: ignore[attr-defined]
            lines = (f"for key, value in {added}.items():", f"\t{kept}[key] = {kept}.get(key, 0) + value")
            yield from context.restate(node, lines)
        return
    one, other = _two_tables(node)
    if one is not None and other is not None:
        first, second = context.text(one), context.text(other)
        both = f"{{**{first}, **{second}}}"
        yield context.put(node, f"{{key: {first}.get(key, 0) + {second}.get(key, 0) for key in {both}}}")


def _two_tables(node: ast.Dict | ast.BinOp) -> tuple[ast.expr | None, ast.expr | None]:
    """The two dictionaries that are put together, where there are just two."""
    if isinstance(node, ast.BinOp):
        parts = [node.left, node.right] if isinstance(node.op, ast.BitOr) else []
    else:
        parts = list(node.values) if not any(node.keys) else []
    names = [part for part in parts if isinstance(part, ast.Name | ast.Attribute)]
    return (names[0], names[1]) if len(names) == len(parts) == _PAIR else (None, None)


_PAIR: Final = 2


def drop_negative_counts(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`needed.subtract(stock)` keeps counts of 0 and below, and becomes `needed -= Counter(stock)`, which does not."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "subtract":
        return
    if len(call.args) == 1 and isinstance(call.func.value, ast.Name | ast.Attribute) and not call.keywords:
        counter, _ = _counter(context)
        yield from context.restate(
            node, (f"{context.text(call.func.value)} -= {counter}({context.text(call.args[0])})",)
        )


def groups_of_several(node: ast.Return | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`list(groups.values())` becomes `[group for group in groups.values() if len(group) > 1]`, where prose wants no
    group of one."""
    call = node.value
    if not isinstance(call, ast.Call) or callee_name(call) not in ("list", "sorted") or len(call.args) != 1:
        return
    held = call.args[0]
    if not isinstance(held, ast.Call) or callee_name(held) != "values" or not _OF_SEVERAL.search(context.clues.prose):
        return
    group = context.new_name("group", "members", "group_")
    several = f"[{group} for {group} in {context.text(held)} if len({group}) > 1]"
    yield context.put(call, several if callee_name(call) == "list" else f"sorted({several})")


_OF_SEVERAL: Final = re.compile(r"\b(?:at least|more than|two or more|only)\b", re.IGNORECASE)


def keep_last(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A loop that keeps what is not there yet goes from the end, and what it kept is turned round: of equal ones the
    last is kept."""
    question = next((part for part in node.body if isinstance(part, ast.If)), None)
    if not isinstance(node.iter, ast.Name) or question is None or not _asks_for_new(question.test):
        return
    kept = [
        context.text(part.func.value)  # type: ignore[attr-defined]
        for part in context.program.below(question)
        if isinstance(part, ast.Call) and callee_name(part) == "append"
    ]
    block = context.program.block(node)
    for after in block[block.index(node) + 1 :]:
        if isinstance(after, ast.Return) and isinstance(after.value, ast.Name) and after.value.id in kept:
            turned = context.edit(after.value, Expression(f"{after.value.id}[::-1]"))
            yield WeightedEdits((context.edit(node.iter, Expression(f"reversed({node.iter.id})")), turned))


def _asks_for_new(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.NotIn)


def first_of_equals(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(set(items), key=items.count)` becomes `max(items, key=items.count)`: of equals, the one that comes first."""
    if callee_name(node) not in ("max", "min") or len(node.args) != 1 or not node.keywords:
        return
    items = _items(node.args[0])
    if items is not None:
        yield context.put(node.args[0], context.expression(items), VERY_LIKELY)
        last = subscript(context.expression(items), "::-1")
        yield context.put(node.args[0], last, POSSIBLE)


def take_off_each(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return [x for x in stock if x not in sold]` takes one `x` off for each one sold, and leaves the others."""
    made = node.value
    loop = made.generators[0] if isinstance(made, ast.ListComp) and len(made.generators) == 1 else None
    test = loop.ifs[0] if loop is not None and len(loop.ifs) == 1 else None
    if loop is None or not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.NotIn):
        return
    assert isinstance(made, ast.ListComp)
    item = context.text(loop.target)
    if context.text(made.elt) == context.text(test.left) == item:
        left = context.new_name("left", "rest", "left_")
        lines = (
            f"{left} = list({context.text(loop.iter)})",
            f"for {item} in {context.text(test.comparators[0])}:",
            f"\tif {item} in {left}:",
            f"\t\t{left}.remove({item})",
            f"return {left}",
        )
        yield from context.restate(node, lines)


def count_seen(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if x in seen: pairs += 1` becomes `pairs += seen.count(x)`, where `seen` is a list: each one is a pair."""
    test, step = node.test, node.body[0]
    is_asked = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.In) and not node.orelse
    if not is_asked or len(node.body) != 1 or not isinstance(step, ast.AugAssign) or context.text(step.value) != "1":
        return
    assert isinstance(test, ast.Compare)
    seen = context.text(test.comparators[0])
    edits = []
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign) and context.text(part.targets[0]) == seen:
            edits.append(context.edit(part.value, Expression("[]")))
        elif isinstance(part, ast.Attribute) and part.attr == "add" and context.text(part.value) == seen:
            edits.append(context.edit(part, Expression(f"{seen}.append")))
    counted = f"{context.text(step.target)} += {seen}.count({context.text(test.left)})"
    for change in context.restate(node, (counted,)) if len(edits) > 1 else ():
        yield WeightedEdits((*edits, *change.edits))


def ask_by_key(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`item not in seen` and `seen.add(item)` become `key(item) not in seen` for a `key` that nothing reads."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In | ast.NotIn) or not isinstance(node.left, ast.Name):
        return
    item, seen = node.left.id, context.text(node.comparators[0])
    kept = [
        call.args[0]
        for call in context.scope.nodes
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ("add", "append")
        and context.text(call.func.value) == seen
        and len(call.args) == 1
        and context.text(call.args[0]) == item
    ]
    for name in context.scope.parameters if kept else ():
        if name in context.scope.unused:
            asked = Expression(f"{name}({item})")
            yield WeightedEdits((context.edit(node.left, asked), *(context.edit(part, asked) for part in kept)))


def only_the_last_one(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`word in kept`, where the loop appends to `kept`, becomes `word in kept[-1:]`: what stands further back may come
    again. `word in [k.lower() for k in kept]` likewise."""
    held = node.comparators[0]
    if isinstance(held, ast.ListComp | ast.SetComp):
        held = held.generators[0].iter
    is_asked = len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn)
    if not is_asked or not isinstance(held, ast.Name):
        return
    for loop in context.loops_around(node):
        calls = (part for part in context.program.below(loop) if isinstance(part, ast.Call))
        if any(context.text(call.func) == f"{held.id}.append" for call in calls):
            yield context.put(held, f"{held.id}[-1:]")
            return


def least_missing(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`len(reached)` becomes the smallest whole number that is not among `reached`, which may have a gap."""
    if callee_name(node) == "len" and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
        held = node.args[0].id
        if context.kind(node.args[0]) == "set":
            yield context.put(node, f"min(set(range(len({held}) + 1)) - {held})")


def leave_out_one(node: ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[x for x in xs if x != min(xs) and x != max(xs)]` becomes `sorted(xs)[1:-1]`: one of each, and not all that are
    as small or as large."""
    loop = node.generators[0]
    if len(node.generators) != 1 or len(loop.ifs) != 1 or context.text(node.elt) != context.text(loop.target):
        return
    test, item, xs = loop.ifs[0], context.text(loop.target), context.text(loop.iter)
    parts = {context.text(part) for part in (test.values if isinstance(test, ast.BoolOp) else [test])}
    least = {f"{item} != min({xs})", f"{item} > min({xs})"}
    most = {f"{item} != max({xs})", f"{item} < max({xs})"}
    both = f"min({xs}) < {item} < max({xs})" in parts
    if f"{xs}[0] < {item} < {xs}[-1]" in parts:
        # They are in order already.
        yield context.put(node, f"{xs}[1:-1]")
    bounds = ("1" if both or parts & least else "", "-1" if both or parts & most else "")
    if any(bounds) and (both or parts <= least | most):
        yield context.put(node, f"sorted({xs})[{bounds[0]}:{bounds[1]}]")


TEMPLATES = (
    Template("leave_out_one", (ast.ListComp,), leave_out_one, ("content", "zero", "shorter")),
    Template("least_missing", (ast.Call,), least_missing, ("content", "larger")),
    Template("only_the_last_one", (ast.Compare,), only_the_last_one, ("shorter", "content")),
    Template("add_to_totals", (ast.Expr,), add_to_totals, ("content",)),
    Template("match_each_once", (ast.If,), match_each_once, ("longer", "content", "off_by_one")),
    Template("keep_last", (ast.For,), keep_last, ("content",)),
    Template("groups_of_several", (ast.Return, ast.Assign), groups_of_several, ("longer", "content")),
    Template("ask_by_key", (ast.Compare,), ask_by_key),
    Template("take_off_each", (ast.Return,), take_off_each, ("shorter",)),
    Template("count_seen", (ast.If,), count_seen, ("off_by_one",)),
    Template("count_each", (ast.Compare,), count_each, ("negated", "longer")),
    Template("seen_before", (ast.Compare,), seen_before, ("content", "kind")),
    Template("as_often_in_both", (ast.Compare, ast.BinOp, ast.Call), as_often_in_both, ("negated", "shorter")),
    Template("count_overlapping", (ast.Call,), count_overlapping),
    Template("add_counts", (ast.Expr, ast.Dict, ast.BinOp), add_counts, ("content",)),
    Template("drop_negative_counts", (ast.Expr,), drop_negative_counts, ("longer",)),
    Template("first_of_equals", (ast.Call,), first_of_equals, ("content",)),
)
