"""Negative controls: the checks that must fail once their assertions are flipped, judged by their text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from regreen.sandbox.guest.runner.checks.assertions import OPPOSITE_METHODS, expects_an_exception
from regreen.syntax import DEFINITIONS, FUNCTIONS, parse, walk_scope
from regreen.types import Suite, SuiteKind
from regreen.verify.check_files import check_file

_EXPECTED_TO_FAIL = frozenset({"xfail", "expectedFailure"})
"""Marks of tests whose failing assertion is the expected result."""
_LEAVES = (ast.Return, ast.Yield, ast.YieldFrom)
_LEAVES_A_LOOP = (*_LEAVES, ast.Break, ast.Continue)


def must_fail_flipped(suite: Suite, checks: Iterable[str]) -> frozenset[str]:
    """The checks that are sure to reach an assertion: when it is flipped, an honest program fails them."""
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
        if _is_assertion(statement) or asserts_surely(_surely_run(statement)):
            return True
        leaves = _LEAVES if isinstance(statement, ast.For | ast.AsyncFor | ast.While) else _LEAVES_A_LOOP
        if any(isinstance(node, leaves) for node in walk_scope(statement)):
            return False
    return False


def _surely_run(statement: ast.stmt) -> Sequence[ast.stmt]:
    """The statements in a block that run at least once: of a subtest, or a loop over what is written there."""
    if isinstance(statement, ast.With) and all(_lets_exceptions_out(item.context_expr) for item in statement.items):
        return statement.body
    if isinstance(statement, ast.For) and _is_filled(statement.iter):
        return statement.body
    return ()


def _lets_exceptions_out(manager: ast.expr) -> bool:
    return isinstance(manager, ast.Call) and isinstance(manager.func, ast.Attribute) and manager.func.attr == "subTest"


def _is_filled(node: ast.expr) -> bool:
    """Whether an expression is a collection with something in it, or a range of a positive number, in so many words."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return any(not isinstance(item, ast.Starred) for item in node.elts)
    if isinstance(node, ast.Dict):
        return bool(node.keys)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("range", "enumerate"):
        last = node.args[-1] if len(node.args) == 1 else None
        counted = isinstance(last, ast.Constant) and isinstance(last.value, int) and last.value > 0
        return counted if node.func.id == "range" else last is not None and _is_filled(last)
    return False


def _is_assertion(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Assert) or expects_an_exception(statement):
        return True
    call = statement.value if isinstance(statement, ast.Expr) else None
    method = call.func if isinstance(call, ast.Call) else None
    return (
        isinstance(method, ast.Attribute)
        and isinstance(method.value, ast.Name)
        and method.value.id == "self"
        and method.attr in OPPOSITE_METHODS
    )


def _marks_all(module: Sequence[ast.stmt]) -> bool:
    """Whether the expected failure of a test is said elsewhere than on the test: for a module, or while it runs."""
    return any(_is_mark(node) for statement in module for node in _outside_decorators(statement))


def _outside_decorators(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    decorators = getattr(node, "decorator_list", ())
    for child in ast.iter_child_nodes(node):
        if child not in decorators:
            yield from _outside_decorators(child)


def _is_mark(node: ast.AST) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name in _EXPECTED_TO_FAIL


def _body(module: Sequence[ast.stmt], check: str) -> Sequence[ast.stmt]:
    """The statements of a test function, found by the check's id ("TestA.test_b" or "TestA::test_b[1-2]").

    There are none where it is expected to fail.
    """
    body: Sequence[ast.stmt] = () if _marks_all(module) else module
    for name in check.partition("[")[0].replace("::", ".").split("."):
        found = next((node for node in reversed(body) if _is_named(node, name)), None)
        if found is None or any(map(_is_mark, _in_decorators(found))):
            return ()
        body = found.body  # type: ignore[attr-defined]
    return () if _yields(body) else body


def _in_decorators(node: ast.stmt) -> Iterator[ast.AST]:
    for decorator in node.decorator_list:  # type: ignore[attr-defined]
        yield from ast.walk(decorator)


def _function_body(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """The body of the test function when the check's text is one, else the statements themselves."""
    if len(body) == 1 and isinstance(body[0], FUNCTIONS):
        marked = any(map(_is_mark, _in_decorators(body[0])))
        return () if marked or _yields(body[0].body) else body[0].body
    return body


def _yields(body: Sequence[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for statement in body for node in walk_scope(statement))


def _is_named(node: ast.stmt, name: str) -> bool:
    return isinstance(node, DEFINITIONS) and node.name == name


def _parsed(text: str) -> Sequence[ast.stmt]:
    try:
        return parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return ()
