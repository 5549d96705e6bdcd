"""Numbers from the first up to and with the last one: sizes and ranges that all stop one before it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, UNLIKELY
from regreen.propose.search.expressions import Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, callee_name

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


TEMPLATES = (Template("through_the_last", (ast.FunctionDef,), through_the_last, ("shorter", "off_by_one", "index")),)
