"""Does a change that takes the smallest where prose speaks of the largest stand out?"""

from __future__ import annotations

import pytest

from regreen.select.prose.prose_agreement import prose_cost, read_prose
from regreen.select.prose.stated_extremes import extremes_spoken_of, turned_extremes

NEWEST = "def newest(versions):\n    return max(versions)\n"
OLDEST = "def newest(versions):\n    return min(versions)\n"


@pytest.mark.parametrize(
    ("text", "extremes"),
    [
        ("Return the newest of them.", {"max"}),
        ("the cheapest offer", {"min"}),
        ("the longest and the shortest word", {"max", "min"}),
        ("at least two and at most five", set()),
        ("the mostly harmless one", set()),
    ],
)
def test_superlatives_say_which_extreme_is_meant(text: str, extremes: set[str]) -> None:
    """ "At least" bounds a number, and speaks of no smallest thing."""
    assert extremes_spoken_of(text) == extremes


@pytest.mark.parametrize(
    ("before", "after", "turned"),
    [
        (NEWEST, OLDEST, 1),
        (OLDEST, NEWEST, 0),
        (NEWEST, NEWEST.replace("max(versions)", "min(versions, key=lambda v: -v)"), 0),
        (NEWEST, NEWEST.replace("max(versions)", "max(versions, key=int)"), 0),
        (NEWEST, NEWEST.replace("max(versions)", "max(min(versions), 0)"), 0),
        (NEWEST, "def newest(", 0),
    ],
)
def test_the_other_extreme_is_taken_only_where_the_one_that_is_spoken_of_was_given_up(
    before: str, after: str, turned: int
) -> None:
    """A negative key turns an extreme round as well, and a further one changes nothing."""
    assert turned_extremes({"max"}, before, after) == turned


def test_it_costs_where_prose_speaks_of_one_alone() -> None:
    """With both in the prose nothing is known."""
    one, both = (read_prose(NEWEST, said) for said in ("the newest", "the newest and the oldest"))
    assert prose_cost(one, NEWEST, OLDEST) > prose_cost(both, NEWEST, OLDEST)
