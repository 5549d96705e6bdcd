"""What the tests of a project hand to a function that they reach through other modules, as calls of it.

No test says `discount(100)` where a cart asks for its discount; what the function was handed while the tests ran tells.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from regreen.select.inputs.changing_functions import changing_functions
from regreen.select.inputs.scenarios import Scenario
from regreen.syntax import FUNCTIONS, Function, body_after_docstring, parsed_or_none, walk_scope
from regreen.types import Visit

_MOST_CALLS = 6
"""Calls of one function."""
_OWNER = "self"
_MADE = "made"
_PLAIN_DECORATORS = frozenset({"staticmethod", "property", "cached_property", "cache", "lru_cache", "override"})


@dataclass(frozen=True, slots=True)
class CallableFunction:
    """A function that can be called by its name, or a method by an object that a constructor makes."""

    node: Function
    line: int
    """Of its first statement: nothing has changed there of what it was handed."""
    owner: ast.ClassDef | None

    @property
    def is_property(self) -> bool:
        """Whether it is read and not called."""
        return any(name.endswith("property") for name in _decorators(self.node))

    @property
    def is_method(self) -> bool:
        """Whether it has an object of its own."""
        return self.owner is not None and "staticmethod" not in _decorators(self.node)


def functions_at(source: str, lines: Collection[int]) -> list[CallableFunction]:
    """The functions of a module, and the methods of its classes, in which any of these lines is; those that can be
    called with plain data alone."""
    module = parsed_or_none(source)
    found = []
    for owner, node in _functions_of(module) if module else ():
        if any(node.lineno <= line <= (node.end_lineno or 0) for line in lines) and _is_plain(node):
            first = next(iter(body_after_docstring(node)), node.body[0])
            found.append(CallableFunction(node, first.lineno, owner))
    return found


def seen_scenarios(source: str, functions: Iterable[CallableFunction], visits: Iterable[Visit]) -> list[Scenario]:
    """Calls of these functions with what they were seen to be handed, those of red checks first."""
    changing, in_order = changing_functions(source), sorted(visits, key=lambda visit: not visit.is_red)
    found: dict[str, Scenario] = {}
    for function in functions:
        made = (_call(function, visit.values, changing) for visit in in_order if visit.line == function.line)
        distinct = {scenario.words: scenario for scenario in made if scenario is not None}
        found |= dict(list(distinct.items())[:_MOST_CALLS])
    return list(found.values())


def _functions_of(module: ast.Module) -> Iterator[tuple[ast.ClassDef | None, Function]]:
    for node in module.body:
        if isinstance(node, FUNCTIONS):
            yield None, node
        elif isinstance(node, ast.ClassDef):
            yield from ((node, inner) for inner in node.body if isinstance(inner, FUNCTIONS))


def _is_plain(node: Function) -> bool:
    """Whether plain arguments are all that a call needs, and what it returns tells what it does."""
    arguments = node.args
    inside = (inner for statement in node.body for inner in walk_scope(statement))
    is_generator = any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in inside)
    is_open = arguments.vararg is not None or arguments.kwarg is not None
    is_special = node.name.startswith("__") and node.name.endswith("__")
    return (
        not (is_generator or is_open or is_special or isinstance(node, ast.AsyncFunctionDef))
        and _decorators(node) <= _PLAIN_DECORATORS
    )


def _decorators(node: Function) -> frozenset[str]:
    """The names of its decorators, of each the last part."""
    called = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
    return frozenset(ast.unparse(each).rpartition(".")[2] for each in called)


def _call(function: CallableFunction, values: Mapping[str, Any], changing: Collection[str]) -> Scenario | None:
    """The call with these values of its variables; None where some are not known."""
    node, changes = function.node, function.node.name in changing
    parameters = [*node.args.posonlyargs, *node.args.args]
    if function.is_method:
        parameters = parameters[1:]
    taken = [one.arg for one in (*parameters, *node.args.kwonlyargs)]
    if any(name not in values for name in taken):
        return None
    setup: list[ast.stmt] = []
    target: ast.expr = ast.Name(node.name, ast.Load())
    if function.is_method:
        made = _constructor(function.owner, values)
        if made is None:
            return None
        setup.append(_assigned(_MADE, made))
        target = ast.Attribute(ast.Name(_MADE, ast.Load()), node.name, ast.Load())
    elif function.owner is not None:
        target = ast.Attribute(ast.Name(function.owner.name, ast.Load()), node.name, ast.Load())
    # What is handed over and may be changed is looked at afterwards.
    kept = [name for name in taken if changes and isinstance(values[name], list | dict | set)]
    setup += [_assigned(name, _literal(values[name])) for name in kept]
    handed = {name: ast.Name(name, ast.Load()) if name in kept else _literal(values[name]) for name in taken}
    observed = target if function.is_property else _called(target, handed, parameters)
    after: list[ast.expr] = [ast.Name(name, ast.Load()) for name in kept]
    if changes and function.is_method:
        after += [_attribute_of_made(name) for name in sorted(values) if name.startswith(f"{_OWNER}.")]
    return Scenario(tuple(setup), ast.Tuple([observed, *after], ast.Load()) if after else observed)


def _called(target: ast.expr, handed: Mapping[str, ast.expr], parameters: Iterable[ast.arg]) -> ast.Call:
    by_place = {one.arg for one in parameters}
    keywords = [ast.keyword(name, value) for name, value in handed.items() if name not in by_place]
    return ast.Call(target, [value for name, value in handed.items() if name in by_place], keywords)


def _constructor(owner: ast.ClassDef | None, values: Mapping[str, Any]) -> ast.Call | None:
    """The call that makes an object with these attributes; None where it needs others."""
    if owner is None:
        return None
    begin = next((n for n in owner.body if isinstance(n, FUNCTIONS) and n.name == "__init__"), None)
    if begin is not None:
        parameters = [*begin.args.posonlyargs, *begin.args.args][1:] + begin.args.kwonlyargs
        names = [one.arg for one in parameters]
        defaults = len(begin.args.defaults) + sum(default is not None for default in begin.args.kw_defaults)
    else:
        fields = [n for n in owner.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)]
        names = [n.target.id for n in fields if isinstance(n.target, ast.Name)]
        defaults = sum(n.value is not None for n in fields)
    known = {name: values[key] for name in names for key in (f"{_OWNER}.{name}", f"{_OWNER}._{name}") if key in values}
    if any(name not in known for name in names[: len(names) - defaults]) or not (names or begin):
        return None
    keywords = [ast.keyword(name, _literal(known[name])) for name in names if name in known]
    return ast.Call(ast.Name(owner.name, ast.Load()), [], keywords)


def _attribute_of_made(name: str) -> ast.expr:
    return ast.Attribute(ast.Name(_MADE, ast.Load()), name.partition(".")[2], ast.Load())


def _assigned(name: str, value: ast.expr) -> ast.stmt:
    return ast.fix_missing_locations(ast.Assign([ast.Name(name, ast.Store())], value, lineno=1, col_offset=0))


def _literal(value: Any) -> ast.expr:
    return ast.parse(repr(value), mode="eval").body
