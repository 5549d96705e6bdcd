"""Rounds that go on although what was looked for has been found, or as much as there may be has come together."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, LIKELY, MAX_LOCAL_NAMES, POSSIBLE, PROBABLE, VERY_LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.insertions import in_loop

_MOST_BOUNDS = 8
_OPPOSITE = {"True": "False", "False": "True", "None": "True"}


def leave_when_reached(node: ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`length += 1` in a loop is followed by `if length >= 4: return True`, `place = todo.pop()` by `if place == goal:
    break`: the other rounds have nothing to add."""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    if not isinstance(target, ast.Name) or not in_loop(node, context):
        return
    grows = isinstance(node, ast.AugAssign)
    ways = context.cached("ways out of a loop", lambda: list(_ways_out_of_loops(context)))
    for bound, weight in context.cached("what may be reached", lambda: list(_bounds(context))[:_MOST_BOUNDS]):
        if bound == target.id or (not grows and bound.lstrip("-").isdigit()):
            continue
        for sign, share in (("==", VERY_LIKELY), (">=", 1.0), (">", LIKELY)) if grows else (("==", 1.0),):
            for way, likely in ways:
                lines = (f"if {target.id} {sign} {bound}:", f"\t{way}")
                yield from context.after(node, lines, weight * share * likely)


def _ways_out_of_loops(context: TemplateContext) -> Iterator[tuple[str, float]]:
    """`break`, the opposite of what the function gives at its end, and what it has gathered."""
    yield "break", 1.0
    function = context.scope.function
    last = function.body[-1] if function is not None else None
    if isinstance(last, ast.Return) and last.value is not None:
        text = context.text(last.value)
        yield f"return {_OPPOSITE.get(text, text)}", 1.0 if text in _OPPOSITE else PROBABLE


def _bounds(context: TemplateContext) -> Iterator[tuple[str, float]]:
    """What a value may be compared with: parameters that nobody reads, other ones, attributes, numbers of the prose."""
    names = [name for name in context.scope.parameters if name != context.scope.receiver][:MAX_LOCAL_NAMES]
    for name in sorted(names, key=lambda name: name not in context.scope.unused):
        yield name, 1.0 if name in context.scope.unused else HALF
    yield from ((number, HALF) for number in context.clues.numbers if number.isdigit() and number not in ("0", "1"))
    yield from ((f"{context.scope.receiver}.{name}", POSSIBLE) for name in context.scope.attributes)


TEMPLATES = (
    Template("leave_when_reached", (ast.Assign, ast.AugAssign), leave_when_reached, ("negated", "hang", "longer")),
)
