"""Items at a remainder and a step more."""

from __future__ import annotations

import pytest

from regreen.select.signs.past_rings import places_past_rings


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
