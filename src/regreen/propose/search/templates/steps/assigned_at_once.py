"""Variables that are worked out of one another, one after the other, where each means what the others were before."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import names_within


def assign_at_once(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a = b`, `b = c` and `c = a + b + c`, one after the other, become `a, b, c = b, c, a + b + c`: each is worked out
    of what they were before."""
    block = context.program.block(node)
    row = list(islice(_assignments(block[block.index(node) :]), _MOST_AT_ONCE))
    targets = [context.text(part.targets[0]) for part in row]
    for count in range(len(row), 1, -1):
        earlier = set(targets[: count - 1])
        reads = any(names_within(part.value) & set(targets[:at]) for at, part in enumerate(row[:count]))
        if reads and earlier and len(set(targets[:count])) == count:
            values = ", ".join(context.text(part.value) for part in row[:count])
            start, end = context.program.first(node), context.program.spans[row[count - 1]][1]
            yield context.replace(start, end, f"{', '.join(targets[:count])} = {values}")


_MOST_AT_ONCE: Final = 4


def _assignments(block: Sequence[ast.stmt]) -> Iterator[ast.Assign]:
    """The assignments to one variable each with which a block begins."""
    for part in block:
        if not isinstance(part, ast.Assign) or len(part.targets) > 1 or not isinstance(part.targets[0], ast.Name):
            return
        if isinstance(part.value, ast.Tuple):
            return
        yield part


TEMPLATES = (Template("assign_at_once", (ast.Assign,), assign_at_once, ("content",)),)
