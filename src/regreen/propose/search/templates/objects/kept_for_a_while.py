"""What an object keeps for a time, or up to a number: what is too old leaves, and what was used stays longest."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import SUM
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name
from regreen.types import Edit


def drop_expired(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A method that keeps moments, `self.calls.append(now)`, begins with `self.calls = [one for one in self.calls if
    now - one < self.seconds]`, for a span of the constructor's that nothing reads."""
    owner, own = context.program.class_of(node), context.scope.receiver
    if owner is None or not own or node.name == "__init__":
        return
    for held, moment in _kept_moments(node, context):
        for span in _unread_attributes(owner, context):
            for symbol, weight in (("<", 1.0), ("<=", LIKELY)):
                line = f"{held} = [one for one in {held} if {moment} - one {symbol} {own}.{span}]"
                yield from context.before(statements_after_docstring(node)[0], (line,), weight)


def _kept_moments(node: Function, context: TemplateContext) -> list[tuple[str, str]]:
    """The lists of the object that a method appends a parameter to, with the parameter."""
    calls = (part for part in context.program.below(node) if isinstance(part, ast.Call) and len(part.args) == 1)
    return [
        (context.text(call.func.value), argument.id)
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "append"
        if isinstance(call.func.value, ast.Attribute)
        if isinstance(argument := call.args[0], ast.Name) and argument.id in context.scope.parameters
    ]


def _unread_attributes(owner: ast.ClassDef, context: TemplateContext) -> list[str]:
    """The attributes that the constructor sets to a parameter and nothing in the program reads."""
    parts = [part for part in context.program.nodes if isinstance(part, ast.Attribute)]
    read = {part.attr for part in parts if isinstance(part.ctx, ast.Load)}
    made = [part for part in owner.body if isinstance(part, FUNCTIONS) and part.name == "__init__"]
    inside = [part for function in made for part in context.program.below(function)]
    stored = [part.attr for part in inside if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)]
    return [name for name in dict.fromkeys(stored) if name not in read]


def used_last(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.data.popitem()` of a cache takes the oldest, `popitem(last=False)`, and what is read or written moves to
    the end: `self.data.move_to_end(key)`."""
    owner = context.program.class_of(node)
    if owner is None or not isinstance(node.func, ast.Attribute) or node.func.attr != "popitem" or node.args:
        return
    held = context.text(node.func.value)
    start, end = context.program.spans[node]
    taken = Edit(start, end, f"{held}.popitem(last=False)")
    moved: list[Edit] = []
    for part in ast.walk(owner):
        value = (
            part.value if isinstance(part, ast.Return) else part.targets[0] if isinstance(part, ast.Assign) else None
        )
        if not isinstance(value, ast.Subscript) or context.text(value.value) != held:
            continue
        assert isinstance(part, ast.Return | ast.Assign)
        step = (f"{held}.move_to_end({context.text(value.slice)})",)
        changes = context.before(part, step) if isinstance(part, ast.Return) else context.after(part, step)
        moved += [edit for change in changes for edit in change.edits]
    if not node.keywords:
        yield WeightedEdits((taken,))
    if moved and f"{held}.move_to_end(" not in context.text(owner):
        yield WeightedEdits((taken, *moved))


def used_moves_last(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Before `return self.items.get(key)` of a cache whose oldest entry goes comes `if key in self.items:
    self.items.move_to_end(key)`; what is stored anew moves to the end, too."""
    owner = context.program.class_of(node)
    if owner is None or callee_name(node) != "get" or not isinstance(node.func, ast.Attribute) or not node.args:
        return
    held, key = context.text(node.func.value), context.text(node.args[0])
    text = context.text(owner)
    if f"{held}.popitem(last=False)" not in text or f"{held}.move_to_end(" in text:
        return
    statement = next((part for part in (node, *context.around(node)) if isinstance(part, ast.stmt)), None)
    if statement is None:
        return
    for asked in context.before(statement, (f"if {key} in {held}:", f"\t{held}.move_to_end({key})")):
        stored = tuple(_stored_anew(owner, held, context))
        if stored:
            yield WeightedEdits((*asked.edits, *stored))
        yield WeightedEdits(asked.edits, LIKELY)


def _stored_anew(owner: ast.ClassDef, held: str, context: TemplateContext) -> Iterator[Edit]:
    """Behind each `held[key] = value` the entry moves to the end."""
    for part in context.program.below(owner):
        target = part.targets[0] if isinstance(part, ast.Assign) else None
        if isinstance(part, ast.Assign) and isinstance(target, ast.Subscript) and context.text(target.value) == held:
            for moved in context.after(part, (f"{held}.move_to_end({context.text(target.slice)})",)):
                yield from moved.edits


def from_now_on(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`lease.expires += self.ttl` becomes `lease.expires = now + self.ttl`, where `now` is at hand: what is
    prolonged is counted from now, and not from its end."""
    if not isinstance(node.op, ast.Add) or not isinstance(node.target, ast.Attribute | ast.Subscript):
        return
    for name in (one for one in context.scope.parameters if one in _MOMENTS):
        further = f"{name} + {context.expression(node.value).at(SUM)}"
        yield from context.restate(node, (f"{context.text(node.target)} = {further}",))


_MOMENTS = frozenset(("now", "at", "time", "moment", "today", "when", "current", "timestamp", "clock", "tick"))


TEMPLATES = (
    Template("from_now_on", (ast.AugAssign,), from_now_on, ("content", "larger", "smaller", "negated")),
    Template("drop_expired", FUNCTIONS, drop_expired, ("negated", "longer", "content")),
    Template("used_last", (ast.Call,), used_last),
    Template("used_moves_last", (ast.Call,), used_moves_last, ("none", "content", "key")),
)
