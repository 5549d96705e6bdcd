"""Is a count of groups one too many where nothing is left over?"""

from __future__ import annotations

import pytest

from regreen.select.rank import RankedCandidate, rank_candidates
from regreen.select.signs.group_counts import overcounted_groups
from regreen.types import Candidate

BEFORE = "def pages(items, size):\n    return len(items) // size\n"
ONE_MORE = BEFORE.replace("// size", "// size + 1")
ROUNDED = BEFORE.replace("len(items) // size", "-(-len(items) // size)")


@pytest.mark.parametrize(
    "rounded", ["-(-len(items) // size)", "-(-(len(items)) // size)", "(len(items) + size - 1)//size"]
)
def test_one_more_costs_where_rounding_up_passes_as_well(rounded: str) -> None:
    """Whichever way that is written."""
    assert overcounted_groups(BEFORE, [ONE_MORE, BEFORE.replace("len(items) // size", rounded)]) == [1, 0]


def test_it_costs_nothing_alone_nor_where_it_stood_before() -> None:
    """Nor beside another change, nor in a text that is no Python."""
    assert overcounted_groups(BEFORE, [ONE_MORE]) == [0]
    assert overcounted_groups(ONE_MORE, [ONE_MORE, ROUNDED]) == [0, 0]
    assert overcounted_groups(BEFORE, [ONE_MORE, ROUNDED + "x = 1\n"]) == [0, 0]
    assert overcounted_groups(BEFORE, ["no Python", ROUNDED]) == [0, 0]


def test_rounding_up_comes_first() -> None:
    """Though it is the larger change."""
    more, rounded = (RankedCandidate(Candidate(text, "search:test"), 0.03) for text in (ONE_MORE, ROUNDED))
    assert rank_candidates([more, rounded], BEFORE) == [rounded, more]
