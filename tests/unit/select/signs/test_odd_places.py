"""Places that cannot be meant: among items, past the end of a ring, and of rows that a row's length counts."""

from __future__ import annotations

import pytest

from regreen.select.signs.odd_places import crossed_bounds, places_among_items, places_past_rings

GIVEN = "def f(xs, at, step):\n    half = len(xs) // 2\n    return xs[half + 1] if at < step else xs[at]\n"


@pytest.mark.parametrize(
    ("expression", "count"),
    [
        ("[[m[j][i] for j in range(len(m[0]))] for i in range(len(m))]", 1),
        ("[[m[j][i] for j in range(len(m[0]) - 1)] for i in range(len(m[0]))]", 1),
        ("[[m[j][i] for j in range(len(m))] for i in range(len(m[0]))]", 0),
        ("[m[i][j] for i in range(len(m)) for j in range(len(m[0]))]", 0),
        ("[m[0][j] for j in range(1, len(m[0]))]", 0),
        ("[m[j] for j in range(len(m))]", 0),
    ],
)
def test_rows_are_counted_by_their_number(expression: str, count: int) -> None:
    """A table need not be a square."""
    assert crossed_bounds(f"def f(m):\n    return {expression}\n") == count


def test_loops_are_read_likewise() -> None:
    """Those of statements count; what is no program has none."""
    loop = "for j in range(len(m[0])):\n    total += m[j][0]\n"
    assert crossed_bounds(loop) == 1
    assert crossed_bounds(loop.replace("m[j][0]", "m[0][j]")) == 0
    assert crossed_bounds("for (") == 0


@pytest.mark.parametrize(
    ("expression", "count"),
    [
        ("days[i % 7 + 1]", 1),
        ("days[1 + i % 7]", 1),
        ("days[(i + 1) % 7]", 0),
        ("days[i % 7 - 1]", 0),
        ("days[i % 7 + k]", 0),
        ("i % 7 + 1", 0),
        ("days[", 0),
    ],
)
def test_the_step_comes_before_the_remainder(expression: str, count: int) -> None:
    """A number may go on past it, and a place in a ring may not."""
    assert places_past_rings(f"x = {expression}\n") == count


@pytest.mark.parametrize(
    ("old", "new", "mixed"),
    [
        ("xs[half + 1]", "(half + xs[half + 1])", 1),
        ("xs[half + 1]", "(xs[half] - half)", 1),
        ("at < step", "half < xs[half]", 1),
        ("xs[half + 1]", "(step + xs[half + 1])", 0),  # `step` is no place
        ("xs[half + 1]", "(half + xs[at])", 0),
        ("xs[half + 1]", "(half * xs[half])", 0),
        ("xs[half + 1]", "(half + ", 0),
    ],
)
def test_a_place_is_no_value_among_items(old: str, new: str, mixed: int) -> None:
    """What is read by it is, and a program that mixes them already may go on."""
    assert places_among_items(GIVEN, GIVEN.replace(old, new)) == mixed
    given = GIVEN.replace("at < step", "half < xs[half]")
    assert places_among_items(given, given.replace("// 2", "// 3")) == 0


def test_what_is_measured_is_no_place() -> None:
    """`len(small)` is a number, and `small` what is compared with a part of `large`."""
    piece = "def f(small, large, i):\n    return large[i:len(small)] == small\n"
    assert places_among_items(piece, piece.replace("len(", "i + len(")) == 0
