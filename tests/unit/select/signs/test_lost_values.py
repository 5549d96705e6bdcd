"""Values that are overwritten unread, and the repairs that end that."""

from __future__ import annotations

import pytest

from regreen.select.rank import RankedCandidate, rank_candidates
from regreen.select.signs.lost_values import idle_starts, lost_updates, lost_values, spared_tokens
from regreen.types import Candidate

ROUNDS = """\
def total(grades, points):
    whole = 0
    for grade in grades:
        value = points[grade[0]]
        {}
        if grade.endswith("+"):
            value += 0.3
        {}
    return whole{}
"""
GIVEN = """\
def ratio(text):
    over, under = text.split("/")
    over = int(under) * int(text[0])
    return int(over) / int(under)
"""
RIGHT = GIVEN.replace("    over = int(under) * int(text[0])\n", "")
WRONG = GIVEN.replace("return int(over)", "return int(text)")


def test_a_deletion_that_ends_the_loss_is_small_however_long_it_is() -> None:
    """One statement is chosen and dropped."""
    assert [lost_values(source) for source in (GIVEN, RIGHT, WRONG, "def f(:")] == [1, 0, 1, 0]
    assert spared_tokens(GIVEN, RIGHT) > 8
    assert [spared_tokens(GIVEN, WRONG), spared_tokens(RIGHT, GIVEN), spared_tokens(GIVEN, "def f(:")] == [0, 0, 0]


@pytest.mark.parametrize("order", [(RIGHT, WRONG), (WRONG, RIGHT)])
def test_the_repair_that_loses_nothing_comes_first(order: tuple[str, str]) -> None:
    """The shorter edit leaves a line that does nothing."""
    found = [RankedCandidate(Candidate(source, "search:any"), 0.1, 3) for source in order]
    assert rank_candidates(found, GIVEN)[0].candidate.source == RIGHT


def test_what_a_round_changes_last_is_read_in_it() -> None:
    """Or behind the loop; else the next round begins anew, and it was for nothing."""
    right = ROUNDS.format("pass", "whole += value", "")
    assert lost_updates(right, ROUNDS.format("whole += value", "pass", "")) == 1
    assert lost_updates(right, ROUNDS.format("whole += value", "print(value)", "")) == 0
    assert lost_updates(right, ROUNDS.format("whole += value", "pass", " + value")) == 0
    assert lost_updates(right, right) == lost_updates(right, "def f(:") == 0


TOTALS = """
def fits(jobs, speed):
    printed = 0
    for due, pages in jobs:
        {0}
        if printed > due * speed:
            return False
    return True{1}
"""


def test_what_begins_with_a_constant_is_to_go_on_from_there() -> None:
    """Unless something reads it in the round, or behind the loop, or it begins anew with a constant."""
    given = TOTALS.format("printed += pages", "")
    assert idle_starts(given, TOTALS.format("printed = pages", "")) == 1
    assert idle_starts(given, TOTALS.format("printed = max(printed, pages)", "")) == 0
    assert idle_starts(given, TOTALS.format("printed = pages", " or printed")) == 0
    assert idle_starts(given, TOTALS.format("printed = 1", "")) == 0
    assert idle_starts(TOTALS.format("printed = pages", ""), TOTALS.format("printed = due", "")) == 0
    assert idle_starts(given, "def f(:") == 0
