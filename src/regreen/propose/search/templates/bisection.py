"""Binary search: bounds that stay at the middle for ever."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.expressions import Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext

_ONE = Expression("1")


def step_past_middle(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """In `while low <= high`, `low = middle` and `high = middle` become `low = middle + 1` and `high = middle - 1`."""
    test = node.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.LtE):
        return
    low, high = context.text(test.left), context.text(test.comparators[0])
    found = {
        context.text(part.targets[0]): part.value
        for part in context.program.below(node)
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Name)
    }
    if low in found and high in found and context.text(found[low]) == context.text(found[high]):
        signs = ((found[low], "+"), (found[high], "-"))
        edits = (context.edit(v, binary_operation(context.expression(v), sign, _ONE)) for v, sign in signs)
        yield WeightedEdits(tuple(edits))


TEMPLATES = (Template("step_past_middle", (ast.While,), step_past_middle, ("hang",)),)
