"""Steps that a failing check never comes to, since a decision keeps them from it: they move out of its way."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.statement_moves import move_out


def free_ends_of_branch(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if known: check(); enter()` becomes `if known: check()` and `enter()` behind it, or `check()` before it and
    `if known: enter()`.

    The decision is what is changed: where it is false for all that fails, its steps are never run, and none of them is
    asked to move.
    """
    if len(node.body) > 1:
        for step in (node.body[0], node.body[-1]):
            yield from move_out(step, context)


TEMPLATES = (Template("free_ends_of_branch", (ast.If,), free_ends_of_branch, ("shorter", "content", "key")),)
