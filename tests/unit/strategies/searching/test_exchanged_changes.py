"""Which other repairs does one of two changes suggest?"""

from __future__ import annotations

from regreen.propose.search.mutation import Mutation, splice_edits
from regreen.strategies.searching.exchanged_changes import exchanged_repairs
from regreen.types import Edit

SOURCE = "a = n - 1\nb = 2\n"


def change(old: str, new: str, template: str, score: float = 0.5) -> Mutation:
    """A mutation of the program that replaces one piece of it."""
    start = SOURCE.index(old)
    return Mutation((Edit(start, start + len(old), new),), template, score, SOURCE.count("\n", 0, start) + 1, SOURCE)


TURNED, DROPPED, LONGER = change("-", "+", "turn"), change(" - 1", "", "drop", 0.25), change("n - 1", "n", "longer")
SECOND = change("2", "3", "nudge")
REPAIR = Mutation((*TURNED.edits, *SECOND.edits), "turn+nudge", 0.1, 1, SOURCE)
WON = frozenset({"x"})


def test_the_first_change_is_exchanged_for_those_that_won_the_same_checks() -> None:
    """With the second one as it was."""
    (made,) = exchanged_repairs(SOURCE, [REPAIR], {WON: [TURNED, DROPPED]})
    assert splice_edits(SOURCE, made.edits) == "a = n\nb = 3\n"
    assert (made.template, made.score, made.line) == ("drop+nudge", 0.05, 1)


def test_what_is_known_overlaps_or_changes_more_is_left_out() -> None:
    """A repair that was found already, a change of the same place as the second one, two changes for one."""
    two = Mutation((*LONGER.edits, *change("b", "c", "rename").edits), "longer+rename", 0.1, 1, SOURCE)
    other = change("2", "4", "other")
    known = Mutation((*DROPPED.edits, *SECOND.edits), "drop+nudge", 0.1, 1, SOURCE)
    assert exchanged_repairs(SOURCE, [REPAIR, known], {WON: [TURNED, DROPPED, other, two]}) == []


def test_repairs_of_one_change_stay_alone() -> None:
    """Nothing is exchanged where nothing is left; nor where another group won other checks."""
    assert exchanged_repairs(SOURCE, [TURNED], {WON: [TURNED, DROPPED]}) == []
    assert exchanged_repairs(SOURCE, [REPAIR], {WON: [TURNED], frozenset({"y"}): [DROPPED]}) == []
