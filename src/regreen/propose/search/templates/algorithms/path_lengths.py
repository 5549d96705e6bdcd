"""Lengths of paths in walks over graphs: what the way so far has cost, and when a node is settled."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from regreen.propose.search.constants import HALF, POSSIBLE, PROBABLE
from regreen.propose.search.expressions import (
    ATOM,
    Expression,
    binary_operation,
    bool_operation,
    comparison,
)
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.copied_statements import with_other_names
from regreen.syntax import callee_name, names_within
from regreen.types import Edit

_TAKES: Final = frozenset({"heappop", "pop", "popleft", "get"})
_PUTS: Final = {"heappush": 1, "append": 0, "appendleft": 0, "put": 0}
"""With the place of what is put."""


def path_so_far(node: ast.Tuple, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`heappush(heap, (length, other))` where `dist, node = heappop(heap)` becomes `(dist + length, other)`, and
    `queue.append((other, 1))` becomes `(other, steps + 1)`: the way to a node goes on from the one before."""
    queue = _put_into(node, context)
    if not queue:
        return
    for loop in context.loops_around(node):
        taken = next((part for part in loop.body if _is_taken(part, queue, context)), None)
        if taken is None or len(taken.targets[0].elts) != len(node.elts):  # type: ignore[attr-defined]
            continue
        before = taken.targets[0].elts  # type: ignore[attr-defined]
        for so_far, step in zip(before, node.elts, strict=True):
            is_number = context.kind(step) in ("int", "float", "") and not isinstance(step, ast.BinOp | ast.Tuple)
            if not isinstance(so_far, ast.Name) or not is_number or so_far.id in names_within(step):
                continue
            # A node that comes next is no number.
            is_next = isinstance(step, ast.Name) and any(
                isinstance(part, ast.Subscript) and context.text(part.slice) == so_far.id
                for part in context.program.below(loop)
            )
            further = binary_operation(context.expression(so_far), "+", context.expression(step))
            yield context.put(step, further, PROBABLE if is_next else 1.0)


def _put_into(node: ast.Tuple, context: TemplateContext) -> str:
    """The queue or heap that a tuple is put into; empty for another tuple."""
    call = context.parent(node)
    if not isinstance(call, ast.Call) or (place := _PUTS.get(callee_name(call) or "")) is None:
        return ""
    if len(call.args) <= place or call.args[place] is not node:
        return ""
    owner = call.args[0] if place else getattr(call.func, "value", None)
    return context.text(owner) if owner is not None else ""


def _is_taken(part: ast.stmt, queue: str, context: TemplateContext) -> bool:
    """Whether a statement is `dist, node = heappop(heap)`, or `node, steps = queue.popleft()`."""
    call = part.value if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Tuple) else None
    if not isinstance(call, ast.Call) or callee_name(call) not in _TAKES:
        return False
    owner = call.args[0] if callee_name(call) == "heappop" and call.args else getattr(call.func, "value", None)
    return owner is not None and context.text(owner) == queue


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
        asked = next((part for part in node.body if _leaves_settled(part, f"{current} in {seen}", context)), None)
        lines = (f"if {current} in {seen}:", "\tcontinue", f"{seen}.add({current})")
        for moved in context.after(asked or taken, lines[2:] if asked else lines):
            emptied = _emptied(seen, node, context)
            edits = (context.delete(marks[0]).edits[0], *moved.edits, *emptied)
            yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


def _leaves_settled(part: ast.stmt, question: str, context: TemplateContext) -> bool:
    """Whether a statement is `if node in seen: continue`."""
    is_left = isinstance(part, ast.If) and isinstance(part.body[0], ast.Continue) and not part.orelse
    return is_left and context.text(part.test) == question  # type: ignore[attr-defined]


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


def ways_of_the_one_before(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`ways[v] = 1` for a shorter way becomes `ways[v] = ways[u]`, where `ways[v]` gains `ways[u]` for one as short."""
    target = node.targets[0]
    if not isinstance(target, ast.Subscript) or not isinstance(node.value, ast.Constant):
        return
    if next(context.loops_around(node), None) is None:
        return
    table, entry = context.text(target.value), context.text(target)
    for part in context.scope.nodes:
        added = part.value if isinstance(part, ast.AugAssign) and context.text(part.target) == entry else None
        if isinstance(part, ast.Assign) and context.text(part.targets[0]) == entry and part is not node:
            added = part.value
        for read in ast.walk(added) if added is not None else ():
            is_other = isinstance(read, ast.Subscript) and context.text(read.value) == table
            if is_other and context.text(read) != entry:
                yield context.put(node.value, context.text(read))


def middle_outermost(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Loops over `i`, `j` and `k` around `d[i][j] = min(d[i][j], d[i][k] + d[k][j])` begin with that over `k`: ways by
    one node more at a time (Floyd, Warshall)."""
    loops = [node]
    while len(loops[-1].body) == 1 and isinstance(inner := loops[-1].body[0], ast.For):
        loops.append(inner)
    names = [context.text(loop.target) for loop in loops]
    if len(loops) != _NODES_OF_A_WAY or len(set(names)) != len(loops):
        return
    text = "\n".join(context.text(step) for step in loops[-1].body)
    for middle, loop in zip(names, loops, strict=True):
        ends = [name for name in names if name != middle]
        halves = (
            (f"[{ends[0]}][{middle}]", f"[{middle}][{ends[1]}]"),
            (f"[{ends[1]}][{middle}]", f"[{middle}][{ends[0]}]"),
        )
        if loop is not node and any(all(half in text for half in pair) for pair in halves):
            order = [loop, *(other for other in loops if other is not loop)]
            edits = [
                edit
                for old, new in zip(loops, order, strict=True)
                if old is not new
                for edit in (
                    context.edit(old.target, context.expression(new.target)),
                    context.edit(old.iter, context.expression(new.iter)),
                )
            ]
            yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


_NODES_OF_A_WAY: Final = 3


def nothing_to_itself(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`dist = [[inf] * n for _ in range(n)]` is followed by `dist[i][i] = 0` for each `i`: a node is no way from
    itself."""
    target, table = node.targets[0], node.value
    row = table.elt if isinstance(table, ast.ListComp) and len(table.generators) == 1 else None
    far = row.left.elts if isinstance(row, ast.BinOp) and isinstance(row.left, ast.List) else []
    if not isinstance(target, ast.Name) or not isinstance(table, ast.ListComp) or len(far) != 1:
        return
    bounds, place = table.generators[0].iter, context.new_name("i", "node")
    if "inf" in context.text(far[0]).lower() or isinstance(far[0], ast.Name | ast.Attribute):
        lines = (f"for {place} in {context.text(bounds)}:", f"\t{target.id}[{place}][{place}] = 0")
        yield from context.after(node, lines)


def nearer_ones_first(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`queue.append((cost + wall, cell))` with `wall = 1 if ... else 0` becomes `queue.appendleft(...)` where it is 0:
    what costs nothing more comes first in a deque."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "append":
        return
    deques = any(isinstance(part, ast.Call) and callee_name(part) == "deque" for part in context.scope.nodes)
    if not deques or not call.args or not isinstance(call.args[0], ast.Tuple):
        return
    queue, given = context.text(call.func.value), context.text(call.args[0])
    for part in context.scope.nodes:
        step = part.value if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name) else None
        is_choice = isinstance(step, ast.IfExp) and {context.text(step.body), context.text(step.orelse)} == {"0", "1"}
        name = context.text(part.targets[0]) if isinstance(part, ast.Assign) else ""
        if is_choice and f"+ {name}" in given:
            lines = (f"if {name}:", f"\t{queue}.append({given})", "else:", f"\t{queue}.appendleft({given})")
            yield from context.restate(node, lines)


def on_from_the_one_before(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`reached[other] = factor` becomes `reached[node] * factor` or `reached[node] + length`, where `node` is what the
    round takes: what holds for one step says nothing of the way before it."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Subscript) or not isinstance(value, ast.Name | ast.Subscript | ast.Attribute):
        return
    table, other = context.text(target.value), context.text(target.slice)
    if table in context.text(value):
        return
    for current in dict.fromkeys(_taken_in_rounds(node, context)):
        if current != other:
            before = Expression(f"{table}[{current}]", ATOM)
            likely = any(word in context.text(value).lower() for word in _FACTORS)
            for symbol, weight in (("*", 1.0 if likely else POSSIBLE), ("+", HALF if likely else 1.0)):
                yield context.put(value, binary_operation(before, symbol, context.expression(value)), weight)


_FACTORS: Final = ("factor", "rate", "ratio", "prob", "chance", "scale", "weight", "share")


def _taken_in_rounds(node: ast.AST, context: TemplateContext) -> Iterator[str]:
    """The variables that a loop around a statement takes off a queue, a stack or a heap."""
    for loop in context.loops_around(node):
        for part in loop.body:
            call = part.value if isinstance(part, ast.Assign) else None
            if isinstance(call, ast.Call) and callee_name(call) in _TAKES:
                yield from names_within(part.targets[0])  # type: ignore[attr-defined]


def reach_again_if_shorter(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if dist[y] == INF: dist[y] = d` becomes `if d < dist[y]:`; `if y not in dist:` and `if dist[y] is None:`
    gain `or d < dist[y]`: the first way to a node need not be the shortest."""
    test = node.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return
    for step in node.body:
        target = step.targets[0] if isinstance(step, ast.Assign) else None
        if not isinstance(target, ast.Subscript):
            continue
        length, entry = context.expression(step.value), context.expression(target)  # type: ignore[attr-defined]
        shorter = comparison(length, "<", entry)
        if isinstance(test.ops[0], ast.Is) and context.text(test.left) == entry.text:
            yield context.put(test, bool_operation(context.expression(test), "or", shorter))
        elif isinstance(test.ops[0], ast.Eq | ast.Lt) and context.text(test.left) == entry.text:
            yield context.put(test, shorter)
        elif isinstance(test.ops[0], ast.NotIn) and context.text(test.comparators[0]) == context.text(target.value):
            yield context.put(test, bool_operation(context.expression(test), "or", shorter))


def back_to_the_start(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`min(best[-1])`, where `best[seen][i] + way[i][j]` leads on, becomes `min(best[-1][i] + way[i][0] for i in
    range(len(way)))`: a tour ends where it began."""
    match node:
        case ast.Call(func=ast.Name(id="min" | "max" as which), args=[ast.Subscript(value=ast.Name(id=table)) as ends]):
            pass
        case _:
            return
    for part in context.scope.nodes:
        match part:
            case ast.BinOp(
                left=ast.Subscript(value=ast.Subscript(value=ast.Name(id=held))),
                op=ast.Add(),
                right=ast.Subscript(value=ast.Subscript(value=ast.Name(id=ways))),
            ) if held == table and ways in context.scope.parameters:
                place = context.new_name("i", "last", "end")
                home = f"{context.text(ends)}[{place}] + {ways}[{place}][0]"
                yield context.put(node, f"{which}({home} for {place} in range(len({ways})))")
                return


def skip_what_is_settled(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`seen.add(node)` behind `cost, node = heappop(heap)` comes after `if node in seen: continue`: a node may wait
    several times, and counts once."""
    loop = context.parent(node)
    match node.value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=seen), attr="add"), args=[ast.Name(id=item)]):
            pass
        case _:
            return
    asked = f"if {item} in {seen}"
    if isinstance(loop, ast.While) and asked not in context.text(loop) and item in _taken_in_rounds(node, context):
        yield from context.before(node, (f"{asked}:", "\tcontinue"))


def either_direction(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`cost[i][j]` becomes `min(cost[i][j], cost[j][i])`, or `max`: what goes one way goes the other, too."""
    match node:
        case ast.Subscript(
            value=ast.Subscript(value=table, slice=ast.Name(id=i)), slice=ast.Name(id=j), ctx=ast.Load()
        ):
            if i != j and not isinstance(context.parent(node), ast.Compare | ast.Subscript):
                one, other = context.text(node), f"{context.text(table)}[{j}][{i}]"
                yield context.put(node, f"min({one}, {other})")
                yield context.put(node, f"max({one}, {other})", HALF)


def deeper_one_first(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while depth[a] > depth[b]: a = up[a]` comes after `if depth[a] < depth[b]: a, b = b, a`: either may be the
    deeper."""
    match node.test, node.body:
        case (
            ast.Compare(
                left=ast.Subscript(value=depth, slice=ast.Name(id=a)),
                ops=[ast.Gt()],
                comparators=[ast.Subscript(value=other, slice=ast.Name(id=b))],
            ),
            [ast.Assign(targets=[ast.Name(id=moved)])],
        ) if moved == a and context.text(depth) == context.text(other):
            table = context.text(depth)
            yield from context.before(node, (f"if {table}[{a}] < {table}[{b}]:", f"\t{a}, {b} = {b}, {a}"))


def least_of_parallels(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`d[u][v] = d[v][u] = w` becomes `d[u][v] = d[v][u] = min(d[u][v], w)`: of several roads between two places, the
    shortest counts."""
    first = node.targets[0]
    if len(node.targets) > 1 and isinstance(first, ast.Subscript) and not isinstance(node.value, ast.Constant):
        yield context.put(node.value, f"min({context.text(first)}, {context.text(node.value)})")


def also_the_other_way(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`min(d[i][j], d[i][u] + w + d[v][j])` becomes `min(d[i][j], d[i][u] + w + d[v][j], d[i][v] + w + d[u][j])`: a
    road may be taken either way."""
    if callee_name(node) not in ("min", "max") or len(node.args) < 2 or node.keywords:
        return
    end, texts = context.program.spans[node.args[-1]][1], [context.text(argument) for argument in node.args]
    for group in context.scope.bound_together:
        for one, other in combinations(group[:_MOST_ENDS], 2):
            turned = with_other_names(texts[-1], {one: other, other: one})
            both = re.search(rf"\b{one}\b", texts[-1]) and re.search(rf"\b{other}\b", texts[-1])
            if both and turned not in texts and "\n" not in turned:
                yield context.replace(end, end, f", {turned}")


_MOST_ENDS: Final = 3


TEMPLATES = (
    Template("least_of_parallels", (ast.Assign,), least_of_parallels, ("larger", "content")),
    Template("also_the_other_way", (ast.Call,), also_the_other_way, ("larger", "smaller", "content")),
    Template("deeper_one_first", (ast.While,), deeper_one_first, ("content", "none", "type")),
    Template("either_direction", (ast.Subscript,), either_direction, ("larger", "smaller")),
    Template("skip_what_is_settled", (ast.Expr,), skip_what_is_settled, ("larger", "repeats", "longer")),
    Template("back_to_the_start", (ast.Call,), back_to_the_start, ("smaller", "content")),
    Template("reach_again_if_shorter", (ast.If,), reach_again_if_shorter, ("larger", "content")),
    Template("on_from_the_one_before", (ast.Assign,), on_from_the_one_before, ("content", "smaller")),
    Template("nearer_ones_first", (ast.Expr,), nearer_ones_first, ("larger", "content")),
    Template("middle_outermost", (ast.For,), middle_outermost, ("content", "larger")),
    Template("nothing_to_itself", (ast.Assign,), nothing_to_itself, ("content", "larger")),
    Template("ways_of_the_one_before", (ast.Assign,), ways_of_the_one_before, ("content", "smaller")),
    Template("settle_when_taken", (ast.While,), settle_when_taken, ("content", "off_by_one")),
    Template("path_so_far", (ast.Tuple,), path_so_far, ("smaller", "content", "type")),
)
