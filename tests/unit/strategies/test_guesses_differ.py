"""Which of the changes that keep every check green can be guesses?"""

from __future__ import annotations

import ast
from types import SimpleNamespace
from typing import cast

from regreen.select import RankedCandidate
from regreen.select.inputs.further_inputs import MadeInput
from regreen.select.inputs.scenarios import Scenario
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


def test_what_the_checks_ask_is_asked_behind_the_inputs() -> None:
    """Two programs that pass all checks may differ there alone: a check may look at a part of the answer."""
    made = [MadeInput(Scenario((), ast.parse(f"f({n})", mode="eval").body)) for n in (1, 2)]
    observer = Observer("x = 1", made[:1], checked=made[1:])
    assert [observer.words_at(place) for place in (0, 1)] == ["f(1)", "f(2)"]
