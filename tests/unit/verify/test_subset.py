"""What is left of a suite when some of its checks are set aside?"""

from __future__ import annotations

from regreen.verify.baseline import subset
from regreen.verify.suites import read_suite

SUITE = read_suite(
    "assert f(1) == 1\nassert f(2) == 2\nassert f(3) == 3\n",
    program="def f(x):\n    return x\n",
    module="m",
    entry_point="f",
)


def test_a_check_that_is_set_aside_still_happens() -> None:
    """What it does to the program's state, later checks may build upon."""
    left = subset(SUITE, ["check-1", "check-3"])
    assert [check.id for check in left.checks] == ["check-1", "check-3"]
    assert [step.check for step in left.steps] == ["check-1", None, "check-3"]


def test_a_check_that_hangs_does_not_happen_again() -> None:
    """Waiting for it would cost its whole time at every run, and tell nothing."""
    left = subset(SUITE, ["check-1", "check-3"], hanging={"check-2"})
    assert [step.check for step in left.steps] == ["check-1", "check-3"]


def test_nothing_set_aside_leaves_the_very_suite() -> None:
    """A judge that sits with it need not be replaced."""
    assert subset(SUITE, ["check-1", "check-2", "check-3"]) is SUITE
