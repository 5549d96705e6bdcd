"""Cases, repairs and verdicts for the harness, made by hand: no sandbox and no search are needed to test it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from regreen.evaluate.records import Feedback, RunConfiguration
from regreen.types import (
    Attempt,
    Candidate,
    Case,
    Check,
    CheckResult,
    Cost,
    Limits,
    Outcome,
    Repair,
    Stop,
    Suite,
    SuiteKind,
    Task,
    Verdict,
)


def suite(text: str) -> Suite:
    """One check, whose text is the program that passes it."""
    return Suite(SuiteKind.SCRIPT, text, (Check("only", text),))


class FakeJudge:
    """Passes a program that is the text of the suite."""

    def __init__(self) -> None:
        self.judged: list[tuple[str, str]] = []

    def judge(self, source: str, suite: Suite, limits: Limits, **_: object) -> Verdict:
        self.judged.append((source, suite.source))
        outcome = Outcome.PASSED if source == suite.source else Outcome.FAILED
        return Verdict({check.id: CheckResult(outcome) for check in suite.checks})


def case(name: str, *, visible: str = "seen", hidden: str = "right", extra: str | None = None) -> Case:
    task = Task(name, "wrong", None, suite(visible), statement="Do it.")
    return Case(task, suite(hidden), "right", extra=None if extra is None else suite(extra))


def repaired(task: Task, source: str | None, stop: Stop = Stop.FIXED) -> Repair:
    """A repair that hands over `source`; nothing where it is None."""
    before = FakeJudge().judge(task.source, task.suite, Limits())
    attempts = () if source is None else (_attempt(task, source),)
    return Repair(task.id, attempts[0] if attempts else None, before, attempts, Cost(7, 1, 0.5, {"execute": 0.4}), stop)


def _attempt(task: Task, source: str) -> Attempt:
    return Attempt(Candidate(source, "search:test"), FakeJudge().judge(source, task.suite, Limits()))


@pytest.fixture
def judge() -> FakeJudge:
    return FakeJudge()


@pytest.fixture
def make_case() -> Callable[..., Case]:
    return case


@pytest.fixture
def repair_with() -> Callable[..., Repair]:
    return repaired


@pytest.fixture
def configuration() -> RunConfiguration:
    return RunConfiguration("shelf", "search", Feedback.ALL, seed=5, options={"timeout": 2.0, "workers": 4})
