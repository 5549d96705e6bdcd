"""Tests for `regreen.select.signs.odd_sequences`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from regreen.select.signs.odd_sequences import (
    closed_rings,
    counted_displays,
    crossed_coordinates,
    cut_orders,
    keys_turned_twice,
    neighbours_from_behind,
    ordered_sets,
    sliced_slices,
    turned_keys,
)


@pytest.mark.parametrize(
    ("part", "count"), [("xs[i:][i:n]", 1), ("xs[i:n]", 0), ("xs[i][i:]", 0), ("xs[i:][0]", 0), ("xs[1:][i]", 1)]
)
def test_one_part_is_enough(part: str, count: int) -> None:
    """The first item of a part, and a part of an item, are something else; a place in a part is one in the whole."""
    assert sliced_slices("ys = xs\n", f"ys = {part}\n") == count
    assert sliced_slices(f"ys = {part}\n", f"ys = {part}\n") == 0


@pytest.mark.parametrize(
    ("part", "count"),
    [("sorted(xs)[1:]", 1), ("sorted(xs)[:-1]", 1), ("sorted(xs)[:3]", 0), ("sorted(xs)[::-1]", 0), ("xs[1:]", 0)],
)
def test_what_is_in_order_loses_no_end(part: str, count: int) -> None:
    """The first few of an order are asked for, and the whole of it turned round."""
    assert cut_orders("ys = xs\n", f"ys = {part}\n") == count
    assert cut_orders(f"ys = {part}\n", f"ys = {part}\n") == 0


@pytest.mark.parametrize(
    ("sign", "made", "count"),
    [
        (closed_rings, "zip(xs, xs[1:] + xs[:1])", 1),
        (closed_rings, "zip(xs, xs[1:])", 0),
        (closed_rings, "zip(corners, corners[1:] + corners[:1])", 0),
        (counted_displays, "len([xs])", 1),
        (counted_displays, "len([*xs])", 0),
        (counted_displays, "len(xs)", 0),
        (ordered_sets, "bytes(set(xs))", 1),
        (ordered_sets, "', '.join({str(x) for x in xs})", 1),
        (ordered_sets, "', '.join(sorted(set(xs)))", 0),
        (ordered_sets, "sorted(set(xs))", 0),
    ],
)
def test_rings_lengths_and_orders_that_nobody_asks_for_are_noticed(
    sign: Callable[[str, str], int], made: str, count: int
) -> None:
    """A polygon is closed, and what is gathered has to be counted; where it stands already, somebody meant it."""
    assert sign("ys = xs\n", f"ys = {made}\n") == count
    assert sign(f"ys = {made}\n", f"ys = {made}\n") == 0


@pytest.mark.parametrize(
    ("after", "count"),
    [
        ("(a[0] - o[1]) * (b[1] - o[1])", 1),
        ("(a[0] - o[-1]) * (b[1] - o[1])", 1),
        ("(a[0] - o[0]) * (b[1] - a[1])", 0),
        ("(a[1] - o[1]) * (b[1] - o[1])", 0),
        ("(a[0] - a[1]) * (b[1] - o[1])", 0),
        ("(a[0] - o[i]) * (b[1] - o[1])", 0),
        ("(a[0] -", 0),
    ],
    ids=["crossed", "the last one", "another point", "both another place", "of one thing", "unknown", "no program"],
)
def test_coordinates_are_taken_from_their_like(after: str, count: int) -> None:
    """Where they were before."""
    before = "(a[0] - o[0]) * (b[1] - o[1])"
    assert crossed_coordinates(before, after) == count
    assert crossed_coordinates(after, before) == 0


def test_a_gap_between_two_spans_is_a_difference_of_different_places() -> None:
    """Where nothing else was taken from one another."""
    assert crossed_coordinates("room = 1\n", "room = later[0] - earlier[1]\n") == 0


FALLING = "out = sorted(rows, key=lambda r: (r.points, r.wins, r.name), reverse=True)\n"


@pytest.mark.parametrize(
    ("key", "count"),
    [
        ("(-r.points, -r.wins, r.name)", 0),
        ("(-r.points, r.wins, r.name)", 1),
        ("(r.points, r.wins, r.name)", 0),
        ("(-r.points, -r.name)", 0),
    ],
    ids=["one turns", "two turn", "all turn", "other keys"],
)
def test_keys_keep_their_direction_where_one_turns(key: str, count: int) -> None:
    """To turn all of them round, or to sort by others, is something else."""
    assert turned_keys(FALLING, f"out = sorted(rows, key=lambda r: {key})\n") == count


def test_what_is_no_program_has_no_keys() -> None:
    """A change may break the syntax."""
    assert turned_keys(FALLING, "out = sorted(") == 0


@pytest.mark.parametrize(
    ("rounds", "step", "count"),
    [
        ("range(len(xs))", "if xs[i] != xs[i - 1]:\n            n += 1", 1),
        ("range(0, len(xs))", "n += xs[i] - xs[i - 1]", 1),
        ("range(1, len(xs))", "n += xs[i] - xs[i - 1]", 0),
        ("range(len(xs))", "if i > 0 and xs[i] != xs[i - 1]:\n            n += 1", 0),
        ("range(len(xs))", "if i == 0:\n            continue\n        n += xs[i - 1]", 0),
        ("range(len(xs))", "if not i or xs[i - 1] < 0:\n            n += 1", 0),
        ("range(len(xs))", "n += xs[i - 1] if i else 0", 0),
        ("range(len(xs))", "if xs[i - 1] and i > 0:\n            n += 1", 1),
        ("range(len(xs))", "xs[i - 1] = n", 0),
    ],
)
def test_before_the_first_place_stands_the_last(rounds: str, step: str, count: int) -> None:
    """What asks about the place first may look there; what is written there is not read."""
    source = f"def f(xs):\n    n = 0\n    for i in {rounds}:\n        {step}\n    return n\n"
    assert neighbours_from_behind(source) == count
    assert neighbours_from_behind(source.replace("def f", "def ring")) == 0
    assert neighbours_from_behind("def f(:\n") == 0


@pytest.mark.parametrize(
    ("key", "reverse", "count"), [("-x", "True", 1), ("x", "True", 0), ("-x", "False", 0), ("(-x, x)", "True", 0)]
)
def test_nobody_turns_a_key_twice(key: str, reverse: str, count: int) -> None:
    """By a minus and by `reverse=True`."""
    after = f"def f(xs):\n    return sorted(xs, key=lambda x: {key}, reverse={reverse})\n"
    assert keys_turned_twice("def f(xs):\n    return sorted(xs, key=lambda x: x, reverse=True)\n", after) == count
    assert keys_turned_twice(after, after) == 0
