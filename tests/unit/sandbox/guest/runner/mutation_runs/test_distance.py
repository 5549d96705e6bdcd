"""How far an answer is from the expected one."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict, deque
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.sandbox.guest.runner.mutation_runs.distance import (
    NONE_DISTANCE,
    OTHER_TYPE_DISTANCE,
    UNKNOWN_DISTANCE,
    WORST_DISTANCE,
    _levenshtein,
    distance,
)

atoms = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.binary(max_size=9)
)
hashables = atoms | st.tuples(atoms, atoms)
values = st.recursive(
    atoms | st.sets(hashables, max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(hashables, inner, max_size=4),
    max_leaves=12,
)

NEARER = {
    "numbers": (5, 6, 60),
    "negative numbers": (-5, -4, 5),
    "floats": (0.5, 0.51, 5.0),
    "texts": ("kitten", "mitten", "sitting on"),
    "case": ("Yes", "yes", "No"),
    "an end cut off": ("a" * 300 + "xyz", "a" * 300 + "xy", "a" * 150),
    "bytes": (b"abc", b"abd", b"xyz"),
    "one item wrong": ([1, 2, 3], [1, 2, 4], [7, 8, 9]),
    "one item missing": (["a", "b", "c"], ["b", "c"], ["x", "y"]),
    "items in another order": ([3, 1, 2], [1, 2, 3], [7, 8, 9]),
    "items nearer by value": ([10.0, 20.0], [10.0, 21.0], [10.0, 90.0]),
    "a tuple for a list": ([1, 2], (1, 2), None),
    "sets": ({1, 2, 3}, {1, 2}, {7}),
    "a list for a set": ({1, 2}, [1, 2], 3),
    "a value of a dict": ({"a": 1, "b": 2}, {"a": 1, "b": 3}, {"x": 1, "y": 2}),
    "a key missing": ({"a": 1, "b": 2}, {"a": 1}, {}),
    "nested": ([[1, 2], [3, 4]], [[1, 2], [3, 5]], [[9, 9], [9, 9]]),
    "None for a value": (3, "3", None),
    "decimals": (Decimal("1.5"), Decimal("1.6"), Decimal("99")),
    "fractions": (Fraction(1, 2), Fraction(2, 3), Fraction(99)),
    "dates": (date(2024, 2, 29), date(2024, 3, 1), date(1970, 1, 1)),
    "times": (datetime(2024, 2, 29, 12), datetime(2024, 2, 29, 13), datetime(1970, 1, 1)),
    "spans of time": (timedelta(1), timedelta(1, 1), timedelta(30)),
    "deques": (deque([1, 2, 3]), deque([1, 2]), deque([7])),
    "counters": (Counter("aab"), Counter("ab"), Counter("xyz")),
    "ordered dicts": (OrderedDict(a=1), OrderedDict(a=2), OrderedDict(b=1)),
}


@pytest.mark.parametrize("what", NEARER)
def test_the_nearer_answer_is_nearer(what: str) -> None:
    """Search needs a slope: what a person would call closer has the smaller distance."""
    expected, near, far = NEARER[what]
    assert 0 < distance(near, expected) < distance(far, expected) < 1


@given(values, values)
def test_any_two_values_are_0_to_below_1_apart_and_equal_ones_0(one: Any, other: Any) -> None:
    """Plain data never fails to compare, and only what differs is apart."""
    assert 0 <= distance(one, other) < 1
    assert distance(one, one) == 0
    if type(one) is type(other) and one != other:
        assert distance(one, other) > 0


@given(st.integers(), st.integers(0), st.integers(1))
def test_numbers_get_no_nearer_by_going_away(expected: int, gap: int, more: int) -> None:
    """Distance never falls as the gap grows."""
    assert distance(expected + gap, expected) <= distance(expected + gap + more, expected)


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_edits_are_counted_as_levenshtein_did(one: str, other: str) -> None:
    """The table held in bits agrees with the one written out."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, right in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (left != right))
    assert _levenshtein(one, other) == row[-1]


def test_types_that_differ_are_nearly_as_far_as_can_be() -> None:
    """Another type is wrong whatever it holds; None is worst, as a return is missing."""
    assert distance("1", 1) == OTHER_TYPE_DISTANCE
    assert distance(None, 1) == distance(1, None) == NONE_DISTANCE
    assert distance(True, False) == 0.5
    assert distance(1, True) == distance(1.0, 1) == 0


def test_odd_numbers_do_no_harm() -> None:
    """Infinities, NaN and integers too large for a float are far, not fatal."""
    for odd in (float("nan"), float("inf"), 10**400, -(10**400), complex("nan")):
        assert 0.5 < distance(odd, 1.5) < 1


class Hostile:
    """An object that misbehaves whenever it is asked something."""

    def _strike(self, *_: object) -> Any:
        raise SystemExit("ran")

    __eq__ = __hash__ = __len__ = __iter__ = __bool__ = __repr__ = __float__ = _strike  # type: ignore[assignment]


class Meta(type):
    """A class of classes that misbehaves when one of them is looked up."""

    def __hash__(cls) -> int:
        raise SystemExit("ran")


class Looked(metaclass=Meta):
    """An instance of a hostile class."""


class Liar(str):
    """A text that claims to equal everything."""

    def __eq__(self, other: object) -> bool:
        raise SystemExit("ran")

    __hash__ = str.__hash__


@pytest.mark.parametrize("make", [Hostile, Looked, lambda: Liar("a")])
def test_no_method_of_a_foreign_object_runs(make: Any) -> None:
    """Objects of other types are not looked into, alone or inside others."""
    assert distance(make(), make()) == UNKNOWN_DISTANCE
    assert 0 < distance(make(), "a") < 1
    for wrap in (lambda x: [x, 1], lambda x: (x,), lambda x: {"k": x}, lambda x: deque([x])):
        assert 0 < distance(wrap(make()), wrap(make())) < 1


def test_what_cannot_be_compared_is_as_far_as_can_be() -> None:
    """A nesting too deep for Python is not an error of ours."""
    one: Any = 1
    other: Any = 2
    for _ in range(100_000):
        one, other = [one], [other]
    assert distance(one, other) in (WORST_DISTANCE, UNKNOWN_DISTANCE)


GREAT = {
    "texts": ("ab" * 500_000, "ba" * 500_000),
    "many texts": (["ab" * 100] * 1000, ["ba" * 100] * 1000),
    "long rows": (list(range(100_000)), list(range(1, 100_001))),
    "rows of rows": ([[0.5] * 300] * 300, [[0.25] * 300] * 300),
    "dicts": ({i: "ab" * 90 for i in range(1000)}, {i: "ba" * 90 for i in range(1000)}),
    "sets": (set(range(90_000)), set(range(5, 90_000))),
    "sets of tuples": ({(i,) * 150 for i in range(900)}, {(i,) * 150 for i in range(5, 905)}),
    "ranges": (range(10**9), range(1, 10**9)),
    "numbers": (10**100_000, 10**99_999),
}


@pytest.mark.parametrize("what", GREAT)
def test_great_values_take_little_time(what: str) -> None:
    """About two milliseconds, whatever the size; ten here, for slow machines."""
    one, other = GREAT[what]
    spent = []
    for _ in range(3):
        begun = time.process_time()
        assert 0 < distance(one, other) < 1
        spent.append(time.process_time() - begun)
    assert min(spent) < 0.010
