"""Names and arguments that do not reach a function: counts of the function around it, arguments that calls lack."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Final

from regreen.plain_slips.located_program import (
    LocatedProgram,
    PlainSlip,
    is_own_attribute,
    names_stored,
    nodes_within,
)
from regreen.syntax import DEFINITIONS, FUNCTIONS, Function, body_after_docstring, names_set, walk
from regreen.types import Edit


def undeclared_counts(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`count += 1` in a function within the one that has `count`, or of the module's `count`: it is not its own."""
    for function in program.functions():
        own = {part.arg for part in ast.walk(function.args) if isinstance(part, ast.arg)}
        own |= {name for node in walk(function) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
        for name, steps in _steps(function, program).items():
            if name in own or not all(_builds_on_itself(step, name) for step in steps):
                continue
            word = _declaration(name, function, program)
            if word:
                first = body_after_docstring(function)[0]
                at = program.line_start(first)
                yield PlainSlip("undeclared_count", (Edit(at, at, f"{program.indent(first)}{word} {name}\n"),))


def _steps(function: Function, program: LocatedProgram) -> dict[str, list[ast.AST]]:
    """What gives values to each variable that is a function's own as it stands."""
    found: dict[str, list[ast.AST]] = {}
    for node in nodes_within(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.setdefault(node.id, []).append(program.parents[node])
        elif isinstance(node, DEFINITIONS):
            found.setdefault(node.name, []).append(node)
    return found


def _builds_on_itself(step: ast.AST, name: str) -> bool:
    """Whether a statement gives a variable what is made of its value before: `n += 1`, and `n = n + 1`."""
    if isinstance(step, ast.AugAssign):
        return True
    value = step.value if isinstance(step, ast.Assign) and len(step.targets) == 1 else None
    left = value.left if isinstance(value, ast.BinOp) else None
    return isinstance(left, ast.Name) and left.id == name


def _declaration(name: str, function: Function, program: LocatedProgram) -> str:
    """What says that a variable is one of a function around this one, or of the module; empty where it is neither."""
    around = program.parents[function]
    while not isinstance(around, ast.Module):
        if isinstance(around, FUNCTIONS):
            given = {part.arg for part in ast.walk(around.args) if isinstance(part, ast.arg)}
            if name in given | {*names_set(nodes_within(around))}:
                return "nonlocal"
        elif isinstance(around, ast.ClassDef):
            return ""
        around = program.parents[around]
    plain = (stmt for stmt in around.body if isinstance(stmt, ast.Assign | ast.AnnAssign))
    return "global" if any(name in names_stored(stmt) for stmt in plain) else ""


def short_calls(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`self.trips(weights, mid)` of `def trips(self, weights, capacity, limit)`, by a method that has a `limit`."""
    functions = _defined_once(program)
    for node in program.nodes:
        called = functions.get(_called(node)) if isinstance(node, ast.Call) else None
        if not isinstance(node, ast.Call) or called is None or not (missing := _missing(node, called)):
            continue
        spoken = {part.id for given in node.args for part in walk(given) if isinstance(part, ast.Name)}
        if _variables_around(node, program).issuperset(missing) and not spoken.intersection(missing):
            more = ", ".join(missing)
            at = program.span(node.args[-1])[1] if node.args else program.span(node.func)[1] + 1
            end = ", " if not node.args and node.keywords else ""
            yield PlainSlip("short_call", (Edit(at, at, f", {more}" if node.args else more + end),))


def _variables_around(node: ast.AST, program: LocatedProgram) -> set[str]:
    """The variables and parameters of the function around a node; none at the level of a module or a class."""
    while not isinstance(node, (*FUNCTIONS, ast.Module, ast.ClassDef)):
        node = program.parents[node]
    if not isinstance(node, FUNCTIONS):
        return set()
    return {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)} | {*names_set(nodes_within(node))}


def _defined_once(program: LocatedProgram) -> Mapping[str, Function]:
    """The functions and methods, by how they are called, of which there is one by that name, without decorators."""
    found: dict[str, list[Function]] = {}
    for function in program.functions():
        is_method = isinstance(program.parents[function], ast.ClassDef)
        found.setdefault(f"self.{function.name}" if is_method else function.name, []).append(function)
    once = {name: some[0] for name, some in found.items() if len(some) == 1 and not some[0].decorator_list}
    others = names_stored(program.module) | {
        part.attr for part in program.nodes if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
    }
    return {name: function for name, function in once.items() if function.name not in others}


def _called(call: ast.Call) -> str:
    """`f` for `f(x)`, and `self.f` for `self.f(x)`; empty for other calls."""
    if is_own_attribute(call.func):
        return f"self.{call.func.attr}"
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _missing(call: ast.Call, called: Function) -> list[str]:
    """The parameters that a call has to give and leaves out, the last ones; none where that is not plain."""
    given = called.args
    is_open = given.vararg or given.kwarg or given.posonlyargs or given.kwonlyargs
    is_spread = any(isinstance(part, ast.Starred) for part in call.args) or any(k.arg is None for k in call.keywords)
    names = [part.arg for part in given.args]
    names = names[1:] if isinstance(call.func, ast.Attribute) else names
    needed = names[: len(names) - len(given.defaults)]
    if is_open or is_spread or given.defaults:
        return []
    named = {keyword.arg for keyword in call.keywords}
    return [name for name in needed[len(call.args) :] if name not in named]


OUT_OF_REACH: Final = (undeclared_counts, short_calls)
