"""Which of the changes that keep every check green can be guesses?"""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from regreen.select import RankedCandidate
from regreen.strategies.choosing.behaviours import Observer
from regreen.strategies.searching.guesses import differing_candidates
from regreen.types import Answers, Candidate

ANSWERS: dict[str, Answers] = {"given": ("1", "2"), "same": ("1", "2.0"), "other": ("1", "3")}
PLAUSIBLE = [RankedCandidate(Candidate(source, "search")) for source in ("same", "other")]


def asking(inputs: tuple[object, ...]) -> Observer:
    """An observer to which programs answer as the table says."""
    answers = SimpleNamespace(inputs=inputs, answers=lambda programs: [ANSWERS[p] for p in programs])
    return cast("Observer", answers)


def test_what_answers_as_the_program_does_takes_no_place() -> None:
    """Only so many are compared, and most changes that keep checks green change nothing."""
    assert [r.candidate.source for r in differing_candidates(asking((1, 2)), "given", PLAUSIBLE)] == ["other"]


def test_without_inputs_nobody_knows_what_differs() -> None:
    """All of them are compared by their texts then."""
    assert differing_candidates(asking(()), "given", PLAUSIBLE) == PLAUSIBLE
