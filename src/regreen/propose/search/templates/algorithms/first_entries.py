"""What a table or a walk begins with: the entry of the start, the first way, the first flags of a sieve."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, PROBABLE
from regreen.propose.search.expressions import SUM, TERM, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, names_within, whole_number

_WALKED: Final = re.compile(r"(?:deque\()?\[(?:\(\w+, (?P<pair>\w+)\)|(?P<item>\w+))\]\)?")
"""What a walk has before it at first: `[start]`, `deque([start])`, `[(0, start)]`."""
_FIRST_NUMBERS: Final = {"0": "1", "False": "True", "None": "0"}
"""The first entry of a table, by what the others are: one way to nothing, nothing is reached, and so on."""


def enter_start(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`distance = {}` beside `queue = deque([start])` becomes `{start: 0}`, or `{start: None}`, for the way to it."""
    table = node.targets[0]
    is_empty = isinstance(node.value, ast.Dict) and not node.value.keys
    if not isinstance(table, ast.Name) or not is_empty:
        return
    starts = []
    for statement in context.program.block(node):
        if isinstance(statement, ast.Assign) and (found := _WALKED.fullmatch(context.text(statement.value))):
            starts.append(found["pair"] or found["item"])
    for start in dict.fromkeys(starts):
        if f"{table.id}[{start}] =" not in context.program.source:
            yield context.put(node.value, f"{{{start}: 0}}")
            yield context.put(node.value, f"{{{start}: None}}", LIKELY)


def first_of_table(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`ways = [0] * (n + 1)`, whose entries are made of one another, is followed by `ways[0] = 1`."""
    table = node.targets[0]
    if not isinstance(table, ast.Name) or (filled := _filled_with(node.value)) is None:
        return
    item, depth = context.text(filled[0]), filled[1]
    first = _FIRST_NUMBERS.get(item, "0" if "inf" in item or "maxsize" in item or len(item) > _LONG_NUMBER else "")
    corner = f"{table.id}{'[0]' * depth}"
    is_built = any(_builds_upon_itself(part, table.id) for part in context.scope.nodes)
    if first and is_built and f"{corner} =" not in context.program.source:
        yield from context.after(node, (f"{corner} = {first}",))


def count_empty_beginning(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`seen = {}`, by which sums of beginnings are counted (`count += seen[total]; seen[total] += 1`), is followed by
    `seen[0] = 1`: the beginning without any item has a sum as well; where places are kept, by `seen[0] = -1`."""
    table = node.targets[0]
    is_table = isinstance(node.value, ast.Dict) and not node.value.keys
    is_table = is_table or (isinstance(node.value, ast.Call) and callee_name(node.value) in _TABLES)
    if not isinstance(table, ast.Name) or not is_table or f"{table.id}[0] =" in context.program.source:
        return
    block = context.program.block(node)
    for loop in block[block.index(node) + 1 :]:
        if isinstance(loop, ast.For) and (first := _first_of_sums(loop, table.id, context)):
            yield from context.after(node, (f"{table.id}[0] = {first}",))


def _first_of_sums(loop: ast.For, table: str, context: TemplateContext) -> str:
    """What the sum of no items has in a table that a loop keeps by a running sum; empty where it keeps another."""
    steps = [part for part in ast.walk(loop) if isinstance(part, ast.Assign | ast.AugAssign)]
    running = {context.text(part.target) for part in steps if isinstance(part, ast.AugAssign)}
    running |= {
        context.text(part.targets[0])
        for part in steps
        if isinstance(part, ast.Assign) and context.text(part.targets[0]) in names_within(part.value)
    }
    for part in steps:
        target = part.target if isinstance(part, ast.AugAssign) else part.targets[0]
        if isinstance(target, ast.Subscript) and context.text(target.value) == table:
            if context.text(target.slice) not in running:
                return ""
            counts = isinstance(part, ast.AugAssign) or "+ 1" in context.text(part.value)
            return "1" if counts else "-1"
    return ""


_TABLES: Final = frozenset(("dict", "defaultdict", "Counter"))


def _filled_with(value: ast.expr) -> tuple[ast.expr, int] | None:
    """The item of `[item] * n`, and 1; of a list of such lists, and 2; None for anything else."""
    if isinstance(value, ast.ListComp) and (row := _filled_with(value.elt)) is not None:
        return row[0], row[1] + 1
    is_repeated = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult) and isinstance(value.left, ast.List)
    items = value.left.elts if is_repeated else []  # type: ignore[attr-defined]
    return (items[0], 1) if len(items) == 1 else None


def _builds_upon_itself(part: ast.AST, table: str) -> bool:
    """Whether a statement stores an entry of a table that is made of its other entries."""
    if not isinstance(part, ast.Assign | ast.AugAssign):
        return False
    target = part.targets[0] if isinstance(part, ast.Assign) else part.target
    reads = names_within(part.value)
    stored = next((name.id for name in ast.walk(target) if isinstance(name, ast.Name)), "")
    return isinstance(target, ast.Subscript) and stored == table and table in reads


def no_flag_below_two(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`prime = [True] * (n + 1)`, a sieve that begins at 2, is followed by `prime[:2] = [False, False]`."""
    table = node.targets[0]
    if not isinstance(table, ast.Name) or (filled := _filled_with(node.value)) is None or filled[1] > 1:
        return
    sieves = any(_counts_from_two(part) for part in context.scope.nodes)
    if sieves and context.text(filled[0]) in ("True", "1"):
        unset = "False" if context.text(filled[0]) == "True" else "0"
        yield from context.after(node, (f"{table.id}[:2] = [{unset}, {unset}]",), PROBABLE)
        yield from context.after(node, (f"{table.id}[0] = {table.id}[1] = {unset}",), HALF)


def _counts_from_two(part: ast.AST) -> bool:
    is_range = isinstance(part, ast.Call) and callee_name(part) == "range" and len(part.args) > 1
    return is_range and whole_number(part.args[0]) == _FIRST_PRIME  # type: ignore[attr-defined]


_FIRST_PRIME: Final = 2
_LONG_NUMBER: Final = 5
"""A literal of more characters stands for infinity: `10 ** 9`, `999999`."""


def begin_with_found(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`stack = [lines[0][0]]` becomes `stack = [odd[0] if odd else lines[0][0]]` for a list `odd` that is only counted:
    somebody looked for these to begin with them."""
    around = context.parent(node)
    is_begun = isinstance(around, ast.List) and isinstance(context.parent(around), ast.Assign)
    if not is_begun and not isinstance(around, ast.Assign):
        return
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load) or any(context.loops_around(node)):
        return
    for name in context.cached("only counted", lambda: _only_counted(context)):
        yield context.put(node, Expression(f"{name}[0] if {name} else {context.text(node)}", TEST))


def _only_counted(context: TemplateContext) -> list[str]:
    """The lists that a comprehension makes and of which nothing but their length is asked."""
    made = (
        part for part in context.scope.nodes if isinstance(part, ast.Assign) and isinstance(part.value, ast.ListComp)
    )
    names = [part.targets[0].id for part in made if isinstance(part.targets[0], ast.Name)]
    reads = [part for part in context.scope.nodes if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)]
    return [name for name in names if all(_is_counted(part, context) for part in reads if part.id == name)]


def _is_counted(name: ast.Name, context: TemplateContext) -> bool:
    around = context.parent(name)
    return isinstance(around, ast.Call) and callee_name(around) == "len"


def reach_back_where_there_is(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`two = cost[i - 2] + step` in `for i in range(1, n)` becomes `two = ... if i >= 2 else float("inf")`, or `else
    one` of `min(one, two)`: the first places have nobody so far behind them."""
    match next(context.loops_around(node), None), node.targets[0]:
        case (
            ast.For(target=ast.Name(id=place), iter=ast.Call(func=ast.Name(id="range"), args=[begin, _, *_])),
            ast.Name(id=name),
        ):
            first = whole_number(begin)
        case _:
            return
    steps = [
        whole_number(part.slice.right) or 0
        for part in ast.walk(node.value)
        if isinstance(part, ast.Subscript)
        and isinstance(part.slice, ast.BinOp)
        and isinstance(part.slice.op, ast.Sub)
        and context.text(part.slice.left) == place
    ]
    if first is None or not steps or max(steps) <= first:
        return
    for nothing in (*_compared_with(name, context), 'float("inf")', "0"):
        there = f"{context.expression(node.value).at(TEST)} if {place} >= {max(steps)} else {nothing}"
        yield context.put(node.value, Expression(there, TEST))


def _compared_with(name: str, context: TemplateContext) -> list[str]:
    """The other argument of `min(one, two)` and `max(one, two)` for a variable."""
    calls = [part for part in context.scope.nodes if isinstance(part, ast.Call) and callee_name(part) in ("min", "max")]
    given = [[context.text(argument) for argument in call.args] for call in calls]
    return [other for texts in given if name in texts for other in texts if other != name and other.isidentifier()]


def none_where_unreached(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`best = [0] * (capacity + 1)` becomes `[0] + [None] * capacity`, where `best[place] is None` is asked: only the
    first is reached from the start."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=table)],
            value=ast.BinOp(
                left=ast.List(elts=[first]),
                op=ast.Mult(),
                right=ast.BinOp(left=size, op=ast.Add(), right=ast.Constant(value=1)),
            ) as value,
        ):
            if any(_asks_for_none(part, table, context) for part in context.scope.nodes):
                count = context.expression(size).at(TERM + 1)
                yield context.put(value, Expression(f"[{context.text(first)}] + [None] * {count}", SUM))


def _asks_for_none(part: ast.AST, table: str, context: TemplateContext) -> bool:
    """Whether a node is `table[place] is None`, or `is not`."""
    match part:
        case ast.Compare(left=ast.Subscript(value=owner), ops=[ast.Is() | ast.IsNot()]):
            return context.text(owner) == table
    return False


def common_from_the_first(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`common = set()` before a loop over `rows` with `common &= set(row)` becomes `common = set(rows[0])`: nothing has
    nothing in common with anything."""
    if not isinstance(node.targets[0], ast.Name) or context.text(node.value) != "set()":
        return
    name, block = node.targets[0].id, context.program.block(node)
    for loop in block[block.index(node) + 1 :]:
        if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Name):
            continue
        steps = (part for part in context.program.below(loop) if isinstance(part, ast.AugAssign))
        if any(isinstance(step.op, ast.BitAnd) and context.text(step.target) == name for step in steps):
            yield context.put(node.value, f"set({loop.iter.id}[0])")


TEMPLATES = (
    Template("common_from_the_first", (ast.Assign,), common_from_the_first, ("empty", "shorter")),
    Template("none_where_unreached", (ast.Assign,), none_where_unreached, ("none", "content")),
    Template("reach_back_where_there_is", (ast.Assign,), reach_back_where_there_is, ("smaller", "larger", "content")),
    Template("count_empty_beginning", (ast.Assign,), count_empty_beginning, ("smaller", "off_by_one")),
    Template("begin_with_found", (ast.Subscript,), begin_with_found),
    Template("enter_start", (ast.Assign,), enter_start, ("key",)),
    Template("first_of_table", (ast.Assign,), first_of_table, ("content", "zero", "negated")),
    Template("no_flag_below_two", (ast.Assign,), no_flag_below_two, ("content", "longer", "off_by_one")),
)
