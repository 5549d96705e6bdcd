"""What the assertions of a check look at, those that expect an exception among them."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence, Set

from regreen.syntax import callee_name, is_literal, nodes_of, walk

_WRAPPERS = frozenset({"abs", "len", "round", "isclose", "approx", "bool"})
"""Calls around a result that say less than the result does."""
_EXPECTING = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
_COMPARING = frozenset({"assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual"})
_TESTING = _COMPARING | frozenset(
    {"assertTrue", "assertFalse", "assertIsNone", "assertIs", "assertIn", "assertAlmostEqual", "assertNotEqual"}
)
_FAILING = frozenset({"fail", "AssertionError"})


def looked_at(node: ast.stmt, names: Set[str]) -> tuple[ast.expr, ast.expr | None] | None:
    """What an assertion looks at, and what it expects of that; None for any other statement.

    `names` are what the program defines.
    """
    if isinstance(node, ast.Assert):
        return _tested(node.test, names)
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and callee_name(call) in _TESTING and call.args:
        if callee_name(call) in _COMPARING and len(call.args) >= 2:
            return _tested(ast.Compare(call.args[0], [ast.Eq()], [call.args[1]]), names)
        return _unwrapped(call.args[0], names), None
    return None


def refused_steps(node: ast.stmt) -> list[ast.stmt]:
    """The statements of which a check expects that one, the last for the most part, raises an exception; none else.

    Within `pytest.raises` or `assertRaises`, handed over to them, or in a `try` that fails where it comes to its end.
    """
    if isinstance(node, ast.With):
        return node.body if _expects_exception(node.items[0].context_expr) else []
    if isinstance(node, ast.Try):
        return node.body[:-1] if _is_failure(node.body[-1]) else []
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and _expects_exception(call) and len(call.args) > 1:
        return [ast.Expr(ast.Call(call.args[1], call.args[2:], call.keywords))]
    return []


def has_assertions(node: ast.stmt) -> bool:
    """Whether an assertion is in a statement."""
    return any(
        isinstance(inner, ast.Assert)
        or (isinstance(inner, ast.Call) and (callee_name(inner) in _TESTING or _expects_exception(inner)))
        for inner in walk(node)
    )


def without_assertions(node: ast.stmt, names: Set[str], changing: Set[str]) -> list[ast.stmt]:
    """A statement with what its assertions do in their place, where that calls one of the `changing` functions.

    What is expected to raise an exception is done all the same, and the exception passed over. Nothing where no such
    function is called.
    """
    if not any(callee_name(inner) in changing for inner in nodes_of(node, ast.Call)):
        return []
    if steps := refused_steps(node):
        return [passed_over(steps)]
    if (seen := looked_at(node, names)) is not None:
        return [ast.Expr(seen[0])]
    stripped = copy.copy(node)
    for name, value in ast.iter_fields(node):
        setattr(stripped, name, _without(value, names, changing))
    return [stripped]


def _without(value: object, names: Set[str], changing: Set[str]) -> object:
    if not isinstance(value, list) or not all(isinstance(part, ast.stmt) for part in value):
        return value
    rest = [without_assertions(part, names, changing) if has_assertions(part) else [part] for part in value]
    kept = [step for steps in rest for step in steps]
    return kept or [ast.Pass()] if value else []


def passed_over(steps: Sequence[ast.stmt]) -> ast.stmt:
    """The statements, of which an exception ends no more than themselves."""
    handler = ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [ast.Pass()])
    return ast.Try(list(steps), [handler], [], [])


def _tested(test: ast.expr, names: Set[str]) -> tuple[ast.expr, ast.expr | None]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _unwrapped(test.operand, names), ast.Constant(False)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return _unwrapped(test, names), None
    left, right = test.left, test.comparators[0]
    if is_literal(left) and not is_literal(right):
        left, right = right, left
    seen = _unwrapped(left, names)
    return seen, right if seen is left and isinstance(test.ops[0], ast.Eq | ast.Is) else None


def _unwrapped(value: ast.expr, names: Set[str]) -> ast.expr:
    """The call of the program inside calls such as `abs` and `len`, which say less than it."""
    if isinstance(value, ast.Call) and callee_name(value) in _WRAPPERS:
        calls = (node for node in nodes_of(value, ast.Call) if callee_name(node) in names)
        return next(calls, value)
    return value


def _expects_exception(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and callee_name(node) in _EXPECTING


def _is_failure(node: ast.stmt) -> bool:
    """Whether a statement fails a check, whatever is the case."""
    if isinstance(node, ast.Assert):
        return isinstance(node.test, ast.Constant) and not node.test.value
    raised = node.exc if isinstance(node, ast.Raise) else node.value if isinstance(node, ast.Expr) else None
    name = callee_name(raised) if isinstance(raised, ast.Call) else getattr(raised, "id", "")
    return name in _FAILING
