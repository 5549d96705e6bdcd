"""Live objects that checks pass to a program: functions, generators, instances of the tests' classes."""

from __future__ import annotations

import ast
import builtins
import functools
import itertools
import math
import operator
from collections.abc import Iterator, Mapping

from regreen.syntax import callee_name
from regreen.verify.bindings import dotted
from regreen.verify.program_facts import ITERATORS
from regreen.verify.program_uses import ProgramUses

_KNOWN_MODULES = {module.__name__: module for module in (math, operator, itertools, functools)}
_LIVE_MAKERS = ITERATORS | {
    *("object", "memoryview", "bytearray", "partial", "StringIO", "BytesIO", "Path", "PurePath", "Mock", "MagicMock"),
    *("AsyncMock", "compile", "SimpleNamespace", "Lock", "Thread", "Queue", "cycle", "chain", "repeat", "islice"),
    *("namedtuple", "Enum", "array", "DataFrame", "Series", "super", "staticmethod"),
}


def live_arguments(uses: ProgramUses) -> Iterator[str]:
    """A sentence for each live object that a check passes to the program."""
    values: dict[str, list[ast.expr]] = {}
    for node in uses.nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    values.setdefault(target.id, []).append(node.value)
    for node in uses.nodes:
        if isinstance(node, ast.Call):
            for argument in _handed_over(uses, node):
                if what := _live_argument(uses, argument, values):
                    yield f"a check hands {what} to the program"
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)) and any(isinstance(e, ast.Lambda) for e in node.elts):
            yield "a check hands a function to the program"


def _handed_over(uses: ProgramUses, call: ast.Call) -> Iterator[ast.expr]:
    if uses.calls_program(call):
        yield from (*call.args, *(keyword.value for keyword in call.keywords))
        return
    places = [index for index, argument in enumerate(call.args) if uses.holds_function(argument)]
    if places:
        # `assertRaises(TypeError, apply, lambda x: x)` passes the arguments after the function on to it.
        rest = (*call.args[places[0] + 1 :], *(keyword.value for keyword in call.keywords))
        yield from (argument for argument in rest if not isinstance(argument, ast.Call))


def _live_argument(uses: ProgramUses, argument: ast.expr, values: Mapping[str, list[ast.expr]]) -> str:
    pending, seen = [argument], set[str]()
    while pending:
        value = pending.pop()
        if what := _live_value(uses, value):
            return what
        if isinstance(value, ast.Name) and value.id in values and value.id not in seen:
            seen.add(value.id)
            pending.extend(values[value.id])
        elif isinstance(value, (ast.List, ast.Tuple, ast.Set)):
            pending.extend(value.elts)
        elif isinstance(value, ast.Dict):
            pending.extend(value.values)
        elif isinstance(value, ast.Starred):
            pending.append(value.value)
        elif isinstance(value, (ast.ListComp, ast.SetComp)):
            pending.append(value.elt)
    return ""


def _live_value(uses: ProgramUses, value: ast.expr) -> str:
    if isinstance(value, ast.Lambda):
        return "a function"
    if isinstance(value, ast.GeneratorExp):
        return "a generator"
    if isinstance(value, ast.Name):
        return _live_name(uses, value)
    if isinstance(value, ast.Attribute):
        return _live_attribute(uses, value)
    if isinstance(value, ast.Call):
        name = callee_name(value)
        live = name in _LIVE_MAKERS and not isinstance(value.func, ast.Attribute)
        live = live or name in _LIVE_MAKERS - ITERATORS or name in uses.bound.classes
        return f"what `{name}` makes" if live else ""
    return ""


def _live_name(uses: ProgramUses, name: ast.Name) -> str:
    ours = uses.program_name(name)
    if ours and (ours in uses.program.functions or ours in uses.program.classes):
        return "a function or class of its own"
    if name.id in uses.bound.own | uses.bound.assigned:
        return f"`{name.id}`" if name.id in uses.bound.defined else ""
    return f"`{name.id}`" if callable(getattr(builtins, name.id, None)) and not ours else ""


def _live_attribute(uses: ProgramUses, value: ast.Attribute) -> str:
    if uses.program_name(value):
        return "a function or class of its own" if uses.holds_function(value) else ""
    base = dotted(value.value)
    owner = _KNOWN_MODULES.get(base, getattr(builtins, base, None) if base and "." not in base else None)
    return f"`{dotted(value)}`" if owner is not None and callable(getattr(owner, value.attr, None)) else ""
