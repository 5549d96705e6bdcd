"""Two values that belong together, the second of which was copied from the first and not changed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, TypeGuard

from regreen.plain_slips.located_program import LocatedProgram, PlainSlip
from regreen.syntax import ORDERS, blocks_in, callee_name, walk, whole_number
from regreen.types import Edit


def lopsided_halves(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`left = size(node.left)` and then `right = size(node.left)`."""
    for node in program.nodes:
        body = getattr(node, "body", None)
        for first, second in pairwise(body) if isinstance(body, list) else ():
            if not _is_same_twice(first, second):
                continue
            assert isinstance(second, ast.Assign)
            one, other = _target(first), _target(second)
            if _OTHERS.get(one) != other:
                # `a = size(node.left)` and then `b = size(node.left)`, where nodes have a right.
                one, other = "left", "right"
                if f".{other}" not in program.source or f".{one})" not in program.text(second.value):
                    continue
            text = program.text(second.value)
            mended = re.sub(rf"\b{one}\b", other, text)
            if mended != text and len(re.findall(rf"\b{one}\b", text)) == 1:
                yield PlainSlip("lopsided_half", program.put(second.value, mended))


_OTHERS: Final = {
    "left": "right",
    "low": "high",
    "lo": "hi",
    "first": "second",
    "start": "end",
    "width": "height",
    "row": "column",
    "before": "after",
    "lower": "upper",
    "old": "new",
    "head": "tail",
}


def _is_same_twice(first: ast.stmt, second: ast.stmt) -> bool:
    """Whether two statements give one value to two variables or attributes."""
    names = _target(first), _target(second)
    if not all(names) or names[0] == names[1]:
        return False
    assert isinstance(first, ast.Assign)
    assert isinstance(second, ast.Assign)
    return ast.dump(first.value) == ast.dump(second.value)


def _target(node: ast.AST) -> str:
    """The variable or attribute of a plain assignment; empty for any other statement."""
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    if isinstance(target, ast.Name):
        return target.id
    return target.attr if isinstance(target, ast.Attribute) else ""


def mistaken_heights(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`rows = len(grid[0])` and then `cols = len(grid[0])`."""
    for node in program.nodes:
        body = getattr(node, "body", None)
        for first, second in pairwise(body) if isinstance(body, list) else ():
            if not _HEIGHT.match(_target(first)) or not _WIDTH.match(_target(second)):
                continue
            assert isinstance(first, ast.Assign)
            assert isinstance(second, ast.Assign)
            value = first.value
            if ast.dump(value) != ast.dump(second.value) or not isinstance(value, ast.Call) or len(value.args) != 1:
                continue
            row = value.args[0]
            if callee_name(value) == "len" and isinstance(row, ast.Subscript) and whole_number(row.slice) == 0:
                yield PlainSlip("mistaken_height", program.put(row, program.text(row.value)))


def turned_sizes(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`rows = len(grid[0])` and then `cols = len(grid)`."""
    for block in blocks_in(program.nodes):
        for first, second in pairwise(block):
            match first, second:
                case (
                    ast.Assign(value=ast.Call(func=ast.Name(id="len"), args=[ast.Subscript(value=table) as row])),
                    ast.Assign(value=ast.Call(func=ast.Name(id="len"), args=[whole])),
                ) if _HEIGHT.match(_target(first)) and _WIDTH.match(_target(second)):
                    if whole_number(row.slice) == 0 and program.text(table) == program.text(whole):
                        texts = program.text(whole), program.text(row)
                        yield PlainSlip("turned_sizes", (*program.put(row, texts[0]), *program.put(whole, texts[1])))


_HEIGHT: Final = re.compile(r"(?:n_?)?(?:rows?|height|h)$")
_WIDTH: Final = re.compile(r"(?:n_?)?(?:col(?:umn)?s?|width|w)$")


def unlike_keys(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`taken.add(col - row)` where `row - col` is asked for in `taken` and taken out of it."""
    for function in program.functions():
        uses: dict[str, list[tuple[str, ast.expr]]] = {}
        for node in walk(function):
            for owner, way, key in _keys_of(node, program):
                uses.setdefault(owner, []).append((way, key))
        for found in uses.values():
            added = [key for way, key in found if way == "add"]
            others = {program.text(key) for way, key in found if way != "add"}
            if len(added) != 1 or {way for way, _ in found} != {"add", "ask", "remove"} or len(others) != 1:
                continue
            (meant,) = others
            if program.text(added[0]) != meant and _names(program.text(added[0])) == _names(meant):
                yield PlainSlip("unlike_key", program.put(added[0], meant))


def _keys_of(node: ast.AST, program: LocatedProgram) -> Iterator[tuple[str, str, ast.expr]]:
    """A collection, what is done with a key there, and the key."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
        yield program.text(node.comparators[0]), "ask", node.left
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 1:
        way = {"add": "add", "remove": "remove", "discard": "remove"}.get(node.func.attr)
        if way is not None:
            yield program.text(node.func.value), way, node.args[0]


def _names(text: str) -> list[str]:
    return sorted(re.findall(r"\w+", text))


def uneven_bounds(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`0 <= y < rows and 0 <= x <= cols`, where `grid[y][x]` is read."""
    for node in program.nodes:
        links = node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) else []
        ranges = [link for link in links if isinstance(link, ast.Compare) and _is_range_of_places(link)]
        if len(ranges) != 2 or {type(link.ops[1]) for link in ranges} != {ast.Lt, ast.LtE}:
            continue
        indexed = {program.text(node.slice) for node in program.nodes if isinstance(node, ast.Subscript)}
        if {program.text(link.comparators[0]) for link in ranges} <= indexed:
            (odd,) = (link for link in ranges if isinstance(link.ops[1], ast.LtE))
            start, end = program.span(odd.comparators[0])[1], program.span(odd.comparators[1])[0]
            yield PlainSlip("uneven_bounds", (Edit(start, end, program.source[start:end].replace("<=", "<")),))


def _is_range_of_places(node: ast.Compare) -> bool:
    """Whether a comparison is `0 <= x < n` or `0 <= x <= n` with names, or a length, for both."""
    if len(node.ops) != 2 or not isinstance(node.ops[0], ast.LtE) or whole_number(node.left) != 0:
        return False
    place, most = node.comparators
    is_length = isinstance(most, ast.Call) and callee_name(most) == "len"
    return isinstance(place, ast.Name) and (is_length or isinstance(most, ast.Name | ast.Attribute))


def chained_questions(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`y1 > y != y2 > y`: two questions are compared, and without brackets it is one chain."""
    for node in program.nodes:
        match node:
            case ast.Compare(left=one, ops=[first, ast.Eq() | ast.NotEq(), second], comparators=[two, three, four]) if (
                isinstance(first, ORDERS) and isinstance(second, ORDERS)
            ):
                texts = [program.text(part) for part in (one, two, three, four)]
                if texts[0] == texts[2] or texts[1] == texts[3]:
                    opened = ((program.span(part)[0], "(") for part in (one, three))
                    closed = ((program.span(part)[1], ")") for part in (two, four))
                    edits = (Edit(at, at, text) for at, text in sorted((*opened, *closed)))
                    yield PlainSlip("chained_question", tuple(edits))


def lost_swaps(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`a = b` and then `b = a`."""
    for node in program.nodes:
        for name in ("body", "orelse"):
            body = getattr(node, name, None)
            for first, second in pairwise(body) if isinstance(body, list) else ():
                if not _is_plain_assignment(first) or not _is_plain_assignment(second):
                    continue
                one, other = program.text(first.targets[0]), program.text(first.value)
                if (one, other) == (program.text(second.value), program.text(second.targets[0])) and one != other:
                    start, end = program.span(first)[0], program.span(second)[1]
                    yield PlainSlip("lost_swap", (Edit(start, end, f"{one}, {other} = {other}, {one}"),))


def _is_plain_assignment(node: ast.AST) -> TypeGuard[ast.Assign]:
    """Whether a statement puts a variable, an attribute or an item into one of these."""
    is_single = isinstance(node, ast.Assign) and len(node.targets) == 1
    places = (ast.Name, ast.Attribute, ast.Subscript)
    return is_single and isinstance(node.targets[0], places) and isinstance(node.value, places)  # type: ignore[attr-defined]


PAIRS: Final = (
    lopsided_halves,
    mistaken_heights,
    turned_sizes,
    unlike_keys,
    uneven_bounds,
    chained_questions,
    lost_swaps,
)
