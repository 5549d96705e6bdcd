"""Missing statements: updates, a fresh start, additions to a collection."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import (
    ALMOST_SURE,
    HALF,
    IMPROBABLE,
    MAX_LOCAL_NAMES,
    POSSIBLE,
    PROBABLE,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import bound_values, callee_name, names_within

INSERTION_POINTS = (
    ast.Assign,
    ast.AugAssign,
    ast.Delete,
    ast.Expr,
    ast.Return,
    ast.If,
    ast.For,
    ast.While,
    ast.Try,
    ast.With,
    ast.Raise,
    ast.Break,
    ast.Continue,
)
"""Statements before and after which others are inserted."""


def insert_update(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`i += 1`, `total += x`, `a = b` around a statement of a loop."""
    block = context.program.block(node)
    for attribute in context.scope.counters:
        for update in (f"{attribute} += 1", f"{attribute} -= 1"):
            yield from context.after(node, (update,))
            yield from context.before(node, (update,))
    if not in_loop(node, context):
        return
    stored = [
        n
        for n in context.scope.of_kind("int", "float", "")
        if n in context.scope.assigned or n in context.scope.parameters
    ]
    for name in stored[:MAX_LOCAL_NAMES]:
        for update in (f"{name} += 1", f"{name} -= 1"):
            yield from context.after(node, (update,), 1.0 if node is block[-1] else PROBABLE)
            if node is block[0]:
                yield from context.before(node, (update,), HALF)
        yield from context.after(node, (f"{name} = 0",), POSSIBLE)
        if block[-1] is node:
            yield from context.after(node, (f"{name} //= 2",), IMPROBABLE)
            for other in context.scope.locals:
                if other not in (name, context.scope.receiver):
                    yield from context.after(node, (f"{name} = {other}",), UNLIKELY)
                    if context.scope.kinds.get(other, "") in ("int", "float", ""):
                        yield from context.after(node, (f"{name} += {other}",), UNLIKELY)


def insert_reset(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`current = []`, `count = 0` in a loop: assignments by which the function starts elsewhere."""
    for text in context.cached("starts", lambda: list(dict.fromkeys(_starting_values(context)))):
        if context.text(node) != text:
            yield from context.after(node, (text,), 1.0 if in_loop(node, context) else POSSIBLE)
            yield from context.before(node, (text,), POSSIBLE)


def _starting_values(context: TemplateContext) -> Iterator[str]:
    for node in context.scope.nodes:
        for target, value in bound_values(node) if isinstance(node, ast.Assign) else ():
            is_first = isinstance(target, ast.Name) and isinstance(value, ast.Constant | ast.List | ast.Dict)
            if is_first and "\n" not in context.text(value):
                yield f"{context.text(target)} = {context.text(value)}"
    # What is counted begins anew with one, too: the item at hand is the first of its run.
    counted = (n for n in context.scope.nodes if isinstance(n, ast.AugAssign) and isinstance(n.op, ast.Add))
    for update in counted:
        if isinstance(update.target, ast.Name) and isinstance(update.value, ast.Constant):
            yield f"{update.target.id} = {context.text(update.value)}"


def reset_attribute(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.items = []` in a method: values that the constructor gives."""
    # Beside what changes the object: a method that only calls others leaves such things to them.
    share = 1.0 if context.cached("changes attributes", lambda: _changes_attributes(context)) else UNLIKELY
    firsts = context.cached("first attributes", lambda: list(_first_attributes(context)))
    for text, weight in firsts:
        # Beside another attribute that is what it was at first.
        begun = HALF if any(context.text(node) == other for other, _ in firsts) else weight
        yield from context.after(node, (text,), max(weight, begun) * share)
        if context.program.block(node)[0] is node:
            yield from context.before(node, (text,), weight * share)


def _changes_attributes(context: TemplateContext) -> bool:
    """Whether the function itself sets an attribute of its object, or changes what one holds."""
    owner = f"{context.scope.receiver}."
    stored = (n for n in context.scope.nodes if isinstance(n, ast.Attribute | ast.Subscript))
    changed = [n for n in stored if isinstance(n.ctx, ast.Store | ast.Del)]
    calls = (n.func for n in context.scope.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute))
    filled = [function.value for function in calls if function.attr in _FILLERS]
    return any(context.text(node).startswith(owner) for node in (*changed, *filled))


def _first_attributes(context: TemplateContext) -> Iterator[tuple[str, float]]:
    """Assignments of constants and empty containers in the constructor, with their weights."""
    owner = None if context.scope.function is None else context.parent(context.scope.function)
    if not isinstance(owner, ast.ClassDef) or context.scope.function in (None, *_constructors(owner)):
        return
    for constructor in _constructors(owner):
        for node in constructor.body:
            for target, value in bound_values(node) if isinstance(node, ast.Assign) else ():
                if isinstance(target, ast.Attribute) and _is_plain(value):
                    text = f"{context.text(target)} = {context.text(value)}"
                    yield text, POSSIBLE if isinstance(value, ast.Constant) else 1.0


def _constructors(owner: ast.ClassDef) -> list[ast.FunctionDef]:
    return [n for n in owner.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]


def _is_plain(value: ast.expr) -> bool:
    """Whether a value is a constant or an empty container."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in ("list", "dict", "set") and not value.args
    if isinstance(value, ast.List | ast.Dict):
        return not (value.elts if isinstance(value, ast.List) else value.keys)
    return isinstance(value, ast.Constant)


def insert_addition(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`seen.add(x)`, `result.append(x)`, `stack.pop()` after or before a statement."""
    names = [n for n in context.scope.locals if n != context.scope.receiver]
    receivers = [(n, context.scope.kinds.get(n, "")) for n in names]
    receivers += [(f"{context.scope.receiver}.{a}", _container(a, context)) for a in context.scope.attributes]
    for owner, kind in receivers:
        methods = _ADDERS.get(kind, ())
        for method in methods:
            for value in names:
                if value != owner:
                    yield from context.after(node, (f"{owner}.{method}({value})",))
                    yield from context.before(node, (f"{owner}.{method}({value})",), VERY_LIKELY)
        for method in _REMOVERS.get(kind, ()):
            yield from context.after(node, (f"{owner}.{method}",), HALF)
            yield from context.before(node, (f"{owner}.{method}",), UNLIKELY)


def add_beside(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.free[kind].append(place)` before `self.free[kind].sort()`: what is put in order was to be filled first."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.args:
        return
    owner = call.func.value
    if call.func.attr not in ("sort", "reverse") or not isinstance(owner, ast.Subscript | ast.Attribute | ast.Name):
        return
    text = context.text(owner)
    inside = names_within(owner)
    for name in context.scope.locals:
        if name != context.scope.receiver and name not in inside:
            yield from context.before(node, (f"{text}.append({name})",))
            yield from context.before(node, (f"{text}.extend({name})",), POSSIBLE)


def _container(attribute: str, context: TemplateContext) -> str:
    """The kind of container that an attribute of the object is used as; empty for none."""
    owner, source = f"{context.scope.receiver}.{attribute}", context.program.source
    if f"{owner}.append(" in source:
        return "list"
    if f"{owner}.add(" in source:
        return "set"
    return context.cached("containers", lambda: _made_containers(context)).get(attribute, "")


def _made_containers(context: TemplateContext) -> dict[str, str]:
    """The attributes that the constructor makes empty lists and sets, with their kinds."""
    owner = None if context.scope.function is None else context.parent(context.scope.function)
    constructors = _constructors(owner) if isinstance(owner, ast.ClassDef) else []
    assigned = (s for constructor in constructors for s in ast.walk(constructor) if isinstance(s, ast.Assign))
    made = [statement for statement in assigned if _is_plain(statement.value)]
    kinds = ((part.targets[0], context.kind(part.value)) for part in made)
    return {target.attr: kind for target, kind in kinds if isinstance(target, ast.Attribute) and kind in _ADDERS}


_ADDERS = {"set": ("add", "remove", "discard"), "list": ("append", "extend")}


_REMOVERS = {"list": ("pop()", "sort()", "reverse()", "pop(0)", "clear()"), "set": ("clear()",), "dict": ("clear()",)}


def fill_collection(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`seen.add(x)` where the function tests `x in seen` and nothing is ever put into `seen`."""
    for owner, kind, asked in context.cached("idle", lambda: list(_never_filled(context))):
        for value in dict.fromkeys(
            (*asked, *(n for n in context.scope.locals if n not in (owner, context.scope.receiver)))
        ):
            share = 1.0 if value in asked else UNLIKELY
            for line in (f"{owner}.add({value})",) if kind == "set" else (f"{owner}.append({value})",):
                yield from context.before(node, (line,), share)
                yield from context.after(node, (line,), share * ALMOST_SURE)
            if kind == "dict":
                yield from context.before(node, (f"{owner}[{value}] = True",), share)


def _never_filled(context: TemplateContext) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Collections that are tested with `in` and never filled: name, kind, and the values that are looked for."""
    asked: dict[str, dict[str, None]] = {}
    for test in context.scope.nodes:
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.In | ast.NotIn):
            owner = context.text(test.comparators[0])
            asked.setdefault(owner, {}).setdefault(context.text(test.left))
    filled = {context.text(n.value) for n in context.scope.nodes if isinstance(n, ast.Attribute) and n.attr in _FILLERS}
    filled |= {
        context.text(n.value)
        for n in context.scope.nodes
        if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store)
    }
    for owner, values in asked.items():
        kind = context.scope.kinds.get(owner, "")
        if owner in context.scope.locals and owner not in filled and kind in ("set", "list", "dict"):
            yield owner, kind, tuple(values)
    yield from _idle_attributes(context)


def _idle_attributes(context: TemplateContext) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Lists and sets that the constructor makes and no method ever fills, as `_never_filled` gives them."""
    owner = context.program.class_of(context.scope.function) if context.scope.function is not None else None
    text = "" if owner is None else context.text(owner)
    likely = tuple(name for name in context.scope.locals if name != context.scope.receiver)
    for name, kind in _made_containers(context).items() if context.scope.receiver else ():
        attribute = f"{context.scope.receiver}.{name}"
        if not re.search(rf"{re.escape(attribute)}(?:\.(?:{'|'.join(_FILLERS)})\(|\s*\+=)", text):
            yield attribute, kind, likely


def take_out(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for x in list(xs)` gains `xs.remove(x)` in a condition: a copy is looped over so that the list may change."""
    owner = _copied(node.iter, context)
    if not owner or not isinstance(node.target, ast.Name):
        return
    line = f"{owner}.remove({node.target.id})"
    for block in (part.body for part in context.program.below(node) if isinstance(part, ast.If)):
        yield from context.before(block[0], (line,))
        if not isinstance(block[-1], ast.Return | ast.Break | ast.Continue | ast.Raise):
            yield from context.after(block[-1], (line,), ALMOST_SURE)


def _copied(value: ast.expr, context: TemplateContext) -> str:
    """The text of what an expression copies: `list(xs)`, `xs[:]`, `xs.copy()`; empty where it copies nothing."""
    if isinstance(value, ast.Subscript) and context.text(value.slice) == ":":
        return context.text(value.value)
    if not isinstance(value, ast.Call):
        return ""
    if callee_name(value) == "copy" and isinstance(value.func, ast.Attribute) and not value.args:
        return context.text(value.func.value)
    copies = callee_name(value) in ("list", "tuple", "set") and len(value.args) == 1
    return context.text(value.args[0]) if copies and isinstance(value.args[0], ast.Name | ast.Attribute) else ""


def gathering_loop(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`counts = {}` gains `for item in items: counts[item] = counts.get(item, 0) + 1` where nothing changes it else."""
    target = node.targets[0]
    if not isinstance(target, ast.Name) or not _is_plain(node.value) or _is_changed(target, context):
        return
    name, kind = target.id, context.kind(node.value)
    item = "item_" if "item" in context.scope.visible else "item"
    for parameter in context.scope.parameters:
        if parameter != context.scope.receiver and context.scope.kinds.get(parameter, "") not in (
            "int",
            "float",
            "bool",
        ):
            for line in _GATHERING.get(kind, ()):
                lines = (f"for {item} in {parameter}:", "\t" + line.format(name=name, item=item))
                yield from context.after(node, lines)


def _is_changed(target: ast.Name, context: TemplateContext) -> bool:
    """Whether the function does more to a variable than to set it here and to read it."""
    uses = [n for n in context.scope.nodes if isinstance(n, ast.Name) and n.id == target.id and n is not target]
    parents = [context.parent(use) for use in uses]
    return any(isinstance(use.ctx, ast.Store | ast.Del) for use in uses) or any(
        (isinstance(parent, ast.Attribute) and parent.attr in _FILLERS)
        or (isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store))
        for parent in parents
    )


_GATHERING = {
    "dict": ("{name}[{item}] = {name}.get({item}, 0) + 1",),
    "list": ("{name}.append({item})",),
    "set": ("{name}.add({item})",),
    "int": ("{name} += {item}", "{name} += 1"),
    "float": ("{name} += {item}",),
}
"""What the loop over a parameter does, by the kind of the variable's first value."""


_FILLERS = frozenset(("add", "append", "extend", "update", "insert", "setdefault", "appendleft"))


def advance_loop(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while i < n` gains `i += 1`, `n //= 2`, ... at its end, likelier where the body binds neither."""
    tested = dict.fromkeys(
        n.id for n in ast.walk(node.test) if isinstance(n, ast.Name) and n.id in context.scope.locals
    )
    bound = {n.id for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    share = UNLIKELY if bound & set(tested) else 1.0
    for name in tested:
        for change in ("+= 1", "-= 1", "//= 2", "//= 10", "+= 2", "-= 2", "*= 2"):
            yield from context.after(node.body[-1], (f"{name} {change}",), share)
        yield from context.after(node.body[-1], (f"{name} = {name}.next",), share * HALF)
        yield from context.after(node.body[-1], (f"{name}.pop()",), share * UNLIKELY)


def in_loop(node: ast.AST, context: TemplateContext) -> bool:
    """Whether a node stands in a loop of its function."""
    return any(context.loops_around(node))


TEMPLATES = (
    Template("add_beside", (ast.Expr,), add_beside, ("shorter",)),
    Template("advance_loop", (ast.While,), advance_loop, ("hang",)),
    Template("insert_update", INSERTION_POINTS, insert_update, ("hang",)),
    Template("insert_reset", INSERTION_POINTS, insert_reset, ("longer",)),
    Template("reset_attribute", INSERTION_POINTS, reset_attribute, ("longer",)),
    Template("insert_addition", INSERTION_POINTS, insert_addition, ("hang", "shorter", "recursion", "repeats")),
    Template("take_out", (ast.For,), take_out, ("longer", "repeats")),
    Template("gathering_loop", (ast.Assign,), gathering_loop, ("shorter", "empty", "zero", "key")),
    Template("fill_collection", INSERTION_POINTS, fill_collection, ("hang", "recursion", "repeats", "longer")),
)
