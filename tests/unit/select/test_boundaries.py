"""Boundaries that mean the same, and the number that people write."""

from __future__ import annotations

import pytest

from regreen.select.boundaries import odd_boundaries


@pytest.mark.parametrize(
    ("round_one", "odd"),
    [
        ("50 <= km", "49 < km"),
        ("km >= 50", "km > 49"),
        ("km < 100", "km <= 99"),
        ("km > 0", "km >= 1"),
        ("100 > km", "99 >= km"),
        ("10 <= km < 50", "9 < km < 50"),
        ("10 <= km < 50", "10 <= km <= 49"),
    ],
)
def test_the_round_boundary_is_preferred(round_one: str, odd: str) -> None:
    """Each says the same of whole numbers."""
    programs = [f"def f(km):\n    return {text}\n" for text in (odd, round_one)]
    assert odd_boundaries(programs) == [1, 0]


def test_boundaries_that_differ_are_left_alone() -> None:
    """No number is odd where no rounder one says the same."""
    assert odd_boundaries(["x < 49", "x < 50", "x <= 50", "y > 48", "x != 49", "x <"]) == [0] * 6
    assert odd_boundaries(["x > 49.0", "x >= 50"]) == [0, 0], "of numbers with a fraction it is not the same"
    assert odd_boundaries(["x > True", "x >= 2"]) == [0, 0]


def test_each_boundary_is_counted() -> None:
    """Two odd ones are worse than one."""
    texts = ["a < 50 and b < 10", "a <= 49 and b < 10", "a <= 49 and b <= 9"]
    assert odd_boundaries(texts) == [0, 1, 2]
