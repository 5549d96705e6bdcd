"""What a module of tests defines beside its tests: fixtures, helper functions, constants, and what they stand for."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from typing import TypeVar

from regreen.syntax import (
    DEFINITIONS,
    FUNCTIONS,
    UNPARSABLE,
    Function,
    callee_name,
    names_within,
    nodes_of,
    parse,
    walk,
    walk_scope,
)
from regreen.types import Suite, SuiteKind

_FIXTURE_MARKS = frozenset({"fixture", "yield_fixture"})

_NodeT = TypeVar("_NodeT", bound=ast.AST)
Functions = Mapping[str, ast.FunctionDef]
"""By their names."""
Coroutines = Mapping[str, ast.AsyncFunctionDef]
"""The same of coroutine functions."""


def parsed_tests(text: str) -> list[ast.stmt]:
    """The statements of a text; none where it is no Python."""
    try:
        return parse(text).body
    except UNPARSABLE:
        return []


def fixtures_of(module: Sequence[ast.stmt]) -> Functions:
    """pytest's fixtures that a module defines."""
    return {node.name: node for node in module if isinstance(node, ast.FunctionDef) and _is_fixture(node)}


def makers_of(module: Sequence[ast.stmt]) -> Functions:
    """The helper functions without parameters that do something and return what they made."""
    functions = [node for node in module if isinstance(node, ast.FunctionDef) and _is_helper(node)]
    return {node.name: node for node in functions if not ast.unparse(node.args) and _body_that_makes(node)}


def prepared(names: Sequence[str], fixtures: Functions, within: Set[str] = frozenset()) -> list[ast.stmt] | None:
    """The statements that give each of these fixtures to a variable of its name.

    None where one is not among those of the module, or is not made by plain statements.
    """
    found: list[ast.stmt] = []
    for name in names:
        node = fixtures.get(name)
        body = _body_that_makes(node) if node is not None and name not in within else None
        if node is None or body is None:
            return None
        needed = prepared([argument.arg for argument in node.args.args], fixtures, within | {name})
        if needed is None:
            return None
        found += [*needed, *body]
    return found


def with_makers_written_out(body: Sequence[ast.stmt], makers: Functions) -> list[ast.stmt]:
    """The statements, with what helper functions do in the place of the calls of them.

    Those that one statement calls twice stay as they are, everywhere.
    """
    often = {name for stmt in body for name, count in Counter(_plain_calls(stmt).values()).items() if count > 1}
    found: list[ast.stmt] = []
    for stmt in body:
        calls = {call: name for call, name in _plain_calls(stmt).items() if name in makers and name not in often}
        made = [part for name in calls.values() for part in _body_that_makes(makers[name]) or ()]
        match stmt:
            case ast.Assign(targets=[ast.Name(id=given)], value=ast.Call() as call) if call in calls:
                # What is made bears the name that the test gives it.
                found += [renamed(part, calls[call], given) for part in made]
            case _:
                # A copy with variables in the place of the calls.
                variables = {id(call): ast.Name(name, ast.Load()) for call, name in calls.items()}
                found += [*made, copy.deepcopy(stmt, variables) if calls else stmt]
    return found


def _plain_calls(stmt: ast.stmt) -> dict[ast.Call, str]:
    """The calls of functions, not methods, in a statement, with the names of these."""
    calls = nodes_of(stmt, ast.Call)
    return {call: call.func.id for call in calls if isinstance(call.func, ast.Name)}


def coroutines_of(body: Sequence[ast.stmt]) -> Coroutines:
    """The coroutine functions without parameters that these statements define."""
    functions = (node for node in body if isinstance(node, ast.AsyncFunctionDef))
    return {node.name: node for node in functions if not ast.unparse(node.args) and not node.decorator_list}


def with_coroutines_written_out(body: Sequence[ast.stmt], known: Coroutines) -> list[ast.stmt]:
    """The statements, with what a coroutine does in the place of `asyncio.run(main())`.

    It is one of those `known`, or the body defines it. Its steps are awaited where it is written out.
    """
    coroutines = {**known, **coroutines_of(body)}
    found: list[ast.stmt] = []
    for stmt in body:
        run = next((call for call in nodes_of(stmt, ast.Call) if _run_by(call) in coroutines), None)
        steps = _written_out(stmt, run, coroutines[_run_by(run)]) if run is not None else None
        found += [stmt] if steps is None else steps
    return found


def _run_by(call: ast.Call) -> str:
    """The name of the coroutine function that `asyncio.run(main())` and the like run; empty for any other call."""
    inner = call.args[0] if len(call.args) == 1 else None
    runs = "run" in callee_name(call) and isinstance(inner, ast.Call) and not inner.args and not inner.keywords
    return callee_name(inner) if runs and isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) else ""


def _written_out(stmt: ast.stmt, run: ast.Call, coroutine: ast.AsyncFunctionDef) -> list[ast.stmt] | None:
    """The steps of the coroutine, and then the statement with what it returns in the place of the call.

    None where it may end elsewhere, or changes what is outside it.
    """
    body = coroutine.body
    if any(isinstance(node, ast.Nonlocal | ast.Global) for node in walk(coroutine)):
        return None
    if isinstance(stmt, ast.Expr) and stmt.value is run:
        *before, last = body
        if isinstance(last, ast.Return):
            body = [*before, *([ast.Expr(last.value)] if last.value else [])]
        return None if any(isinstance(node, ast.Return) for part in body for node in walk_scope(part)) else body
    made = _body_that_makes(coroutine)
    return made and [*made, copy.deepcopy(stmt, {id(run): ast.Name(coroutine.name, ast.Load())})]


def _body_that_makes(function: Function) -> list[ast.stmt] | None:
    """The body of a function up to where it returns or yields what it makes, which gets the function's name.

    None where it may end elsewhere.
    """
    for place, stmt in enumerate(function.body):
        made = _made_by(stmt)
        before = function.body[:place]
        if isinstance(made, ast.Name) and made.id in _names_assigned(before):
            return [renamed(node, made.id, function.name) for node in before]
        if made is not None:
            target: ast.expr = ast.Name(function.name, ast.Store())
            return [*before, ast.Assign([target], made, lineno=1)]
        if any(isinstance(inner, ast.Return | ast.Yield | ast.YieldFrom) for inner in walk_scope(stmt)):
            return None
    return None


def _made_by(stmt: ast.stmt) -> ast.expr | None:
    if isinstance(stmt, ast.Return):
        return stmt.value
    is_yield = isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Yield)
    return stmt.value.value if is_yield else None  # type: ignore[attr-defined]


def _names_assigned(body: Sequence[ast.stmt]) -> set[str]:
    assigned = (node.targets for node in body if isinstance(node, ast.Assign))
    return {target.id for targets in assigned for target in targets if isinstance(target, ast.Name)}


def renamed(node: _NodeT, old: str, new: str) -> _NodeT:
    """A copy with another name for a variable."""
    made: _NodeT = _Renaming(old, new).visit(copy.deepcopy(node))
    return made


class _Renaming(ast.NodeTransformer):
    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self.new, node.ctx) if node.id == self.old else node


def imports_of_tests(suite: Suite) -> list[str]:
    """The import statements of the tests."""
    body = parsed_tests(suite.source)
    return [ast.unparse(node) for node in body if isinstance(node, ast.Import | ast.ImportFrom)]


def helpers_of_tests(suite: Suite, names: Set[str], defined: Set[str] = frozenset()) -> list[str]:
    """What of the tests these names stand for, and what that needs in turn, in the order in which they define it.

    Functions, classes and constants; the constants of a script are among its steps. What the program has `defined` is
    none of them, although one file may hold both it and its examples.
    """
    of_script = suite.kind is SuiteKind.SCRIPT
    body = parsed_tests(suite.source)
    helpers = [node for node in body if _is_helper(node) or (_is_constant(node) and not of_script)]
    helpers = [node for node in helpers if not _names_defined(node) & defined]
    kept: list[ast.stmt] = []
    while more := [node for node in helpers if node not in kept and _names_defined(node) & names]:
        kept += more
        names = {*names, *(inner.id for node in more for inner in nodes_of(node, ast.Name))}
    return [ast.unparse(node) for node in helpers if node in kept]


def helpers_with(suite: Suite, names: Set[str]) -> frozenset[str]:
    """The functions and classes of the tests, beside the tests, that say one of these names, or one another's."""
    helpers = [node for node in parsed_tests(suite.source) if isinstance(node, DEFINITIONS) and _is_helper(node)]
    said = {h.name: names_within(h) for h in helpers}
    found: set[str] = set()
    while more := {name for name, spoken in said.items() if spoken & (names | found)} - found:
        found |= more
    return frozenset(found)


def _is_helper(node: ast.stmt) -> bool:
    if isinstance(node, FUNCTIONS):
        return not node.name.startswith("test") and not _is_fixture(node)
    if not isinstance(node, ast.ClassDef):
        return False
    return not any(isinstance(inner, FUNCTIONS) and inner.name.startswith("test") for inner in node.body)


def _is_constant(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) or (isinstance(node, ast.AnnAssign) and node.value is not None)


def _is_fixture(node: ast.stmt) -> bool:
    marks = node.decorator_list if isinstance(node, FUNCTIONS) else []
    return any(_mark_name(mark) in _FIXTURE_MARKS for mark in marks)


def _mark_name(mark: ast.expr) -> str:
    mark = mark.func if isinstance(mark, ast.Call) else mark
    return mark.attr if isinstance(mark, ast.Attribute) else mark.id if isinstance(mark, ast.Name) else ""


def _names_defined(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return {node.name}
    return {inner.id for inner in nodes_of(node, ast.Name) if isinstance(inner.ctx, ast.Store)}
