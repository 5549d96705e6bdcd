"""Conditions that make no difference, and refusals that answer otherwise than those beside them."""

from __future__ import annotations

import pytest

from regreen.select.signs.odd_branches import turned_guards, twin_branches

TRIP = """def trip(start, above, below):
    if start > 0:
        stops = above + below
    else:
        stops = below + above
    return stops
"""
SLOT = """def is_slot(text):
    parts = text.split("-")
    if len(parts) != 2:
        return False
    start, end = parts
    if not start or not end:
        return False
    return start < end
"""


def test_branches_that_do_the_same_since_are_counted() -> None:
    """The condition was asked for a reason."""
    assert twin_branches(TRIP, TRIP.replace("below + above", "above + below")) == 1
    assert twin_branches(TRIP, TRIP.replace("start > 0", "start >= 0")) == 0
    assert twin_branches("y = 1 if x else 2\n", "y = 2 if x else 2\n") == 1


def test_branches_that_did_the_same_before_are_not_counted() -> None:
    """They are none of the change's doing."""
    given = TRIP.replace("below + above", "above + below")
    assert twin_branches(given, given.replace("start > 0", "start < 0")) == 0


def test_a_refusal_that_answers_otherwise_since_is_counted() -> None:
    """All others still refuse."""
    assert turned_guards(SLOT, SLOT.replace("not end:\n        return False", "not end:\n        return True")) == 1
    assert turned_guards(SLOT, SLOT.replace("not start or not end", "start is None or end is None")) == 0


@pytest.mark.parametrize(
    "right",
    [
        SLOT.replace("return False", "return True"),
        SLOT.replace("    return start", "    if start == end:\n        return True\n    return start"),
        SLOT.replace("    if len(parts) != 2:\n        return False\n", ""),
    ],
    ids=["all of them", "one more", "one less"],
)
def test_refusals_may_change_together_come_and_go(right: str) -> None:
    """No answer among others is out of step then."""
    assert turned_guards(SLOT, right) == 0


def test_guards_that_answered_differently_before_are_left_alone() -> None:
    """One of them may well be the slip."""
    given = SLOT.replace("not end:\n        return False", "not end:\n        return True")
    assert turned_guards(given, SLOT) == 0


@pytest.mark.parametrize("count", [twin_branches, turned_guards])
def test_what_is_no_program_has_no_signs(count: object) -> None:
    """On either side."""
    assert callable(count)
    assert count("def f(:", SLOT) == count(SLOT, "def f(:") == 0
