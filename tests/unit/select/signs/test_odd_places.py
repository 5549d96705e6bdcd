"""Rows that are counted by the length of a row, and items at a remainder and a step more."""

from __future__ import annotations

import pytest

from regreen.select.signs.odd_places import crossed_bounds, places_past_rings


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
