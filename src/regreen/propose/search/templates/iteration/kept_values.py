"""What a round keeps: the value that it compared with the best so far, and what it builds on, just looked up."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import SUM, TEST
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.iteration.compared_values import bound_by_block, sides_compared
from regreen.syntax import bound_values, names_within


def keep_what_was_compared(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if event["minutes"] > longest: longest = total` becomes `longest = event["minutes"]`: what is the largest so far
    is kept, and nothing else."""
    sides = sides_compared(node.test, context)
    for kept, new in (sides, sides[::-1]):
        for target, value in bound_by_block(node.body):
            if kept and context.text(target) == kept and context.text(value) != new and kept not in context.text(value):
                yield context.put(value, new)


def build_on_looked_up(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total = event["minutes"]` behind `total, longest = days.get(day, (0, 0))` becomes `total += event["minutes"]`:
    what was looked up just before is what it is added to."""
    target, value = node.targets[0], node.value
    if len(node.targets) > 1 or not isinstance(target, ast.Name) or target.id in names_within(value):
        return
    block = context.program.block(node)
    for step in reversed(block[: block.index(node)]):
        if target.id in _bound(step):
            text = context.expression(value)
            yield from context.restate(node, (f"{target.id} += {text.at(TEST)}",))
            yield from context.restate(node, (f"{target.id} = {target.id} - {text.at(SUM + 1)}",), HALF)
            yield from (context.put(value, f"{pick}({target.id}, {text.at(TEST)})", HALF) for pick in ("max", "min"))
            return
        if target.id in names_within(step):
            return


def _bound(step: ast.stmt) -> list[str]:
    """The variables that an assignment binds, those of an unpacked value among them."""
    if not isinstance(step, ast.Assign):
        return []
    pairs = list(bound_values(step))
    parts = [part for target, _ in pairs for part in ast.walk(target)]
    return [part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]


TEMPLATES = (
    Template("keep_what_was_compared", (ast.If,), keep_what_was_compared, ("content", "larger", "smaller")),
    Template("build_on_looked_up", (ast.Assign,), build_on_looked_up, ("smaller", "content", "shorter")),
)
