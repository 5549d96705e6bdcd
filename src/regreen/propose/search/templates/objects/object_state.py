"""Attributes that a method should bring up to date, `self.updated = now`, `self.count += 1`, or work out anew."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, LIKELY, MAX_LOCAL_NAMES, POSSIBLE, PROBABLE, UNLIKELY
from regreen.propose.search.expressions import AND, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import (
    CHANGING_METHODS,
    FUNCTIONS,
    Function,
    body_after_docstring,
    bound_values,
    callee_name,
    is_attribute_of,
)

_CONSTRUCTORS = ("__init__", "__post_init__")


def note_change(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A method, or a block of it, ends with `self.updated = now`, `self.count += 1` or `self.on = not self.on`."""
    owner, receiver = context.parent(node), context.scope.receiver
    if not isinstance(owner, ast.ClassDef) or not receiver or node.name in _CONSTRUCTORS:
        return
    own = _stored(node, receiver)
    for name, first in _first_values(owner, receiver).items():
        if name in own:
            yield from _counted_once_more(node, name, first, context)
        else:
            for value, weight in _new_values(f"{receiver}.{name}", name, first, context):
                yield from _at_the_end(node, f"{receiver}.{name} {value}", weight, context)
                yield from _in_blocks(node, f"{receiver}.{name} {value}", weight, context)


def _counted_once_more(
    function: Function, name: str, first: ast.expr, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`self.size += 1` at the end of a method that says `self.size = 1` in one of its cases."""
    target = f"{context.scope.receiver}.{name}"
    updated = (part.target for part in context.scope.nodes if isinstance(part, ast.AugAssign))
    is_count = isinstance(first, ast.Constant) and type(first.value) is int
    if is_count and target not in map(context.text, updated):
        for step in ("+= 1", "-= 1"):
            yield from _at_the_end(function, f"{target} {step}", 1.0 if step == "+= 1" else HALF, context)


def _first_values(owner: ast.ClassDef, receiver: str) -> dict[str, ast.expr]:
    """The attributes that the constructor sets, with their first values."""
    found: dict[str, ast.expr] = {}
    for function in owner.body:
        if isinstance(function, FUNCTIONS) and function.name in _CONSTRUCTORS:
            for target, value in _bound_in(function):
                if is_attribute_of(target, receiver):
                    found[target.attr] = value
    return found


def _bound_in(function: Function) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a function binds, and to what."""
    for part in ast.walk(function):
        if isinstance(part, ast.Assign):
            yield from bound_values(part)
        elif isinstance(part, ast.AnnAssign) and part.value:
            yield part.target, part.value


def _stored(function: Function, receiver: str) -> frozenset[str]:
    """The attributes that a method sets."""
    return frozenset(
        part.attr
        for part in ast.walk(function)
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and is_attribute_of(part, receiver)
    )


def _new_values(target: str, name: str, first: ast.expr, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """What may be assigned to an attribute, by its first value, with the sign before it."""
    value = first.value if isinstance(first, ast.Constant) else None
    if isinstance(value, bool):
        yield f"= not {target}", 1.0
        yield f"= {not value}", 1.0
        yield f"= {value}", HALF
    elif isinstance(value, int):
        yield "+= 1", 1.0
        yield "-= 1", HALF
        for number in (number for number in context.scope.numbers if number in _FIRST_NUMBERS):
            yield f"= {number}", LIKELY if number == context.text(first) else HALF
        for divisor in _divisors_beside(target, context):
            yield f"= ({target} + 1) % {divisor}", 1.0
            yield f"= ({target} - 1) % {divisor}", POSSIBLE
    if not isinstance(first, ast.Constant) and not isinstance(first, ast.Name | ast.Call | ast.UnaryOp):
        return
    for local in context.scope.locals[:MAX_LOCAL_NAMES]:
        if local != context.scope.receiver and not isinstance(value, bool):
            yield f"= {local}", _likeness(local, name, context)
            if isinstance(value, int | float):
                yield f"+= {local}", LIKELY * _likeness(local, name, context)
                yield f"-= {local}", POSSIBLE * _likeness(local, name, context)


_FIRST_NUMBERS = ("0", "1")
"""What is counted begins with one of these, where the method has it for something else as well."""


def _likeness(local: str, name: str, context: TemplateContext) -> float:
    """How likely a local variable is the attribute's new value."""
    if name.lstrip("_") == local or local in context.scope.unused:
        return 1.0
    return PROBABLE if local in context.scope.parameters else UNLIKELY


def _at_the_end(function: Function, line: str, weight: float, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The line as the last of a method, before its final `return`; where that reads the attribute, after its value."""
    last = function.body[-1]
    if isinstance(last, ast.Return):
        yield from context.before(last, (line,), weight)
        target = line.split(maxsplit=1)[0]
        if last.value is not None and target in context.text(last.value) and "result" not in context.scope.visible:
            lines = (f"result = {context.text(last.value)}", line, "return result")
            yield from context.restate(last, lines, weight)
    elif not isinstance(last, ast.Raise):
        yield from context.after(last, (line,), weight)


def _divisors_beside(target: str, context: TemplateContext) -> Iterator[str]:
    """What the class takes remainders of this attribute, or of a sum with it, by: an index that wraps around."""
    remainders = context.cached("remainders", lambda: _remainders(context))
    found = {context.text(part.right): None for part in remainders if target in context.text(part.left)}
    yield from found


def _remainders(context: TemplateContext) -> list[ast.BinOp]:
    owner = context.program.class_of(context.scope.function) if context.scope.function is not None else None
    below = () if owner is None else context.program.below(owner)
    return [part for part in below if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod)]


def _in_blocks(function: Function, line: str, weight: float, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The line as the first or last of a block within a method, likelier where the block changes the object."""
    for block in context.cached("inner blocks", lambda: _inner_blocks(function, context)):
        changes = any(_is_changed_here(statement, context) for statement in block)
        share = weight * (PROBABLE if changes else POSSIBLE)
        if not isinstance(block[-1], ast.Return | ast.Raise | ast.Continue | ast.Break):
            yield from context.after(block[-1], (line,), share)
        yield from context.before(block[0], (line,), share)


def _inner_blocks(function: Function, context: TemplateContext) -> list[list[ast.stmt]]:
    """The blocks of the conditions and loops of a method, without those of functions in it."""
    own = (part for part in context.program.below(function) if context.program.function(part) is function)
    compound = [part for part in own if isinstance(part, ast.If | ast.For | ast.While | ast.With)]
    blocks = (getattr(part, name, []) for part in compound for name in ("body", "orelse"))
    return [block for block in blocks if block]


def _is_changed_here(statement: ast.stmt, context: TemplateContext) -> bool:
    """Whether a statement sets an attribute of the object or an item of one."""
    targets = statement.targets if isinstance(statement, ast.Assign | ast.Delete) else ()
    changed = (*targets, statement.target) if isinstance(statement, ast.AugAssign | ast.AnnAssign) else targets
    return any(context.text(target).startswith(f"{context.scope.receiver}.") for target in changed)


def work_out_anew(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return self.low` becomes `return min(self.items, default=None)`: what was remembered may hold no longer.

    Of an attribute that methods set, beside one that holds items; `max`, `sum` and `len` likewise.
    """
    owner, receiver = context.program.class_of(node), context.scope.receiver
    if owner is None or not isinstance(node.value, ast.Attribute) or not is_attribute_of(node.value, receiver):
        return
    firsts = _first_values(owner, receiver)
    first = firsts.get(node.value.attr)
    methods = [part for part in owner.body if isinstance(part, FUNCTIONS) and part.name not in _CONSTRUCTORS]
    is_set = any(node.value.attr in _stored(method, receiver) for method in methods)
    if not isinstance(first, ast.Constant) or not is_set:
        return
    for name, value in firsts.items():
        if isinstance(value, ast.List | ast.Set | ast.Call) and context.kind(value) in ("list", "set"):
            items, nothing = f"{receiver}.{name}", context.text(first)
            for call in (f"min({items}, default={nothing})", f"max({items}, default={nothing})"):
                yield context.put(node.value, call)
            if isinstance(first.value, int | float):
                yield context.put(node.value, f"sum({items})")
                yield context.put(node.value, f"len({items})")


def forget_old(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A method that keeps times begins with `self.calls = [then for then in self.calls if now - then < self.seconds]`.

    Of the times that it is handed, and by an attribute that nothing reads.
    """
    receiver = context.scope.receiver
    owner = context.parent(node)
    if not receiver or not isinstance(owner, ast.ClassDef) or node.name in _CONSTRUCTORS:
        return
    unread = [name for name in _first_values(owner, receiver) if f"{receiver}.{name}" not in _read_in(owner, context)]
    kept = [
        (context.text(call.func.value), call.args[0].id)
        for call in context.scope.nodes
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "append"
        and len(call.args) == 1
        and isinstance(call.args[0], ast.Name)
        and call.args[0].id in context.scope.parameters
    ]
    for times, now in kept:
        for name in unread if times.startswith(f"{receiver}.") else ():
            recent = f"{times} = [then for then in {times} if {now} - then < {receiver}.{name}]"
            yield from context.before(body_after_docstring(node)[0], (recent,))
            yield from context.before(body_after_docstring(node)[0], (recent.replace(" < ", " <= "),), LIKELY)


def _read_in(owner: ast.ClassDef, context: TemplateContext) -> frozenset[str]:
    """The attributes of its own object that a class reads."""
    parts = context.program.below(owner)
    return frozenset(context.text(p) for p in parts if isinstance(p, ast.Attribute) and isinstance(p.ctx, ast.Load))


def room_for_new_ones(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if len(self.entries) >= self.size:` before `self.entries[key] = value` asks `key not in self.entries`, too: what
    takes the place of an old one needs no room."""
    test = node.test
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.GtE | ast.Gt | ast.Eq):
        return
    counted = test.left.args if isinstance(test.left, ast.Call) and callee_name(test.left) == "len" else []
    held = context.text(counted[0]) if counted else ""
    for part in context.scope.nodes if held else ():
        entry = part.targets[0] if isinstance(part, ast.Assign) else None
        if isinstance(entry, ast.Subscript) and context.text(entry.value) == held:
            key = context.text(entry.slice)
            if key in context.scope.parameters:
                asked = context.expression(test).at(AND)
                yield context.put(test, Expression(f"{key} not in {held} and {asked}", AND))
                return


def forget_cached(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After `self.values[key] = value` comes `self.cache.pop(key, None)`, or `self.cache.clear()`, where another method
    keeps in `self.cache` what it works out once."""
    target, receiver = node.targets[0], context.scope.receiver
    owner = context.program.class_of(node)
    if not receiver or owner is None or not isinstance(target, ast.Subscript) or not isinstance(target.slice, ast.Name):
        return
    own = context.text(context.scope.function) if context.scope.function is not None else ""
    for cache in sorted(_kept_once(owner, context)):
        if cache not in own and context.text(target.value) != cache:
            yield from context.after(node, (f"{cache}.pop({target.slice.id}, None)",))
            yield from context.after(node, (f"{cache}.clear()",))


def _kept_once(owner: ast.ClassDef, context: TemplateContext) -> set[str]:
    """The attributes of which a class fills an entry where there is none: `if key not in self.cache: ...`."""
    asked = {
        context.text(part.comparators[0])
        for part in context.program.below(owner)
        if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.In | ast.NotIn)
    }
    return {
        held for held in asked if "." in held and any(word in held for word in ("cache", "known", "memo", "computed"))
    }


def keep_new_value(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After `change = value - self.values[place]` comes `self.values[place] = value`, where nothing keeps it."""
    difference = node.value
    if not isinstance(difference, ast.BinOp) or not isinstance(difference.op, ast.Sub):
        return
    new, old = difference.left, context.text(difference.right)
    if not isinstance(new, ast.Name) or new.id not in context.scope.parameters or not old.startswith("self."):
        return
    stored = (n for n in context.scope.nodes if isinstance(n, ast.Attribute | ast.Subscript))
    if not any(isinstance(n.ctx, ast.Store) and context.text(n) == old for n in stored):
        yield from context.after(node, (f"{old} = {new.id}",))


def next_in_turn(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.place += 1` before `self.items[self.place]` becomes `self.place = (self.place + 1) % len(self.items)`."""
    place = context.text(node.target)
    if not isinstance(node.target, ast.Attribute) or context.text(node.value) != "1":
        return
    sign = "+" if isinstance(node.op, ast.Add) else "-"
    for part in context.scope.nodes:
        if isinstance(part, ast.Subscript) and context.text(part.slice) == place:
            yield from context.restate(node, (f"{place} = ({place} {sign} 1) % len({context.text(part.value)})",))
            return


def drop_what_was_undone(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Before `self.states.append(state)` and `self.place += 1` comes `del self.states[self.place + 1:]`."""
    call, block = node.value, context.program.block(node)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "append":
        return
    for following in block[block.index(node) + 1 :][:1]:
        is_step = isinstance(following, ast.AugAssign) and isinstance(following.target, ast.Attribute)
        if is_step and context.text(following.value) == "1":  # type: ignore[attr-defined]
            states, place = context.text(call.func.value), context.text(following.target)  # type: ignore[attr-defined]
            yield from context.before(node, (f"del {states}[{place} + 1:]",))


def reset_the_rest(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`reset()` that says `self.items.clear()` gains `self.count = 0`, as the constructor sets it: what changes begins
    anew together."""
    owner, receiver = context.parent(node), context.scope.receiver
    if not isinstance(owner, ast.ClassDef) or not receiver or not _BEGINS_ANEW.search(node.name):
        return
    changed = frozenset(name for function in owner.body for name in _changed(function, receiver, context))
    own, lines = _changed(node, receiver, context), []
    for name, first in _first_values(owner, receiver).items():
        if name in changed - own and (isinstance(first, ast.Constant) or _is_empty(first)):
            lines.append(f"{receiver}.{name} = {context.text(first)}")
    for line in lines:
        yield from _at_the_end(node, line, 1.0, context)
    if len(lines) > 1 and not isinstance(node.body[-1], ast.Return):
        yield from context.after(node.body[-1], lines)


_BEGINS_ANEW = re.compile(r"reset|clear|restart|empty|forget|flush|begin|start|new")


def _changed(function: ast.stmt, receiver: str, context: TemplateContext) -> frozenset[str]:
    """The attributes that a method, but for the constructor, sets or changes."""
    if not isinstance(function, FUNCTIONS) or function.name in _CONSTRUCTORS:
        return frozenset()
    calls = (part.func for part in ast.walk(function) if isinstance(part, ast.Call))
    changing = (call.value for call in calls if isinstance(call, ast.Attribute) and call.attr in CHANGING_METHODS)
    return _stored(function, receiver) | {one.attr for one in changing if is_attribute_of(one, receiver)}


def begin_run_anew(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`run()` begins with `self.problems = []`, as the constructor does, where methods fill that: a second run does not
    find what the first one left."""
    owner, receiver = context.parent(node), context.scope.receiver
    if not isinstance(owner, ast.ClassDef) or not receiver or not _RUNS.search(node.name):
        return
    filled = frozenset(name for function in owner.body for name in _changed(function, receiver, context))
    lines = [
        f"{receiver}.{name} = {context.text(first)}"
        for name, first in _first_values(owner, receiver).items()
        if name in filled - _stored(node, receiver) and _is_empty(first)
    ]
    body = body_after_docstring(node)
    if lines and body:
        yield from context.before(body[0], lines)
        for line in lines if len(lines) > 1 else ():
            yield from context.before(body[0], (line,), HALF)


_RUNS = re.compile(r"^(?:run|check|collect|scan|walk|parse|process|load|build|solve|search|find|analy[sz]e|__call__)")


def _is_empty(first: ast.expr) -> bool:
    """Whether an attribute begins with an empty container."""
    if isinstance(first, ast.Call):
        return not first.args and callee_name(first) in ("set", "dict", "list", "Counter", "deque")
    return isinstance(first, ast.List | ast.Dict) and not ast.unparse(first)[1:-1]


def every_attribute(node: ast.Dict, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{"name": self.name}` gains `"done": self.done`: what an object is written as has all of its attributes."""
    owner, receiver = context.program.class_of(node), context.scope.receiver
    told = {value.attr for value in node.values if is_attribute_of(value, receiver)}
    keyed = {key.value for key in node.keys if isinstance(key, ast.Constant)}
    if owner is None or len(told) < 1 or not node.values or not told <= keyed:
        return
    fields = [
        part.target.id for part in owner.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    ]
    at = context.program.spans[node.values[-1]][1]
    for name in dict.fromkeys([*fields, *_first_values(owner, receiver)]):
        if name not in keyed and not name.startswith("_"):
            yield context.replace(at, at, f', "{name}": {receiver}.{name}')


TEMPLATES = (
    Template("every_attribute", (ast.Dict,), every_attribute, ("key", "shorter", "content")),
    Template("begin_run_anew", FUNCTIONS, begin_run_anew, ("longer", "repeats", "content")),
    Template("reset_the_rest", FUNCTIONS, reset_the_rest, ("content",)),
    Template("keep_new_value", (ast.Assign,), keep_new_value, ("content", "repeats")),
    Template("next_in_turn", (ast.AugAssign,), next_in_turn, ("index",)),
    Template("drop_what_was_undone", (ast.Expr,), drop_what_was_undone, ("content",)),
    Template("room_for_new_ones", (ast.If,), room_for_new_ones, ("content", "longer", "shorter")),
    Template("forget_cached", (ast.Assign,), forget_cached, ("content",)),
    Template("forget_old", FUNCTIONS, forget_old, ("negated",)),
    Template("note_change", FUNCTIONS, note_change, ("none", "repeats")),
    Template("work_out_anew", (ast.Return,), work_out_anew),
)
