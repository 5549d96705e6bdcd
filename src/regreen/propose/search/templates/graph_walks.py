"""Ways through graphs: nodes that are settled too early, and connections that are gone through only once."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.statement_moves import at_depth
from regreen.syntax import callee_name
from regreen.types import Edit

_ADDERS = frozenset(("add", "update", "extend", "append"))


def settle_when_taken(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`seen.add(other)` beside `heappush(heap, (cost + step, other))` moves to where `node` is popped: a cheaper way to
    it may still turn up, as in Dijkstra's algorithm."""
    taken = next((part for part in node.body if isinstance(part, ast.Assign) and _is_pop(part.value)), None)
    if taken is None or not isinstance(taken.targets[0], ast.Tuple):
        return
    current = context.text(taken.targets[0].elts[-1])
    for question in context.program.below(node):
        if not isinstance(question, ast.If) or not isinstance(question.test, ast.Compare):
            continue
        marks = [part for part in question.body if _is_mark(part, question.test, context)]
        if not isinstance(question.test.ops[0], ast.NotIn) or len(marks) != 1 or len(question.body) == 1:
            continue
        seen = context.text(question.test.comparators[0])
        lines = (f"if {current} in {seen}:", "\tcontinue", f"{seen}.add({current})")
        for moved in context.after(taken, lines):
            yield WeightedEdits((context.delete(marks[0]).edits[0], *moved.edits, *_emptied(seen, node, context)))


def _is_pop(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and callee_name(value) == "heappop"


def _is_mark(node: ast.stmt, question: ast.Compare, context: TemplateContext) -> bool:
    """Whether a statement is `seen.add(x)` where `x not in seen` was asked."""
    call = node.value if isinstance(node, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and callee_name(call) == "add"
        and context.text(call) == f"{context.text(question.comparators[0])}.add({context.text(question.left)})"
    )


def _emptied(seen: str, loop: ast.While, context: TemplateContext) -> tuple[Edit, ...]:
    """`seen = {start}` before the loop as `seen = set()`: the first node is popped like all others."""
    for part in context.program.block(loop):
        is_begun = isinstance(part, ast.Assign) and isinstance(part.value, ast.Set)
        if is_begun and context.text(part.targets[0]) == seen:  # type: ignore[attr-defined]
            return (Edit(*context.program.spans[part.value], "set()"),)  # type: ignore[attr-defined]
    return ()


def until_nothing_changes(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A loop that adds to `found` what hangs together with it goes on until a round adds nothing: connections come in
    any order."""
    if not context.program.alone(node) or node.orelse:
        return
    for held in sorted(_grown_by_itself(node, context)):
        if any(isinstance(around, ast.While) for around in context.around(node)):
            return
        size, indent = context.new_name("size", "known"), context.program.indent(node)
        start, end = context.program.lines(node)
        inner = at_depth((start, end), context, indent, indent + context.program.unit)
        head = f"{indent}{size} = -1\n{indent}while {size} != len({held}):\n{indent}{context.program.unit}"
        yield context.replace(start, end, f"{head}{size} = len({held})\n{inner}", LIKELY)


def _grown_by_itself(node: ast.For, context: TemplateContext) -> set[str]:
    """The collections that a loop adds to only where it finds something in them."""
    asked = {
        context.text(part.comparators[0])
        for part in context.program.below(node)
        if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.In)
    }
    added = {
        context.text(part.func.value)
        for part in context.program.below(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in _ADDERS
    }
    return {name for name in asked & added if name.isidentifier()}


TEMPLATES = (
    Template("settle_when_taken", (ast.While,), settle_when_taken, ("content", "off_by_one")),
    Template("until_nothing_changes", (ast.For,), until_nothing_changes, ("shorter", "content")),
)
