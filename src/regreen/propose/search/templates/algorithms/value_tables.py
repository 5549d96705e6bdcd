"""Tables that are filled place by place: what a place takes from its neighbours, and what the edges hold."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY
from regreen.propose.search.expressions import ATOM, SUM, TERM, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, whole_number

_CORNER: Final = frozenset({(1, 0), (0, 1), (1, 1)})
"""The three neighbours before a place of a table, by how far they are from it in rows and columns."""


def lost_neighbour(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`min(t[i - 1][j], t[i][j - 1])` asks the third neighbour, `t[i - 1][j - 1]`, too."""
    if callee_name(node) not in ("min", "max") or node.keywords:
        return
    places = [place for argument in node.args if (place := _place(argument, context)) is not None]
    if len({place[0] for place in places}) != 1 or not 1 < len(places) < len(_CORNER) + 1:
        return
    table = places[0][0]
    (row, rows), (column, columns) = (_common([place[axis] for place in places]) for axis in (1, 2))
    if not row or not column:
        return
    steps = set(zip(rows, columns, strict=True))
    for up, back in sorted(_CORNER - steps) if steps <= _CORNER else ():
        third = f"{table}[{_before(row, up)}][{_before(column, back)}]"
        start = context.program.spans[node.args[-1]][1]
        yield context.replace(start, start, f", {third}")
        added = _added_to(node.args[0], context)
        if added:
            yield context.replace(start, start, f", {third}{added}", LIKELY)


def _place(argument: ast.expr, context: TemplateContext) -> tuple[str, str, str] | None:
    """The table, the row and the column of `table[row][column]`, which a number may be added to."""
    if isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Add | ast.Sub):
        argument = argument.left
    if not isinstance(argument, ast.Subscript) or not isinstance(argument.value, ast.Subscript):
        return None
    table = argument.value
    return context.text(table.value), context.text(table.slice), context.text(argument.slice)


def _added_to(argument: ast.expr, context: TemplateContext) -> str:
    """` + 1` of `table[i - 1][j] + 1`; empty where nothing is added."""
    if not isinstance(argument, ast.BinOp):
        return ""
    return context.program.source[context.program.spans[argument.left][1] : context.program.spans[argument][1]]


def _common(places: list[str]) -> tuple[str, list[int]]:
    """The variable that places are one before or at, and by how much each is before it; no variable where none is."""
    found = [re.fullmatch(r"(\w+)(?:\s*-\s*1)?", place) for place in places]
    names = {match[1] for match in found if match}
    if len(names) != 1 or not all(found):
        return "", []
    name = names.pop()
    return name, [int(place != name) for place in places]


def _before(name: str, steps: int) -> str:
    return f"{name} - {steps}" if steps else name


def other_edge(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for j in range(width): t[0][j] = j` is done for the first column, `t[i][0] = i`, too; and the other way."""
    stored = node.body[0] if len(node.body) == 1 and isinstance(node.body[0], ast.Assign) else None
    if stored is None or not isinstance(node.target, ast.Name) or not _counts_up(node.iter):
        return
    cell, moved = stored.targets[0], node.target.id
    if not isinstance(cell, ast.Subscript) or not isinstance(cell.value, ast.Subscript):
        return
    table, places = cell.value.value, (cell.value.slice, cell.slice)
    fixed = [whole_number(place) for place in places]
    if None not in (fixed[0], fixed[1]) or (fixed[0] is None) == (fixed[1] is None):
        return
    axis = 0 if fixed[0] is None else 1
    if context.text(places[axis]) != moved:
        return
    other = _other_variable(context, moved)
    named = context.text(table)
    place = f"{named}[0][{other}]" if axis == 0 else f"{named}[{other}][0]"
    value = re.sub(rf"\b{moved}\b", other, context.text(stored.value))
    for count in _lengths_of(named, 1 - axis, context):
        yield from context.after(node, (f"for {other} in range({count}):", f"\t{place} = {value}"))


def dear_but_first(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`fewest = [0] * (n + 1)`, of which the least are taken, becomes `fewest = [0] + [float("inf")] * n`; what is kept
    `if x < fewest[i]` is the least as well."""
    kept = context.parent(node)
    target = kept.targets[0] if isinstance(kept, ast.Assign) and kept.value is node else None
    if target is None or not isinstance(node.op, ast.Mult) or context.text(node.left) != "[0]":
        return
    table = context.text(target)
    if not any(_takes_least(part, table, context) for part in context.scope.nodes):
        return
    count = node.right
    is_more = isinstance(count, ast.BinOp) and isinstance(count.op, ast.Add) and whole_number(count.right) == 1
    rest = context.text(count.left) if is_more else f"({context.text(count)} - 1)"  # type: ignore[attr-defined]
    for worst in dict.fromkeys((*_infinities(context), 'float("inf")')):
        yield context.put(node, Expression(f"[0] + [{worst}] * {rest}", SUM))


def _takes_least(part: ast.AST, table: str, context: TemplateContext) -> bool:
    """Whether the less of an entry and something else is asked for."""
    if isinstance(part, ast.Call) and context.text(part.func) == "min":
        return f"{table}[" in context.text(part)
    if not isinstance(part, ast.Compare) or not isinstance(part.ops[0], ast.Lt):
        return False
    kept, around = context.text(part.comparators[0]), context.parent(part)
    test = around if isinstance(around, ast.If) else context.parent(around) if around is not None else None
    return (
        kept.startswith(f"{table}[") and isinstance(test, ast.If) and context.text(test.body[0]).startswith(f"{kept} =")
    )


def _infinities(context: TemplateContext) -> Iterator[str]:
    """The variables that are infinite."""
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign) and re.fullmatch(
            r"""float\(["']inf["']\)|math\.inf|inf""", context.text(part.value)
        ):
            yield context.text(part.targets[0])


def carry_larger(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a[i] == b[j]: t[i + 1][j + 1] = t[i][j] + 1` gains `else: t[i + 1][j + 1] = max(t[i][j + 1], t[i + 1][j])`:
    where two differ, the longest of what is common before is carried on."""
    step = node.body[0]
    cell = step.targets[0] if isinstance(step, ast.Assign) else None
    if (
        node.orelse
        or len(node.body) != 1
        or not isinstance(cell, ast.Subscript)
        or not isinstance(node.test, ast.Compare)
    ):
        return
    before = [part for part in ast.walk(step.value) if isinstance(part, ast.Subscript)]  # type: ignore[attr-defined]
    if not isinstance(cell.value, ast.Subscript) or not isinstance(node.test.ops[0], ast.Eq) or not before:
        return
    table, row, column = map(context.text, (cell.value.value, cell.value.slice, cell.slice))
    diagonal = next((part for part in before if isinstance(part.value, ast.Subscript)), None)
    if diagonal is None or context.text(diagonal.value.value) != table:  # type: ignore[attr-defined]
        return
    above, left = context.text(diagonal.value.slice), context.text(diagonal.slice)  # type: ignore[attr-defined]
    if above != row and left != column:
        carried = f"max({table}[{above}][{column}], {table}[{row}][{left}])"
        lines = (
            f"if {context.text(node.test)}:",
            f"\t{context.text(step)}",
            "else:",
            f"\t{context.text(cell)} = {carried}",
        )
        yield from context.restate(node, lines)


def both_edges(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Before loops from 1 that fill `t[i][j] = 1 + min(t[i - 1][j], t[i][j - 1])` come `t[i][0] = i` and `t[0][j] = j`:
    what is empty takes as many steps as the other is long."""
    inner = node.body[0] if len(node.body) == 1 else None
    if not isinstance(inner, ast.For) or isinstance(context.parent(node), ast.For):
        return
    names = [context.text(loop.target) for loop in (node, inner)]
    for part in context.program.below(inner):
        cell = part.targets[0] if isinstance(part, ast.Assign) else None
        if not isinstance(cell, ast.Subscript) or not isinstance(cell.value, ast.Subscript):
            continue
        table, value = context.text(cell.value.value), context.text(part.value)  # type: ignore[attr-defined]
        if "min(" not in value or value.count(f"{table}[") < _PAIR or not re.search(r"\b1 \+|\+ 1\b", value):
            continue
        counts = [_lengths_of(table, axis, context)[:1] for axis in (0, 1)]
        if all(counts):
            (rows,), (columns,) = counts
            one, other = names
            lines = [f"for {one} in range({rows}):", f"\t{table}[{one}][0] = {one}"]
            lines += [f"for {other} in range({columns}):", f"\t{table}[0][{other}] = {other}"]
            yield from context.before(node, lines)
            return


_PAIR = 2


def _counts_up(iterable: ast.expr) -> bool:
    return isinstance(iterable, ast.Call) and callee_name(iterable) == "range"


def _other_variable(context: TemplateContext, moved: str) -> str:
    """The variable that stands for the other direction: the other one that loops count with."""
    counted = [
        part.target.id
        for part in context.scope.nodes
        if isinstance(part, ast.For) and isinstance(part.target, ast.Name) and _counts_up(part.iter)
    ]
    return next((name for name in counted if name != moved), "i" if moved != "i" else "j")


def _lengths_of(table: str, axis: int, context: TemplateContext) -> list[str]:
    """How many rows (axis 0) or columns (axis 1) a table is made with, as the program writes it."""
    for part in context.scope.nodes:
        if isinstance(part, ast.For) and isinstance(part.iter, ast.Call) and callee_name(part.iter) == "range":
            lengths = _lengths_appended(table, axis, part, context)
            if lengths:
                return lengths
        made = part.value if isinstance(part, ast.Assign) and context.text(part.targets[0]) == table else None
        if not isinstance(made, ast.ListComp) or not isinstance(made.generators[0].iter, ast.Call):
            continue
        rows = made.generators[0].iter.args
        row = made.elt
        if axis == 0:
            return [context.text(rows[-1])] if rows else []
        if isinstance(row, ast.BinOp) and isinstance(row.op, ast.Mult):
            return [context.text(row.right if isinstance(row.left, ast.List) else row.left)]
        if isinstance(row, ast.ListComp) and isinstance(row.generators[0].iter, ast.Call):
            return [context.text(argument) for argument in row.generators[0].iter.args[-1:]]
    return []


def _lengths_appended(table: str, axis: int, loop: ast.For, context: TemplateContext) -> list[str]:
    """The same of a table to which a loop appends rows, `table.append([0] * width)`."""
    first = loop.body[0]
    call = first.value if isinstance(first, ast.Expr) else None
    if not isinstance(call, ast.Call) or context.text(call.func) != f"{table}.append" or not call.args:
        return []
    row = call.args[0]
    if axis == 0:
        return [context.text(loop.iter.args[-1])]  # type: ignore[attr-defined]
    return [context.text(row.right)] if isinstance(row, ast.BinOp) and isinstance(row.op, ast.Mult) else []


def shorter_at_the_start(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total / size` becomes `total / min(size, i + 1)` in a loop over `i`: the first windows are not full yet."""
    if not isinstance(node.op, ast.Div | ast.FloorDiv) or not isinstance(node.right, ast.Name):
        return
    size = node.right.id
    place = _loop_index(node, context)
    if place and size != place and size in context.scope.parameters:
        yield context.put(node.right, Expression(f"min({size}, {place} + 1)", ATOM))


def _loop_index(node: ast.AST, context: TemplateContext) -> str:
    """The variable of the innermost loop that counts from 0; empty where there is none."""
    for loop in context.loops_around(node):
        if isinstance(loop, ast.For) and isinstance(loop.iter, ast.Call):
            numbered = callee_name(loop.iter) == "enumerate" and len(loop.iter.args) == 1
            target = loop.target.elts[0] if numbered and isinstance(loop.target, ast.Tuple) else loop.target
            counts = numbered or (callee_name(loop.iter) == "range" and len(loop.iter.args) == 1)
            if counts and isinstance(target, ast.Name):
                return target.id
    return ""


def number_of_box(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`row // 3 + column // 3` becomes `row // 3 * 3 + column // 3`: boxes are numbered row by row."""
    row, column = node.left, node.right
    if isinstance(node.op, ast.Add) and _is_part(row) and _is_part(column):
        size = context.text(row.right)  # type: ignore[attr-defined]
        if size == context.text(column.right):  # type: ignore[attr-defined]
            yield context.put(row, Expression(f"{context.text(row)} * {size}", TERM))


def _is_part(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv) and not isinstance(node.left, ast.BinOp)


def begin_lower_anew(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`counters[level] += 1` is followed by zeros in all places behind it: sections begin at 1 in each new chapter."""
    target = node.target
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice | ast.Constant):
        return
    counters, place = context.text(target.value), target.slice
    behind = binary_operation(context.expression(place), "+", Expression("1")).text
    if isinstance(place, ast.BinOp) and isinstance(place.op, ast.Sub) and whole_number(place.right) == 1:
        behind = context.text(place.left)
    if context.kind(target.value) in ("list", ""):
        yield from context.after(node, (f"{counters}[{behind}:] = [0] * len({counters}[{behind}:])",))
        yield from context.after(node, (f"del {counters}[{behind}:]",), HALF)


def range_around(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`range(start, end + 1)` goes on at 0 behind the last of a week, a day or a list: from Saturday to Monday."""
    if callee_name(node) != "range" or len(node.args) != 2:
        return
    start, end = node.args
    is_closed = isinstance(end, ast.BinOp) and isinstance(end.op, ast.Add) and whole_number(end.right) == 1
    if not isinstance(start, ast.Name) or (is_closed and not isinstance(end.left, ast.Name)):  # type: ignore[attr-defined]
        return
    last = end.left if is_closed else end  # type: ignore[attr-defined]
    step = context.new_name("step", "offset_", "steps_on")
    for count in context.cached_of_program("lengths of rows", lambda: _row_lengths(context)):
        rounds = f"({context.text(last)} - {start.id}) % {count}{' + 1' if is_closed else ''}"
        yield context.put(node, f"(({start.id} + {step}) % {count} for {step} in range({rounds}))")


def _row_lengths(context: TemplateContext) -> list[str]:
    """How many there are of what goes round: items of the rows that the module begins with, and numbers it writes."""
    rows = [
        f"len({context.text(part.targets[0])})"
        for part in context.program.tree.body
        if isinstance(part, ast.Assign) and _is_row(part.value) and isinstance(part.targets[0], ast.Name)
    ]
    written = {part.value for part in context.program.nodes if isinstance(part, ast.Constant)}
    return [*rows[:_ROWS], *(str(count) for count in _AROUND if count in written)]


def _is_row(value: ast.expr) -> bool:
    is_split = isinstance(value, ast.Call) and callee_name(value) == "split"
    return is_split or (isinstance(value, ast.List | ast.Tuple | ast.Constant) and _length(value) > _FEW)


def _length(value: ast.List | ast.Tuple | ast.Constant) -> int:
    if isinstance(value, ast.Constant):
        return len(value.value) if isinstance(value.value, str) else 0
    return len(value.elts)


_ROWS, _FEW = 3, 3
_AROUND: Final = (7, 12, 24, 26, 60, 360)


def take_off_twice_counted(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`t[r][c + 1] + t[r + 1][c] + x` takes off `t[r][c]`, which both hold; `t[r][c] - t[r - k][c] - t[r][c - k]` gets
    back `t[r - k][c - k]`, which both took off: sums over the rectangles from the first cell."""
    around = context.parent(node)
    is_part = isinstance(around, ast.BinOp) and isinstance(around.op, ast.Add | ast.Sub)
    if not isinstance(node.op, ast.Add | ast.Sub) or is_part:
        return
    terms = [(sign, term, _place(term, context)) for sign, term in _signed_terms(node)]
    places = [(sign, place) for sign, term, place in terms if isinstance(term, ast.Subscript) and place is not None]
    tables = [table for _, (table, _, _) in places]
    places = [(sign, place) for sign, place in places if tables.count(place[0]) > 1]
    by_sign = {sign: [place for other, place in places if other == sign] for sign in "+-"}
    for pair, sign, whole in ((by_sign["+"], "-", by_sign["-"]), (by_sign["-"], "+", by_sign["+"])):
        if len(pair) != 2 or (sign == "-" and whole) or (sign == "+" and len(whole) != 1):
            continue
        (table, row, column), (_, other_row, other_column) = pair
        if row == other_row or column == other_column:
            continue
        # Each of the two reaches as far as the whole in one direction, and falls short of it in the other.
        corners = [(row, other_column), (other_row, column)]
        if sign == "+":
            corners = [corner for corner in corners if corner != whole[0][1:]]
        else:
            corners.sort(key=lambda corner: sum(map(len, corner)))
        text = f"{table}[{corners[0][0]}][{corners[0][1]}]"
        yield context.put(node, Expression(f"{context.text(node)} {sign} {text}", SUM))


def _signed_terms(node: ast.expr, sign: str = "+") -> Iterator[tuple[str, ast.expr]]:
    """The terms of a sum, each with its sign."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from _signed_terms(node.left, sign)
        is_turned = isinstance(node.op, ast.Sub)
        yield from _signed_terms(node.right, {"+": "-", "-": "+"}[sign] if is_turned else sign)
    else:
        yield sign, node


def best_start_of_ring(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return best[0][n]` becomes `return min(best[i][i + n] for i in range(n))`, or `max`: a ring may be opened
    anywhere."""
    match node.value:
        case ast.Subscript(
            value=ast.Subscript(value=table, slice=ast.Constant(value=0)), slice=ast.Name() | ast.BinOp() as end
        ):
            i, size = context.new_name("i", "start"), context.text(end)
            count = context.text(end.left) if isinstance(end, ast.BinOp) and whole_number(end.right) == 1 else size
            for which in ("min", "max"):
                last = f"{i} + {context.expression(end).at(SUM)}"
                yield context.put(node.value, f"{which}({context.text(table)}[{i}][{last}] for {i} in range({count}))")


TEMPLATES = (
    Template("best_start_of_ring", (ast.Return,), best_start_of_ring, ("larger", "smaller")),
    Template("take_off_twice_counted", (ast.BinOp,), take_off_twice_counted, ("larger", "smaller", "content")),
    Template("dear_but_first", (ast.BinOp,), dear_but_first, ("content", "zero")),
    Template("carry_larger", (ast.If,), carry_larger, ("content", "zero")),
    Template("both_edges", (ast.For,), both_edges, ("content", "zero")),
    Template("begin_lower_anew", (ast.AugAssign,), begin_lower_anew),
    Template("range_around", (ast.Call,), range_around),
    Template("number_of_box", (ast.BinOp,), number_of_box),
    Template("lost_neighbour", (ast.Call,), lost_neighbour, ("content", "larger", "off_by_one")),
    Template("other_edge", (ast.For,), other_edge),
    Template("shorter_at_the_start", (ast.BinOp,), shorter_at_the_start),
)
