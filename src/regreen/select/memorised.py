"""Programs that know the answers of the checks by heart: `if n == 2: return "red"` for each value of a check."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, TypeAlias

from regreen.syntax import FUNCTIONS, UNPARSABLE, nodes_of, tree, walk

_Pinned: TypeAlias = tuple[str, str]
"""A value that a check gives and the answer that it expects, both as they are written."""
_FEWEST: Final = 2
"""Values with an answer of their own from which on they are no base case."""
_SMALL: Final = frozenset({"0", "1", "-1", "2", "''", "[]", "()", "{}", "None", "True", "False"})
"""Answers that any base case may have."""


def memorises(before: str, after: str, checks: str) -> bool:
    """Whether `after` answers two or more values of the checks by literals that they expect, and `before` did not.

    So does a function that only gives such literals, where it gave something that it worked out. False where one of the
    texts does not parse.
    """
    try:
        expected = _expected(checks)
        if not expected:
            return False
        gained = (set(_pinned(after)) - set(_pinned(before))) & expected
        answers = {answer for _, answer in expected}
        return len(gained) >= _FEWEST or _gives_only(before, after, answers)
    except UNPARSABLE:
        return False


@lru_cache(maxsize=16)
def _expected(checks: str) -> frozenset[_Pinned]:
    """What checks give and expect: `(3, "red")` of `assert colour(3) == "red"`, but for the smallest answers."""
    found: set[_Pinned] = set()
    for node in walk(tree(checks)):
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq):
            continue
        for call, answer in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            if isinstance(call, ast.Call) and _is_literal(answer) and ast.unparse(answer) not in _SMALL:
                given = (*call.args, *(keyword.value for keyword in call.keywords))
                found |= {(ast.unparse(value), ast.unparse(answer)) for value in given if _is_literal(value)}
    return frozenset(found)


def _pinned(source: str) -> Iterator[_Pinned]:
    """The values that a program compares with, each with the literal that it then gives, or keeps in a table."""
    for node in walk(tree(source)):
        if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return):
            yield from _answers_of(node.test, node.body[-1].value)
        elif isinstance(node, ast.IfExp):
            yield from _answers_of(node.test, node.body)
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            yield from ((ast.unparse(key), ast.unparse(value)) for key, value in pairs if key is not None)


def _answers_of(test: ast.expr, answer: ast.expr | None) -> Iterator[_Pinned]:
    if answer is None or not _is_literal(answer):
        return
    for compared in nodes_of(test, ast.Compare):
        if isinstance(compared.ops[0], ast.Eq | ast.In | ast.Is):
            sides = (compared.left, *compared.comparators)
            for side in sides:
                values = side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else [side]
                yield from ((ast.unparse(value), ast.unparse(answer)) for value in values if _is_literal(value))


def _gives_only(before: str, after: str, answers: set[str]) -> bool:
    """Whether a function gives two or more answers and nothing else in `after`, and did work something out before."""
    had = dict(_results(before))
    for name, given in _results(after):
        if (
            len(given) >= _FEWEST
            and given <= answers
            and name in had
            and not had[name] <= given
            and _computes(had[name])
        ):
            return True
    return False


def _computes(given: set[str]) -> bool:
    return any(not _is_literal(ast.parse(text, mode="eval").body) for text in given)


def _results(source: str) -> Iterator[tuple[str, set[str]]]:
    """Each function with what its `return` statements give, as it is written."""
    for function in walk(tree(source)):
        if isinstance(function, FUNCTIONS):
            given: set[str] = set()
            for node in walk(function):
                if isinstance(node, ast.Return) and node.value is not None:
                    parts = [node.value.body, node.value.orelse] if isinstance(node.value, ast.IfExp) else [node.value]
                    given |= {ast.unparse(part) for part in parts}
            yield function.name, given


def _is_literal(node: ast.expr) -> bool:
    """Whether an expression is a literal, or a negative number."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(inner, ast.Tuple | ast.List | ast.Set):
        return all(map(_is_literal, inner.elts))
    return isinstance(inner, ast.Constant)
