"""Decisions of several steps: the first difference decides, what has nothing behind it, the other side, nothing
left."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.expressions import AND, OR, Expression, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, OPPOSITE_SYMBOLS, ORDERS, Function, whole_number
from regreen.types import Edit


def decide_by_first_difference(function: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a.year < b.year: return True` before further such questions becomes `if a.year != b.year: return a.year <
    b.year`: what differs first decides, whichever is less."""
    edits = []
    for step in function.body[:-1]:
        if not isinstance(step, ast.If) or step.orelse or not _is_order(step.test):
            continue
        (answer,) = step.body if len(step.body) == 1 else (None,)
        if isinstance(answer, ast.Return) and isinstance(answer.value, ast.Constant) and answer.value.value is True:
            left, right = context.text(step.test.left), context.text(step.test.comparators[0])  # type: ignore[attr-defined]
            edits.append(Edit(*context.program.spans[step.test], f"{left} != {right}"))
            edits.append(Edit(*context.program.spans[answer.value], context.text(step.test)))
    if edits:
        yield WeightedEdits(tuple(edits))


def _is_order(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Lt | ast.Gt)


def unless_nothing_follows(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if k != 1: text += str(k)` before `if power > 0: text += "x"` becomes `if k != 1 or power <= 0:`: what is left
    out as a matter of course is needed where nothing comes behind it."""
    block = context.program.block(node)
    following = block[block.index(node) + 1 : block.index(node) + 2]
    if node.orelse or not following or not isinstance(following[0], ast.If):
        return
    test = following[0].test
    if isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ast.NotEq) and isinstance(test, ast.Compare):
        opposite = OPPOSITE_SYMBOLS.get(type(test.ops[0]))
        number = whole_number(test.comparators[0])
        if opposite is not None and len(test.ops) == 1:
            is_least = isinstance(test.ops[0], ast.Gt) and number == 0
            sign, bound = ("==", "0") if is_least else (opposite, context.text(test.comparators[0]))
            other = Expression(f"{context.text(test.left)} {sign} {bound}", AND)
            yield context.put(node.test, bool_operation(context.expression(node.test), "or", other))


def guard_like_the_other(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += grid[rows - 1][c]` becomes that under `if rows > 1:`, where `total += grid[r][cols - 1]` stands under
    `if cols > 1:`."""
    target, own = context.text(node.target), context.text(node.value)
    if isinstance(context.parent(node), ast.If):
        return
    for name, question, guarded in context.cached("guards of updates", lambda: _guards_of_updates(context)):
        if guarded == target:
            for other in dict.fromkeys(_COUNTED.findall(own)):
                if other != name:
                    yield from context.below([f"if {question.replace(name, other, 1)}:"], [node])


_COUNTED: Final = re.compile(r"\b([A-Za-z_]\w*) - 1\b")


def _guards_of_updates(context: TemplateContext) -> list[tuple[str, str, str]]:
    """By guard of a single update: the name it asks about, its question, and what is updated."""
    found = []
    for part in context.scope.nodes:
        match part:
            case ast.If(test=ast.Compare(left=ast.Name(id=name), ops=[op]) as test, body=[ast.AugAssign() as step]):
                if isinstance(op, ORDERS) and name in _COUNTED.findall(context.text(step.value)):
                    found.append((name, context.text(test), context.text(step.target)))
    return found


def stated_for_nothing(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return text` becomes `return text or "0"`, where prose says what is given if nothing is left."""
    value = node.value
    if not isinstance(value, ast.Name) or context.kind(value) not in ("str", "list", ""):
        return
    for literal in dict.fromkeys(_FOR_NOTHING.findall(context.clues.prose)):
        yield context.put(value, Expression(f"{value.id} or {literal}", OR))


_FOR_NOTHING: Final = re.compile(
    r"\b(?:no|without|empty|nothing|none)\b[^.\n]{0,60}?\b(?:is|gives?|returns?|be|as)\s+(?:the\s+\w+\s+)?"
    r"(\"[^\"\n]{1,16}\"|'[^'\n]{1,16}')",
    re.IGNORECASE,
)
"""`If no term is left, the result is "0"`."""


TEMPLATES = (
    Template("decide_by_first_difference", FUNCTIONS, decide_by_first_difference, ("negated", "order", "content")),
    Template("unless_nothing_follows", (ast.If,), unless_nothing_follows, ("shorter", "content")),
    Template("guard_like_the_other", (ast.AugAssign,), guard_like_the_other, ("content",)),
    Template("stated_for_nothing", (ast.Return,), stated_for_nothing, ("shorter", "content")),
)
