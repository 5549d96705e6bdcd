"""The statements of each check of a suite: those of its test function, or of the script up to it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set

from regreen.select.inputs.tests_module import (
    Functions,
    coroutines_of,
    fixtures_of,
    makers_of,
    parsed_tests,
    prepared,
    with_coroutines_written_out,
    with_makers_written_out,
)
from regreen.syntax import FUNCTIONS, UNPARSABLE, Function, callee_name, nodes_of
from regreen.types import JSON_VIEW, Suite, SuiteKind

_MOST_SETUP = 12
"""Statements before a check of a script that may prepare it."""
_MOST_ROWS = 8
"""Rows of a literal table, of a loop or of pytest's `parametrize`, that are taken."""
_SETUPS = frozenset({"setUp", "setup_method"})
"""Methods of a class of tests that run before each of them."""


def check_bodies(suite: Suite) -> Iterator[list[ast.stmt]]:
    """The statements of each check, with what was prepared before it."""
    if suite.kind is SuiteKind.SCRIPT:
        yield from _bodies_of_script(suite)
        return
    module = parsed_tests(suite.source)
    fixtures, makers, coroutines = fixtures_of(module), makers_of(module), coroutines_of(module)
    for node in module:
        for body in _bodies_of(node, fixtures):
            yield with_coroutines_written_out(with_makers_written_out(body, makers), coroutines)


def _bodies_of_script(suite: Suite) -> Iterator[list[ast.stmt]]:
    before: list[ast.stmt] = []
    for step in suite.steps:
        body = [_as_assertion(_WithoutView().visit(node), step.want) for node in parsed_tests(step.code)]
        if step.check is not None:
            yield with_coroutines_written_out([*before[-_MOST_SETUP:], *body], {})
        before += [node for node in body if not isinstance(node, ast.Import | ast.ImportFrom) and _may_matter(node)]


def _may_matter(node: ast.stmt) -> bool:
    """Whether what comes later may depend on a statement: on an assertion only where it calls a method of an object."""
    if not isinstance(node, ast.Assert):
        return True
    calls = nodes_of(node, ast.Call)
    return any(isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) for call in calls)


def _bodies_of(node: ast.stmt, fixtures: Functions) -> Iterator[list[ast.stmt]]:
    if isinstance(node, FUNCTIONS) and node.name.startswith("test"):
        yield from _test_bodies(node, fixtures)
    elif isinstance(node, ast.ClassDef):
        yield from _bodies_of_class(node, fixtures)


def _bodies_of_class(node: ast.ClassDef, fixtures: Functions) -> Iterator[list[ast.stmt]]:
    """Those of its tests, each after what prepares them all, whose attributes of `self` become variables."""
    methods = [method for method in node.body if isinstance(method, ast.FunctionDef)]
    setup = [stmt for method in methods if method.name in _SETUPS for stmt in method.body]
    attributes = [inner for stmt in setup for inner in nodes_of(stmt, ast.Attribute)]
    kept = {each.attr for each in attributes if isinstance(each.ctx, ast.Store) and _is_self(each.value)}
    for inner in node.body:
        for body in _bodies_of(inner, fixtures):
            text = "\n".join(ast.unparse(ast.fix_missing_locations(stmt)) for stmt in [*setup, *body])
            yield [_AsVariables(kept).visit(stmt) for stmt in parsed_tests(text)]


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


class _AsVariables(ast.NodeTransformer):
    """Makes variables of some attributes of `self`."""

    def __init__(self, names: Set[str]) -> None:
        self.names = names

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """A variable of the attribute's name, where it is one of these."""
        self.generic_visit(node)
        if _is_self(node.value) and node.attr in self.names:
            return ast.Name(node.attr, node.ctx)
        return node


class _WithoutView(ast.NodeTransformer):
    """Takes the view of `.jsonl` cases away: a question asks for the call itself."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The argument of the view, and any other call as it is."""
        self.generic_visit(node)
        return node.args[0] if callee_name(node) == JSON_VIEW and node.args else node


def _as_assertion(node: ast.stmt, want: str | None) -> ast.stmt:
    """A doctest example as the assertion that it is."""
    if want is None or not isinstance(node, ast.Expr):
        return node
    expected = parsed_tests(want.strip())
    value = expected[0].value if len(expected) == 1 and isinstance(expected[0], ast.Expr) else ast.Constant(...)
    return ast.Assert(ast.Compare(node.value, [ast.Eq()], [value]))


def _test_bodies(node: Function, fixtures: Functions) -> Iterator[list[ast.stmt]]:
    """The body of a test function after those of its fixtures, once for each row of its table.

    Nothing where it needs fixtures that plain statements of the same module do not make.
    """
    names = [argument.arg for argument in node.args.args if argument.arg != "self"]
    setup = prepared([name for name in names if name in fixtures], fixtures)
    if setup is None:
        return
    names = [name for name in names if name not in fixtures]
    if not names:
        yield [*setup, *node.body]
        return
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and callee_name(decorator) == "parametrize" and len(decorator.args) >= 2:
            names_given, rows = decorator.args[:2]
            for row in table_rows(rows):
                target = _target(names_given, names)
                if target is not None:
                    yield [*setup, ast.Assign([target], row, lineno=1), *node.body]


def _target(given: ast.expr, names: Sequence[str]) -> ast.expr | None:
    """What a row of `parametrize` is assigned to, where it gives every parameter."""
    try:
        value = ast.literal_eval(given)
        listed = [name.strip() for name in value.split(",")] if isinstance(value, str) else list(map(str, value))
    except (*UNPARSABLE, TypeError):
        return None
    if set(listed) != set(names):
        return None
    stored: list[ast.expr] = [ast.Name(name, ast.Store()) for name in listed]
    return stored[0] if len(stored) == 1 else ast.Tuple(stored, ast.Store())


def table_rows(table: ast.expr) -> list[ast.expr]:
    """The first rows of a literal table."""
    return table.elts[:_MOST_ROWS] if isinstance(table, ast.List | ast.Tuple) else []
