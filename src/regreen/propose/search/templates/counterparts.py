"""What one method does and another one has to undo, or to note: the counterpart of a change, lost."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import MAX_COPIED_CHARACTERS, PROBABLE, VERY_LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name

_OPPOSITES: Final = {
    "add": ("discard", "remove"),
    "append": ("remove", "pop"),
    "remove": ("add", "append"),
    "discard": ("add",),
    "acquire": ("release",),
    "release": ("acquire",),
    "open": ("close",),
    "subscribe": ("unsubscribe",),
    "start": ("stop",),
}
"""Calls, each with those that undo it."""


def undo_elsewhere(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.free.remove(x)` in one method asks for `self.free.add(x)` in another one, at its end or after a change."""
    owner, receiver = context.parent(node), context.scope.receiver
    if not isinstance(owner, ast.ClassDef) or not receiver or node.name.startswith("__"):
        return
    own = [part for part in context.program.below(node) if isinstance(part, ast.Call)]
    for line, target in _undoing(owner, node, context):
        if not any(context.text(call.func).startswith(f"{target}.") for call in own if _is_change(call)):
            yield from _put_in(node, line, context)


def _undoing(owner: ast.ClassDef, here: Function, context: TemplateContext) -> Iterator[tuple[str, str]]:
    """The opposites of what the other methods change in an attribute, with the attribute."""
    receiver, seen = context.scope.receiver, set()
    for method in owner.body:
        if not isinstance(method, FUNCTIONS) or method is here:
            continue
        for part in ast.walk(method):
            call = part.value if isinstance(part, ast.Expr) else None
            if not isinstance(call, ast.Call) or not _is_change(call) or call.keywords:
                continue
            assert isinstance(call.func, ast.Attribute)
            target = context.text(call.func.value)
            names = {inner.id for inner in ast.walk(call) if isinstance(inner, ast.Name)}
            if not target.startswith(f"{receiver}.") or not names <= context.scope.visible:
                continue
            arguments = ", ".join(map(context.text, call.args))
            for opposite in _OPPOSITES[call.func.attr]:
                line = f"{target}.{opposite}({'' if opposite == 'pop' else arguments})"
                if line not in seen and len(line) <= MAX_COPIED_CHARACTERS and "\n" not in line:
                    seen.add(line)
                    yield line, target


def _is_change(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in _OPPOSITES


def _put_in(function: Function, line: str, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The line at the end of a method, or after each of its own changes."""
    last = function.body[-1]
    if isinstance(last, ast.Return):
        yield from context.before(last, (line,))
    elif not isinstance(last, ast.Raise):
        yield from context.after(last, (line,))
    for part in context.program.below(function):
        if part is not last and isinstance(part, ast.Assign | ast.AugAssign | ast.Delete | ast.Expr):
            weight = VERY_LIKELY if isinstance(part, ast.Expr) else PROBABLE
            yield from context.after(part, (line,), weight)


def freshen_entry(node: ast.Return | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """What is used anew moves behind all others, where the oldest goes first: `entries.move_to_end(key)`.

    In a plain dictionary it is taken out and put in again: `entries[key] = entries.pop(key)`.
    """
    for table, is_ordered in context.cached("tables by age", lambda: _tables_by_age(context)).items():
        for part in ast.walk(node):
            if isinstance(part, ast.Subscript) and context.text(part.value) == table:
                key = context.text(part.slice)
                line = f"{table}.move_to_end({key})" if is_ordered else f"{table}[{key}] = {table}.pop({key})"
                if isinstance(part.ctx, ast.Load):
                    yield from context.before(node, (line,))
                elif isinstance(part.ctx, ast.Store):
                    fresh = (line,) if is_ordered else (f"{table}.pop({key}, None)",)
                    yield from (context.after if is_ordered else context.before)(node, fresh)


def _tables_by_age(context: TemplateContext) -> dict[str, bool]:
    """The dictionaries whose first entry is looked for, and whether they are of those that can move entries."""
    found: dict[str, bool] = {}
    for call in context.program.nodes:
        if not isinstance(call, ast.Call):
            continue
        if isinstance(call.func, ast.Attribute) and any(word.arg == "last" for word in call.keywords):
            found[context.text(call.func.value)] = True
        elif _calls(call, "iter") and _calls(context.parent(call), "next"):
            found.setdefault(context.text(call.args[0]), False)
    return found


def _calls(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and callee_name(node) == name and bool(node.args)


TEMPLATES = (
    Template("undo_elsewhere", FUNCTIONS, undo_elsewhere, ("negated", "shorter")),
    Template("freshen_entry", (ast.Return, ast.Assign), freshen_entry, ("key",)),
)
