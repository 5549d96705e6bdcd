"""Numbers from the first up to and with the last one: sizes and ranges that all stop one before it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, UNLIKELY
from regreen.propose.search.expressions import TEST, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, callee_name, whole_number

_FEWEST_BOUNDS = 2
_STOPPED_BEFORE = frozenset({"below", "under", "less", "smaller", "before", "exclusive"})
"""Words of prose that say that the number itself is left out."""


def through_the_last(node: ast.FunctionDef, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`flags = [True] * n` and `range(2, n)` become `[True] * (n + 1)` and `range(2, n + 1)`, all of them at once: `n`
    is meant itself."""
    for parameter in (argument.arg for argument in node.args.args):
        bounds = [bound for bound in _bounds(node, context) if context.text(bound) == parameter]
        if len(bounds) >= _FEWEST_BOUNDS:
            edits = [
                context.edit(bound, binary_operation(context.expression(bound), "+", Expression("1")))
                for bound in bounds
            ]
            yield WeightedEdits(tuple(sorted(edits, key=edit_position)), _share(context.clues.words))


def _share(words: frozenset[str]) -> float:
    if {"inclusive", "including", "through", "with"} & words:
        return 1.0
    return UNLIKELY if _STOPPED_BEFORE & words and "equal" not in words else HALF


def _bounds(function: ast.FunctionDef, context: TemplateContext) -> Iterator[ast.expr]:
    """Where ranges end, and how often lists are repeated; not in functions within this one."""
    inner = [part for part in ast.walk(function) if isinstance(part, FUNCTIONS) and part is not function]
    hidden = {id(part) for one in inner for part in ast.walk(one)}
    for part in context.program.below(function):
        if id(part) in hidden:
            continue
        if isinstance(part, ast.Call) and callee_name(part) == "range" and part.args:
            yield part.args[min(len(part.args) - 1, 1)]
        elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult) and isinstance(part.left, ast.List):
            yield part.right


def count_either_way(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`range(first, last + 1)` becomes `range(first, last + 1) if first <= last else range(first, last - 1, -1)`: the
    last number may be the smaller one."""
    if callee_name(node) != "range" or len(node.args) != _FEWEST_BOUNDS or not isinstance(node.func, ast.Name):
        return
    first, bound = node.args
    is_last = isinstance(bound, ast.BinOp) and isinstance(bound.op, ast.Add) and whole_number(bound.right) == 1
    if not is_last or not isinstance(bound, ast.BinOp) or not isinstance(first, ast.Name | ast.Attribute):
        return
    begin, last = context.text(first), context.expression(bound.left)
    if isinstance(bound.left, ast.Name | ast.Attribute):
        down = f"range({begin}, {last.text} - 1, -1)"
        yield context.put(node, Expression(f"{context.text(node)} if {begin} <= {last.text} else {down}", TEST))


TEMPLATES = (
    Template("through_the_last", (ast.FunctionDef,), through_the_last, ("shorter", "off_by_one", "index")),
    Template("count_either_way", (ast.Call,), count_either_way, ("shorter",)),
)
