"""Numbers, collections and comparisons that prose writes out, and whether a program still says the same."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Set
from functools import lru_cache
from typing import Final

from regreen.syntax import UNPARSABLE, nearest_float, tree, walk

_DIVISOR: Final = re.compile(r"\b(?:multiples? of|divisible by|divides? by) (\d{1,18})\b", re.I)
_ITEM: Final = r"(?:-?\d+(?:\.\d+)?|'[^'\n]{1,30}'|\"[^\"\n]{1,30}\")"
_ROW: Final = re.compile(rf"{_ITEM}(?:, ?(?:and |or )?{_ITEM}| and {_ITEM}| or {_ITEM}){{2,}}")
_COMPARED: Final = re.compile(r"(?<![-=<>!])(<=|>=|<|>|==|!=) ?(-?\d+(?:\.\d+)?)\b")
_EQUAL: Final = re.compile(
    r"\b(?:is|are|was|were|be)(?: not| never)?(?: equal to)? (-?\d+(?:\.\d+)?)\b(?! ?(?:%|(?:or|and|to|by|in|at)\b))"
)
_SYMBOLS: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_DISPLAYS = (ast.List, ast.Tuple, ast.Set)
_DIVIDING = (ast.Mod, ast.FloorDiv)
_Row = frozenset[object]


def stated_divisors(text: str) -> frozenset[int]:
    """The numbers of "a multiple of 4" and "divisible by 4"."""
    return frozenset(int(number) for number in _DIVISOR.findall(text))


def undivided(divisors: Set[int], program: str) -> int:
    """By how many of these numbers a program divides nothing; 0 where it does not parse, or divides by no constant."""
    found = _divisors(program)
    return len(divisors - found) if found else 0


@lru_cache(maxsize=64)
def _divisors(program: str) -> frozenset[object]:
    """The constants by which a program divides or in whose steps it counts."""
    try:
        nodes = walk(tree(program))
    except UNPARSABLE:
        return frozenset()
    parts = [node.right for node in nodes if isinstance(node, ast.BinOp) and isinstance(node.op, _DIVIDING)]
    parts += [part for node in nodes if isinstance(node, ast.Call) for part in node.args]
    parts += [node.step for node in nodes if isinstance(node, ast.Slice) and node.step is not None]
    return frozenset(part.value for part in parts if isinstance(part, ast.Constant) and type(part.value) is int)


def stated_rows(text: str) -> frozenset[_Row]:
    """The values of each row of at least three that a text writes out: "odd (1, 3, 5, 7, 9)"."""
    rows = (re.findall(_ITEM, found.group()) for found in _ROW.finditer(text))
    return frozenset(row for items in rows if len(row := frozenset(map(_value, items))) == len(items) > 2)


def _value(written: str) -> str | float:
    """A quoted text as it stands, or a number: `01` of a date is one, though not in Python."""
    return written[1:-1] if written[0] in "'\"" else float(written)


def departures(rows: Set[_Row], program: str) -> int:
    """How many collections of a program differ from a row that prose writes out, and hold all or nearly all of it."""
    return sum(any(_is_nearly(own, row) for row in rows) for own in _collections(program)) if rows else 0


def _is_nearly(own: _Row, row: _Row) -> bool:
    return own != row and len(own - row) <= 1 and len(row - own) <= 1


@lru_cache(maxsize=64)
def _collections(program: str) -> tuple[_Row, ...]:
    """The values of each display of constants."""
    try:
        nodes = walk(tree(program))
    except UNPARSABLE:
        return ()
    return tuple(
        frozenset(ast.literal_eval(part) for part in node.elts)
        for node in nodes
        if isinstance(node, _DISPLAYS) and node.elts and all(isinstance(part, ast.Constant) for part in node.elts)
    )


def stated_comparisons(text: str) -> frozenset[str]:
    """What a text compares with numbers: "> 0" of "digits with a sum > 0", "= 0" of "entries that are not 0".

    In words it says only that something is asked for being equal: which of the two is meant may be misread.
    """
    in_words = frozenset(f"= {float(number)}" for number in _EQUAL.findall(text))
    return in_words | frozenset(f"{symbol} {float(number)}" for symbol, number in _COMPARED.findall(text))


def lost_comparisons(stated: Set[str], before: str, after: str) -> int:
    """How many of the comparisons stand less often in `after` than in `before`; 0 where one is no program."""
    try:
        lost = _compared(before) - _compared(after)
    except UNPARSABLE:
        return 0
    return sum(said in lost for said in stated)


@lru_cache(maxsize=64)
def _compared(program: str) -> Counter[str]:
    return Counter(_comparisons(program))


def _comparisons(program: str) -> Iterator[str]:
    for node in walk(tree(program)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _SYMBOLS:
            number = node.comparators[0]
            value = number.value if isinstance(number, ast.Constant) else None
            if isinstance(value, int | float) and not isinstance(value, bool):
                yield f"{_SYMBOLS[type(node.ops[0])]} {nearest_float(value)}"
                if isinstance(node.ops[0], ast.Eq | ast.NotEq):
                    yield f"= {nearest_float(value)}"
