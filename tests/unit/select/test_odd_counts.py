"""Counts that nobody keeps."""

from __future__ import annotations

import pytest

from regreen.select.odd_counts import sinking_counts, uneven_restarts

RUN = "def f(xs):\n    best = run = 1\n    for x in xs:\n        run += 1\n        if x:\n            run = {}\n"
STEP = "def f(xs, k):\n    used = 0\n    for x in xs:\n        if x:\n            xs[used % 3] = x\n        used {}\n"


@pytest.mark.parametrize(("before", "after", "count"), [("1", "2", 1), ("0", "1", 0), ("1", "0", 0), ("3", "2", 0)])
def test_a_run_begins_anew_as_it_began(before: str, after: str, count: int) -> None:
    """With nothing, or with the item at hand; what was uneven before is none of the change's."""
    assert uneven_restarts(RUN.format(before), RUN.format(after)) == count
    assert uneven_restarts("def f(:", RUN.format(after)) == 0


@pytest.mark.parametrize(
    ("before", "after", "count"), [("+= 1", "-= 1", 1), ("+= 1", "+= 2", 0), ("-= 2", "-= 1", 0), ("+= 1", "-= k", 0)]
)
def test_what_counts_up_from_nothing_does_not_sink(before: str, after: str, count: int) -> None:
    """A balance may: it is made smaller by amounts."""
    assert sinking_counts(STEP.format(before), STEP.format(after)) == count
    assert sinking_counts("def f(:", STEP.format(after)) == 0
