"""Steps that a failing check never comes to, since a decision keeps them from it: they move out of its way."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.statement_moves import at_depth
from regreen.syntax import FUNCTIONS
from regreen.types import Edit


def free_ends_of_branch(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if known: check(); enter()` becomes `if known: check()` and `enter()` behind it, or `check()` before it and
    `if known: enter()`.

    The decision is what is changed: where it is false for all that fails, its steps are never run.
    """
    if len(node.body) == 1 or node.orelse or not all(map(context.program.alone, (node, *node.body))):
        return
    if context.program.source.startswith("elif", context.program.spans[node][0]):
        return
    start, end = context.program.lines(node)
    last, first = node.body[-1], node.body[0]
    if not isinstance(last, (*FUNCTIONS, ast.Return, ast.Raise, ast.Continue, ast.Break)):
        lead = "" if context.program.source[:end].endswith("\n") else "\n"
        yield WeightedEdits((context.delete(last).edits[0], Edit(end, end, lead + _at_depth_of(node, last, context))))
    if not isinstance(first, FUNCTIONS):
        yield WeightedEdits(
            (Edit(start, start, _at_depth_of(node, first, context)), context.delete(first).edits[0]), LIKELY
        )


def _at_depth_of(node: ast.stmt, step: ast.stmt, context: TemplateContext) -> str:
    """The whole lines of a step as deep as another statement."""
    return at_depth(context.program.lines(step), context, context.program.indent(step), context.program.indent(node))


TEMPLATES = (Template("free_ends_of_branch", (ast.If,), free_ends_of_branch, ("shorter", "content", "key")),)
