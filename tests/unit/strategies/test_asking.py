"""How often nothing has come of asking, and which part of a long program is shown for a patch."""

from __future__ import annotations

import pytest

from regreen.strategies.patch import numbered, shown_numbered
from regreen.strategies.prompt_values import WHOLE
from regreen.strategies.react import stuck
from regreen.strategies.state import State, pack
from regreen.types import Attempt, Candidate, CheckResult, Outcome, Suite, SuiteKind, Task, Turn, Verdict


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
    assert stuck(state(*passed)) == times


def test_a_short_program_is_shown_as_a_whole_and_a_long_one_by_its_definition() -> None:
    """The numbers are those of the whole program, so that edits fit it."""
    definition = "@cached\ndef f(x):\n    return x"
    filler = "# filler\n" * WHOLE
    short, long = f"A = 1\n{definition}\n", f"A = 1\n{filler}{definition}\n\n\nB = 2\n"
    task = Task("t", "", "f", Suite(SuiteKind.SCRIPT, "", ()))
    assert shown_numbered(task, short) == "1| A = 1\n2| @cached\n3| def f(x):\n4|     return x"
    assert shown_numbered(task, long) == numbered(definition, WHOLE + 2)
    assert numbered("a\nb", 9) == " 9| a\n10| b"
