"""One repair at work: its time, and what others cost it."""

from __future__ import annotations

import threading
from typing import cast

from regreen.sandbox.pool import Pool
from regreen.strategies.resources import Resources
from regreen.strategies.session import RepairSession, verdict_text
from regreen.types import Budget, CheckResult, Limits, Outcome, Suite, SuiteKind, Task, Verdict
from regreen.verify.judge import SandboxJudge


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class SlowCores(threading.Semaphore):
    """Each core is given out after some seconds."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        super().__init__(1)
        self.clock = clock
        self.seconds = seconds

    def acquire(self, blocking: bool = True, timeout: float | None = None) -> bool:
        self.clock.now += self.seconds
        return super().acquire(blocking, timeout)


def test_the_wait_for_a_core_is_no_part_of_the_repair_s_time_nor_of_its_budget() -> None:
    """With many repairs at once the others' work would count as this one's."""
    clock = Clock()
    nothing = cast("Pool", None)
    budgeted = Resources(
        nothing, SandboxJudge(nothing), Limits(), Budget(seconds=30.0), clock=clock, cores=SlowCores(clock, 7.0)
    )
    session = RepairSession(budgeted, Task("t", "", None, Suite(SuiteKind.SCRIPT, "", ())))
    with session.holding_core():
        clock.now += 2.0
        with session.without_core():
            clock.now += 3.0
        clock.now += 1.0
        assert session.seconds == 6.0
        assert session.deadline - clock.now == 24.0


def test_a_verdict_in_words_names_the_first_check_that_fails() -> None:
    """With what it expected and got; a program that does not load has no check to name."""
    failed = CheckResult(Outcome.FAILED, expected="2", actual="3")
    results = {"assert f(0) == 1": CheckResult(Outcome.PASSED), "assert f(1) == 2": failed}
    assert verdict_text(Verdict(results)) == "passes 1 of 2 checks; `assert f(1) == 2` failed: expected 2, got 3"
    assert verdict_text(Verdict({}, detail="it does not parse")) == "passes 0 of 0 checks; it does not parse"
