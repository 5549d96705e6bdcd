"""Parts of one shape within an expression or a decision, as both arguments of `min`, that each have what is the
other's."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, TypeAlias, TypeGuard

from regreen.propose.search.constants import HALF
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext

_MOST_PARTS: Final = 4
_FEWEST_DIFFERENCES: Final = 2
"""Where two parts differ in one place alone, to exchange what stands there is to exchange the parts."""
_MOST_DIFFERENCES: Final = 6
_Whole: TypeAlias = ast.Call | ast.BinOp | ast.BoolOp | ast.IfExp | ast.Tuple | ast.If


def exchange_in_like_parts(node: _Whole, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`min(t[i + 1][j] + cost[s[j]], t[i][j - 1] + cost[s[i]])`: `j` and `i` in the costs change places."""
    for one, other in _pairs(node):
        differences = _differences(one, other, context)
        if _FEWEST_DIFFERENCES <= len(differences) <= _MOST_DIFFERENCES:
            for left, right in differences:
                if _is_leaf(left) and _is_leaf(right) and {left, right} <= context.program.spans.keys():
                    yield context.swap(left, right, HALF if isinstance(left, ast.Constant) else 1.0)


def _pairs(node: _Whole) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Two parts each that have the same part in the whole."""
    if isinstance(node, ast.If):
        yield from zip(node.body, node.orelse, strict=False)
        return
    yield from combinations(_parts(node)[:_MOST_PARTS], 2)


def _parts(node: ast.Call | ast.BinOp | ast.BoolOp | ast.IfExp | ast.Tuple) -> Sequence[ast.expr]:
    match node:
        case ast.Call():
            return node.args
        case ast.BinOp():
            return (node.left, node.right)
        case ast.BoolOp():
            return node.values
        case ast.IfExp():
            return (node.body, node.orelse)
    return node.elts


def _differences(one: ast.AST, other: ast.AST, context: TemplateContext) -> list[tuple[ast.AST, ast.AST]]:
    """What stands in the places in which two parts differ; empty where they are not of one kind."""
    if type(one) is not type(other):
        return []
    return [(a, b) for a, b in _aligned(one, other) if type(a) is not type(b) or _differ(a, b, context)]


def _differ(one: ast.AST, other: ast.AST, context: TemplateContext) -> bool:
    return _is_leaf(one) and _is_leaf(other) and context.text(one) != context.text(other)


def _aligned(one: ast.AST, other: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The parts of two trees that have the same place in both; none below those of two kinds."""
    yield one, other
    if type(one) is type(other):
        for pair in zip(ast.iter_child_nodes(one), ast.iter_child_nodes(other), strict=False):
            yield from _aligned(*pair)


def _is_leaf(node: ast.AST) -> TypeGuard[ast.Name | ast.Constant]:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))


TEMPLATES = (
    Template(
        "exchange_in_like_parts",
        (ast.Call, ast.BinOp, ast.BoolOp, ast.IfExp, ast.Tuple, ast.If),
        exchange_in_like_parts,
        ("content",),
    ),
)
