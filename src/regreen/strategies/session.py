"""One repair at work: its task, what the checks say of the program as it is, and the proof of what is tried."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from regreen.errors import TaskError
from regreen.strategies.events import Event, Listener, ignore
from regreen.strategies.resources import Resources
from regreen.types import Budget, Candidate, Isolation, JudgeOptions, Limits, Suite, SuiteKind, Task, Verdict
from regreen.verify.baseline import Baseline, needs_sharing, take_baseline

NAMED = 5
"""How many checks a message names."""


@dataclass
class RepairProgress:
    """How far a repair has come, for those who watch."""

    candidates: int = 0
    best_passed: int = 0
    model_calls: int = 0
    tokens: int = 0


class RepairSession:
    """What a strategy works on and with, for one repair."""

    def __init__(self, resources: Resources, task: Task, *, seed: int = 0, on_event: Listener = ignore) -> None:
        self.resources = resources
        self.task = task
        self.seed = seed
        self.on_event = on_event
        self.clock = resources.clock
        self.started = resources.clock()
        self.baseline_seconds = 0.0
        self.waited = 0.0
        """Seconds that a busy service, or other repairs at work, have cost: no part of the repair's own time."""
        self.progress = RepairProgress()
        self._ours = {Candidate(task.source, "given").id}
        """Programs in which every character is the user's or a template's: none of it a model wrote."""

    @property
    def limits(self) -> Limits:
        """What one candidate may use."""
        return self.resources.limits

    @property
    def budget(self) -> Budget:
        """What the repair may spend."""
        return self.resources.budget

    @property
    def scope(self) -> str:
        """The repair's name within a run."""
        return f"{self.task.id}#{self.seed}"

    @property
    def seconds(self) -> float:
        """Seconds that the repair has taken, without those that it waited for its turn."""
        return self.clock() - self.started - self.waited

    @property
    def deadline(self) -> float:
        """When the seconds of the budget end, by `clock`."""
        return self.started + self.budget.seconds + self.waited

    @contextlib.contextmanager
    def holding_core(self) -> Iterator[None]:
        """A core to work on, for the block."""
        self._take_core()
        try:
            yield
        finally:
            self.resources.cores.release()

    @contextlib.contextmanager
    def without_core(self) -> Iterator[None]:
        """Leave the core to others, for the block: while a model thinks."""
        self.resources.cores.release()
        try:
            yield
        finally:
            self._take_core()

    def _take_core(self) -> None:
        asked = self.clock()
        self.resources.cores.acquire()
        self.waited += self.clock() - asked

    @cached_property
    def baseline(self) -> Baseline:
        """What the checks say before anything is changed; raises TaskError when there is nothing to rely on."""
        started = self.clock()
        self.notify("checking")
        task = self.task
        baseline = take_baseline(self.resources.judge, task.source, task.suite, self.limits, task.companions)
        self.baseline_seconds = self.clock() - started
        self.progress.best_passed = len(baseline.green)
        for check in baseline.flaky:
            self.notify("checking", f"{check} disagrees with itself and is set aside")
        if not baseline.suite.checks:
            raise no_usable_checks(task, baseline)
        return baseline

    @property
    def is_examined(self) -> bool:
        """Whether the checks have been run on the program."""
        return "baseline" in self.__dict__

    @property
    def may_run_checks(self) -> bool:
        """Whether there are checks to run; pytest finds its own only when it has collected them."""
        suite = self.task.suite
        return bool(suite.checks) or suite.kind is SuiteKind.PYTEST

    @property
    def reliable_task(self) -> Task:
        """The task with the checks that can be relied upon."""
        return replace(self.task, suite=self.baseline.suite) if self.is_examined else self.task

    def prove(self, candidate: Candidate, *, fail_fast: bool = False, seconds: float | None = None) -> Verdict:
        """The judge's verdict; what passes has to do so again with other random numbers.

        With `fail_fast`, up to the first check that fails, and once; `seconds` of CPU a check, if that is less.
        """
        self.notify("proving")
        limits = replace(self.limits, seconds=min(self.limits.seconds, seconds or self.limits.seconds))
        verdict = self._judge(candidate, limits, seed=0, fail_fast=fail_fast)
        if not verdict.passed or fail_fast:
            return verdict
        again = self._judge(candidate, limits, seed=1)
        return verdict if again.passed else again

    def notify(self, phase: str, note: str = "") -> None:
        """Let those who watch know."""
        progress = self.progress
        suite = self.baseline.suite if self.is_examined else self.task.suite
        self.on_event(
            Event(
                phase,
                candidates=progress.candidates,
                best_passed=progress.best_passed,
                total=len(suite),
                seconds=self.seconds,
                note=note,
                model_calls=progress.model_calls,
                tokens=progress.tokens,
            )
        )

    def _judge(self, candidate: Candidate, limits: Limits, *, seed: int, fail_fast: bool = False) -> Verdict:
        suite = self.baseline.suite
        if suite.isolation is not self.task.suite.isolation:
            # It was the bug that let a live object out: what mends it may well do without, and then the wall holds.
            walled = replace(suite, isolation=self.task.suite.isolation, reason="")
            verdict = self._judge_with(walled, candidate, limits, seed=seed, fail_fast=fail_fast)
            if verdict.passed:
                return verdict
        verdict = self._judge_with(suite, candidate, limits, seed=seed, fail_fast=fail_fast)
        if needs_sharing(verdict) and self._is_ours(candidate):
            shared = replace(suite, isolation=Isolation.SHARED)
            return self._judge_with(shared, candidate, limits, seed=seed, fail_fast=fail_fast)
        return verdict

    def _is_ours(self, candidate: Candidate) -> bool:
        """Whether a candidate was made by templates alone: what it returns live was returned in good faith.

        A generator in place of a list, say. Others might return one only to have the checks run where they reach them.
        """
        is_ours = candidate.is_searched and candidate.parent in self._ours
        if is_ours:
            self._ours.add(candidate.id)
        return is_ours

    def _judge_with(self, suite: Suite, candidate: Candidate, limits: Limits, *, seed: int, fail_fast: bool) -> Verdict:
        return self.resources.judge.judge(
            candidate.source,
            suite,
            limits,
            companions=self.task.companions,
            options=JudgeOptions(
                fail_fast=fail_fast,
                # One check that hangs decides; the others are worth hearing, but not at that price each.
                shorten_after_timeout=True,
                seed=seed,
            ),
        )


def checks_text(task: Task) -> str:
    """What the checks say, as text: evidence for the search and for the choice."""
    return "\n".join(check.code for check in task.suite.checks) or task.suite.source


def no_usable_checks(task: Task, baseline: Baseline) -> TaskError:
    """Why a suite whose checks all skip or contradict themselves cannot guide a repair."""
    told = [
        *([f"{', '.join(baseline.skipped[:NAMED])} skipped itself"] if baseline.skipped else []),
        *([f"{', '.join(baseline.flaky[:NAMED])} passed in one run and failed in another"] if baseline.flaky else []),
    ]
    return TaskError(
        f"{task.suite.origin} holds no check to rely on: {'; '.join(told) or 'none was found'}.",
        remedy="Give at least one check that runs and always says the same.",
    )
