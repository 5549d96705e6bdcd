"""Greed where all ways have to be weighed: the largest coin first, what fits as it comes, each in turn."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, POSSIBLE
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import ORDERS, callee_name, names_within, values_given


def fewest_by_table(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Greed, `for coin in sorted(coins, reverse=True): count += amount // coin; amount %= coin`, becomes a table of the
    fewest coins for each amount: the largest coin first takes too many where coins are no multiples of each other."""
    taken = _greedy_steps(node, context)
    if taken is None:
        return
    amount, count = taken
    item = context.text(node.target)
    fewest = context.new_name("fewest", "fewest_for", "table")
    part = context.new_name("part", "total", "sum_")
    lines = (
        f'{fewest} = [0] + [float("inf")] * {amount}',
        f"for {part} in range(1, {amount} + 1):",
        f"\tfor {item} in {context.text(_unsorted(node.iter))}:",
        f"\t\tif {item} <= {part}:",
        f"\t\t\t{fewest}[{part}] = min({fewest}[{part}], {fewest}[{part} - {item}] + 1)",
        f'if {fewest}[{amount}] < float("inf"):',
        f"\t{count} = {fewest}[{amount}]",
        f"\t{amount} = 0",
    )
    yield from context.restate(node, lines)


def _greedy_steps(node: ast.For, context: TemplateContext) -> tuple[str, str] | None:
    """What is left to pay and what counts the coins, in a loop over the coins; None where a loop does not do it."""
    if not isinstance(node.target, ast.Name) or node.orelse:
        return None
    coin = node.target.id
    body = node.body[0].body if isinstance(node.body[0], ast.While) and len(node.body) == 1 else node.body
    changes = [part for part in body if isinstance(part, ast.AugAssign)]
    added = [part for part in changes if isinstance(part.op, ast.Add)]
    less = [part for part in changes if isinstance(part.op, ast.Mod | ast.Sub) and context.text(part.value) == coin]
    if len(added) != 1 or len(less) != 1 or len(body) != len(changes):
        return None
    amount, count = context.text(less[0].target), context.text(added[0].target)
    by_division = re.sub(r"[\s()]", "", context.text(added[0].value)) == f"{amount}//{coin}"
    one_each = context.text(added[0].value) == "1" and isinstance(node.body[0], ast.While)
    return (amount, count) if (by_division or one_each) and amount.isidentifier() else None


def _unsorted(items: ast.expr) -> ast.expr:
    """`coins` of `sorted(coins, reverse=True)` and of `reversed(coins)`."""
    is_ordered = isinstance(items, ast.Call) and callee_name(items) in ("sorted", "reversed") and items.args
    return items.args[0] if is_ordered else items  # type: ignore[attr-defined]


def least_loaded(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`free_at[i % count] += work` takes turns, and becomes the one that is free first: `i` is where `free_at` is
    least."""
    target = node.target
    turn = target.slice if isinstance(target, ast.Subscript) else None
    if not isinstance(turn, ast.BinOp) or not isinstance(turn.op, ast.Mod) or not isinstance(node.op, ast.Add):
        return
    assert isinstance(target, ast.Subscript)
    loads, place = context.text(target.value), context.expression(turn.left)
    if isinstance(turn.left, ast.Name):
        yield from context.before(node, (f"{place.text} = {loads}.index(min({loads}))",))
    yield context.put(turn, f"{loads}.index(min({loads}))", HALF)


def least_loaded_by_name(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`till = i % count`, where `busy[till] += work` comes, becomes `till = busy.index(min(busy))`."""
    target, turn = node.targets[0], node.value
    if not isinstance(target, ast.Name) or not isinstance(turn, ast.BinOp) or not isinstance(turn.op, ast.Mod):
        return
    for part in context.scope.nodes:
        entry = part.target if isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add) else None
        if isinstance(entry, ast.Subscript) and context.text(entry.slice) == target.id:
            loads = context.text(entry.value)
            yield context.put(turn, f"{loads}.index(min({loads}))")


def reachable_totals(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Greed, `for b in sorted(xs): if used + b <= room: used += b`, becomes all totals that fit, and the largest."""
    test = node.body[0].test if len(node.body) == 1 and isinstance(node.body[0], ast.If) else None
    step = node.body[0].body[0] if isinstance(node.body[0], ast.If) else None
    if not isinstance(step, ast.AugAssign) or not isinstance(step.op, ast.Add) or not isinstance(node.target, ast.Name):
        return
    used, item = context.text(step.target), node.target.id
    if not isinstance(test, ast.Compare) or context.text(test.left) not in (f"{used} + {item}", f"{item} + {used}"):
        return
    if not isinstance(test.ops[0], ast.Lt | ast.LtE) or context.text(step.value) != item:
        return
    totals, total = context.new_name("totals", "reached"), context.new_name("total", "t", "one")
    symbol = "<=" if isinstance(test.ops[0], ast.LtE) else "<"
    lines = (
        f"{totals} = {{{used}}}",
        f"for {item} in {context.text(_unsorted(node.iter))}:",
        f"\t{totals} |= {{{total} + {item} for {total} in {totals} "
        f"if {total} + {item} {symbol} {context.text(test.comparators[0])}}}",
        f"{used} = max({totals})",
    )
    yield from context.restate(node, lines)


def keep_earlier_end(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if start >= free_at: ...; free_at = end` gains `elif end < free_at: free_at = end`: of two that overlap, the one
    that ends first leaves more room."""
    loop, test = next(context.loops_around(node), None), node.test
    if not isinstance(loop, ast.For) or node.orelse or not isinstance(test, ast.Compare):
        return
    if not isinstance(test.ops[0], ORDERS):
        return
    rounds = {part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)}
    asked = {context.text(test.left), context.text(test.comparators[0])}
    for part in node.body:
        if not isinstance(part, ast.Assign) or context.text(part.targets[0]) not in asked - rounds:
            continue
        end, free = context.text(part.value), context.text(part.targets[0])
        if end not in asked and names_within(part.value) & rounds:
            yield from context.after(node, (f"elif {end} < {free}:", f"\t{free} = {end}"))


def later_of_both_ends(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Under `if start <= last_end:`, `merged[-1] = (last_start, end)` becomes `(last_start, max(last_end, end))`: what
    lies within the one before ends no later."""
    if not isinstance(context.parent(node), ast.Tuple | ast.List | ast.Call) or not context.is_read(node):
        return
    question = next((part for part in context.around(node) if isinstance(part, ast.If)), None)
    test = question.test if question is not None else None
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ORDERS):
        return
    sides = [context.text(side) for side in (test.left, test.comparators[0])]
    for side in sides:
        if side != node.id and node.id in side and node.id not in sides:
            yield context.put(node, f"max({side}, {node.id})")
            yield context.put(node, f"min({side}, {node.id})", POSSIBLE)


def best_that_fits(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`usable[0]` of `usable = [s for s in screens if free[s] <= start]` becomes `max(usable, key=lambda s: free[s])`:
    of those that fit, the one that fits best; of `>=`, the least."""
    if not isinstance(node.value, ast.Name) or context.text(node.slice) != "0" or not isinstance(node.ctx, ast.Load):
        return
    for value in values_given(context.scope.nodes, node.value.id):
        match value:
            case ast.ListComp(
                elt=ast.Name(id=item),
                generators=[ast.comprehension(ifs=[ast.Compare(left=measure, ops=[order], comparators=[_])])],
            ) if type(order) in ORDERS:
                best = "max" if isinstance(order, ast.Lt | ast.LtE) else "min"
                key = "" if context.text(measure) == item else f", key=lambda {item}: {context.text(measure)}"
                yield context.put(node, f"{best}({node.value.id}{key})")


TEMPLATES = (
    Template("best_that_fits", (ast.Subscript,), best_that_fits, ("smaller", "content")),
    Template("later_of_both_ends", (ast.Name,), later_of_both_ends, ("larger", "smaller", "content")),
    Template("keep_earlier_end", (ast.If,), keep_earlier_end, ("larger", "content")),
    Template("reachable_totals", (ast.For,), reachable_totals, ("larger", "content")),
    Template("fewest_by_table", (ast.For,), fewest_by_table),
    Template("least_loaded_by_name", (ast.Assign,), least_loaded_by_name),
    Template("least_loaded", (ast.AugAssign,), least_loaded),
)
