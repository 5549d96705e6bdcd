"""Rows, tables and texts that everybody knows: the lengths of months, names of days, Roman numerals, vowels."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from regreen.syntax import nodes_of

_MONTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LEAP_YEAR: Final = (31, 29, *_MONTHS[2:])
_MONTH_NAMES: Final = tuple(
    "January February March April May June July August September October November December".split()
)
_DAY_NAMES: Final = tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
_UNITS: Final = tuple(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen".split()
)
_TENS: Final = tuple("twenty thirty forty fifty sixty seventy eighty ninety".split())
ROMAN_NUMERALS: Final = {"M": 1000, "CM": 900, "D": 500, "CD": 400, "C": 100, "XC": 90, "L": 50, "XL": 40, "X": 10} | {
    "IX": 9,
    "V": 5,
    "IV": 4,
    "I": 1,
}
ROMAN_LETTERS: Final = {letters: value for letters, value in ROMAN_NUMERALS.items() if len(letters) == 1}


def _spellings(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Names as they are, in lower case, and cut to three letters."""
    for length in (None, 3):
        cut = tuple(name[:length] for name in names)
        yield cut
        yield tuple(name.lower() for name in cut)


KNOWN_ROWS: Final[tuple[tuple[Any, ...], ...]] = (
    _MONTHS,
    _LEAP_YEAR,
    (0, *_MONTHS),
    (0, *_LEAP_YEAR),
    (1, 3, 5, 7, 8, 10, 12),
    (4, 6, 9, 11),
    *_spellings(_MONTH_NAMES),
    *_spellings(_DAY_NAMES),
    *_spellings((_DAY_NAMES[-1], *_DAY_NAMES[:-1])),
    _UNITS,
    _UNITS[1:],
    _UNITS[:10],
    _UNITS[1:10],
    _UNITS[10:],
    _TENS,
    ("", "", *_TENS),
    tuple(ROMAN_NUMERALS),
    tuple(ROMAN_NUMERALS.values()),
    tuple(ROMAN_NUMERALS.items()),
    tuple((value, letters) for letters, value in ROMAN_NUMERALS.items()),
)
KNOWN_TABLES: Final[tuple[Mapping[Any, Any], ...]] = (
    ROMAN_NUMERALS,
    ROMAN_LETTERS,
    {value: letters for letters, value in ROMAN_NUMERALS.items()},
    dict(enumerate(_MONTHS, 1)),
    dict(enumerate(_LEAP_YEAR, 1)),
    {name: number for number, name in enumerate(_UNITS)},
    {name: number for number, name in enumerate(_UNITS[:10])},
    {name: 10 * number for number, name in enumerate(_TENS, 2)},
    *({name: number for number, name in enumerate(names, 1)} for names in _spellings(_MONTH_NAMES)),
    *({name: number for number, name in enumerate(names)} for names in _spellings(_DAY_NAMES)),
    {")": "(", "]": "[", "}": "{"},
    {"(": ")", "[": "]", "{": "}"},
)
KNOWN_TEXTS: Final = (
    "aeiou",
    "AEIOU",
    "aeiouAEIOU",
    "bcdfghjklmnpqrstvwxyz",
    "abcdefghijklmnopqrstuvwxyz",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "0123456789",
    "0123456789abcdef",
    "0123456789ABCDEF",
)
_DIVISORS_OF_YEARS: Final = frozenset({4, 100, 400})


def well_known_constants(node: ast.AST) -> frozenset[int]:
    """The `id` of each constant below a node that is part of what everybody knows, and so is neither made up nor taken
    from anywhere: those of a known row that is written out, and the numbers by which leap years are told."""
    found: set[int] = set()
    rows: list[ast.List | ast.Tuple | ast.Set] = [*nodes_of(node, ast.List), *nodes_of(node, ast.Tuple)]
    for row in (*rows, *nodes_of(node, ast.Set)):
        if tuple(getattr(item, "value", None) for item in row.elts) in KNOWN_ROWS:
            found.update(map(id, row.elts))
    found.update(id(part.right) for part in nodes_of(node, ast.BinOp) if _tells_leap_years(part))
    return frozenset(found)


def _tells_leap_years(node: ast.BinOp) -> bool:
    """Whether an operation is `year % 4` or the like."""
    by = node.right.value if isinstance(node.op, ast.Mod) and isinstance(node.right, ast.Constant) else None
    return by in _DIVISORS_OF_YEARS and "year" in ast.unparse(node.left).lower()
