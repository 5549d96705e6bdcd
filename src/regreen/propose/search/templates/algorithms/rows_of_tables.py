"""Rows of a table of results that are worked out one from another: with what each begins."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import SUM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name


def begin_row_anew(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`new = row[:]` in a loop with `row = new` becomes `new = [worst] * len(row)`, where the first row is filled with
    `worst`; and `new = [worst] * n` becomes `new = row[:]`: what was reached stays so, or does not."""
    target = node.targets[0]
    if not isinstance(target, ast.Name) or next(context.loops_around(node), None) is None:
        return
    for row in _taken_over(target.id, context):
        filling = _filling(row, context)
        if filling and _is_copy_of(node.value, row, context):
            yield context.put(node.value, f"[{filling}] * len({row})")
        elif filling and isinstance(node.value, ast.BinOp) and isinstance(node.value.left, ast.List):
            yield context.put(node.value, f"{row}[:]", LIKELY)


def _taken_over(new: str, context: TemplateContext) -> list[str]:
    """The variables that a row is given to at the end of a round: `row = new`."""
    return [
        target.id
        for part in context.scope.nodes
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Name) and part.value.id == new
        for target in part.targets
        if isinstance(target, ast.Name)
    ]


def _filling(row: str, context: TemplateContext) -> str:
    """What a row is filled with at first: `worst` of `[worst] * n` and of `[0] + [worst] * n`; empty for others."""
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign) and context.text(part.targets[0]) == row:
            value = part.value
            if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
                value = value.right
            items = value.left if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult) else None
            if isinstance(items, ast.List) and len(items.elts) == 1:
                return context.text(items.elts[0])
    return ""


def _is_copy_of(value: ast.expr, row: str, context: TemplateContext) -> bool:
    return context.text(value) in (f"{row}[:]", f"{row}.copy()", f"list({row})", row)


def keep_row_above(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if weight <= room: best[i][room] = max(best[i - 1][room], ...)` gains `else: best[i][room] = best[i - 1][room]`:
    what cannot be taken changes nothing."""
    step = node.body[-1]
    value = step.value if isinstance(step, ast.Assign) else None
    if node.orelse or not isinstance(value, ast.Call) or callee_name(value) not in ("max", "min"):
        return
    entry = context.text(step.targets[0]) if isinstance(step, ast.Assign) else ""
    table = entry.partition("[")[0]
    for part in value.args:
        if (
            isinstance(part, ast.Subscript)
            and context.text(part).startswith(f"{table}[")
            and context.text(part) != entry
        ):
            yield from context.after(node, ("else:", f"\t{entry} = {context.text(part)}"))


def second_half_behind(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Beside `cost[i][k]` and `text(i, k)`, `cost[k][j]` and `text(k, j)` become `cost[k + 1][j]` and `text(k + 1, j)`,
    all of them at once: what the first half ends with is not in the second."""
    halves = context.cached("halves by name", lambda: _halves(context))
    seconds = halves.get(node.id, [])
    if seconds and node is seconds[0]:
        yield WeightedEdits(tuple(context.edit(part, Expression(f"{node.id} + 1", SUM)) for part in seconds))


def _halves(context: TemplateContext) -> dict[str, list[ast.Name]]:
    """By name: where it stands first of two, of what is also asked for with it as the second."""
    pairs: list[tuple[str, ast.expr, ast.expr]] = []
    for part in context.program.nodes:
        match part:
            case ast.Call(func=function, args=[first, second]):
                pairs.append((context.text(function), first, second))
            case ast.Subscript(value=ast.Subscript(value=table, slice=first), slice=second):
                pairs.append((context.text(table), first, second))
    ends = {(owner, second.id) for owner, _, second in pairs if isinstance(second, ast.Name)}
    found: dict[str, list[ast.Name]] = {}
    for owner, first, _ in pairs:
        if isinstance(first, ast.Name) and (owner, first.id) in ends:
            found.setdefault(first.id, []).append(first)
    return found


def as_many_as_columns(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sums = [0] * len(table)` becomes `[0] * len(table[0])`, where `sums[j]` has the place of an item within a
    row."""
    match node:
        case ast.BinOp(
            left=ast.List(), op=ast.Mult(), right=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=table)])
        ):
            around = context.parent(node)
            name = context.text(around.targets[0]) if isinstance(around, ast.Assign) else ""
            for place in context.cached(f"places within rows of {table}", lambda: _places_within(table, context)):
                if re.search(rf"(?<![\w.]){re.escape(name)}\[{place}\]", context.program.source):
                    yield context.put(node.right, f"len({table}[0])")
                    return


def _places_within(table: str, context: TemplateContext) -> list[str]:
    """The counters of loops through the rows of a table, `for j, item in enumerate(row)`."""
    loops = [part for part in context.scope.nodes if isinstance(part, ast.For)]
    rows = {context.text(loop.target) for loop in loops if context.text(loop.iter) == table}
    rows |= {f"{table}[0]"}
    found = []
    for loop in loops:
        text = context.text(loop.iter)
        if any(text in (f"enumerate({row})", f"range(len({row}))") for row in rows):
            first = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else loop.target
            found.append(context.text(first))
    return found


TEMPLATES = (
    Template("as_many_as_columns", (ast.BinOp,), as_many_as_columns, ("index", "longer", "shorter")),
    Template("second_half_behind", (ast.Name,), second_half_behind, ("recursion", "larger", "content")),
    Template("begin_row_anew", (ast.Assign,), begin_row_anew, ("larger", "content")),
    Template("keep_row_above", (ast.If,), keep_row_above, ("smaller", "content")),
)
