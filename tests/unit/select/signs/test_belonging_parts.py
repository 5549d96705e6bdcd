"""Parts that belong together."""

from __future__ import annotations

import pytest

from regreen.select.signs.belonging_parts import lost_distances, torn_halves, uneven_cuts

PROGRAM = "def f(s, k, a, b):\n    return {}\n"


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        ("s[0], s[1:]", "s[0], s[2:]", 1),
        ("s[0], s[1:]", "s[-2], s[1:]", 1),
        ("s[:k], s[k:]", "s[:k], s[k + 1:]", 1),
        ("s[:-1], s[-1]", "s[:-2], s[-1]", 1),
        ("s[0], s[1:]", "s[:2], s[2:]", 0),
        ("s[0], s[2:]", "s[0], s[3:]", 0),
        ("s[:k], s[k:]", "s[k:], s[:k]", 0),
    ],
)
def test_what_was_parted_at_one_place_stays_whole(before: str, after: str, count: int) -> None:
    """Both parts, or none, may go by another place."""
    assert torn_halves(PROGRAM.format(before), PROGRAM.format(after)) == count
    assert torn_halves("def f(:", PROGRAM.format(after)) == torn_halves(PROGRAM.format(before), "def f(:") == 0


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [("s[1:-1]", "s[1:-2]", 1), ("s[k:-1]", "s[k:-2]", 0), ("s[1:-1]", "s[2:-2]", 0), ("s[1:-2]", "s[1:-3]", 0)],
)
def test_as_much_goes_off_either_end(before: str, after: str, count: int) -> None:
    """Where as much did before."""
    assert uneven_cuts(PROGRAM.format(before), PROGRAM.format(after)) == count
    assert uneven_cuts("def f(:", PROGRAM.format(after)) == 0


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        ("abs(a - b)", "int(a - b)", 1),
        ("abs(a - b)", "a - b", 0),
        ("abs(a - b)", "max(a, b)", 0),
        ("abs(a)", "int(a)", 0),
    ],
)
def test_a_difference_keeps_its_size(before: str, after: str, count: int) -> None:
    """To round it is another thing."""
    assert lost_distances(PROGRAM.format(before), PROGRAM.format(after)) == count
    assert lost_distances("def f(:", PROGRAM.format(after)) == 0
