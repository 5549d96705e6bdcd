"""What was begun and not finished: entries nobody begins, items nobody keeps, errors, counters and results unread."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, POSSIBLE, PROBABLE, UNLIKELY
from regreen.propose.search.expressions import OR, TERM, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, bound_values, callee_name, is_literal, names_within, whole_number

_FIRST_BY_METHOD = {
    "append": "[]",
    "extend": "[]",
    "insert": "[]",
    "sort": "[]",
    "add": "set()",
    "discard": "set()",
    "update": "{}",
    "setdefault": "{}",
}
_LEAST_ELEMENTS = 2


def begin_entry(node: ast.Assign | ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After `key = ...`, whose entry `table[key]` is changed further on, comes `table[key] = {}`, or in a loop's body.

    As well as `table.setdefault(key, {})`, which keeps what is there.
    """
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    names = names_within(target)
    for table, key, first in _entries_changed(context):
        if key in names:
            for line, weight in ((f"{table}[{key}] = {first}", 1.0), (f"{table}.setdefault({key}, {first})", PROBABLE)):
                if isinstance(node, ast.Assign):
                    yield from context.after(node, (line,), weight)
                else:
                    yield from context.before(node.body[0], (line,), weight)


def begin_on_use(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`table[key].append(x)` becomes `table.setdefault(key, []).append(x)`."""
    first = _first_value(node, context)
    if first:
        table, key = context.text(node.value), context.text(node.slice)
        yield context.put(node, f"{table}.setdefault({key}, {first})")


def begin_missing(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if k in table: table[k].append(x)` gains `else: table[k] = [x]`, and `if k in counts: counts[k] += 1`, `else:
    counts[k] = 1`."""
    test, step = node.test, node.body[0]
    if node.orelse or len(node.body) != 1 or not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.In):
        return
    entry = f"{context.text(test.comparators[0])}[{context.text(test.left)}]"
    call = step.value if isinstance(step, ast.Expr) else None
    if isinstance(call, ast.Call) and callee_name(call) in _FIRST_OF and len(call.args) == 1:
        is_added = context.text(call.func).startswith(f"{entry}.")
        first = _FIRST_OF[callee_name(call)].format(context.text(call.args[0]))
    else:
        is_added = isinstance(step, ast.AugAssign) and context.text(step.target) == entry
        first = context.text(step.value) if isinstance(step, ast.AugAssign) else ""
    if is_added:
        lines = (f"if {context.text(test)}:", f"\t{context.text(step)}", "else:", f"\t{entry} = {first}")
        yield from context.restate(node, lines)


_FIRST_OF = {"append": "[{}]", "add": "{{{}}}"}


def add_to_nothing(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`counts[word] += 1` becomes `counts[word] = counts.get(word, 0) + 1`: the first one adds to nothing."""
    target = node.target
    symbol = _JOINING.get(type(node.op))
    if symbol is None or not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice | ast.Tuple):
        return
    if context.kind(target.value) not in ("dict", "") or whole_number(target.slice) is not None:
        return
    share = 1.0 if context.kind(target.value) == "dict" else UNLIKELY
    table, key, value = context.text(target.value), context.text(target.slice), context.expression(node.value)
    for rank, first in enumerate(_FIRST_BY_KIND.get(context.kind(node.value), ("0", "[]", "''"))):
        begun = f"{table}[{key}] = {table}.get({key}, {first}) {symbol} {value.at(TERM)}"
        yield from context.restate(node, (begun,), share * (HALF if rank else 1.0))


_JOINING: Final[dict[type[ast.operator], str]] = {ast.Add: "+", ast.Sub: "-", ast.BitOr: "|"}
_FIRST_BY_KIND: Final = {
    "int": ("0",),
    "float": ("0",),
    "str": ("''",),
    "list": ("[]",),
    "tuple": ("()",),
    "set": ("set()",),
}


def _entries_changed(context: TemplateContext) -> Iterator[tuple[str, str, str]]:
    """Table, key and first value of each entry of the function that is changed as if it were there, each once."""
    entries = (node for node in context.scope.nodes if isinstance(node, ast.Subscript))
    found = {
        (context.text(node.value), context.text(node.slice), first)
        for node in entries
        if isinstance(node.slice, ast.Name) and (first := _first_value(node, context))
    }
    yield from sorted(found)


def _first_value(node: ast.Subscript, context: TemplateContext) -> str:
    """What an entry begins with, by how it is changed; empty where it is not changed in place."""
    parent = context.parent(node)
    if isinstance(parent, ast.Attribute) and isinstance(context.parent(parent), ast.Call):
        return _FIRST_BY_METHOD.get(parent.attr, "")
    if isinstance(parent, ast.Subscript) and parent.value is node and isinstance(parent.ctx, ast.Store):
        return "{}"
    return ""


def raise_from_kept(node: ast.Raise, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`raise Failed()` becomes `raise Failed() from last`, where `last = error` keeps what was caught before."""
    if node.exc is None or node.cause is not None:
        return
    caught = {handler.name for handler in context.scope.nodes if isinstance(handler, ast.ExceptHandler)}
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Name) and part.value.id in caught:
            end = context.program.spans[node.exc][1]
            if isinstance(part.targets[0], ast.Name):
                yield context.replace(end, end, f" from {part.targets[0].id}")


def tuple_with_unread(node: ast.Tuple, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(rank, task)` becomes `(rank, self.count, task)`, or `(rank, task, self.count)`, for a variable or an attribute
    that is kept and never read."""
    if not isinstance(node.ctx, ast.Load) or len(node.elts) < _LEAST_ELEMENTS:
        return
    for name in context.cached("kept and unread", lambda: _kept_and_unread(context)):
        for place, element in enumerate(node.elts[1:], 1):
            at = context.program.spans[element][0]
            if context.program.source[at - 1] in " ,\n":
                yield context.replace(at, at, f"{name}, ", 1.0 if place == 1 else HALF)
        end = context.program.spans[node.elts[-1]][1]
        yield context.replace(end, end, f", {name}", HALF)


def draw_unread(node: ast.Tuple | ast.List, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[priority, ticket, ticket, job]` becomes `[priority, next(self._numbers), ticket, job]`, where a counter is kept
    and never drawn from."""
    if not isinstance(node.ctx, ast.Load) or len(node.elts) < _LEAST_ELEMENTS:
        return
    texts = [context.text(element) for element in node.elts]
    counters = [name for name in context.cached("kept and unread", lambda: _kept_and_unread(context)) if "." in name]
    for name in counters:
        for element, text in zip(node.elts, texts, strict=True):
            yield context.put(element, f"next({name})", 1.0 if texts.count(text) > 1 else HALF)


def _kept_and_unread(context: TemplateContext) -> tuple[str, ...]:
    attributes = [node for node in context.program.nodes if isinstance(node, ast.Attribute)]
    read = {node.attr for node in attributes if isinstance(node.ctx, ast.Load)}
    receiver = context.scope.receiver
    own = (f"{receiver}.{name}" for name in context.scope.attributes if receiver and name not in read)
    return (*own, *sorted(context.scope.unused))


def begin_with_first_key(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`seen = {}` becomes `seen = {0: 1}` where a sum that begins with 0 is looked up in it: there before any round.

    And `seen = set()` becomes `seen = {0}`.
    """
    target = node.targets[0]
    empty = context.text(node.value)
    if not isinstance(target, ast.Name) or empty not in ("{}", "dict()", "set()"):
        return
    for first in dict.fromkeys(_first_keys(target.id, context)):
        if empty == "set()":
            yield context.put(node.value, "{" + first + "}")
        else:
            for value, weight in (("1", 1.0), ("0", HALF), ("-1", HALF)):
                yield context.put(node.value, "{" + f"{first}: {value}" + "}", weight)


def _first_keys(table: str, context: TemplateContext) -> Iterator[str]:
    """The first values of the variables that are looked up in a table and worked out anew from themselves."""
    nodes, keys = context.scope.nodes, set()
    for part in nodes:
        key: ast.expr | None = None
        if isinstance(part, ast.Subscript) and context.text(part.value) == table:
            key = part.slice
        elif isinstance(part, ast.Call) and part.args and context.text(part.func) in (f"{table}.get", f"{table}.add"):
            key = part.args[0]
        if isinstance(key, ast.Name):
            keys.add(key.id)
    for part in nodes:
        pair = part.value if isinstance(part, ast.Assign) and context.text(part.targets[0]) in keys else None
        if isinstance(pair, ast.Tuple) and (firsts := _first_of_each(pair, context)):
            yield firsts
    for part in nodes:
        first = part.value if isinstance(part, ast.Assign) and context.text(part.targets[0]) in keys else None
        if isinstance(first, ast.Constant) and first.value in (0, ""):
            yield context.text(first)


def _first_of_each(pair: ast.Tuple, context: TemplateContext) -> str:
    """`(0, 0)` of `(height, odd)`, where both begin so; empty where one of them begins otherwise."""
    begun = {
        context.text(target): value.value
        for part in reversed(context.scope.nodes)
        if isinstance(part, ast.Assign)
        for target, value in bound_values(part)
        if isinstance(value, ast.Constant)
    }
    firsts = [begun.get(context.text(name)) for name in pair.elts]
    return f"({', '.join(map(repr, firsts))})" if all(first in (0, "") for first in firsts) else ""


def spread_rest(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`shares[0] += rest`, for the rest of a division, becomes `for i in range(rest): shares[i] += 1`."""
    target, rest = node.target, context.text(node.value)
    if (
        not isinstance(target, ast.Subscript)
        or not isinstance(node.op, ast.Add)
        or not isinstance(node.value, ast.Name)
    ):
        return
    if context.text(target.slice) not in ("0", "-1") or rest not in context.cached("rests", lambda: _rests(context)):
        return
    index = context.new_name("i", "j", "k", "index", f"place_of_{rest}")
    places = ((index, 1.0), (f"-1 - {index}", POSSIBLE))
    for place, weight in places if context.text(target.slice) == "0" else reversed(places):
        line = f"{context.text(target.value)}[{place}] += 1"
        yield from context.restate(node, (f"for {index} in range({rest}):", f"\t{line}"), weight)


def _rests(context: TemplateContext) -> frozenset[str]:
    """The variables that hold remainders of divisions."""
    found = set()
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign):
            target, value = part.targets[0], part.value
            if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mod) and isinstance(target, ast.Name):
                found.add(target.id)
            elif isinstance(value, ast.Call) and callee_name(value) == "divmod" and isinstance(target, ast.Tuple):
                found.add(context.text(target.elts[-1]))
    return frozenset(found)


def keep_others(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if ...: out += f(c)` in a loop over `c` gains `else: out += c`: what is not changed was to be kept."""
    loop = context.parent(node)
    last = _last_of_chain(node)
    is_first = not (isinstance(loop, ast.If) and loop.orelse == [node])
    if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name) or last.orelse or not is_first:
        return
    item = loop.target.id
    for statement in last.body:
        if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
            yield from context.after(node, ("else:", f"\t{context.text(statement.target)} += {item}"))
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.BinOp):
            out = context.text(statement.targets[0])
            if context.text(statement.value).startswith(f"{out} + "):
                yield from context.after(node, ("else:", f"\t{out} = {out} + {item}"))
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _ADDING:
            yield from context.after(node, ("else:", f"\t{context.text(call.func)}({item})"))


_ADDING = ("append", "add", "appendleft")


def keep_other_characters(node: ast.GeneratorExp | ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`chr(ord(c) + k) for c in text` becomes `chr(ord(c) + k) if c.isalpha() else c for c in text`."""
    (loop, *others), item = node.generators, node.elt
    if others or loop.ifs or not isinstance(loop.target, ast.Name) or not isinstance(item, ast.Call | ast.Subscript):
        return
    character = loop.target.id
    if context.kind(loop.iter) not in ("str", "") or f"ord({character})" not in context.text(item):
        return
    for asked, weight in (("isalpha", 1.0), ("islower", HALF), ("isupper", HALF), ("isdigit", POSSIBLE)):
        kept = f"{context.expression(item).at(OR)} if {character}.{asked}() else {character}"
        yield context.put(item, Expression(kept, TEST), weight)


def _last_of_chain(node: ast.If) -> ast.If:
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
    return node


def take_off_dropped(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`values.popleft()` becomes `total -= values.popleft()` where the function has `total += ...`."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in _TAKING:
        return
    sums = [part for part in context.scope.nodes if isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add)]
    start = context.program.spans[call][0]
    for total in dict.fromkeys(context.text(part.target) for part in sums):
        yield context.replace(start, start, f"{total} -= ")


_TAKING = ("pop", "popleft")


def store_asked_state(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if state.get(n) == 2` is never true until `state[n] = 2` stands at the end of the function, as `state[n] = 1`
    stands at its beginning."""
    stored: dict[str, set[str]] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Subscript) and is_literal(part.value):
            stored.setdefault(context.text(part.targets[0]), set()).add(context.text(part.value))
    for part in context.scope.nodes:
        if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.Eq) and is_literal(part.comparators[0]):
            place, value = _GET.sub(r"[\1]", context.text(part.left)), context.text(part.comparators[0])
            if place in stored and value not in stored[place]:
                last, lines = node.body[-1], (f"{place} = {value}",)
                yield from context.before(last, lines, HALF)
                yield from context.after(last, lines)


_GET = re.compile(r"\.get\((\w+)\)$")


TEMPLATES = (
    Template("store_asked_state", FUNCTIONS, store_asked_state, ("recursion", "value")),
    Template("begin_missing", (ast.If,), begin_missing, ("shorter", "empty", "content")),
    Template("add_to_nothing", (ast.AugAssign,), add_to_nothing, ("key",)),
    Template("begin_entry", (ast.Assign, ast.For), begin_entry, ("key", "index")),
    Template("begin_on_use", (ast.Subscript,), begin_on_use, ("key", "index")),
    Template("begin_with_first_key", (ast.Assign,), begin_with_first_key, ("off_by_one",)),
    Template("spread_rest", (ast.AugAssign,), spread_rest, ("content",)),
    Template("keep_other_characters", (ast.GeneratorExp, ast.ListComp), keep_other_characters, ("content",)),
    Template("keep_others", (ast.If,), keep_others, ("shorter", "content")),
    Template("take_off_dropped", (ast.Expr,), take_off_dropped),
    Template("raise_from_kept", (ast.Raise,), raise_from_kept),
    Template("draw_unread", (ast.Tuple, ast.List), draw_unread, ("order", "type")),
    Template("tuple_with_unread", (ast.Tuple,), tuple_with_unread, ("type", "order")),
)
