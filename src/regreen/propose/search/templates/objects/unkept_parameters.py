"""What a method is handed and does not keep: the entry that is not stored, the item that is not added."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from regreen.propose.search.constants import FAST_DECLINE, HALF, LIKELY, PROBABLE
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.filters import fields_of_all
from regreen.syntax import FUNCTIONS, Function, callee_name, is_attribute_of, names_within

_MOST_LINES = 8
"""Ways to keep one parameter that are tried at each place of a method."""
_ADDING = {ast.List: "append", ast.Set: "add"}
_ADDING_BY_NAME = {"list": "append", "deque": "append", "set": "add"}


def keep_parameter(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.entries[key] = value` comes into a method that does nothing with `value`."""
    owner, receiver = context.parent(node), context.scope.receiver
    if not isinstance(owner, ast.ClassDef) or not receiver:
        return
    body = statements_after_docstring(node)
    for value in context.scope.parameters:
        if value != receiver and value in context.scope.unused:
            lines = list(dict.fromkeys(_kept(value, owner, context)))[:_MOST_LINES]
            yield from _anywhere(lines, body, context)


def _anywhere(lines: Sequence[str], body: Sequence[ast.stmt], context: TemplateContext) -> Iterator[WeightedEdits]:
    """Each line at the end of a method, or before one of its statements; the first lines are the likeliest."""
    for rank, line in enumerate(lines):
        weight = max(1.0 - FAST_DECLINE * rank, HALF)
        if not isinstance(body[-1], ast.Return | ast.Raise):
            yield from context.after(body[-1], (line,), weight)
        for statement in body:
            yield from context.before(statement, (line,), weight * (LIKELY if statement is body[-1] else HALF))


def _kept(value: str, owner: ast.ClassDef, context: TemplateContext) -> Iterator[str]:
    """Statements that keep a parameter in what the object holds, the likeliest first."""
    receiver = context.scope.receiver
    others = [name for name in context.scope.parameters if name not in (receiver, value)]
    reachable = {receiver, *context.scope.parameters}
    for part in ast.walk(owner):
        if isinstance(part, ast.Subscript) and is_attribute_of(part.value, receiver):
            names = names_within(part.slice)
            if names <= reachable and not isinstance(part.slice, ast.Slice | ast.Constant):
                yield f"{context.text(part.value)}[{context.text(part.slice)}] = {value}"
    for target, first in _attributes_set(owner, receiver):
        held = context.text(target)
        if (adding := _adding_method(first)) is not None:
            yield f"{held}.{adding}({value})"
        elif isinstance(first, ast.Dict) or _called_name(first) in ("dict", "OrderedDict", "Counter"):
            yield from (f"{held}[{key}] = {value}" for key in others)
        elif value in held:
            yield f"{held} = {value}"


def store_compared_entry(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A method that takes `value - self.values[index]` ends with `self.values[index] = value`, if nothing stores it."""
    receiver, body = context.scope.receiver, statements_after_docstring(node)
    if not receiver or isinstance(body[-1], ast.Return | ast.Raise):
        return
    parameters = [name for name in context.scope.parameters if name != receiver]
    for part in context.program.below(node):
        if not isinstance(part, ast.BinOp) or not isinstance(part.op, ast.Sub):
            continue
        for value, entry in ((part.left, part.right), (part.right, part.left)):
            is_entry = isinstance(entry, ast.Subscript) and is_attribute_of(entry.value, receiver)
            if is_entry and isinstance(value, ast.Name) and value.id in parameters:
                place = context.text(entry)
                if not re.search(rf"{re.escape(place)} [-+]?=[^=]", context.text(node)):
                    yield from context.after(body[-1], (f"{place} = {value.id}",))


def keep_together(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.slots[code] = Slot(product, price)`, `self.log.append((when, what))`: what a method is handed and does
    nothing with is kept together, as a tuple or as an object of the program whose fields are called so."""
    owner, receiver = context.parent(node), context.scope.receiver
    given = [name for name in context.scope.parameters if name != receiver]
    unread = [name for name in given if name in context.scope.unused]
    if not isinstance(owner, ast.ClassDef) or not receiver or not unread or len(given) < 2:
        return
    values = dict.fromkeys(code for code in (_tuple_of(unread), _tuple_of(given), *_records(given, context)) if code)
    lines: dict[str, None] = {}
    for target, first in _attributes_set(owner, receiver):
        held = context.text(target)
        if (adding := _adding_method(first)) is not None:
            lines.update(dict.fromkeys(f"{held}.{adding}({value})" for value in values))
        elif isinstance(first, ast.Dict) or _called_name(first) in ("dict", "OrderedDict"):
            for key in given:
                rest = _tuple_of([name for name in given if name != key])
                kept = dict.fromkeys((*([rest] if rest else []), *values))
                lines.update(dict.fromkeys(f"{held}[{key}] = {value}" for value in kept))
    yield from _anywhere([*lines], statements_after_docstring(node), context)


def _tuple_of(names: Sequence[str]) -> str:
    return f"({', '.join(names)})" if len(names) > 1 else ""


def _records(given: Sequence[str], context: TemplateContext) -> Iterator[str]:
    """Calls of the program's classes for which a method has all that they cannot do without, by their names."""
    for owner in (part for part in context.program.nodes if isinstance(part, ast.ClassDef)):
        own = next((s for s in owner.body if isinstance(s, ast.FunctionDef) and s.name == "__init__"), None)
        hinted = [s for s in owner.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
        if own is not None:
            fields = [argument.arg for argument in own.args.args[1:]]
            needed = len(fields) - len(own.args.defaults)
        else:
            fields = [context.text(s.target) for s in hinted]
            needed = sum(s.value is None for s in hinted)
        known = list(takewhile(lambda name: name in given, fields))
        if known and len(known) >= needed:
            yield f"{owner.name}({', '.join(known)})"


def keep_under_its_name(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`job.error = error` comes into a function that does nothing with `error`, where objects have such a field."""
    fields = fields_of_all(context)
    body = statements_after_docstring(node)
    holders = [name for name in context.scope.locals if name not in context.scope.unused and name not in fields]
    for value in context.scope.parameters:
        if value in context.scope.unused and value in fields:
            lines = [
                f"{holder}.{value} = {value}" for holder in holders if holder not in (value, context.scope.receiver)
            ]
            yield from _anywhere(lines[:_MOST_LINES], body, context)


def keep_caught(node: ast.ExceptHandler, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`except E as error:` keeps an error that nobody reads: `job.error = error` or `self.errors.append(error)`."""
    error, first = node.name, node.body[0]
    if not error or any(isinstance(part, ast.Name) and part.id == error for part in ast.walk(node)):
        return
    fields = fields_of_all(context)
    for field in sorted(field for field in fields if error in field):
        for holder in context.scope.locals:
            if holder != error:
                yield from context.before(first, (f"{holder}.{field} = {error}",), 1.0 if field == error else HALF)
                yield from context.before(first, (f"{holder}.{field}.append({error})",), HALF)


def _attributes_set(owner: ast.ClassDef, receiver: str) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The attributes that methods of a class set, each with what it is set to."""
    for part in ast.walk(owner):
        if isinstance(part, ast.Assign | ast.AnnAssign) and part.value is not None:
            target = part.targets[0] if isinstance(part, ast.Assign) else part.target
            if is_attribute_of(target, receiver):
                yield target, part.value


def _adding_method(first: ast.expr) -> str | None:
    """The method that adds an item to what an attribute holds at first; None where it takes none."""
    return _ADDING.get(type(first)) or _ADDING_BY_NAME.get(_called_name(first))


def _called_name(node: ast.expr) -> str:
    return callee_name(node) if isinstance(node, ast.Call) else ""


def keep_as_begun(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The branch for a known name stores what the other begins an entry with, `items[name] = {"n": n, "price": price}`,
    as well: `items[name]["price"] = price`."""
    for branch, other in ((node.body, node.orelse), (node.orelse, node.body)):
        begun = next(
            (part for part in other if isinstance(part, ast.Assign) and isinstance(part.value, ast.Dict)), None
        )
        if begun is None or not branch:
            continue
        entry, text = context.text(begun.targets[0]), "\n".join(context.text(part) for part in branch)
        for key, value in zip(begun.value.keys, begun.value.values, strict=True):  # type: ignore[attr-defined]
            is_lost = isinstance(value, ast.Name) and not re.search(rf"\b{value.id}\b", text)
            if key is not None and is_lost:
                yield from context.after(branch[-1], (f"{entry}[{context.text(key)}] = {context.text(value)}",))


def ask_the_other(node: ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.deposit(amount)` becomes `account.deposit(amount)`, where nothing reads the parameter `account`."""
    owner, receiver = node.value, context.scope.receiver
    if not receiver or not isinstance(owner, ast.Name) or owner.id != receiver:
        return
    for parameter in sorted(context.scope.unused.intersection(context.scope.parameters)):
        if context.scope.kinds.get(parameter, "") == "":
            is_changed = isinstance(node.ctx, ast.Store)
            weight = 1.0 if context.is_called(node) else PROBABLE if is_changed else LIKELY
            yield context.put(owner, parameter, weight)


TEMPLATES = (
    Template("ask_the_other", (ast.Attribute,), ask_the_other, ("content", "attribute")),
    Template("keep_together", FUNCTIONS, keep_together, ("content", "none", "index")),
    Template("keep_caught", (ast.ExceptHandler,), keep_caught, ("content", "none")),
    Template("keep_under_its_name", FUNCTIONS, keep_under_its_name, ("content", "none")),
    Template("keep_as_begun", (ast.If,), keep_as_begun, ("content",)),
    Template("keep_parameter", FUNCTIONS, keep_parameter, ("key", "none", "shorter")),
    Template("store_compared_entry", FUNCTIONS, store_compared_entry, ("content",)),
)
