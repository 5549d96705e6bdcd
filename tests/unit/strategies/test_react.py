"""How long nothing has come of asking."""

from __future__ import annotations

import pytest

from regreen.strategies.agents.state import State, pack
from regreen.strategies.react import replies_since_gain
from regreen.types import Attempt, Candidate, CheckResult, Outcome, Turn, Verdict


def state(*passed: int | None) -> State:
    """One turn each: how many checks its candidate passes; None where no candidate came of it."""
    turns = [Turn(number, "think", number, 0.7, "", "") for number in range(len(passed))]
    attempts = [
        Attempt(Candidate(str(number), "model:think"), verdict(count), turn=number)
        for number, count in enumerate(passed)
        if count is not None
    ]
    return State(turns=[pack(turn) for turn in turns], attempts=[pack(attempt) for attempt in attempts])


def verdict(passed: int) -> Verdict:
    return Verdict({str(n): CheckResult(Outcome.PASSED if n < passed else Outcome.FAILED) for n in range(9)})


@pytest.mark.parametrize(
    ("passed", "times"),
    [((), 0), ((None,), 1), ((0,), 0), ((0, 0), 1), ((None, 2), 0), ((1, None, None, 2), 0), ((2, 1, None), 2)],
)
def test_being_stuck_is_counted_since_something_got_better(passed: tuple[int | None, ...], times: int) -> None:
    """A reply of no use counts as one that makes nothing better; those before the last gain are forgotten."""
    assert replies_since_gain(state(*passed)) == times
