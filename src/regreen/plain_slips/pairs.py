"""Two values that belong together, the second of which was copied from the first and not changed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from regreen.plain_slips.located_program import LocatedProgram, PlainSlip
from regreen.syntax import callee_name, walk, whole_number


def lopsided_halves(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`left = size(node.left)` and then `right = size(node.left)`."""
    for node in program.nodes:
        body = getattr(node, "body", None)
        for first, second in pairwise(body) if isinstance(body, list) else ():
            one, other = _target(first), _target(second)
            if _OTHERS.get(one) != other or not other:
                continue
            assert isinstance(first, ast.Assign)
            assert isinstance(second, ast.Assign)
            if ast.dump(first.value) != ast.dump(second.value):
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


PAIRS: Final = (lopsided_halves, mistaken_heights, unlike_keys)
