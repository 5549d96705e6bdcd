"""Collections that a function fills and never asks, or not before it fills them: the question was lost."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, MAX_REPLACING_NUMBERS, MAX_RESULTS_AT_EXIT, PROBABLE
from regreen.propose.search.expressions import Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.guards import likely_results
from regreen.propose.search.templates.steps.insertions import in_loop
from regreen.syntax import bound_values, callee_name, names_set, names_within

_FILLING: Final = frozenset({"add", "append", "update", "extend", "discard", "remove"})
"""Methods that say what is in a collection, and tell nothing of it."""
_MOST: Final = ("1", "2")
"""How often something may occur, where prose says nothing of it."""


def ask_counts(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Behind a loop that counts in `times` alone: `if any(n > 1 for n in times.values()): return False`."""
    counted = [name for name in context.cached("unread", lambda: _unread(context)) if _counts_in(node, name)]
    if not counted or in_loop(node, context):
        return
    numbers = dict.fromkeys((*_MOST, *context.clues.numbers[:MAX_REPLACING_NUMBERS]))
    for name in counted:
        counts = name if context.scope.kinds.get(name) == "list" else f"{name}.values()"
        for number in numbers:
            condition = f"if any(n > {number} for n in {counts}):"
            for rank, result in enumerate(likely_results(context)[:MAX_RESULTS_AT_EXIT]):
                yield from context.after(node, (condition, f"\treturn {result}"), PROBABLE if rank else 1.0)


def ask_in_else(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`else:` behind `if other not in index:` becomes `elif other in on_stack:` of a set that is filled and
    not asked."""
    test = node.test
    if not node.orelse or isinstance(node.orelse[0], ast.If) or not isinstance(test, ast.Compare):
        return
    if not isinstance(test.ops[0], ast.In | ast.NotIn):
        return
    begin, end = context.program.spans[node.body[-1]][1], context.program.first(node.orelse[0])
    at = context.program.source.rfind("else", begin, end)
    for name in context.cached("unread", lambda: _unread(context)) if at >= 0 else ():
        yield context.replace(at, at + len("else"), f"elif {context.text(test.left)} in {name}")


def ask_seen(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Before `seen.add(x)`, where nothing reads `seen`: `if x in seen: continue`, or `break`, or `return x`."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
        return
    name = context.text(call.func.value)
    if callee_name(call) not in ("add", "append") or name not in context.cached("unread", lambda: _unread(context)):
        return
    item = context.text(call.args[0])
    question = f"if {item} in {name}:"
    for leaving in ("continue", "break") if in_loop(node, context) else ():
        yield from context.before(node, (question, f"\t{leaving}"))
    for result in dict.fromkeys((*likely_results(context)[:MAX_RESULTS_AT_EXIT], item)):
        yield from context.before(node, (question, f"\treturn {result}"), LIKELY)


def ask_before_adding(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Before `seen.add(start)`, where `seen` began with what was given: `if start in seen: return -1`."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or in_loop(node, context):
        return
    if call.func.attr != "add" or len(call.args) != 1:
        return
    question = f"if {context.text(call.args[0])} in {context.text(call.func.value)}:"
    for result in likely_results(context)[:MAX_RESULTS_AT_EXIT]:
        yield from context.before(node, (question, f"\treturn {result}"))


def _unread(context: TemplateContext) -> frozenset[str]:
    """The variables of the function that hold a collection, which it fills and does nothing else with."""
    filled: set[str] = set()
    used: set[str] = set()
    for part in context.scope.nodes:
        if not isinstance(part, ast.Name) or isinstance(part.ctx, ast.Store):
            continue
        if _fills(part, context):
            filled.add(part.id)
        elif not _is_own_update(part, context.program.statement(part)):
            used.add(part.id)
    return frozenset(filled - used - set(context.scope.parameters))


def _fills(part: ast.Name, context: TemplateContext) -> bool:
    """Whether a name is that of a collection into which something is put: `xs.add(x)`, `xs[i] = x`, `xs[i] += x`."""
    parent = context.parent(part)
    if isinstance(parent, ast.Subscript) and parent.value is part:
        return isinstance(parent.ctx, ast.Store)
    if not isinstance(parent, ast.Attribute):
        return False
    call = context.parent(parent)
    is_put = isinstance(call, ast.Call) and call.func is parent and parent.attr in _FILLING
    return is_put and isinstance(context.parent(call), ast.Expr)


def _is_own_update(part: ast.Name, statement: ast.stmt) -> bool:
    """Whether a name is read only to fill it: `times[x] = times.get(x, 0) + 1`, `if x not in times: times[x] = 0`."""
    if isinstance(statement, ast.If):
        return not statement.orelse and all(_stores_in(inner, part.id) for inner in statement.body)
    return _stores_in(statement, part.id)


def _stores_in(statement: ast.stmt, name: str) -> bool:
    targets = [statement.target] if isinstance(statement, ast.AugAssign) else getattr(statement, "targets", [])
    return any(
        isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and target.value.id == name
        for target in targets
    )


def _counts_in(loop: ast.For | ast.While, name: str) -> bool:
    """Whether a loop raises entries of a collection."""
    return any(isinstance(part, ast.Assign | ast.AugAssign) and _stores_in(part, name) for part in ast.walk(loop))


def fill_asked(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if key not in known: keys.append(key)` is followed by `known.add(key)`, and so is `if key in known: continue`,
    where nothing in the loop fills `known`: what is asked for was meant to be there."""
    for test in node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]:
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.In | ast.NotIn):
            continue
        table, key = context.text(test.comparators[0]), context.text(test.left)
        way = context.cached("begun empty", lambda: _begun_empty(context)).get(table)
        if way is None or "\n" in key or _is_filled(table, next(context.loops_around(node), None), context):
            continue
        line = way.format(table, key)
        is_absent = isinstance(test.ops[0], ast.NotIn)
        leaves = isinstance(node.body[-1], ast.Continue | ast.Return | ast.Break)
        if is_absent and not leaves:
            yield from context.after(node.body[-1], (line,))
        elif not is_absent and leaves and not node.orelse:
            yield from context.after(node, (line,))


def _begun_empty(context: TemplateContext) -> dict[str, str]:
    """The variables that a function begins as empty collections, each with the way to fill it."""
    found: dict[str, str] = {}
    for part in (part for part in context.scope.nodes if isinstance(part, ast.Assign)):
        for target, value in bound_values(part):
            way = _WAYS_TO_FILL.get(context.text(value))
            if way and isinstance(target, ast.Name):
                found[target.id] = way
    return found


def _is_filled(name: str, loop: ast.AST | None, context: TemplateContext) -> bool:
    """Whether a collection may be filled in a loop, or anywhere in a function: it is read otherwise than by `in`."""
    parts = context.scope.nodes if loop is None else context.program.below(loop)
    reads = [
        part for part in parts if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load)
    ]
    return not all(isinstance(context.parent(read), ast.Compare) for read in reads)


_WAYS_TO_FILL: Final = {"set()": "{}.add({})", "[]": "{}.append({})", "list()": "{}.append({})", "{}": "{}[{}] = True"}


def note_what_was_seen(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out.append(x)` becomes `if x not in seen: seen.add(x); out.append(x)`, for `seen = set()` that nothing fills."""
    call = node.value
    if not isinstance(call, ast.Call) or callee_name(call) != "append" or len(call.args) != 1:
        return
    item = context.text(call.args[0])
    read = {part.id for part in context.scope.nodes if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    for name, way in context.cached("begun empty", lambda: _begun_empty(context)).items():
        if name not in read and in_loop(node, context):
            noted = (f"if {item} not in {name}:", f"\t{way.format(name, item)}", f"\t{context.text(node)}")
            yield from context.restate(node, noted)


def fill_what_is_given(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A loop over cases ends with `answers.append(str(cost))`, where `answers` is begun, joined at the end, and never
    filled; a table gets `best[name] = score`, the larger or the smaller one of what it has, or a sum."""
    if in_loop(node, context):
        return
    named = [part for part in context.scope.nodes if isinstance(part, ast.Name)]
    within = set(context.program.below(node))
    set_here = dict.fromkeys(part.id for part in named if part in within and isinstance(part.ctx, ast.Store))
    filled = {part.id for part in named if _fills(part, context)}
    for table, way in context.cached("begun empty", lambda: _begun_empty(context)).items():
        names = [name for name in reversed(set_here) if name != table]
        for line, weight in _last_steps(table, way, names, context) if table not in filled else ():
            yield from context.after(node.body[-1], (line,), weight)


def _last_steps(table: str, way: str, names: list[str], context: TemplateContext) -> Iterator[tuple[str, float]]:
    """The ways to fill a collection with what a round has set, what was set last first."""
    if way == _WAYS_TO_FILL["{}"]:
        for key in names[:_MOST_NAMES]:
            for value in (name for name in names[:_MOST_NAMES] if name != key):
                yield f"{table}[{key}] = {value}", 1.0
                yield f"{table}[{key}] = max({table}.get({key}, {value}), {value})", LIKELY
                yield f"{table}[{key}] = min({table}.get({key}, {value}), {value})", PROBABLE
                yield f"{table}[{key}] = {table}.get({key}, 0) + {value}", LIKELY
        return
    is_joined = f"join({table})" in context.program.source
    for name in names[:_MOST_NAMES]:
        yield way.format(table, f"str({name})" if is_joined else name), 1.0
        yield way.format(table, name if is_joined else f"str({name})"), PROBABLE


_MOST_NAMES: Final = 5


def ask_what_was_noted(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(row, col) in lit` becomes `(row, col, turn) in seen`, of a set to which that is
    added, and which nothing asks."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In | ast.NotIn):
        return
    unread = context.cached("unread", lambda: _unread(context))
    for part in context.scope.nodes:
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="add" | "append"), args=[item]):
                if name in unread and context.text(node.comparators[0]) != name:
                    edits = (
                        context.edit(node.left, context.expression(item)),
                        context.edit(node.comparators[0], Expression(name)),
                    )
                    yield WeightedEdits(edits)


def fill_beside(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`dist[nxt] = d + w` is followed by `parent[nxt] = node`, where `parent = {}` is looked up later and nothing ever
    fills it."""
    place = node.targets[0]
    if not isinstance(place, ast.Subscript) or not isinstance(place.slice, ast.Name) or not in_loop(node, context):
        return
    named = [part for part in context.scope.nodes if isinstance(part, ast.Name)]
    filled = {part.id for part in named if _fills(part, context)}
    begun = context.cached("begun empty", lambda: _begun_empty(context))
    key, own = place.slice.id, names_within(node.value)
    for table in (name for name, way in begun.items() if way == _WAYS_TO_FILL["{}"] and name not in filled):
        around = (name for name in names_set(named) if name not in (key, table, *begun))
        for name in dict.fromkeys(around):
            yield from context.after(node, (f"{table}[{key}] = {name}",), HALF if name in own else 1.0)


def count_what_each_round_takes(node: ast.While | ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`lengths = dict.fromkeys(symbols, 0)`, which is returned as it began, counts in the loop: `for s in a + b:
    lengths[s] += 1`, where that is put together there, or `lengths[s] += 1`."""
    if in_loop(node, context):
        return
    named = [part for part in context.scope.nodes if isinstance(part, ast.Name)]
    filled = {part.id for part in named if _fills(part, context)}
    for table in context.cached("tables of zeros", lambda: list(_tables_of_zeros(context))):
        if table in filled:
            continue
        within = context.program.below(node)
        joined = [part for part in within if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add)]
        each = context.new_name("each", "one")
        for part in joined:
            if isinstance(part.left, ast.Name | ast.Attribute | ast.Subscript):
                lines = (f"for {each} in {context.text(part)}:", f"\t{table}[{each}] += 1")
                yield from context.after(node.body[-1], lines)
        for name in dict.fromkeys(names_set(within)):
            yield from context.after(node.body[-1], (f"{table}[{name}] += 1",), HALF)


def _tables_of_zeros(context: TemplateContext) -> Iterator[str]:
    """The variables that begin as tables in which each key has 0."""
    for part in context.scope.nodes:
        match part:
            case ast.Assign(
                targets=[ast.Name(id=table)],
                value=ast.Call(func=ast.Attribute(attr="fromkeys"), args=[_, ast.Constant(value=0)]),
            ):
                yield table
            case ast.Assign(targets=[ast.Name(id=table)], value=ast.DictComp(value=ast.Constant(value=0))):
                yield table


def key_by_unread_table(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`other.exits[way] = self` becomes `other.exits[opposite[way]] = self`, where `opposite = {"north": "south", ...}`
    is written and never read."""
    key = node.slice
    if isinstance(key, ast.Name | ast.Attribute):
        for table in context.cached("tables that nothing reads", lambda: _unread_tables(context)):
            if context.text(node.value) != table:
                yield context.put(key, f"{table}[{context.text(key)}]")


def _unread_tables(context: TemplateContext) -> list[str]:
    """The variables of the function and of the module that hold a dictionary that is written out, and that nothing
    reads."""
    made = (part for part in (*context.scope.nodes, *context.program.tree.body) if isinstance(part, ast.Assign))
    names = (context.text(part.targets[0]) for part in made if isinstance(part.value, ast.Dict) and part.value.keys)
    return [name for name in dict.fromkeys(names) if name not in context.program.names_read and name.isidentifier()]


def read_what_nothing_reads(
    node: ast.Compare | ast.Return | ast.Assign, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`favourite[lab][s] < favourite[lab][old]` becomes `place[lab][s] < place[lab][old]`, wherever the statement has
    it, since `place` is filled and nothing reads it."""
    unread = sorted(context.cached("unread", lambda: _unread(context)))
    parts = [part for part in context.program.below(node) if isinstance(part, ast.Subscript)] if unread else []
    bases = [part.value for part in parts if isinstance(part.value, ast.Name) and isinstance(part.ctx, ast.Load)]
    for name in unread:
        for old in dict.fromkeys(base.id for base in bases):
            same = [base for base in bases if base.id == old]
            if len(same) > 1 and old != name:
                yield WeightedEdits(tuple(context.edit(base, Expression(name)) for base in same))


TEMPLATES = (
    Template(
        "read_what_nothing_reads", (ast.Compare, ast.Return, ast.Assign), read_what_nothing_reads, ("content", "order")
    ),
    Template("key_by_unread_table", (ast.Subscript,), key_by_unread_table, ("content", "key")),
    Template("count_what_each_round_takes", (ast.While, ast.For), count_what_each_round_takes, ("smaller", "content")),
    Template("fill_beside", (ast.Assign,), fill_beside, ("key", "content")),
    Template("ask_what_was_noted", (ast.Compare,), ask_what_was_noted, ("shorter", "smaller", "content")),
    Template("fill_what_is_given", (ast.For, ast.While), fill_what_is_given, ("empty", "shorter", "key")),
    Template("note_what_was_seen", (ast.Expr,), note_what_was_seen, ("longer", "repeats")),
    Template("fill_asked", (ast.If,), fill_asked),
    Template("ask_counts", (ast.For, ast.While), ask_counts, ("negated", "longer", "shorter")),
    Template("ask_in_else", (ast.If,), ask_in_else, ("content", "longer", "shorter")),
    Template("ask_seen", (ast.Expr,), ask_seen, ("longer", "repeats", "negated")),
    Template("ask_before_adding", (ast.Expr,), ask_before_adding, ("negated", "off_by_one")),
)
