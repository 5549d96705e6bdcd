"""How far an answer is from the expected one: a slope for search where pass and fail give none.

Safe for hostile values: only objects whose type is exactly one of Python's own are looked into, so no method of the
program runs; work is counted, so that a comparison ends within about two milliseconds whatever it is given.
"""

from __future__ import annotations

import sys
from abc import ABCMeta
from collections.abc import Callable, Sequence
from itertools import islice
from math import isfinite
from typing import Any

_WORK = 1100
"""Steps that one comparison may take, of one to two microseconds each."""

UNKNOWN_DISTANCE = 0.75
"""Between two different values of a type that we do not look into, or with no work left."""
OTHER_TYPE_DISTANCE = 0.95
NONE_DISTANCE = 0.98
"""Between None and a value: usually a return is missing."""
WORST_DISTANCE = 1.0
"""For what cannot be compared at all."""

_SAME_TYPE_MOST = 0.9
"""The largest distance between two values of one type that we do look into."""
_LEAST = 0.01
"""The smallest distance between two values that are not equal."""

_LONGEST = 200
"""Characters or items that are aligned; longer stretches are estimated."""
_REACH = 4096
"""How far into a long text a shared beginning or end is looked for."""

_NUMBERS = frozenset({bool, int, float, complex})
_ATOMS = _NUMBERS | {str, bytes, type(None)}
_SETS = frozenset({set, frozenset})
_ROWS = frozenset({list, tuple, range})


def distance(actual: Any, expected: Any) -> float:
    """0 for equal values, towards 1 the less `actual` has in common with `expected`; 1 when comparing them fails."""
    try:
        return _Meter().far(actual, expected)
    except Exception:  # noqa: BLE001  nothing is known of values that cannot be compared
        return WORST_DISTANCE


class _Meter:
    """One comparison, with a limit on its work."""

    def __init__(self) -> None:
        self.left = _WORK

    def far(self, actual: Any, expected: Any) -> float:
        """The distance between two values, cheap once the work is spent."""
        if actual is expected:
            return 0.0
        kind, wanted = type(actual), type(expected)
        self.left -= 1
        if self.left <= 0 or not (_is_ordinary(kind) and _is_ordinary(wanted)):
            return UNKNOWN_DISTANCE
        if kind in _NUMBERS and wanted in _NUMBERS:
            return _numbers(actual, expected)
        if kind is not wanted:
            return self._across(actual, expected, kind, wanted)
        compare = _COMPARE.get(kind) or _standard(kind)
        return compare(self, actual, expected) if compare else UNKNOWN_DISTANCE

    def texts(self, actual: str | bytes, expected: str | bytes) -> float:
        """Edits by the character, for the part between the shared beginning and end."""
        longest = max(len(actual), len(expected))
        if actual == expected:
            return 0.0
        head = _shared(actual[:_REACH], expected[:_REACH])
        actual, expected = actual[head:], expected[head:]
        tail = _shared(actual[: -_REACH - 1 : -1], expected[: -_REACH - 1 : -1])
        actual, expected = actual[: len(actual) - tail], expected[: len(expected) - tail]
        return _scaled(self.edits(actual, expected) / longest)

    def rows(self, actual: Sequence[Any], expected: Sequence[Any]) -> float:
        """Items by place and, where they are plain, by alignment and regardless of order."""
        longest = max(len(actual), len(expected))
        if not longest:
            return 0.0
        by_place = self._by_place(actual, expected) / longest
        if not (self._plain(actual[:_LONGEST]) and self._plain(expected[:_LONGEST])):
            return _scaled(by_place)
        aligned = self.edits(actual, expected) / longest
        common = _overlap(actual[:_LONGEST], expected[:_LONGEST]) + max(0, min(len(actual), len(expected)) - _LONGEST)
        return _scaled(0.8 * min(by_place, aligned) + 0.2 * (1 - common / longest))

    def sets(self, actual: Any, expected: Any) -> float:
        """Jaccard's distance: the share of all members that only one of the two has."""
        if max(len(actual), len(expected)) > _WORK or not (self._plain(actual) and self._plain(expected)):
            return UNKNOWN_DISTANCE
        everything = len(actual | expected)
        return _scaled(len(actual ^ expected) / everything) if everything else 0.0

    def mappings(self, actual: Any, expected: Any) -> float:
        """The share of keys that only one has, and the distance of the values of those that both have."""
        if max(len(actual), len(expected)) > _WORK or not (self._plain(actual) and self._plain(expected)):
            return UNKNOWN_DISTANCE
        both = [key for key in dict.keys(expected) if dict.__contains__(actual, key)]
        everything = len(actual) + len(expected) - len(both)
        wrong = sum(self.far(dict.__getitem__(actual, key), dict.__getitem__(expected, key)) for key in both)
        return _scaled((everything - len(both) + wrong) / everything) if everything else 0.0

    def edits(self, actual: Sequence[Any], expected: Sequence[Any]) -> float:
        """Single edits that turn one sequence of plain items into the other; the longer length if that is too long."""
        longest = max(len(actual), len(expected))
        if longest > _LONGEST or longest > self.left:
            return longest
        self.left -= longest // 2
        return _levenshtein(actual, expected)

    def _by_place(self, actual: Sequence[Any], expected: Sequence[Any]) -> float:
        """The sum of the distances of items in the same place, estimated from evenly spread ones in long rows."""
        shortest = min(len(actual), len(expected))
        missing = max(len(actual), len(expected)) - shortest
        step = max(1, shortest // _LONGEST)
        looked = range(0, shortest, step)
        found = sum(self.far(actual[index], expected[index]) for index in looked)
        unseen = _LEAST if step > 1 else 0.0
        return missing + (found * shortest / len(looked) + unseen if looked else 0.0)

    def _plain(self, items: Any) -> bool:
        """Whether all items are values whose hash and equality are Python's own."""
        self.left -= len(items) // 8
        return all(_is_atom(item) or self._plain_row(item) for item in items)

    def _plain_row(self, item: Any) -> bool:
        if type(item) is not tuple and type(item) is not frozenset:
            return False
        self.left -= 1
        return self.left > 0 and len(item) <= _LONGEST and self._plain(item)

    def _across(self, actual: Any, expected: Any, kind: type, wanted: type) -> float:
        """The distance between values of two types: small where only the container differs."""
        if kind in _SETS and wanted in _SETS:
            return self.sets(actual, expected)
        if kind in _ROWS and wanted in _ROWS:
            return 0.1 + 0.8 * self.rows(actual, expected)
        if kind in _ROWS | _SETS and wanted in _ROWS | _SETS:
            return self._as_sets(actual, expected)
        return NONE_DISTANCE if kind is type(None) or wanted is type(None) else OTHER_TYPE_DISTANCE

    def _as_sets(self, actual: Any, expected: Any) -> float:
        """The distance between a row and a set, by their members."""
        members, wanted = list(islice(actual, _LONGEST)), list(islice(expected, _LONGEST))
        if not (self._plain(members) and self._plain(wanted)):
            return UNKNOWN_DISTANCE
        return 0.3 + 0.6 * self.sets(frozenset(members), frozenset(wanted))


def _is_ordinary(kind: type) -> bool:
    """Whether looking a type up runs no code of the program: a metaclass may have a hash of its own."""
    return type(kind) is type or type(kind) is ABCMeta


def _is_atom(item: Any) -> bool:
    """Whether a value is one of Python's own that holds no others."""
    kind = type(item)
    return type(kind) is type and kind in _ATOMS


def _scaled(share: float) -> float:
    """A share of what differs, as a distance between values of one type."""
    return min(_SAME_TYPE_MOST, max(_LEAST, _SAME_TYPE_MOST * share)) if share > 0 else 0.0


def _numbers(actual: Any, expected: Any) -> float:
    """The relative difference, squashed; a bool beside another number is right or wrong."""
    if actual == expected:
        return 0.0
    if type(actual) is bool or type(expected) is bool:
        return 0.5 if type(actual) is type(expected) else 0.8
    try:
        gap, size = abs(actual - expected), abs(expected)
        share = gap / (gap + size + 1)
    except (OverflowError, ZeroDivisionError):
        return _SAME_TYPE_MOST
    return _scaled(max(share, _LEAST)) if isfinite(share) else _SAME_TYPE_MOST


def _shared(one: str | bytes, other: str | bytes) -> int:
    """The length of the beginning that two texts share."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _overlap(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many items two rows share, whatever their order."""
    left: dict[Any, int] = {}
    for item in one:
        left[item] = left.get(item, 0) + 1
    common = 0
    for item in other:
        if left.get(item, 0):
            left[item] -= 1
            common += 1
    return common


def _levenshtein(one: Sequence[Any], other: Sequence[Any]) -> int:
    """Levenshtein's distance, a column of the table at a time held in the bits of two integers.

    Myers, "A fast bit-vector algorithm for approximate string matching", JACM 46(3), 1999, as refined by Hyyrö (2003).
    """
    if not one:
        return len(other)
    places: dict[Any, int] = {}
    for index, item in enumerate(one):
        places[item] = places.get(item, 0) | 1 << index
    every, top = (1 << len(one)) - 1, 1 << (len(one) - 1)
    rises, falls, edits = every, 0, len(one)
    for item in other:
        same = places.get(item, 0)
        diagonal = (((same & rises) + rises) ^ rises) | same | falls
        right_rises, right_falls = falls | (every & ~(diagonal | rises)), rises & diagonal
        edits += bool(right_rises & top) - bool(right_falls & top)
        right_rises, right_falls = (right_rises << 1 | 1) & every, right_falls << 1 & every
        rises, falls = right_falls | (every & ~(diagonal | right_rises)), right_rises & diagonal
    return edits


_Compare = Callable[[_Meter, Any, Any], float]

_COMPARE: dict[type, _Compare] = {
    str: _Meter.texts,
    bytes: _Meter.texts,
    list: _Meter.rows,
    tuple: _Meter.rows,
    range: _Meter.rows,
    set: _Meter.sets,
    frozenset: _Meter.sets,
    dict: _Meter.mappings,
}

_STANDARD: dict[tuple[str, str], _Compare] = {
    ("decimal", "Decimal"): lambda meter, actual, expected: _numbers(float(actual), float(expected)),
    ("fractions", "Fraction"): lambda meter, actual, expected: _numbers(float(actual), float(expected)),
    ("datetime", "date"): lambda meter, actual, expected: _numbers(actual.toordinal(), expected.toordinal()),
    ("datetime", "datetime"): lambda meter, actual, expected: _numbers((actual - expected).total_seconds(), 0.0),
    ("datetime", "timedelta"): lambda meter, one, other: _numbers(one.total_seconds(), other.total_seconds()),
    ("collections", "deque"): lambda meter, actual, expected: meter.rows(list(actual), list(expected)),
    ("collections", "Counter"): _Meter.mappings,
    ("collections", "OrderedDict"): _Meter.mappings,
    ("collections", "defaultdict"): _Meter.mappings,
}


def _standard(kind: type) -> _Compare | None:
    """How values of a type of the standard library are compared, if its module is loaded."""
    for (module, name), compare in _STANDARD.items():
        if getattr(sys.modules.get(module), name, None) is kind:
            return compare
    return None
