"""Attributes that a method should bring up to date: `self.updated = now`, `self.count += 1`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, LIKELY, MAX_LOCAL_NAMES, POSSIBLE, PROBABLE, UNLIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function

_CONSTRUCTORS = ("__init__", "__post_init__")


def note_change(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A method ends with `self.updated = now`, `self.count += 1` or `self.on = not self.on`."""
    owner, receiver = context.parent(node), context.scope.receiver
    if not isinstance(owner, ast.ClassDef) or not receiver or node.name in _CONSTRUCTORS:
        return
    own = _stored(node, receiver)
    for name, first in _first_values(owner, receiver).items():
        if name not in own:
            for value, weight in _new_values(f"{receiver}.{name}", name, first, context):
                yield from _at_the_end(node, f"{receiver}.{name} {value}", weight, context)


def _first_values(owner: ast.ClassDef, receiver: str) -> dict[str, ast.expr]:
    """The attributes that the constructor sets, with their first values."""
    found: dict[str, ast.expr] = {}
    for function in owner.body:
        if isinstance(function, FUNCTIONS) and function.name in _CONSTRUCTORS:
            for part in ast.walk(function):
                target = part.targets[0] if isinstance(part, ast.Assign) else getattr(part, "target", None)
                if isinstance(part, ast.Assign | ast.AnnAssign) and part.value and _is_attribute(target, receiver):
                    assert isinstance(target, ast.Attribute)
                    found[target.attr] = part.value
    return found


def _stored(function: Function, receiver: str) -> frozenset[str]:
    """The attributes that a method sets."""
    return frozenset(
        part.attr
        for part in ast.walk(function)
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and _is_attribute(part, receiver)
    )


def _is_attribute(node: ast.AST | None, receiver: str) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == receiver


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
    if not isinstance(first, ast.Constant) and not isinstance(first, ast.Name | ast.Call | ast.UnaryOp):
        return
    for local in context.scope.locals[:MAX_LOCAL_NAMES]:
        if local != context.scope.receiver and not isinstance(value, bool):
            yield f"= {local}", _likeness(local, name, context)
            if isinstance(value, int | float):
                yield f"+= {local}", LIKELY * _likeness(local, name, context)
                yield f"-= {local}", POSSIBLE * _likeness(local, name, context)


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


TEMPLATES = (Template("note_change", FUNCTIONS, note_change, ("none", "repeats")),)
