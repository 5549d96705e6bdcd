"""Rounds that go on although what was looked for has been found, or as much as there may be has come together."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, LIKELY, MAX_LOCAL_NAMES, POSSIBLE, PROBABLE, VERY_LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.filters import bound_by
from regreen.propose.search.templates.steps.insertions import in_loop

_MOST_BOUNDS = 8
_OPPOSITE = {"True": "False", "False": "True", "None": "True"}


def leave_when_reached(node: ast.Assign | ast.AugAssign | ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`length += 1` in a loop is followed by `if length >= 4: return True`, `place = todo.pop()` by `if place == goal:
    break`, and so ends a round of `for place in places:`: the other rounds have nothing to add."""
    if isinstance(node, ast.For):
        targets, last = bound_by(node.target), node.body[-1]
    else:
        target, last = (node.targets[0] if isinstance(node, ast.Assign) else node.target), node
        targets = [target.id] if isinstance(target, ast.Name) and in_loop(node, context) else []
    if isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue):
        return
    ways = context.cached("ways out of a loop", lambda: list(_ways_out_of_loops(context)))
    for target_name in targets:
        for test, weight in _tests(target_name, node, context):
            for way, likely in ways:
                yield from context.after(last, (f"if {test}:", f"\t{way}"), weight * likely)


def _tests(name: str, node: ast.stmt, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """What may be asked of a variable that a round has set: that it has come to a bound, or is what was sought."""
    counts = isinstance(node, ast.AugAssign)
    is_number = counts or (isinstance(node, ast.Assign) and context.kind(node.value) in ("int", "float"))
    for bound, weight in context.cached("what may be reached", lambda: list(_bounds(context))[:_MOST_BOUNDS]):
        if bound == name or (bound.isdigit() and not is_number):
            continue
        yield f"{name} == {bound}", weight * (VERY_LIKELY if counts else 1.0)
        if is_number:
            yield f"{name} >= {bound}", weight
            yield f"{name} > {bound}", weight * LIKELY


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
    Template(
        "leave_when_reached", (ast.Assign, ast.AugAssign, ast.For), leave_when_reached, ("negated", "hang", "longer")
    ),
)
