"""Statements that stand several steps too early or too late in their block."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import DEFINITIONS
from regreen.types import Edit

_FURTHEST: Final = 4
"""Statements that another one moves over, at most."""
_BOUND: Final = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Import, ast.ImportFrom, *DEFINITIONS)
"""Statements that stand where they are."""


def move_further(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A statement moves before or behind several others of its block, the nearest places first."""
    block = context.program.block(node)
    index = block.index(node)
    if isinstance(node, _BOUND) or not all(map(context.program.alone, block)):
        return
    start, end = context.program.lines(node)
    text = f"{context.program.source[start:end].rstrip()}\n"
    for steps in range(2, _FURTHEST + 1):
        for place in (index - steps, index + steps + 1):
            before = block[place - 1] if 0 < place <= len(block) else None
            if 0 <= place <= len(block) and not isinstance(before, _BOUND):
                ends = [context.program.lines(statement) for statement in block]
                at = ends[place][0] if place < len(block) else ends[-1][1]
                edits = [Edit(at, at, text), Edit(start, end, "")]
                yield WeightedEdits(tuple(sorted(edits, key=edit_position)), HALF ** (steps - 2))


TEMPLATES = (
    Template(
        "move_further", (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For), move_further, ("order", "content")
    ),
)
