"""Negative controls: the checks that must fail once their assertions are flipped, judged by their text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from regreen.sandbox.guest.runner.assertions import OPPOSITE_METHODS
from regreen.syntax import DEFINITIONS, FUNCTIONS, parse, walk_scope
from regreen.types import Suite, SuiteKind
from regreen.verify.check_files import check_file

_EXPECTED_TO_FAIL = ("xfail", "expectedFailure")
"""In a suite with one of these words, a failing assertion may be the expected result."""
_LEAVES = (ast.Return, ast.Yield, ast.YieldFrom)


def must_fail_flipped(suite: Suite, checks: Iterable[str]) -> frozenset[str]:
    """The checks that are sure to reach an assertion: when it is flipped, an honest program fails them."""
    if any(word in suite.source for word in _EXPECTED_TO_FAIL):
        return frozenset()
    if suite.project is not None and not suite.project.short_ids:
        return _of_files(suite, checks)
    texts = {check.id: check.code for check in suite.checks}
    whole = [] if suite.kind is SuiteKind.SCRIPT else _parsed(suite.source)
    bodies = {
        check: _body(whole, check) if whole else _function_body(_parsed(texts.get(check, ""))) for check in checks
    }
    return frozenset(check for check, body in bodies.items() if asserts_surely(body))


def _of_files(suite: Suite, checks: Iterable[str]) -> frozenset[str]:
    """Those of the checks in several files that are sure to reach an assertion there."""
    texts = {check: check_file(suite, check)[1] for check in checks}
    modules = {text: _parsed(text) for text in set(texts.values())}
    return frozenset(
        check for check, text in texts.items() if asserts_surely(_body(modules[text], check.partition("::")[2]))
    )


def asserts_surely(body: Sequence[ast.stmt]) -> bool:
    """Whether running the statements reaches an assertion, when nothing raises."""
    for statement in body:
        if _is_assertion(statement):
            return True
        if any(isinstance(node, _LEAVES) for node in walk_scope(statement)):
            return False
    return False


def _is_assertion(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Assert):
        return True
    call = statement.value if isinstance(statement, ast.Expr) else None
    method = call.func if isinstance(call, ast.Call) else None
    return (
        isinstance(method, ast.Attribute)
        and isinstance(method.value, ast.Name)
        and method.value.id == "self"
        and method.attr in OPPOSITE_METHODS
    )


def _body(module: Sequence[ast.stmt], check: str) -> Sequence[ast.stmt]:
    """The statements of a test function, found by the check's id ("TestA.test_b" or "TestA::test_b[1-2]")."""
    body: Sequence[ast.stmt] = module
    for name in check.partition("[")[0].replace("::", ".").split("."):
        body = next((node.body for node in reversed(body) if _is_named(node, name)), ())  # type: ignore[attr-defined]
    return () if _yields(body) else body


def _function_body(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """The body of the test function when the check's text is one, else the statements themselves."""
    if len(body) == 1 and isinstance(body[0], FUNCTIONS):
        return () if _yields(body[0].body) else body[0].body
    return body


def _yields(body: Sequence[ast.stmt]) -> bool:
    return any(isinstance(node, _LEAVES[1:]) for statement in body for node in walk_scope(statement))


def _is_named(node: ast.stmt, name: str) -> bool:
    return isinstance(node, DEFINITIONS) and node.name == name


def _parsed(text: str) -> Sequence[ast.stmt]:
    try:
        return parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return ()
