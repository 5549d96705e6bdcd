"""What is left over: text or items at hand when a loop ends, and what was read from a table and never written back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import (
    HALF,
    LIKELY,
    POSSIBLE,
    PROBABLE,
    UNLIKELY,
)
from regreen.propose.search.expressions import SUM, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name, names_within


def write_back(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function that reads `left = table[key]` and never stores there ends with `table[key] = left - taken`."""
    limited = _limited(context)
    for old, table, key in _read_entries(context):
        others = [name for name in context.scope.locals if name not in (old, key, context.scope.receiver)]
        lines = [(f"{table}[{key}] = {old}", HALF)]
        for other in others:
            share = _share(other, context) * (POSSIBLE if other in limited else 1.0)
            lines += [(f"{table}[{key}] = {old} {symbol} {other}", share) for symbol in "+-"]
            lines += [(f"{table}[{key}] {symbol}= {other}", share * LIKELY) for symbol in "+-"]
            lines += [(f"{table}[{key}] = {other}", share * PROBABLE)]
        for line, weight in lines:
            yield from _near_the_end(node, line, others, weight, context)


def _limited(context: TemplateContext) -> frozenset[str]:
    """The variables that another one is the limited form of: `asked` of `taken = min(asked, left)`."""
    values = (part.value for part in context.scope.nodes if isinstance(part, ast.Assign))
    calls = (value for value in values if isinstance(value, ast.Call) and callee_name(value) in ("min", "max"))
    return frozenset(argument.id for call in calls for argument in call.args if isinstance(argument, ast.Name))


def _share(name: str, context: TemplateContext) -> float:
    """Numbers that the function works out or is given, before all others."""
    return 1.0 if context.scope.kinds.get(name, "") in ("int", "float", "") else UNLIKELY


def _read_entries(context: TemplateContext) -> Iterator[tuple[str, str, str]]:
    """Each variable that holds an entry of a table, with the table and the key, where the function stores none."""
    stored = {
        context.text(part.value)
        for part in context.scope.nodes
        if isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load)
    }
    for part in context.scope.nodes:
        if not isinstance(part, ast.Assign) or not isinstance(part.targets[0], ast.Name):
            continue
        value, old = part.value, part.targets[0].id
        if isinstance(value, ast.Subscript) and not isinstance(value.slice, ast.Slice):
            table, key = context.text(value.value), context.text(value.slice)
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "get":
            table, key = context.text(value.func.value), context.text(value.args[0]) if value.args else ""
        else:
            continue
        # Only what outlives the call is worth storing in.
        lasts = table.startswith(f"{context.scope.receiver}.") or table in context.scope.globals
        if key and lasts and table not in stored:
            yield old, table, key


def _near_the_end(
    function: Function, line: str, names: list[str], weight: float, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """The line before the last `return`, or at the end; also where one of the names that it reads says so."""
    last = function.body[-1]
    put = context.before if isinstance(last, ast.Return) else context.after
    yield from put(last, (line,), weight)
    for name in names:
        if name in line.split("=", 1)[1].split():
            yield from put(last, (f"if {name}:", f"\t{line}"), weight * POSSIBLE)


def bring_into_range(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`k %= len(xs)`, `k = min(k, len(xs))` or `k = max(k, 0)` before a parameter is first used as a place in `xs`."""
    kinds, own = context.scope.kinds, [name for name in context.scope.parameters if name != context.scope.receiver]
    numbers = [name for name in own if kinds.get(name, "") in ("int", "")]
    measured = {
        context.text(part.args[0])
        for part in context.scope.nodes
        if isinstance(part, ast.Call) and callee_name(part) == "len" and part.args
    }
    lists = [name for name in own if kinds.get(name, "") in ("list", "str", "tuple") or name in measured]
    for number in numbers:
        first = _first_use(node, number, context)
        if first is None:
            continue
        cut = dict.fromkeys([*lists, *_cut_at(number, context)])
        for items in (items for items in cut if items != number):
            for line, weight in (
                (f"{number} %= len({items})", 1.0),
                (f"{number} = min({number}, len({items}))", PROBABLE),
            ):
                yield from context.before(first, (line,), weight if kinds.get(number) else weight * POSSIBLE)
        if kinds.get(number):
            yield from context.before(first, (f"{number} = max({number}, 0)",), POSSIBLE)


def _cut_at(number: str, context: TemplateContext) -> list[str]:
    """The variables of which slices begin or end at a number: `xs` of `xs[k:] + xs[:k]`."""
    cut = [part for part in context.scope.nodes if isinstance(part, ast.Subscript)]
    bounds = [(part.value, part.slice) for part in cut if isinstance(part.slice, ast.Slice)]
    ends = [(owner, end) for owner, bound in bounds for end in (bound.lower, bound.upper) if end is not None]
    return [owner.id for owner, end in ends if isinstance(owner, ast.Name) and number in names_within(end)]


def _first_use(function: Function, name: str, context: TemplateContext) -> ast.stmt | None:
    """The first statement of a function's own block that reads a name."""
    for statement in function.body:
        read = (part.id for part in (statement, *context.program.below(statement)) if isinstance(part, ast.Name))
        if name in read:
            return statement
    return None


def keep_in_bounds(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`n = min(n, self.size)` or `n = max(n, 0)` before a number is used as a place, in a range or in a difference."""
    for name in list(context.cached("places", lambda: _places(context)))[:_MOST_NUMBERS]:
        begun = next((part for part in node.body if _binds(part, name)), None)
        first = _first_use(node, name, context) if begun is None else begun
        if first is None or (begun is None and name not in context.scope.parameters):
            continue
        put = context.before if begun is None else context.after
        for limit in _limits_of(name, context)[:_MOST_LIMITS]:
            yield from put(first, (f"{name} = min({name}, {limit})",))
        if begun is not None or not context.scope.kinds.get(name):
            yield from put(first, (f"{name} = max({name}, 0)",), PROBABLE)


_MOST_NUMBERS: Final = 3
_MOST_LIMITS: Final = 3
"""Numbers that are kept in bounds, and bounds of each."""


def _binds(statement: ast.stmt, name: str) -> bool:
    """Whether a statement is `name = ...`."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    return isinstance(target, ast.Name) and target.id == name


def _places(context: TemplateContext) -> dict[str, dict[str, None]]:
    """The numbers that are used as places, in ranges and in differences, each with what may bound it there."""
    found: dict[str, dict[str, None]] = {}
    kinds = context.scope.kinds
    for part in context.scope.nodes:
        used: list[ast.expr | None] = []
        limit = ""
        if isinstance(part, ast.Subscript):
            index = part.slice
            used = [index.lower, index.upper] if isinstance(index, ast.Slice) else [index]
            limit = _length_of(part.value, context)
        elif isinstance(part, ast.Call) and callee_name(part) == "range":
            used = list(part.args)
        elif isinstance(part, ast.BinOp | ast.AugAssign) and isinstance(part.op, ast.Sub):
            used = [part.right if isinstance(part, ast.BinOp) else part.value]
            whole = part.left if isinstance(part, ast.BinOp) else part.target
            is_number = isinstance(whole, ast.Attribute | ast.Name) and context.kind(whole) in _WHOLE
            limit = context.text(whole) if is_number or _is_length(whole) else ""
        for name in used:
            if isinstance(name, ast.Name) and name.id in context.scope.locals and kinds.get(name.id, "") in _WHOLE:
                limits = found.setdefault(name.id, {})
                if limit and limit != name.id:
                    limits.setdefault(limit)
    return found


def _length_of(items: ast.expr, context: TemplateContext) -> str:
    """`len(items)`, where `bring_into_range` does not look for it; empty for what has no places."""
    is_held = isinstance(items, ast.Name | ast.Attribute) and context.kind(items) not in ("dict", "set")
    text = context.text(items)
    return f"len({text})" if is_held and "\n" not in text and text not in context.scope.parameters else ""


def _is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"


_WHOLE: Final = ("int", "")


def _limits_of(name: str, context: TemplateContext) -> list[str]:
    """What may bound a number: what it is taken from or a place in, attributes that say so, attributes that count."""
    near = [limit for limit in context.cached("places", lambda: _places(context)).get(name, {}) if "\n" not in limit]
    receiver = context.scope.receiver
    named = [a for a in context.scope.attributes if any(word in a.lower() for word in _LIMIT_WORDS)]
    own = [f"{receiver}.{attribute}" for attribute in named]
    return list(dict.fromkeys((*near[:2], *own, *near[2:], *context.scope.counters)))


_LIMIT_WORDS: Final = ("size", "limit", "max", "capacity", "length", "count", "total", "left", "balance", "stock")


def copy_before_round(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs = self.items` becomes `xs = list(self.items)` where a loop goes over `xs` and calls what may change it."""
    target = node.targets[0]
    if not isinstance(target, ast.Name) or not isinstance(node.value, ast.Attribute | ast.Subscript | ast.Call):
        return
    if isinstance(node.value, ast.Call) and not context.text(node.value.func).endswith(".get"):
        return
    loops = (part for part in context.scope.nodes if isinstance(part, ast.For))
    if any(isinstance(loop.iter, ast.Name) and loop.iter.id == target.id for loop in loops):
        yield context.wrap(node.value, "list")
        yield context.wrap(node.value, "dict", UNLIKELY)


_SIDE_BY_SIDE: Final = 2


def item_or_nothing(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a[i] + b[i]`, where one list is shorter, adds `(a[i] if i < len(a) else 0)`, and so on."""
    parts = [part for part in (node.left, node.right) if isinstance(part, ast.Subscript)]
    if len(parts) != _SIDE_BY_SIDE:
        return
    places = {context.text(part.slice) for part in parts}
    if len(places) != 1 or not isinstance(parts[0].slice, ast.Name) or context.text(parts[0]) == context.text(parts[1]):
        return
    (place,) = places
    nothing = ("1", "0") if isinstance(node.op, ast.Mult) else ("0", '""', "1")
    for filling, weight in zip(nothing, (1.0, HALF, UNLIKELY), strict=False):
        edits = []
        for part in parts:
            whole, items = context.text(part), context.text(part.value)
            edits.append(context.edit(part, Expression(f"{whole} if {place} < len({items}) else {filling}", TEST)))
        yield WeightedEdits(tuple(edits), weight)


def count_with_last(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if i < n: counts[i] += 1` becomes `counts[min(i, n - 1)] += 1`: what lies on the last bound belongs to the last
    one, and is not lost."""
    test, step = node.test, node.body[0]
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Lt) or len(test.ops) > 1 or node.orelse:
        return
    if len(node.body) > 1 or not isinstance(step, ast.AugAssign) or not isinstance(step.target, ast.Subscript):
        return
    place, bound = context.text(test.left), context.expression(test.comparators[0]).at(SUM)
    if context.text(step.target.slice) == place:
        counts = f"{context.text(step.target.value)}[min({place}, {bound} - 1)]"
        begin, start = context.program.spans[step][0], context.program.spans[step.target]
        rest = context.text(step)[start[1] - begin :]
        yield from context.restate(node, (counts + rest,))


_IN_PAIRS: Final = re.compile(
    r"range\(0, len\(([\w.]+)\)(?: - 1)?, 2\)|\w+ (?:\+ 1 < len\(([\w.]+)\)|< len\(([\w.]+)\) - 1)"
)


def keep_odd_one(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Behind `for i in range(0, len(xs) - 1, 2): out.append(both(xs[i], xs[i + 1]))` comes `if len(xs) % 2 == 1:
    out.append(xs[-1])`: of an odd number one is left over."""
    found = _IN_PAIRS.fullmatch(context.text(node.iter if isinstance(node, ast.For) else node.test))
    if found is None:
        return
    items = found[found.lastindex or 1]
    for part in context.program.below(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "append":
            added = f"\t{context.text(part.func)}({items}[-1])"
            yield from context.after(node, (f"if len({items}) % 2 == 1:", added))
            return


def span_over_the_end(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`change[right + 1] -= amount`, behind `change[left] += amount`, gains `if left > right: change[0] += amount`: a
    span that goes over the end goes on at the beginning."""
    block = context.program.block(node)
    for begun in block[: block.index(node)]:
        match begun, node:
            case (
                ast.AugAssign(target=ast.Subscript(value=one, slice=left), op=ast.Add(), value=amount),
                ast.AugAssign(
                    target=ast.Subscript(value=two, slice=ast.Name() | ast.BinOp() as right), op=ast.Sub(), value=same
                ),
            ) if context.text(one) == context.text(two) and context.text(amount) == context.text(same):
                last = right.left if isinstance(right, ast.BinOp) and isinstance(right.op, ast.Add) else right
                asked = f"if {context.text(left)} > {context.text(last)}:"
                yield from context.after(node, (asked, f"\t{context.text(one)}[0] += {context.text(amount)}"))


TEMPLATES = (
    Template("keep_odd_one", (ast.For, ast.While), keep_odd_one, ("shorter",)),
    Template("count_with_last", (ast.If,), count_with_last, ("content", "shorter")),
    Template("item_or_nothing", (ast.BinOp,), item_or_nothing, ("index",)),
    Template("write_back", FUNCTIONS, write_back, ("none",)),
    Template("bring_into_range", FUNCTIONS, bring_into_range, ("index", "key")),
    Template("keep_in_bounds", FUNCTIONS, keep_in_bounds, ("index", "longer")),
    Template("copy_before_round", (ast.Assign,), copy_before_round, ("shorter", "index")),
    Template("span_over_the_end", (ast.AugAssign,), span_over_the_end, ("smaller", "content")),
)
