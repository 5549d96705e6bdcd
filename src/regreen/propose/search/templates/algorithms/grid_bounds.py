"""Places that may lie outside a grid: they are asked for before anything is looked up there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE
from regreen.propose.search.expressions import AND, NOT, OR, SUM, Expression, bool_operation
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, bound_values, callee_name, names_within, walk_in_order
from regreen.types import Edit

_LEAVING = (ast.Return, ast.Continue, ast.Raise, ast.Break)


class _Cell(NamedTuple):
    """`grid[row][column]` in a program, as text."""

    grid: str
    row: str
    column: str

    def inside(self, context: TemplateContext) -> str:
        """`0 <= row < len(grid) and 0 <= column < len(grid[0])`, with the program's own names for the two lengths."""
        height, width = _named(f"len({self.grid})", context), _named(f"len({self.grid}[0])", context)
        return f"0 <= {self.row} < {height} and 0 <= {self.column} < {width}"


def ask_inside(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if grid[y][x] == 1` becomes `if 0 <= y < len(grid) and 0 <= x < len(grid[0]) and grid[y][x] == 1`."""
    cell = next(_unasked_cells(node.test, context), None)
    if cell is None:
        return
    inside, asked = cell.inside(context), context.expression(node.test)
    within = Expression(f"{inside} and {asked.at(NOT)}", AND)
    outside = Expression(f"not ({inside}) or {asked.at(AND)}", OR)
    leaves = isinstance(node.body[-1], _LEAVING) and not node.orelse
    yield context.put(node.test, outside if leaves else within)
    yield context.put(node.test, within if leaves else outside, HALF)


def leave_out_outside(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`y, x = row + dy, column + dx` in a loop is followed by `if not (0 <= y < len(grid) and ...): continue`."""
    if not any(True for _ in context.loops_around(node)):
        return
    bound = {part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    block = context.program.block(node)
    later = block[block.index(node) + 1 :]
    for cell in (found for statement in later for found in _unasked_cells(statement, context)):
        if {cell.row, cell.column} <= bound:
            yield from context.after(node, (f"if not ({cell.inside(context)}):", "\tcontinue"))
            return


def stay_inside(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`fill(grid, y, x)`, which calls itself for the places around, returns at once where `y` or `x` is outside."""
    calls = [part for part in context.scope.nodes if isinstance(part, ast.Call) and callee_name(part) == node.name]
    body = statements_after_docstring(node)
    cell = next(_unasked_cells(body[0], context), None)
    parameters = context.scope.parameters
    if not calls or cell is None or cell.row not in parameters or cell.column not in parameters:
        return
    results = [context.text(part) for part in context.program.below(body[0]) if isinstance(part, ast.Return)]
    for rank, result in enumerate(dict.fromkeys((*results, "return"))):
        yield from context.before(body[0], (f"if not ({cell.inside(context)}):", f"\t{result}"), LIKELY**rank)


def _unasked_cells(node: ast.AST, context: TemplateContext) -> Iterator[_Cell]:
    """Places of a grid below a node whose row and column no condition of the function compares."""
    for part in (node, *context.program.below(node)):
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Subscript):
            row, column = part.value.slice, part.slice
            if all(isinstance(place, ast.Name | ast.BinOp) for place in (row, column)):
                cell = _Cell(*map(context.text, (part.value.value, row, column)))
                if not {cell.row, cell.column} & _bounded(context):
                    yield cell


def _bounded(context: TemplateContext) -> frozenset[str]:
    """What the function compares with something larger or smaller, or counts with `range` or `enumerate`."""

    def find() -> frozenset[str]:
        found: list[ast.expr] = []
        for part in context.scope.nodes:
            if isinstance(part, ast.Compare):
                sides = [part.left, *part.comparators]
                found += sides if not isinstance(part.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot) else []
            elif isinstance(part, ast.For | ast.comprehension) and _counts(part.iter):
                found += [
                    name for name in (part.target, *context.program.below(part.target)) if isinstance(name, ast.Name)
                ]
        return frozenset(map(context.text, found))

    return context.cached("bounded places", find)


def _counts(iterable: ast.expr) -> bool:
    """Whether an iterable counts places: not those around another one, `range(r - 1, r + 2)`."""
    if not isinstance(iterable, ast.Call) or callee_name(iterable) not in ("range", "enumerate", "product"):
        return False
    first = iterable.args[0] if len(iterable.args) > 1 else None
    return not (isinstance(first, ast.BinOp) and isinstance(first.op, ast.Sub) and callee_name(iterable) == "range")


def _named(length: str, context: TemplateContext) -> str:
    """The name that the program gives a length; the text itself where it gives none."""
    for part in context.program.nodes:
        for name, given in bound_values(part) if isinstance(part, ast.Assign) else ():
            if isinstance(name, ast.Name) and name.id in context.scope.visible and context.text(given) == length:
                return name.id
    return length


def width_of_its_own(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rows = cols = len(grid)` becomes `rows, cols = len(grid), len(grid[0])`: not every grid is a square."""
    value = node.value
    is_length = isinstance(value, ast.Call) and callee_name(value) == "len" and len(value.args) == 1
    if is_length and len(node.targets) == _SIDES:
        grid = context.text(value.args[0])  # type: ignore[attr-defined]
        rows, columns = map(context.text, node.targets)
        yield from context.restate(node, (f"{rows}, {columns} = len({grid}), len({grid}[0])",))


_SIDES = 2


def width_of_row(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`0 <= y < len(grid) and 0 <= x < len(grid)` becomes `... 0 <= x < len(grid[0])`: how many there are in a row,
    where places are looked up as `grid[y][x]`, or as `row[x]` for each `row` of `grid`, in one condition or loop."""
    if (
        callee_name(node) != "len"
        or len(node.args) != 1
        or not isinstance(context.parent(node), ast.Compare | ast.Call)
    ):
        return
    grid = context.text(node.args[0])
    looked_up = context.cached("rows of grids", lambda: dict(_looked_up(context)))
    if grid in looked_up:
        is_column = not looked_up[grid].columns.isdisjoint(_asked_with(context.parent(node), context))
        yield context.put(node.args[0], f"{grid}[0]", 1.0 if is_column else HALF)
        if row := looked_up[grid].row:
            yield context.put(node.args[0], f"{grid}[{row}]", LIKELY if is_column else POSSIBLE)


def _asked_with(around: ast.AST, context: TemplateContext) -> frozenset[str]:
    """The names that a length is compared with, or that a loop binds to the numbers below it."""
    rounds = context.parent(around)
    bound = names_within(rounds.target) if isinstance(rounds, ast.For | ast.comprehension) else ()
    return frozenset((*names_within(around), *bound))


class _Rows(NamedTuple):
    """How the places of a grid are looked up."""

    row: str
    """The place of a row; empty where loops go through the rows themselves."""
    columns: frozenset[str]
    """The names in what stands second."""


def _looked_up(context: TemplateContext) -> Iterator[tuple[str, _Rows]]:
    loops = [part for part in context.scope.nodes if isinstance(part, ast.For | ast.comprehension)]
    rows = {part.target.id: context.text(part.iter) for part in loops if isinstance(part.target, ast.Name)}
    for part in context.scope.nodes:
        match part:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=place)) if name in rows:
                yield rows[name], _Rows("", frozenset((place,)))
    for part in context.scope.nodes:
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Subscript):
            row, column = part.value.slice, part.slice
            if isinstance(row, ast.Name) and not isinstance(column, ast.Slice | ast.Constant):
                yield context.text(part.value.value), _Rows(row.id, frozenset(names_within(column)))


def mark_what_is_pushed(node: ast.Assign | ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`seen[y][x] = True` beside `stack.append((ny, nx))` becomes `seen[ny][nx] = True`: marked is what is gone to."""
    for pushed in _pushed_beside(node, context):
        if isinstance(node, ast.Assign):
            places = _places_of(node.targets[0], context)
            if len(places) == len(pushed) and [context.text(place) for place in places] != pushed:
                yield WeightedEdits(
                    tuple(context.edit(place, Expression(new)) for place, new in zip(places, pushed, strict=True))
                )
        elif isinstance(node.value, ast.Call) and callee_name(node.value) == "add" and len(node.value.args) == 1:
            (marked,) = node.value.args
            new = pushed[0] if len(pushed) == 1 else f"({', '.join(pushed)})"
            if isinstance(marked, ast.Name | ast.Tuple) and context.text(marked) != new:
                yield context.put(marked, new)


def _pushed_beside(node: ast.stmt, context: TemplateContext) -> Iterator[list[str]]:
    """What statements of the same block put at the end of a list that something is taken off: the parts of a pair."""
    taken_off = context.cached("taken off", lambda: _taken_off(context))
    for other in context.program.block(node):
        call = other.value if isinstance(other, ast.Expr) and other is not node else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or not call.args:
            continue
        if call.func.attr in ("append", "appendleft", "put") and context.text(call.func.value) in taken_off:
            item = call.args[-1]
            parts = item.elts if isinstance(item, ast.Tuple) else [item]
            if all(isinstance(part, ast.Name | ast.BinOp) for part in parts):
                yield [context.text(part) for part in parts]


def _taken_off(context: TemplateContext) -> frozenset[str]:
    """What the function takes items off one by one: `stack.pop()`, `queue.popleft()`, `queue.get()`."""
    calls = (part.func for part in context.scope.nodes if isinstance(part, ast.Call))
    methods = (call for call in calls if isinstance(call, ast.Attribute))
    return frozenset(context.text(call.value) for call in methods if call.attr in ("pop", "popleft", "get"))


def _places_of(target: ast.expr, context: TemplateContext) -> list[ast.expr]:
    """The places of `grid[y][x]` or `seen[node]`, the first one first."""
    places: list[ast.expr] = []
    while isinstance(target, ast.Subscript):
        places.insert(0, target.slice)
        target = target.value
    return places if all(isinstance(place, ast.Name) for place in places) else []


def bounds_for_exception(node: ast.Try, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`try: grid[r][c] += 1` with `except IndexError: pass` becomes `if 0 <= r < len(grid) and 0 <= c < len(grid[0]):`
    around the same: a place below 0 is one from behind, and raises nothing."""
    handler = node.handlers[0] if len(node.handlers) == 1 else None
    is_passed = handler is not None and isinstance(handler.body[0], ast.Pass | ast.Continue)
    raised = context.text(handler.type) if handler is not None and handler.type is not None else ""
    if not is_passed or raised != "IndexError" or node.orelse or node.finalbody or len(node.body) > 1:
        return
    lines = context.text(node.body[0]).splitlines()
    cells = [part for part in context.program.below(node.body[0]) if isinstance(part, ast.Subscript)]
    grids = [cell for cell in cells if isinstance(cell.value, ast.Subscript) and isinstance(cell.value.value, ast.Name)]
    if len(lines) > 1:
        return
    if grids:
        whole = grids[0]
        assert isinstance(whole.value, ast.Subscript)
        cell = _Cell(context.text(whole.value.value), context.text(whole.value.slice), context.text(whole.slice))
        yield from context.restate(node, (f"if {cell.inside(context)}:", f"\t{lines[0]}"))
    elif cells and not isinstance(cells[0].slice, ast.Slice):
        place, items = context.text(cells[0].slice), context.text(cells[0].value)
        yield from context.restate(node, (f"if 0 <= {place} < len({items}):", f"\t{lines[0]}"))


def no_way_back(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Of a walk around `while top <= bottom and left <= right`, the way back along `bottom` is taken only
    `if top < bottom`: a single row was gone through already. The way up along `left` likewise, and both at once."""
    loop = context.parent(node)
    if not isinstance(loop, ast.While):
        return
    ways = [(way, _limits_of_way_back(way, loop, context)) for way in loop.body if isinstance(way, ast.For)]
    edits = {way: _only_if(way, _still_apart(loop, way, limits, context), context) for way, limits in ways if limits}
    if node not in edits:
        return
    yield WeightedEdits((edits[node],))
    if node is next(iter(edits)) and len(edits) > 1:
        yield WeightedEdits(tuple(sorted(edits.values(), key=edit_position)))


_AT_MOST: Final = re.compile(r"(?<![\w.])(\w+) <= (\w+)(?![\w.])")
_BACKWARDS: Final = re.compile(r"range\(.*, -1\)|reversed\(range\(.*\)\)")


def _limits_of_way_back(way: ast.For, loop: ast.While, context: TemplateContext) -> tuple[str, str] | None:
    """The limits between which nothing may be left, where a way goes backwards along one of them."""
    if not _BACKWARDS.fullmatch(context.text(way.iter)) or way.orelse or not context.program.alone(way):
        return None
    places = (part.slice for part in context.program.below(way) if isinstance(part, ast.Subscript))
    fixed = {place.id for place in places if isinstance(place, ast.Name)}
    pairs = (found.groups() for found in _AT_MOST.finditer(context.text(loop.test)))
    return next(((low, high) for low, high in pairs if fixed & {low, high}), None)


def _still_apart(loop: ast.While, way: ast.For, limits: tuple[str, str], context: TemplateContext) -> str:
    """`top < bottom` where neither has moved yet in this round; `top <= bottom` behind `top += 1`."""
    before = loop.body[: loop.body.index(way)]
    has_moved = any(isinstance(part, ast.AugAssign) and context.text(part.target) in limits for part in before)
    return f"{limits[0]} <= {limits[1]}" if has_moved else f"{limits[0]} < {limits[1]}"


def _only_if(way: ast.For, condition: str, context: TemplateContext) -> Edit:
    """A loop under a condition."""
    start, end = context.program.lines(way)
    indent, unit = context.program.indent(way), context.program.unit
    lines = context.program.source[start:end].splitlines(keepends=True)
    return Edit(start, end, f"{indent}if {condition}:\n" + "".join(unit + line for line in lines))


def fourth_direction(node: ast.Tuple | ast.List, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`((0, 1), (1, 0), (1, 1))` becomes `(..., (1, -1))`: of the ways along which lines go, one diagonal is
    missing."""
    steps = [context.text(part) for part in node.elts]
    if set(steps) == {"(0, 1)", "(1, 0)", "(1, 1)"} and isinstance(node.ctx, ast.Load):
        at = context.program.spans[node.elts[-1]][1]
        yield context.replace(at, at, ", (1, -1)")


def both_lengths(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`2 * rows` becomes `rows + columns`, for two lengths of a grid: not every grid is a square."""
    number, name = (node.left, node.right) if isinstance(node.left, ast.Constant) else (node.right, node.left)
    if not isinstance(node.op, ast.Mult) or not isinstance(name, ast.Name) or context.text(number) != "2":
        return
    lengths = [
        target.id
        for part in context.scope.nodes
        if isinstance(part, ast.Assign)
        for target, value in bound_values(part)
        if isinstance(target, ast.Name) and context.text(value).startswith("len(")
    ]
    for other in dict.fromkeys(lengths):
        if name.id in lengths and other != name.id:
            yield context.put(node, Expression(f"{name.id} + {other}", SUM))


def nothing_before_the_first(node: ast.Assign | ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`free = grid[r][c] != "#"` in a `try` that handles IndexError becomes `free = r >= 0 and c >= 0 and grid[r][c] !=
    "#"`: below 0, Python counts from the end."""
    block, value = context.parent(node), node.value
    if (
        value is None
        or not isinstance(block, ast.Try)
        or "IndexError" not in "".join(map(context.text, _handled(block)))
    ):
        return
    places = [part.slice for part in walk_in_order(value) if isinstance(part, ast.Subscript)]
    names = list(dict.fromkeys(place.id for place in places[::-1] if isinstance(place, ast.Name)))
    if not names:
        return
    if isinstance(value, ast.Compare | ast.BoolOp):
        asked = " and ".join(f"{name} >= 0" for name in names)
        own = context.expression(value)
        yield context.put(value, bool_operation(Expression(asked, AND), "and", own))
    else:
        below = " or ".join(f"{name} < 0" for name in names)
        yield from context.before(node, (f"if {below}:", "\traise IndexError"))


def _handled(block: ast.Try) -> list[ast.expr]:
    return [handler.type for handler in block.handlers if handler.type is not None]


TEMPLATES = (
    Template("nothing_before_the_first", (ast.Assign, ast.Return), nothing_before_the_first, ("content", "larger")),
    Template("both_lengths", (ast.BinOp,), both_lengths, ("index", "shorter", "longer")),
    Template("fourth_direction", (ast.Tuple, ast.List), fourth_direction, ("none", "content", "negated")),
    Template("bounds_for_exception", (ast.Try,), bounds_for_exception, ("index", "content", "longer")),
    Template("no_way_back", (ast.For,), no_way_back, ("longer", "content")),
    Template("mark_what_is_pushed", (ast.Assign, ast.Expr), mark_what_is_pushed, ("larger", "hang")),
    Template("width_of_row", (ast.Call,), width_of_row, ("content", "index")),
    Template("width_of_its_own", (ast.Assign,), width_of_its_own, ("index", "content")),
    Template("ask_inside", (ast.If,), ask_inside, ("index", "content", "longer")),
    Template("leave_out_outside", (ast.Assign,), leave_out_outside, ("index", "content", "longer")),
    Template("stay_inside", FUNCTIONS, stay_inside, ("index", "recursion", "content")),
)
