"""Proves a data set: every reference passes all its checks, and every program with a bug fails those that decide."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from regreen.evaluate.parallel import run_as_completed
from regreen.types import Case, Isolation, Judge, JudgeOptions, Limits, Outcome, Suite, Verdict
from regreen.verify.baseline import judge_given

_NEAR_LIMIT = 0.5
"""Share of a check's seconds from which on a reference is taken to be near the limit."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of checking one case."""

    task_id: str
    problems: tuple[str, ...] = ()
    """Why the case proves nothing about a repair; empty for a sound case."""
    has_reference: bool = True
    isolation: Isolation = Isolation.SEPARATE
    """Where the hidden checks have to run."""
    warnings: tuple[str, ...] = ()
    """What may make the case unsound on a slower machine."""
    error: str = ""
    """The fault of the machine that kept the case from a result; empty where there was none."""

    @property
    def is_good(self) -> bool:
        """Whether the case was checked and is sound."""
        return not self.problems and not self.error


@dataclass(frozen=True, slots=True)
class Proof:
    """The results for the cases of a data set."""

    findings: tuple[Finding, ...]
    """In the order of the data set; fewer than its cases where the check was interrupted."""
    interrupted: bool = False

    @property
    def bad(self) -> tuple[Finding, ...]:
        """Unsound cases."""
        return tuple(finding for finding in self.findings if finding.problems)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Cases without a result, because the machine failed."""
        return tuple(finding for finding in self.findings if finding.error)

    @property
    def exit_status(self) -> int:
        """0 when every case is sound, 1 when one is not, 3 when one has no result, 130 when interrupted."""
        if self.interrupted:
            return 130
        return 3 if self.errors else 1 if self.bad else 0

    def values(self) -> dict[str, Any]:
        """The proof as plain data."""
        return {
            "cases": len(self.findings),
            "good": sum(finding.is_good for finding in self.findings),
            "without_reference": sum(not finding.has_reference for finding in self.findings),
            "shared": sum(finding.isolation is Isolation.SHARED for finding in self.findings),
            "bad": [{"task_id": finding.task_id, "problems": list(finding.problems)} for finding in self.bad],
            "warnings": [
                {"task_id": finding.task_id, "warnings": list(finding.warnings)}
                for finding in self.findings
                if finding.warnings
            ],
            "errors": [{"task_id": finding.task_id, "message": finding.error} for finding in self.errors],
            "interrupted": self.interrupted,
        }


def prove(
    cases: Sequence[Case],
    judge: Judge,
    limits: Limits,
    *,
    workers: int = 1,
    finished: Callable[[Finding], None] = lambda finding: None,
    drain: threading.Event | None = None,
) -> Proof:
    """Judge the reference and the buggy program of every case, `workers` cases at a time.

    `finished` is called with each result as it comes. Once `drain` is set, cases under way are finished and none is
    begun.
    """
    found: dict[str, Finding] = {}
    interrupted = False
    try:
        with contextlib.closing(
            run_as_completed(lambda case: _checked(case, judge, limits), cases, workers, drain)
        ) as findings:
            for finding in findings:
                found[finding.task_id] = finding
                finished(finding)
    except KeyboardInterrupt:
        interrupted = True
    kept = tuple(found[case.task.id] for case in cases if case.task.id in found)
    return Proof(kept, interrupted or len(kept) < len(cases))


def _checked(case: Case, judge: Judge, limits: Limits) -> Finding:
    try:
        return _finding(case, judge, limits)
    except Exception as error:  # noqa: BLE001 - one case must not end the check, and what failed is in the result
        return Finding(case.task.id, error=f"{type(error).__name__}: {error}")


def _finding(case: Case, judge: Judge, limits: Limits) -> Finding:
    problems: list[str] = []
    warnings: list[str] = []
    isolation = Isolation.SEPARATE
    suites = {"hidden": case.hidden, "visible": case.task.suite, "extra": case.extra}
    for name, suite in suites.items():
        if suite is None or not suite.source.strip():
            continue
        bug, suite = _with_the_bug(case, suite, judge, limits)
        if name == "hidden":
            isolation = bug.isolation
            problems += ["the program with the bug passes every hidden check"] * bug.passed
        if case.reference:
            verdict = _judged(case.reference, case, suite, judge, limits)
            problems += _failing(verdict, name)
            warnings += _slow(verdict, name, limits)
    return Finding(case.task.id, tuple(problems), bool(case.reference), isolation, tuple(warnings))


def _with_the_bug(case: Case, suite: Suite, judge: Judge, limits: Limits) -> tuple[Verdict, Suite]:
    """The verdict on the buggy program, and the suite with the isolation that the task needs."""
    return judge_given(judge, case.task.source, suite, limits, case.task.companions, JudgeOptions(fail_fast=True))


def _judged(source: str, case: Case, suite: Suite, judge: Judge, limits: Limits) -> Verdict:
    return judge.judge(source, suite, limits, companions=case.task.companions, options=JudgeOptions(fail_fast=True))


def _slow(verdict: Verdict, name: str, limits: Limits) -> list[str]:
    """A warning of the slowest check of a reference that comes near the limit, which a busier machine would cross."""
    check, result = max(verdict.results.items(), key=lambda found: found[1].cpu_seconds, default=("", None))
    if result is None or result.outcome is not Outcome.PASSED or result.cpu_seconds < _NEAR_LIMIT * limits.seconds:
        return []
    return [f"the reference takes {result.cpu_seconds:.1f} of {limits.seconds:g} s in the {name} check {check}"]


def _failing(verdict: Verdict, name: str) -> list[str]:
    """Why a reference is wrong, from its first check that fails; empty where it passes."""
    if verdict.passed:
        return []
    for check, result in verdict.results.items():
        if result.outcome is not Outcome.PASSED:
            why = result.detail or (f"{result.actual} instead of {result.expected}" if result.expected else "")
            return [f"the reference fails the {name} check {check} ({result.outcome.value}{why and ': '}{why[:300]})"]
    return [f"the reference passes no {name} check, for none was run: {verdict.detail[:300]}"]
