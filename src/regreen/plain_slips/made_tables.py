"""Tables whose rows are one row, those of another one, or have changed places with the columns; tables of one list."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeGuard

from regreen.plain_slips.given_kinds import kind_of
from regreen.plain_slips.located_program import LocatedProgram, PlainSlip, nodes_within
from regreen.syntax import Function, blocks_in, names_within, walk

_CHANGING: Final = frozenset({"append", "extend", "insert", "add", "pop", "remove", "sort", "update"})


def aliased_rows(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`table = [[0] * width] * height`, whose rows are one list, in a program that changes `table[y]`."""
    for stmt in program.nodes:
        node = stmt.value if isinstance(stmt, ast.Assign) and len(stmt.targets) == 1 else None
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult) or not isinstance(node.left, ast.List):
            continue
        assert isinstance(stmt, ast.Assign)
        if ast.dump(stmt.targets[0]).replace("Store()", "Load()") not in _tables_changed(program):
            continue
        row = node.left.elts[0] if len(node.left.elts) == 1 else None
        kind = _kind_begun(row, stmt, program) if isinstance(row, ast.Name) else None
        if isinstance(row, ast.List | ast.Dict | ast.Set | ast.ListComp) or _is_row(row) or kind is not None:
            assert row is not None
            copied = "" if kind is None else "[:]" if kind is list else ".copy()"
            rows = f"[{program.text(row)}{copied} for _ in range({program.text(node.right)})]"
            yield PlainSlip("repeated_rows", program.put(node, rows))


def _tables_changed(program: LocatedProgram) -> set[str]:
    """What has an item that is changed itself: `table` in `table[y][x] = 1` and `table[y].append(1)`, dumped."""
    rows = [n.value for n in program.nodes if isinstance(n, ast.Subscript) and not isinstance(n.ctx, ast.Load)]
    rows += [n.value for n in program.nodes if isinstance(n, ast.Attribute) and n.attr in _CHANGING]
    return {ast.dump(row.value) for row in rows if isinstance(row, ast.Subscript)}


def _kind_begun(row: ast.Name, stmt: ast.stmt, program: LocatedProgram) -> type | None:
    """The kind of the list, dict or set that a variable was given before a statement of the same block; or None."""
    block = next((block for block in blocks_in([program.parents[stmt]]) if stmt in block), [])
    begun = [step for step in block[: block.index(stmt)] if _is_given(step, row.id)] if block else []
    kind = kind_of(begun[-1].value) if begun else None
    return kind if kind in (list, dict, set) else None


def _is_given(step: ast.stmt, name: str) -> TypeGuard[ast.Assign]:
    """Whether a statement gives a value to this variable alone."""
    targets = step.targets if isinstance(step, ast.Assign) else []
    return len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name


def _is_row(node: ast.expr | None) -> bool:
    """Whether an expression is `[0] * n`."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List)


def turned_tables(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`table = [[0] * height for _ in range(width)]`, which loops over `range(height)` and `range(width)` fill as
    `table[y][x]`: rows and columns have changed places."""
    for function in program.functions():
        for stmt in walk(function):
            made = _sizes_of_table(stmt)
            if made is None or program.text(made.columns) == program.text(made.rows):
                continue
            filled = {*_sizes_filled(made.name, function, program)}
            if filled == {(program.text(made.columns), program.text(made.rows))}:
                row = f"[{program.text(made.item)}] * {program.text(made.rows)}"
                turned = f"[{row} for _ in range({program.text(made.columns)})]"
                yield PlainSlip("turned_table", program.put(made.table, turned))


class _TableSizes(NamedTuple):
    """A table as it is made: its name, what it is filled with, and how many columns and rows it gets."""

    name: str
    table: ast.expr
    item: ast.expr
    columns: ast.expr
    rows: ast.expr


def _sizes_of_table(stmt: ast.AST) -> _TableSizes | None:
    """Those of a table of equal items; None where a statement makes none, or the items differ from row to row."""
    match stmt:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.ListComp(
                elt=ast.BinOp(left=ast.List(elts=[item]), op=ast.Mult(), right=columns),
                generators=[ast.comprehension(iter=ast.Call(func=ast.Name(id="range"), args=[rows]))],
            )
            | ast.BinOp(
                left=ast.List(elts=[ast.BinOp(left=ast.List(elts=[item]), op=ast.Mult(), right=columns)]),
                op=ast.Mult(),
                right=rows,
            ) as table,
        ):
            counted = {
                part.id for part in walk(table) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            }
            if counted.isdisjoint(names_within(item) | names_within(columns)):
                return _TableSizes(name, table, item, columns, rows)
    return None


def _sizes_filled(table: str, function: Function, program: LocatedProgram) -> Iterator[tuple[str, str]]:
    """For each `table[i][j]` that loops write to, over how many `i` and `j` they go; empty texts where that is not
    plain."""
    for outer in (node for node in walk(function) if isinstance(node, ast.For)):
        for part in (node for step in outer.body for node in walk(step)):
            match part:
                case ast.Subscript(
                    value=ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=row)), slice=ast.Name(id=column)
                ) if name == table and not isinstance(part.ctx, ast.Load) and _counted(outer, program)[0] == row:
                    inner = (node for step in outer.body for node in walk(step) if isinstance(node, ast.For))
                    columns = [size for place, size in (_counted(node, program) for node in inner) if place == column]
                    yield _counted(outer, program)[1], columns[0] if len(columns) == 1 else ""


def _counted(loop: ast.For, program: LocatedProgram) -> tuple[str, str]:
    """`i` and `n` of `for i in range(n)`; empty texts of another loop."""
    match loop:
        case ast.For(target=ast.Name(id=place), iter=ast.Call(func=ast.Name(id="range"), args=[size])):
            return place, program.text(size)
    return "", ""


def shared_entries(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`cells = dict.fromkeys(rows, [0] * n)`, whose entries are one list, in a program that changes `cells[row]`."""
    for stmt in program.nodes:
        match stmt:
            case ast.Assign(
                targets=[target],
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"), args=[keys, entry]
                ) as made,
            ):
                is_changing = isinstance(entry, ast.List | ast.Dict | ast.Set | ast.ListComp) or _is_row(entry)
                if (
                    "key" not in names_within(entry)
                    and is_changing
                    and ast.dump(target).replace("Store()", "Load()") in _tables_changed(program)
                ):
                    fresh = f"{{key: {program.text(entry)} for key in {program.text(keys)}}}"
                    yield PlainSlip("shared_entry", program.put(made, fresh))


def shared_rows(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`after = before[:]` and then `after[y][x] = 1`: the list is another one, and its rows are the same."""
    if not program.stands_alone:
        return
    for function in program.functions():
        for step in nodes_within(function):
            copied = _copied_list(step)
            if copied is not None and _changes_cells(*copied, function, program):
                assert isinstance(step, ast.Assign)
                yield PlainSlip(
                    "shared_rows", program.put(step.value, f"[row[:] for row in {program.text(copied[1])}]")
                )


def _copied_list(step: ast.AST) -> tuple[str, ast.expr] | None:
    """The variable that gets a copy of a list, and the list; None of another statement."""
    match step:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Subscript(value=old, slice=ast.Slice(lower=None, upper=None, step=None))
            | ast.Call(func=ast.Name(id="list"), args=[old], keywords=[])
            | ast.Call(func=ast.Attribute(value=old, attr="copy"), args=[], keywords=[]),
        ) if isinstance(old, ast.Name | ast.Attribute):
            return name, old
    return None


def _changes_cells(name: str, old: ast.expr, function: Function, program: LocatedProgram) -> bool:
    """Whether a function puts something into the rows of a list that it copies once, and never replaces a row."""
    places = [node for node in nodes_within(function) if isinstance(node, ast.Name) and node.id == name]
    if sum(isinstance(place.ctx, ast.Store) for place in places) != 1 or name == program.text(old):
        return False
    rows = [row for place in places if isinstance(row := program.parents[place], ast.Subscript) and row.value is place]
    cells = [cell for row in rows if isinstance(cell := program.parents[row], ast.Subscript) and cell.value is row]
    numbers = {loop.target.id for loop in nodes_within(function) if _goes_by_place(loop)}  # type: ignore[attr-defined]
    return (
        all(isinstance(row.ctx, ast.Load) for row in rows)
        and all(isinstance(row.slice, ast.Name) and row.slice.id in numbers for row in rows)
        and any(isinstance(cell.ctx, ast.Store) for cell in cells)
        and not any(isinstance(program.parents[cell], ast.Subscript) for cell in cells)
    )


def _goes_by_place(node: ast.AST) -> bool:
    """Whether a loop is `for i in range(...)`."""
    match node:
        case ast.For(target=ast.Name(), iter=ast.Call(func=ast.Name(id="range"))):
            return True
    return False


MADE_TABLES: Final = (shared_entries, shared_rows, turned_tables, aliased_rows)
