"""The functions of a program that return live objects: generators, functions, instances of its classes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.syntax import DEFINITIONS, Function, callee_name, walk_in_order, walk_scope
from regreen.verify.program_facts import ITERATORS, LIVE_RETURNS, MUTATORS, ProgramFacts

_PASSES = 5
"""Number of calls over which a live result is followed from function to function."""


def live_functions(program: ProgramFacts) -> dict[str, str]:
    """Name of each function whose result is not plain data -> the reason, in words."""
    known = {name: node for name, node in program.functions.items() if node is not None}
    live = {name: f"`{name}` is a generator" for name, node in known.items() if is_generator(node)}
    for _ in range(_PASSES):
        found = {
            name: f"`{name}` returns {what}"
            for name, node in known.items()
            if name not in live and (what := _live_result(node, program, live))
        }
        if not found:
            break
        live.update(found)
    return live


def is_generator(node: Function) -> bool:
    """Whether calling the function gives a generator."""
    return any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in _own_nodes(node))


def _live_result(node: Function, program: ProgramFacts, live: dict[str, str]) -> str:
    if node.returns is not None and (what := _live_annotation(node.returns, program)):
        return what
    reader = _Results(node, program, live)
    for inner in _own_nodes(node):
        if isinstance(inner, ast.Return) and inner.value is not None and (what := reader.kind(inner.value)):
            return what
    return ""


def _live_annotation(annotation: ast.expr, program: ProgramFacts) -> str:
    names = {inner.id for inner in walk_in_order(annotation) if isinstance(inner, ast.Name)}
    names |= {inner.attr for inner in walk_in_order(annotation) if isinstance(inner, ast.Attribute)}
    texts = [n.value for n in ast.walk(annotation) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    names.update(word for text in texts for word in re.findall(r"\w+", text))
    if names & LIVE_RETURNS:
        return "a live object"
    ours = names & (program.classes.keys() - {name for name, _ in program.simple_exceptions()})
    return f"an instance of `{min(ours)}`" if ours else ""


def _own_nodes(node: Function) -> Iterator[ast.AST]:
    for statement in node.body:
        yield from walk_scope(statement)


class _Results:
    """The kinds of values that the expressions of one function have, judged by its text."""

    def __init__(self, node: Function, program: ProgramFacts, live: dict[str, str]) -> None:
        self.program, self.live = program, live
        self.instances = program.classes.keys() - {name for name, _ in program.simple_exceptions()}
        self.defined: set[str] = set()
        self.values: dict[str, list[ast.expr]] = {}
        for inner in _own_nodes(node):
            self._note(inner)

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, DEFINITIONS):
            self.defined.add(node.name)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._hold(target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._hold(node.target, node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS:
            for argument in node.args:
                self._hold(node.func.value, argument)

    def _hold(self, target: ast.expr, value: ast.expr) -> None:
        while isinstance(target, ast.Subscript):
            target = target.value
        if isinstance(target, ast.Name):
            self.values.setdefault(target.id, []).append(value)

    def kind(self, value: ast.expr) -> str:
        """The kind of a live value, in words; empty for a value that looks like plain data."""
        pending, seen = [value], set[str]()
        while pending:
            current = pending.pop()
            if what := self._kind_of(current):
                return what
            if isinstance(current, ast.Name) and current.id not in seen:
                seen.add(current.id)
                pending.extend(self.values.get(current.id, []))
            pending.extend(_parts(current))
        return ""

    def _kind_of(self, value: ast.expr) -> str:
        if isinstance(value, ast.Lambda):
            return "a function"
        if isinstance(value, ast.GeneratorExp):
            return "a generator"
        if isinstance(value, ast.Name) and value.id not in self.values:
            callables = {*self.defined, *self.program.functions, *self.program.classes}
            return "a function or class" if value.id in callables else ""
        return self._kind_of_call(value) if isinstance(value, ast.Call) else ""

    def _kind_of_call(self, call: ast.Call) -> str:
        name = callee_name(call)
        if not isinstance(call.func, ast.Name):
            return "a function" if name == "partial" else ""
        if name in ITERATORS or name == "partial":
            return f"what `{name}` gives, which is a live object"
        if name in self.instances or name in self.defined & self._classes():
            return f"an instance of `{name}`"
        return f"what `{name}` returns, which is live" if name in self.live else ""

    def _classes(self) -> set[str]:
        return {name for name in self.defined if name[:1].isupper()}


def _parts(value: ast.expr) -> list[ast.expr]:
    if isinstance(value, (ast.List, ast.Tuple, ast.Set)):
        return list(value.elts)
    if isinstance(value, ast.Dict):
        return list(value.values)
    if isinstance(value, ast.IfExp):
        return [value.body, value.orelse]
    if isinstance(value, ast.BoolOp):
        return list(value.values)
    if isinstance(value, (ast.ListComp, ast.SetComp)):
        return [value.elt]
    if isinstance(value, ast.DictComp):
        return [value.value]
    return [value.value] if isinstance(value, (ast.Starred, ast.NamedExpr)) else []
