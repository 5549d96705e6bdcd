"""Whether a change takes a condition away: what a program refuses or tells apart is seldom all in its tests."""

from __future__ import annotations

import ast

from regreen.syntax import parsed_or_none, walk

_ODDS_KEPT = 0.25
"""Share of the odds of being right that are left to such a change: chosen by hand."""


def loses_condition(before: str, after: str) -> bool:
    """Whether a program asks fewer questions after a change: of `if`, `while`, comprehensions, `and` and `or`."""
    return _conditions(after) < _conditions(before)


def cautious_likelihood(before: str, after: str, likelihood: float) -> float:
    """How likely a change is right, which was `likelihood` without regard to lost conditions."""
    if not loses_condition(before, after) or likelihood >= 1:
        return likelihood
    odds = _ODDS_KEPT * likelihood / (1 - likelihood)
    return odds / (1 + odds)


def _conditions(source: str) -> int:
    tree = parsed_or_none(source)
    return sum(map(_own_conditions, walk(tree))) if tree is not None else 0


def _own_conditions(node: ast.AST) -> int:
    """How many conditions a node itself adds; a constant that is always true is none."""
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        return int(not isinstance(node.test, ast.Constant))
    if isinstance(node, ast.comprehension):
        return len(node.ifs)
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    return len(node.ops) - 1 if isinstance(node, ast.Compare) else int(isinstance(node, ast.Assert))
