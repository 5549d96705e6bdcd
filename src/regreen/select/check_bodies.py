"""The statements of each check of a suite: those of its test function, or of the script up to it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from regreen.syntax import FUNCTIONS, UNPARSABLE, callee_name, parse
from regreen.types import JSON_VIEW, Suite, SuiteKind

_MOST_SETUP = 12
"""Statements before a check of a script that may prepare it."""
_MOST_ROWS = 8
"""Rows of a literal table, of a loop or of pytest's `parametrize`, that are taken."""


def tests_imports(suite: Suite) -> list[str]:
    """The import statements of the tests."""
    try:
        body = parse(suite.source).body
    except UNPARSABLE:
        return []
    return [ast.unparse(node) for node in body if isinstance(node, ast.Import | ast.ImportFrom)]


def check_bodies(suite: Suite) -> Iterator[list[ast.stmt]]:
    """The statements of each check, with what was prepared before it."""
    if suite.kind is SuiteKind.SCRIPT:
        prepared: list[ast.stmt] = []
        for step in suite.steps:
            body = [_as_assertion(_WithoutView().visit(node), step.want) for node in _parsed(step.code)]
            if step.check is not None:
                yield [*prepared[-_MOST_SETUP:], *body]
            prepared += [node for node in body if not isinstance(node, ast.Import | ast.ImportFrom | ast.Assert)]
        return
    for node in ast.walk(ast.Module(_parsed(suite.source), [])):
        if isinstance(node, FUNCTIONS) and node.name.startswith("test") and isinstance(node, ast.FunctionDef):
            yield from _test_bodies(node)


def _parsed(text: str) -> list[ast.stmt]:
    try:
        return parse(text).body
    except UNPARSABLE:
        return []


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
    expected = _parsed(want.strip())
    value = expected[0].value if len(expected) == 1 and isinstance(expected[0], ast.Expr) else ast.Constant(...)
    return ast.Assert(ast.Compare(node.value, [ast.Eq()], [value]))


def _test_bodies(node: ast.FunctionDef) -> Iterator[list[ast.stmt]]:
    """The body of a test function, once for each row of its table; nothing where it needs fixtures."""
    names = [argument.arg for argument in node.args.args if argument.arg != "self"]
    if not names:
        yield node.body
        return
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and callee_name(decorator) == "parametrize" and len(decorator.args) >= 2:
            names_given, rows = decorator.args[:2]
            for row in table_rows(rows):
                target = _target(names_given, names)
                if target is not None:
                    yield [ast.Assign([target], row, lineno=1), *node.body]


def _target(given: ast.expr, names: Sequence[str]) -> ast.expr | None:
    """What a row of `parametrize` is assigned to, where it gives every parameter."""
    try:
        value = ast.literal_eval(given)
    except UNPARSABLE:
        return None
    listed = [name.strip() for name in value.split(",")] if isinstance(value, str) else list(map(str, value))
    if set(listed) != set(names):
        return None
    stored: list[ast.expr] = [ast.Name(name, ast.Store()) for name in listed]
    return stored[0] if len(stored) == 1 else ast.Tuple(stored, ast.Store())


def table_rows(table: ast.expr) -> list[ast.expr]:
    """The first rows of a literal table."""
    return table.elts[:_MOST_ROWS] if isinstance(table, ast.List | ast.Tuple) else []
