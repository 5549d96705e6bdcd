"""Does another first value than the first item stand out where the best is looked for?"""

from __future__ import annotations

import pytest

from regreen.select.signs.first_values import other_first_items

BEST = "best = xs[0]\nfor x in xs:\n    if x > best:\n        best = x\n"


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        ("xs[0]", "xs[1]", 1),
        ("xs[0]", "xs[-1]", 1),
        ("xs[0]", "xs[first]", 0),
        ("xs[0]", "min(xs)", 0),
        ("x > best", "x in seen", 0),
        ("xs[0]", "xs[", 0),
    ],
)
def test_the_search_for_the_best_begins_with_the_first_item(old: str, new: str, count: int) -> None:
    """What is not compared may begin anywhere."""
    assert other_first_items(BEST, BEST.replace(old, new)) == count


def test_what_begins_elsewhere_already_may_go_on() -> None:
    """Only what a change brings counts."""
    later = BEST.replace("xs[0]", "xs[1]")
    assert other_first_items(later, later.replace("x > best", "x < best")) == 0
