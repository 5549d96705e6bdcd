"""Places on a grid: the steps to the neighbours of one, itself among them or the diagonal ones, and its coordinates."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from regreen.plain_slips.void_expressions import STRAIGHT_STEPS, grid_step
from regreen.propose.search.constants import LIKELY, UNLIKELY
from regreen.propose.search.expressions import AND, COMPARISON, OR, SUM, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.scope import PYTHON_BUILTINS
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, whole_number

_DIMENSIONS = 2
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


def choose_steps(node: ast.expr | ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for y in (-1, 0, 1) for x in (-1, 0, 1)` gains `if (y, x) != (0, 0)`, or `if abs(y) + abs(x) == 1`.

    A place is no neighbour of its own, and often only those straight beside it are meant.
    """
    loops = list(node.generators) if isinstance(node, _COMPREHENSIONS) else []
    inner: ast.For | None = None
    if isinstance(node, ast.For) and len(node.body) == 1 and isinstance(node.body[0], ast.For):
        inner = node.body[0]
    targets = [node.target, inner.target] if isinstance(node, ast.For) and inner else [loop.target for loop in loops]
    iterables = [node.iter, inner.iter] if isinstance(node, ast.For) and inner else [loop.iter for loop in loops]
    steps = [
        target.id
        for target, iterable in zip(targets, iterables, strict=True)
        if isinstance(target, ast.Name) and "-1" in context.text(iterable)
    ]
    if len(steps) != _DIMENSIONS:
        return
    names, distance = f"({', '.join(steps)})", " + ".join(f"abs({step})" for step in steps)
    if inner is not None:
        yield from context.before(inner.body[0], (f"if {names} == (0, 0):", "\tcontinue"))
        yield from context.before(inner.body[0], (f"if {distance} != 1:", "\tcontinue"), LIKELY)
    elif not loops[-1].ifs:
        end = context.outer(loops[-1].iter)[1]
        yield context.replace(end, end, f" if {names} != (0, 0)")
        yield context.replace(end, end, f" if {distance} == 1", LIKELY)
    else:
        (test, *more) = loops[-1].ifs
        for other in () if more else (f"{names} != (0, 0)", f"{distance} == 1"):
            if other != context.text(test):
                yield context.put(test, other)


def other_steps(node: ast.Tuple | ast.List, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`((0, 1), (1, 0), (0, -1), (-1, 0))` gains the diagonal steps, or loses them."""
    steps = [grid_step(part) for part in node.elts]
    if len(steps) <= _DIMENSIONS or None in steps or not set(steps) >= STRAIGHT_STEPS:
        return
    texts = [context.text(part) for part in node.elts]
    if set(steps) == STRAIGHT_STEPS:
        kept = [*texts, *map(repr, _DIAGONAL)]
    else:
        kept = [text for text, step in zip(texts, steps, strict=True) if step in STRAIGHT_STEPS]
    inside = ", ".join(kept)
    yield context.put(node, f"[{inside}]" if isinstance(node, ast.List) else f"({inside})")


def diagonal_calls(node: ast.BinOp | ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`fill(r - 1, c) + fill(r + 1, c) + fill(r, c - 1) + fill(r, c + 1)` gains the calls for the diagonal places."""
    parent = context.parent(node)
    if isinstance(parent, type(node)) or (isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Add)):
        return
    calls = [
        part for part in context.program.below(node) if isinstance(part, ast.Call) and len(part.args) >= _DIMENSIONS
    ]
    found: dict[str, set[tuple[str, int]]] = {}
    for call in calls:
        places = [(_named(place), _offset(place)) for place in call.args[:_DIMENSIONS]]
        moved = [(name, offset) for name, offset in places if offset]
        if len(moved) == 1 and None not in [offset for _, offset in places]:
            found.setdefault(context.text(call.func), set()).update(moved)
    for function, moves in found.items():
        names = [_named(place) for place in calls[0].args[:_DIMENSIONS]]
        if moves != {(name, step) for name in names for step in (-1, 1)}:
            continue
        rest = "".join(f", {context.text(more)}" for more in calls[0].args[_DIMENSIONS:])
        symbol = "+" if isinstance(node, ast.BinOp) else "or" if isinstance(node.op, ast.Or) else "and"
        told = (f"{function}({_step(names[0], one)}, {_step(names[1], two)}{rest})" for one, two in _DIAGONAL)
        end = context.program.spans[node][1]
        yield context.replace(end, end, "".join(f" {symbol} {call}" for call in told))


def _named(place: ast.expr) -> str:
    inner = place.left if isinstance(place, ast.BinOp) else place
    return inner.id if isinstance(inner, ast.Name) else ""


def _step(name: str, offset: int) -> str:
    return f"{name} {'+' if offset > 0 else '-'} {abs(offset)}"


def both_coordinates(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`table[i - 1][j - 1]` becomes `table[i - 2][j - 2]` or `table[i][j]`; and `table[i][j]`, one off in both."""
    inner = node.value
    if not isinstance(inner, ast.Subscript):
        return
    places = (inner.slice, node.slice)
    offsets = [_offset(place) for place in places]
    if offsets[0] is None or offsets[0] != offsets[1]:
        return
    for step in (-1, 1):
        edits = [context.edit(place, _moved(place, offsets[0] + step, context)) for place in places]
        yield WeightedEdits(tuple(edits))


def _offset(place: ast.expr) -> int | None:
    """How far an index is from a variable: -1 for `i - 1`; None where it is no such index."""
    if isinstance(place, ast.Name):
        return 0
    if not isinstance(place, ast.BinOp) or not isinstance(place.left, ast.Name):
        return None
    number = whole_number(place.right)
    if number is None or not isinstance(place.op, ast.Add | ast.Sub):
        return None
    return number if isinstance(place.op, ast.Add) else -number


def _moved(place: ast.expr, offset: int, context: TemplateContext) -> Expression:
    variable = context.expression(place.left if isinstance(place, ast.BinOp) else place)
    if offset == 0:
        return variable
    return binary_operation(variable, "+" if offset > 0 else "-", Expression(str(abs(offset))))


def opposite_calls(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After `sink(r + 1, c)` and `sink(r, c + 1)` come `sink(r - 1, c)` and `sink(r, c - 1)`: four neighbours."""
    function = context.scope.function
    block = context.program.block(node)
    if function is None or not _is_own_step(node, function.name):
        return
    calls = [part for part in block if isinstance(part, ast.Expr) and _is_own_step(part, function.name)]
    texts = [context.text(call) for call in calls]
    missing = [other for text in texts if (other := _turned_round(text)) != text and other not in texts]
    missing = missing or _across(calls, texts, context)
    if node is calls[-1] and missing:
        yield from context.after(node, missing)


def _across(calls: Sequence[ast.Expr], texts: Sequence[str], context: TemplateContext) -> list[str]:
    """The steps along the other coordinate, where all that there are go along one: `f(r, c + 1)`, `f(r, c - 1)`."""
    arguments = [call.value.args for call in calls]  # type: ignore[attr-defined]
    offsets = [[_offset(part) for part in given] for given in arguments]
    moved = {place for given in offsets for place, by in enumerate(given) if by}
    if len(calls) != _DIMENSIONS or len(moved) != 1 or any(len(given) < _DIMENSIONS for given in arguments):
        return []
    (place,) = moved
    indices = {context.text(part.slice) for part in context.scope.nodes if isinstance(part, ast.Subscript)}
    for other in (place + 1, place - 1):
        names = [context.text(part) for part in arguments[0]]
        if 0 <= other < len(names) and names[other] in indices:
            plain = [
                _named(part) if at == place else name
                for at, (name, part) in enumerate(zip(names, arguments[0], strict=True))
            ]
            steps = ([_step(name, by) if at == other else name for at, name in enumerate(plain)] for by in (1, -1))
            head = texts[0][: texts[0].index("(")]
            return [f"{head}({', '.join(step)})" for step in steps]
    return []


def second_diagonal(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`grid[i][i]` becomes `grid[i][len(grid) - 1 - i]`: the other diagonal of a square."""
    place = _on_diagonal(node, context)
    if place is not None and place[0] == place[1] and isinstance(node.value, ast.Subscript):
        yield context.put(node.slice, f"len({context.text(node.value.value)}) - 1 - {place[0]}")


def from_other_end(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`matrix[j][i]`, or `row[j]`, in `for j in range(n)` becomes `matrix[n - 1 - j][i]`: the places are gone through
    from the other end, as where a grid is turned or mirrored."""
    if not isinstance(node.slice, ast.Name) or context.kind(node.slice) not in ("int", ""):
        return
    likely = 1.0 if _TURNED & context.clues.words else UNLIKELY
    for loop in context.loops_around(node):
        counted = loop.iter if isinstance(loop, ast.For) and context.text(loop.target) == node.slice.id else None
        if isinstance(counted, ast.Call) and callee_name(counted) == "range" and len(counted.args) == 1:
            size = context.expression(counted.args[0]).at(SUM)
            yield context.put(node.slice, Expression(f"{size} - 1 - {node.slice.id}", SUM), likely)


_TURNED = frozenset(
    "rotate rotated rotates rotation turn turned turns clockwise counterclockwise degrees mirror mirrored mirrors flip "
    "flipped flips reflect reflected reverse reversed backwards vertically horizontally".split()
)


def column_for_row(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`value in board[c]` becomes `value in [row[c] for row in board]`, and `sum(grid[j])` the sum of a column."""
    parent = context.parent(node)
    is_whole = isinstance(parent, ast.Call) and callee_name(parent) in _OF_ALL and parent.args == [node]
    is_searched = isinstance(parent, ast.Compare) and isinstance(parent.ops[-1], ast.In | ast.NotIn)
    if not (is_whole or (is_searched and node is parent.comparators[-1])):  # type: ignore[attr-defined]
        return
    if isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Name):
        table, place = node.value.id, node.slice.id
        row = context.new_name("row", "line")
        others = (part for part in context.scope.nodes if isinstance(part, ast.Subscript) and part is not node)
        beside = any(context.text(part.value) == table and context.text(part.slice) != place for part in others)
        yield context.put(node, f"[{row}[{place}] for {row} in {table}]", 1.0 if beside else LIKELY)


_OF_ALL = frozenset(("sum", "max", "min", "set", "all", "any", "sorted", "len"))


def _is_own_step(node: ast.Expr, function: str) -> bool:
    """Whether a statement is a call of the function itself with a place one further."""
    call = node.value
    is_own = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == function
    return is_own and any(_offset(part) in (1, -1) for part in call.args)  # type: ignore[attr-defined]


def _turned_round(text: str) -> str:
    """A step in the opposite direction."""
    return text.translate(str.maketrans("+-", "-+"))


def not_from_the_end(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if rows[r][c] == "#"` whose IndexError is caught asks `r >= 0 and c >= 0` first: -1 is the last place."""
    guard = context.parent(node)
    if not isinstance(guard, ast.Try) or not any("IndexError" in _caught(part, context) for part in guard.handlers):
        return
    places = [part.slice for part in ast.walk(node.test) if isinstance(part, ast.Subscript)]
    names = dict.fromkeys(context.text(place) for place in places if isinstance(place, ast.Name | ast.BinOp))
    if names:
        tests = [Expression(f"{name} >= 0", COMPARISON) for name in sorted(names, key=list(names).index, reverse=True)]
        asked = context.expression(node.test)
        yield context.put(node.test, Expression(" and ".join((*(t.text for t in tests), asked.at(COMPARISON))), AND))


def negative_places(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`r < rows and c < columns and grid[r][c]` becomes `0 <= r < rows and 0 <= c < columns and grid[r][c]`, and
    `if r >= rows or c >= columns: continue` asks `r < 0 or c < 0`, too: -1 is the last place."""
    is_inside = isinstance(node.op, ast.And)
    above = [part for part in node.values if _asks_upper(part, ast.Lt if is_inside else ast.GtE)]
    asked = context.text(node)
    indices = {context.text(part.slice) for part in context.scope.nodes if isinstance(part, ast.Subscript)}
    places = [
        part
        for part in above
        if (place := context.text(part.left)) in indices  # type: ignore[attr-defined]
        and f"0 <= {place}" not in asked
        and f"{place} >= 0" not in asked
        and f"{place} < 0" not in asked
    ]
    if not places:
        return
    if is_inside:
        edits = [context.edit(part, Expression(f"0 <= {context.text(part)}", COMPARISON)) for part in places]
        yield WeightedEdits(tuple(edits))
    else:
        below = [f"{context.text(part.left)} < 0" for part in places]  # type: ignore[attr-defined]
        yield context.put(node, Expression(" or ".join((*below, asked)), OR))


def _asks_upper(node: ast.expr, operator: type[ast.cmpop]) -> bool:
    """Whether an expression compares a variable, or a sum of one, with an upper bound."""
    return (
        isinstance(node, ast.Compare)
        and len(node.ops) == 1
        and isinstance(node.ops[0], operator)
        and isinstance(node.left, ast.Name | ast.BinOp)
        and whole_number(node.comparators[0]) is None
    )


def once_in_the_middle(node: ast.AugAssign | ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += grid[i][n - 1 - i]` behind `total += grid[i][i]` is done only `if i != n - 1 - i`, or is done where it
    was forgotten: both diagonals of a square of odd size go through its middle."""
    block = context.program.block(node)
    for part in context.program.below(node):
        place = _on_diagonal(part, context)
        if place is None:
            continue
        row, column = place
        if row == column:
            yield from _other_diagonal(node, part, row, context)
        elif any(context.text(other) == context.text(node).replace(f"[{column}]", f"[{row}]") for other in block):
            yield from context.restate(node, (f"if {row} != {column}:", f"\t{context.text(node)}"))


def _on_diagonal(node: ast.AST, context: TemplateContext) -> tuple[str, str] | None:
    """The row and the column of `grid[i][i]` and of `grid[i][n - 1 - i]`; None for anything else."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Subscript):
        return None
    row, column = context.text(node.value.slice), context.text(node.slice)
    is_on = row.isidentifier() and (column == row or column.endswith(f" - {row}") or column.endswith(f" - {row} - 1"))
    return (row, column) if is_on else None


def _other_diagonal(
    node: ast.AugAssign | ast.Expr, place: ast.AST, row: str, context: TemplateContext
) -> Iterator[WeightedEdits]:
    loop = next(context.loops_around(node), None)
    bound = loop.iter if isinstance(loop, ast.For) and context.text(loop.target) == row else None
    if not isinstance(bound, ast.Call) or callee_name(bound) != "range" or len(bound.args) != 1:
        return
    column = f"{context.text(bound.args[0])} - 1 - {row}"
    again = context.text(node).replace(context.text(place), f"{context.text(place.value)}[{column}]")  # type: ignore[attr-defined]
    yield from context.after(node, (f"if {row} != {column}:", f"\t{again}"))
    yield from context.after(node, (again,), LIKELY)


def _caught(handler: ast.ExceptHandler, context: TemplateContext) -> str:
    return context.text(handler.type) if handler.type is not None else "IndexError"


def both_diagonals(node: ast.AugAssign | ast.Expr | ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += grid[i][i]` is followed by the same of `grid[i][len(grid) - 1 - i]`: a square has two diagonals."""
    text = context.text(node)
    for grid, place in dict.fromkeys(_ALONG_IT.findall(text)) if "\n" not in text or isinstance(node, ast.If) else ():
        other = text.replace(f"{grid}[{place}][{place}]", f"{grid}[{place}][len({grid}) - 1 - {place}]")
        indent, unit = context.program.indent(node), context.program.unit
        lines = [line.removeprefix(indent).replace(unit, "\t") for line in other.splitlines()]
        if f"- 1 - {place}]" not in context.program.source:
            yield from context.after(node, lines)


_ALONG_IT = re.compile(r"(\w+)\[(\w+)\]\[\2\]")


def as_gone_through_before(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for a, b in ((r - 1, c), (r + 1, c), ...)` becomes `for a, b in around(r, c)`, where the same function goes
    through that elsewhere."""
    if not isinstance(node.iter, ast.Tuple | ast.List):
        return
    rounds = (part for part in context.scope.nodes if isinstance(part, ast.For | ast.comprehension))
    calls = (part.iter for part in rounds if isinstance(part.iter, ast.Call))
    for call in dict.fromkeys(context.text(call) for call in calls if callee_name(call) not in PYTHON_BUILTINS):
        yield context.put(node.iter, call)


def all_eight_around(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for a, b in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))` goes through the four at the corners, too."""
    cells = [context.text(part) for part in node.iter.elts] if isinstance(node.iter, ast.Tuple | ast.List) else []
    for above in filter(None, (re.fullmatch(r"\((\w+) - 1, (\w+)\)", cell) for cell in cells)):
        row, col = above.groups()
        if set(cells) == {f"({row} - 1, {col})", f"({row} + 1, {col})", f"({row}, {col} - 1)", f"({row}, {col} + 1)"}:
            corners = [f"({row} {a} 1, {col} {b} 1)" for a in "-+" for b in "-+"]
            yield context.put(node.iter, f"({', '.join([*cells, *corners])})")


TEMPLATES = (
    Template("all_eight_around", (ast.For,), all_eight_around, ("content", "smaller")),
    Template("as_gone_through_before", (ast.For,), as_gone_through_before, ("content", "smaller")),
    Template("both_diagonals", (ast.AugAssign, ast.Expr, ast.If), both_diagonals, ("smaller", "negated", "none")),
    Template("from_other_end", (ast.Subscript,), from_other_end, ("reversed", "content", "order")),
    Template("second_diagonal", (ast.Subscript,), second_diagonal, ("content",)),
    Template("column_for_row", (ast.Subscript,), column_for_row, ("content", "negated")),
    Template("not_from_the_end", (ast.If,), not_from_the_end),
    Template("negative_places", (ast.BoolOp,), negative_places, ("content", "longer", "index")),
    Template("once_in_the_middle", (ast.AugAssign, ast.Expr), once_in_the_middle, ("content", "longer", "shorter")),
    Template("opposite_calls", (ast.Expr,), opposite_calls, ("shorter", "longer", "off_by_one")),
    Template("choose_steps", (*_COMPREHENSIONS, ast.For), choose_steps, ("longer", "off_by_one")),
    Template("other_steps", (ast.Tuple, ast.List), other_steps, ("longer", "shorter", "off_by_one")),
    Template("diagonal_calls", (ast.BinOp, ast.BoolOp), diagonal_calls, ("shorter", "content", "longer")),
    Template("both_coordinates", (ast.Subscript,), both_coordinates, ("index", "content")),
)
