"""Sentences about failed checks, and about checks that cannot fail."""

from __future__ import annotations

import ast

from regreen.syntax import callee_name, parsed_or_none, walk_in_order, walk_scope
from regreen.types import Check, CheckResult, Outcome
from regreen.verify.bindings import dotted
from regreen.verify.python_text import normalise_line_ends, shorten_code

_ENDINGS = {
    Outcome.TIMED_OUT: "It ran longer than its limit",
    Outcome.OUT_OF_MEMORY: "It needed more memory than its limit",
    Outcome.OUTPUT_FLOOD: "It printed more than its limit",
    Outcome.CRASHED: "The program's process ended before it answered",
    Outcome.UNJUDGEABLE: "It cannot be judged here",
}


def explain_failure(check: Check, result: CheckResult) -> str:
    """One or two plain sentences about the result of a check; empty for one that passed."""
    if result.outcome is Outcome.PASSED:
        return ""
    code = shorten_code(" ".join(check.code.split()))
    return f"`{code}`: {_outcome(result)}" if code else _outcome(result)


def _outcome(result: CheckResult) -> str:
    if result.outcome is Outcome.FAILED:
        return _difference(result)
    if result.outcome is Outcome.RAISED:
        return f"raised {result.detail}." if result.detail else "raised an exception."
    ending = _ENDINGS[result.outcome]
    return f"{ending} ({result.detail})." if result.detail else f"{ending}."


def _difference(result: CheckResult) -> str:
    if not (result.expected or result.actual):
        return f"failed: {result.detail}." if result.detail else "the condition did not hold."
    said = f"expected {shorten_code(result.expected)}, got {shorten_code(result.actual)}." if result.expected else ""
    said = said or f"got {shorten_code(result.actual)}."
    return f"{said} {result.detail}.".strip() if result.detail else said


def suspicious_checks(text: str) -> tuple[str, ...]:
    """A sentence about each check in a test text that cannot fail; none for text that is not Python."""
    tree = parsed_or_none(normalise_line_ends(text))
    if tree is None:
        return ()
    found = [
        (node.lineno, said)
        for node in walk_in_order(tree)
        if isinstance(node, (ast.Assert, ast.Expr, ast.Try)) and (said := _suspicion(node))
    ]
    return tuple(said for _, said in sorted(found))


def _suspicion(node: ast.Assert | ast.Expr | ast.Try) -> str:
    if isinstance(node, ast.Try):
        asserts = any(isinstance(inner, ast.Assert) for statement in node.body for inner in walk_scope(statement))
        swallows = asserts and any(_swallows(handler) for handler in node.handlers)
        return f"Line {node.lineno} catches the failures of its own asserts, so they cannot fail." if swallows else ""
    if isinstance(node, ast.Expr):
        is_lost = isinstance(node.value, ast.Compare) and isinstance(node.value.ops[0], (ast.Eq, ast.NotEq))
        return f"Line {node.lineno} compares but asserts nothing: write `assert` before it." if is_lost else ""
    if isinstance(node.test, ast.Tuple) and node.test.elts:
        return (
            f"Line {node.lineno} asserts a tuple, which is always true: "
            "leave out the parentheses around the condition and its message."
        )
    if isinstance(node.test, ast.Constant) and node.test.value and node.test.value is not True:
        return f"Line {node.lineno} asserts a constant, which is always true."
    return ""


def _swallows(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = {dotted(kind) if kind is not None else "BaseException" for kind in kinds}
    return bool(names & {"AssertionError", "Exception", "BaseException"}) and not _may_fail(handler)


def _may_fail(handler: ast.ExceptHandler) -> bool:
    """Whether a handler can still report the failure: it raises, asserts, or calls something other than `print`."""
    calls = {callee_name(node) for node in walk_scope(handler) if isinstance(node, ast.Call)}
    raises = any(isinstance(node, (ast.Raise, ast.Assert)) for node in walk_scope(handler))
    return raises or bool(calls - {"print", ""})
