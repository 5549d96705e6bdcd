"""Entries that a loop over a mapping passes over: keys of the other side, empty ones, what was never closed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import ATOM, BIT_OR, Expression, bool_operation, unary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, names_within


def keys_of_both(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for key in sorted(old)` whose body asks `new` for the key goes through the keys of both: what only `new` has
    counts, too."""
    if not isinstance(node.target, ast.Name):
        return
    is_sorted = isinstance(node.iter, ast.Call) and callee_name(node.iter) == "sorted" and bool(node.iter.args)
    held = node.iter.args[0] if is_sorted else node.iter  # type: ignore[attr-defined]
    if not isinstance(held, ast.Name | ast.Attribute):
        return
    own, key = context.text(held), node.target.id
    for other in _asked_for(key, node, context):
        if other != own:
            both = f"{own}.keys() | {other}.keys()"
            if not is_sorted:
                yield context.put(held, f"{{**{own}, **{other}}}")
                yield context.put(node.iter, f"sorted({both})", HALF)
            else:
                yield context.put(held, both)


def _asked_for(key: str, within: ast.AST, context: TemplateContext) -> list[str]:
    """The mappings that are asked for a key: `d.get(key)`, `d.pop(key)`, `key in d`."""
    found: dict[str, None] = {}
    for part in context.program.below(within):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in ("get", "pop"):
            found |= {context.text(part.func.value): None} if part.args and context.text(part.args[0]) == key else {}
        elif isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.In | ast.NotIn):
            found |= {context.text(part.comparators[0]): None} if context.text(part.left) == key else {}
    return list(found)


def keys_of_both_at_once(node: ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`k for k in old if old[k] != new.get(k)` goes through `old.keys() | new.keys()` and asks `old.get(k)`."""
    made = context.parent(node)
    if not isinstance(node.target, ast.Name) or not isinstance(node.iter, ast.Name | ast.Attribute):
        return
    own, key = context.text(node.iter), node.target.id
    parts = [part for part in context.program.below(made) if isinstance(part, ast.Subscript)]
    looked_up = [part for part in parts if context.text(part) == f"{own}[{key}]"]
    for other in (name for name in _asked_for(key, made, context) if name != own):
        both = context.edit(node.iter, Expression(f"{own}.keys() | {other}.keys()", BIT_OR))
        yield WeightedEdits((both, *(context.edit(part, Expression(f"{own}.get({key})")) for part in looked_up)))


def empty_ones_between(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for key in sorted(counts)` goes through `range(min(counts), max(counts) + 1)`, with 0 for what is missing."""
    is_sorted = isinstance(node.iter, ast.Call) and callee_name(node.iter) == "sorted" and not node.iter.keywords
    if not is_sorted or not isinstance(node.target, ast.Name) or not node.iter.args:  # type: ignore[attr-defined]
        return
    held, key = context.text(node.iter.args[0]), node.target.id  # type: ignore[attr-defined]
    looked_up = [
        part
        for part in context.program.below(node)
        if isinstance(part, ast.Subscript) and context.text(part) == f"{held}[{key}]" and isinstance(part.ctx, ast.Load)
    ]
    if looked_up and held.isidentifier():
        through = context.edit(node.iter, Expression(f"range(min({held}), max({held}) + 1)"))
        yield WeightedEdits((through, *(context.edit(part, Expression(f"{held}.get({key}, 0)")) for part in looked_up)))


def rest_of_open(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """What a loop opens and never closes is handed over after it: `found.append(Stay(who, present.pop(who), time))` in
    the loop, and `for who, start in present.items(): found.append(Stay(who, start, None))` behind it."""
    items = names_within(node.target)
    for part in context.program.below(node):
        call = part.value if isinstance(part, ast.Expr) else None
        is_added = isinstance(call, ast.Call) and callee_name(call) == "append" and len(call.args) == 1
        for taken in ast.walk(part) if is_added else ():
            entry = _taken_entry(taken, items, context)
            if entry is None:
                continue
            held, key = entry
            value = context.new_name("start", "value", "begun")
            text = context.text(part).replace(context.text(taken), "\0")
            for item in items - {key}:
                text = re.sub(rf"\b{item}\b", "None", text)
            lines = (f"for {key}, {value} in {held}.items():", "\t" + text.replace("\0", value))
            yield from context.after(node, lines)


def _taken_entry(node: ast.AST, items: set[str], context: TemplateContext) -> tuple[str, str] | None:
    """The table and the key of `table.pop(key)`, `table.get(key)` and `table[key]`, where the key is an item."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("pop", "get"):
        table, key = node.func.value, node.args[0] if node.args else None
    elif isinstance(node, ast.Subscript):
        table, key = node.value, node.slice
    else:
        return None
    is_own = isinstance(key, ast.Name) and key.id in items and isinstance(table, ast.Name)
    return (context.text(table), key.id) if is_own else None  # type: ignore[union-attr]


def fields_of_both(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`set(before[k])` becomes `set(before[k]) | set(after[k])`, where `after[k]` is read as well."""
    if callee_name(node) != "set" or len(node.args) != 1 or not isinstance(node.args[0], ast.Subscript | ast.Attribute):
        return
    held = node.args[0]
    if not isinstance(held.value, ast.Name):
        return
    rest = context.text(held)[len(held.value.id) :]
    for name in context.scope.locals:
        twin = f"{name}{rest}"
        if name != held.value.id and any(
            context.text(part) == twin for part in context.scope.nodes if isinstance(part, type(held))
        ):
            yield context.put(node, Expression(f"{context.text(node)} | set({twin})", BIT_OR))


def first_entry_stays(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if row["name"]: entry["name"] = row["name"]` gains `and not entry["name"]`: the first one stays."""
    body = node.body[0]
    if len(node.body) > 1 or not isinstance(body, ast.Assign) or next(context.loops_around(node), None) is None:
        return
    target, asked = body.targets[0], context.text(node.test)
    if not isinstance(target, ast.Subscript | ast.Attribute) or context.text(target) in asked:
        return
    if f" in {context.text(target.value)}" in asked:
        # The table is asked already.
        return
    known = [context.text(target)]
    if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
        known.append(f"{context.text(target.value)}.get({context.text(target.slice)})")
    for place in known:
        yield context.put(
            node.test, bool_operation(context.expression(node.test), "and", unary_operation("not", Expression(place)))
        )


def entry_of_base_class(node: ast.Call | ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`handlers.get(type(error))` becomes `next((handlers[kind] for kind in type(error).__mro__ if kind in handlers),
    None)`: what is kept for a class is for those below it."""
    if isinstance(node, ast.Subscript):
        table, asked, default = node.value, node.slice, None
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        table, asked, default = (
            node.func.value,
            node.args[0],
            "None" if len(node.args) == 1 else context.text(node.args[1]),
        )
    else:
        return
    is_store = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
    if is_store or not isinstance(asked, ast.Call) or context.text(asked.func) != "type" or len(asked.args) != 1:
        return
    kind, owner = context.new_name("kind", "each"), context.text(table)
    found = f"{owner}[{kind}] for {kind} in {context.text(asked)}.__mro__ if {kind} in {owner}"
    yield context.put(node, f"next({found})" if default is None else f"next(({found}), {default})")


def forget_expired(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if clock() - saved > ttl: return None` gains `del self.data[key]`, where the entry was looked up before: what is
    refused as too old is not kept."""
    last = node.body[-1]
    if not isinstance(last, ast.Return) or not isinstance(node.test, ast.Compare) or node.orelse:
        return
    if not isinstance(node.test.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE):
        return
    for part in context.scope.nodes:
        if not isinstance(part, ast.Assign) or part.lineno >= node.lineno:
            continue
        value = part.value
        if (
            isinstance(value, ast.Call)
            and callee_name(value) == "get"
            and isinstance(value.func, ast.Attribute)
            and value.args
        ):
            place = f"{context.text(value.func.value)}[{context.text(value.args[0])}]"
        elif isinstance(value, ast.Subscript) and isinstance(value.value, ast.Attribute | ast.Name):
            place = context.text(value)
        else:
            continue
        if f"del {place}" not in context.text(node):
            yield from context.before(node.body[0], (f"del {place}",))


def update_what_lacks(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`found.update(parent)` becomes `for key, value in parent.items(): found.setdefault(key, value)`: what is there
    already stays."""
    call = node.value
    if not isinstance(call, ast.Call) or callee_name(call) != "update" or len(call.args) != 1 or call.keywords:
        return
    if isinstance(call.func, ast.Attribute) and context.kind(call.func.value) in ("dict", ""):
        held, more = context.text(call.func.value), context.expression(call.args[0]).at(ATOM)
        key, value = context.new_name("key", "name"), context.new_name("value", "given")
        lines = (f"for {key}, {value} in {more}.items():", f"\t{held}.setdefault({key}, {value})")
        yield from context.restate(node, lines)


def keep_latest_entry(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`came.setdefault(there, here)` becomes `came[there] = here`: what comes later is better."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "setdefault":
        return
    if len(call.args) == 2:
        key, value = map(context.text, call.args)
        yield from context.restate(node, (f"{context.text(call.func.value)}[{key}] = {value}",))


def empty_and_not_gone(node: ast.Delete, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`del self.lent[title]` becomes `self.lent[title] = None`, which stands for nobody elsewhere: the key is still
    asked for."""
    target = node.targets[0]
    if not isinstance(target, ast.Subscript) or len(node.targets) > 1:
        return
    stored = [
        part.value
        for part in context.program.nodes
        if isinstance(part, ast.Assign)
        and isinstance(part.targets[0], ast.Subscript)
        and context.text(part.targets[0].value) == context.text(target.value)
    ]
    for value in dict.fromkeys(context.text(value) for value in stored if _is_empty(value)):
        yield from context.restate(node, (f"{context.text(target)} = {value}",))


def _is_empty(value: ast.expr) -> bool:
    return (isinstance(value, ast.Constant) and not value.value) or ast.unparse(value) in ("[]", "{}", "set()")


def ask_for_stored_key(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if name not in groups: groups[city] = []` becomes `if city not in groups: ...`: what is stored is asked for."""
    test, body = node.test, node.body[0]
    target = body.targets[0] if isinstance(body, ast.Assign) else None
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.NotIn) or len(test.ops) > 1:
        return
    if not isinstance(target, ast.Subscript) or context.text(target.value) != context.text(test.comparators[0]):
        return
    key = context.text(target.slice)
    if key != context.text(test.left) and not isinstance(target.slice, ast.Tuple | ast.Slice):
        yield context.put(test.left, key)


def ask_used_key(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if word in counts: counts[clean] += 1` becomes `if clean in counts:`: the entry that is read is asked for."""
    test = node.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.In | ast.NotIn):
        return
    table, asked = context.text(test.comparators[0]), context.text(test.left)
    entries = [part for part in context.program.below(node) if isinstance(part, ast.Subscript)]
    keys = dict.fromkeys(context.text(part.slice) for part in entries if context.text(part.value) == table)
    if len(keys) == 1 and asked not in keys and "\n" not in asked:
        yield context.put(test.left, next(iter(keys)))


def count_under_own_key(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`columns[x] = columns.get(y, 0) + 1` becomes `columns[x] = columns.get(x, 0) + 1`: one counts on."""
    around = next((part for part in context.around(node) if isinstance(part, ast.Assign)), None)
    target = around.targets[0] if around is not None else None
    if not isinstance(node.func, ast.Attribute) or not node.args or not isinstance(target, ast.Subscript):
        return
    if node.func.attr != "get":
        return
    own, asked = context.text(target.slice), context.text(node.args[0])
    if context.text(target.value) == context.text(node.func.value) and own != asked and "\n" not in own:
        yield context.put(node.args[0], own)


def count_those_without(node: ast.Dict, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`counts = {}`, of which the least is taken, becomes `counts = dict.fromkeys(names, 0)`, where only what is `in
    names` is counted: what has none is the least."""
    kept = context.parent(node)
    if node.keys or not isinstance(kept, ast.Assign) or not isinstance(kept.targets[0], ast.Name):
        return
    counts, source = kept.targets[0].id, context.program.source
    is_least_taken = re.search(rf"\bmin\({counts}\b", source) is not None
    if is_least_taken and f"{counts}[" in source:
        asked = (part for part in context.scope.nodes if isinstance(part, ast.Compare))
        for known in dict.fromkeys(context.text(one.comparators[0]) for one in asked if isinstance(one.ops[0], ast.In)):
            if known.isidentifier() and known != counts:
                yield context.put(node, f"dict.fromkeys({known}, 0)")


def begin_all_kinds(node: ast.Dict, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`counts = {}`, filled by `counts[letter]` where branches say `letter = "A"`, `letter = "B"`, becomes `counts =
    {"A": 0, "B": 0}`: those that nobody has are counted, too."""
    kept = context.parent(node)
    if node.keys or not isinstance(kept, ast.Assign) or not isinstance(kept.targets[0], ast.Name):
        return
    counts = kept.targets[0].id
    for kind, words in context.cached("kinds that branches name", lambda: _kinds_named(context)).items():
        if len(words) > 1 and f"{counts}[{kind}]" in context.program.source:
            yield context.put(node, "{" + ", ".join(f"{word}: 0" for word in words) + "}")


def _kinds_named(context: TemplateContext) -> dict[str, list[str]]:
    """By variable: the texts that branches assign to it, as they are written."""
    found: dict[str, list[str]] = {}
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str()) as word):
                text = context.text(word)
                if isinstance(context.parent(part), ast.If) and text not in found.setdefault(name, []):
                    found[name].append(text)
    return found


TEMPLATES = (
    Template("begin_all_kinds", (ast.Dict,), begin_all_kinds, ("content", "longer", "key")),
    Template("count_those_without", (ast.Dict,), count_those_without, ("content", "larger")),
    Template("update_what_lacks", (ast.Expr,), update_what_lacks, ("content",)),
    Template("count_under_own_key", (ast.Call,), count_under_own_key),
    Template("ask_used_key", (ast.If,), ask_used_key),
    Template("ask_for_stored_key", (ast.If,), ask_for_stored_key),
    Template("empty_and_not_gone", (ast.Delete,), empty_and_not_gone),
    Template("keep_latest_entry", (ast.Expr,), keep_latest_entry, ("content", "hang")),
    Template("forget_expired", (ast.If,), forget_expired, ("longer", "content")),
    Template("entry_of_base_class", (ast.Call, ast.Subscript), entry_of_base_class, ("none", "key")),
    Template("first_entry_stays", (ast.If,), first_entry_stays, ("content",)),
    Template("fields_of_both", (ast.Call,), fields_of_both, ("shorter", "content")),
    Template("keys_of_both", (ast.For,), keys_of_both, ("shorter", "content")),
    Template("keys_of_both_at_once", (ast.comprehension,), keys_of_both_at_once, ("shorter", "content", "key")),
    Template("empty_ones_between", (ast.For,), empty_ones_between, ("shorter", "content")),
    Template("rest_of_open", (ast.For,), rest_of_open, ("shorter",)),
)
