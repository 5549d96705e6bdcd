"""Counters of nested loops that nothing sets back, or that begin each round at the wrong place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def restart_counter(node: ast.While | ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`j = 1` before `while i < n: while j < n: ...` moves in as `j = i + 1`, or `j = i`; so does `least = 0` of
    a selection sort before `for i in ...`."""
    place = _place(node, context)
    block = context.program.block(node)
    for inner in node.body:
        if not place or not isinstance(inner, ast.While | ast.For):
            continue
        for begun in block[: block.index(node)]:
            if not isinstance(begun, ast.Assign) or not isinstance(begun.value, ast.Constant | ast.Name):
                continue
            name = context.text(begun.targets[0])
            if type(getattr(begun.value, "value", 0)) is not int or not _counts_in(name, inner, node, context):
                continue
            removed = context.delete(begun).edits[0] if context.program.alone(begun) else None
            starts = (f"{place} + 1", place) if isinstance(inner, ast.While) else (place,)
            for start, weight in zip(starts, (1.0, LIKELY), strict=False):
                for set_back in context.before(inner, (f"{name} = {start}",), weight):
                    if removed is not None:
                        yield WeightedEdits((removed, *set_back.edits), weight)


def _place(loop: ast.While | ast.For, context: TemplateContext) -> str:
    """The variable that a loop counts: `i` of `for i in range(n)` and of `while i < n`; empty where there is none."""
    if isinstance(loop, ast.For):
        is_range = context.text(loop.iter).startswith("range(")
        return loop.target.id if is_range and isinstance(loop.target, ast.Name) else ""
    left = loop.test.left if isinstance(loop.test, ast.Compare) else None
    return left.id if isinstance(left, ast.Name) else ""


def _counts_in(name: str, inner: ast.stmt, loop: ast.While | ast.For, context: TemplateContext) -> bool:
    """Whether a variable is moved on within an inner loop, and within the outer one nowhere else."""
    places = [
        part
        for part in context.program.below(loop)
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)
    ]
    inside = set(context.program.below(inner))
    is_index = any(
        isinstance(part, ast.Subscript) and context.text(part.slice) == name for part in context.program.below(loop)
    )
    return bool(places) and is_index and all(part in inside for part in places)


TEMPLATES = (Template("restart_counter", (ast.While, ast.For), restart_counter, ("shorter", "content")),)
