"""What the traced run of a program tells."""

from __future__ import annotations

import pytest

from regreen.types import CheckResult, Outcome
from regreen.verify.screening import ProgramTrace, may_be_reordered
from regreen.verify.suites import read_suite


def test_checks_that_hang_say_nothing_of_how_long_the_others_take() -> None:
    """Not even those that hang in the tests' own lines, where no line of the program was running."""
    results = {
        "quick": CheckResult(Outcome.PASSED, cpu_seconds=0.25),
        "wrong": CheckResult(Outcome.FAILED, cpu_seconds=0.5),
        "loops": CheckResult(Outcome.TIMED_OUT, cpu_seconds=100.0),
    }
    assert ProgramTrace(results, coverage={}, raised={}, hung={}).green_seconds == 0.75


PROGRAM = "def f(n):\n    return n\n"
ORDERS = {
    "assertions alone": ("from program import f\nassert f(1) == 1\nassert f(2) == 2\n", True),
    "functions": ("def test_one():\n    assert f(1) == 1\ndef test_two():\n    assert f(2) == 2\n", True),
    "a name that is made before": ("n = f(1)\nassert n == 1\nassert f(2) == 2\n", False),
    "a name that is made on the way": ("assert (n := f(1)) == 1\nassert f(n) == 1\n", False),
}


@pytest.mark.parametrize("kind", ORDERS)
def test_checks_that_may_need_each_other_are_run_together(kind: str) -> None:
    """What one statement of a script leaves, a later one may use."""
    tests, free = ORDERS[kind]
    assert may_be_reordered(read_suite(tests, program=PROGRAM, module="program", entry_point=None)) is free
