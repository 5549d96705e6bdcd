"""What the traced run of a program tells."""

from __future__ import annotations

from regreen.types import CheckResult, Outcome
from regreen.verify.screening import ProgramTrace


def test_checks_that_hang_say_nothing_of_how_long_the_others_take() -> None:
    """Not even those that hang in the tests' own lines, where no line of the program was running."""
    results = {
        "quick": CheckResult(Outcome.PASSED, cpu_seconds=0.25),
        "wrong": CheckResult(Outcome.FAILED, cpu_seconds=0.5),
        "loops": CheckResult(Outcome.TIMED_OUT, cpu_seconds=100.0),
    }
    assert ProgramTrace(results, coverage={}, raised={}, hung={}).green_seconds == 0.75
