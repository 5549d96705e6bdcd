"""One repair at work: its task, its judge, its budget, its clock, its events and its seed."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from regreen.errors import TaskError
from regreen.strategies.diagnosis import describe_obstacle, diagnose, out_of_reach, suspects
from regreen.strategies.events import Listener, ignore
from regreen.strategies.model_session import ModelSession
from regreen.strategies.repair_spans import NO_SPANS, RepairSpans
from regreen.strategies.resources import Resources
from regreen.types import Candidate, JudgeOptions, Limits, Obstacle, Outcome, Suite, SuiteKind, Task, Verdict
from regreen.verify.baseline import Baseline, Reach, judge_by_need, reach_of, take_baseline
from regreen.verify.screener_ahead import screener_ahead
from regreen.verify.screening import ProgramTrace

_LOG = logging.getLogger(__name__)
_SHOWN_CHECK, _SHOWN_DETAIL = 200, 500
"""Characters of a check, and of what it says, in a line of the log."""
_NAMED_CHECKS = 5
"""How many checks an error message names."""


class RepairSession(ModelSession):
    """All that a strategy works with during one repair."""

    def __init__(
        self,
        resources: Resources,
        task: Task,
        *,
        seed: int = 0,
        on_event: Listener = ignore,
        spans: RepairSpans = NO_SPANS,
        baseline: Baseline | None = None,
        started: float | None = None,
    ) -> None:
        """`baseline` is given where it is known, and `started` where the repair is part of one that began then."""
        super().__init__(resources, f"{task.id}#{seed}", seed=seed, on_event=on_event, started=started)
        self.task = task
        self.spans = spans
        self.baseline_seconds = 0.0
        """What `examine` took."""
        self.obstacles: tuple[Obstacle, ...] = ()
        """What `examine` has found to keep checks red that the program does not decide."""
        self.traced: ProgramTrace | None = None
        """The trace of the program under the checks of the baseline, where `examine` needed one."""
        self._baseline = baseline
        self._trusted = {Candidate(task.source, "given").id}
        """Ids of programs without a character that a model wrote: the user's own, and what templates made of it."""

    def examine(self) -> Baseline:
        """Run the checks on the program as it is, and keep the result as `baseline`; a second call runs nothing.

        Checks that are red whatever the program says are set aside, and told in `obstacles`. Raises TaskError when no
        check can be relied upon, OutOfReach or SandboxRefusal when every red one is set aside.
        """
        if self._baseline is None:
            started = self.clock()
            self.notify("checking")
            baseline = self._taken_baseline()
            self.baseline_seconds = self.clock() - started
            self.progress.best_passed = len(baseline.green)
            for check in baseline.flaky:
                self.notify("checking", f"{check} disagrees with itself and is set aside")
            if not baseline.suite.checks:
                raise no_usable_checks(self.task, baseline)
            self._baseline = self._without_hopeless(baseline)
        return self._baseline

    def _taken_baseline(self) -> Baseline:
        """The baseline; where another processor is free, it starts the server of a screener meanwhile."""
        task, resources = self.task, self.resources
        with screener_ahead(resources.pool, task.suite) as start:
            if resources.screeners > 1:
                start()
            return take_baseline(resources.judge, task.source, task.suite, self.limits, task.companions)

    def _without_hopeless(self, baseline: Baseline) -> Baseline:
        """The baseline without the checks that no change of the program can turn green."""
        if not suspects(baseline):
            return baseline
        self.obstacles, traced = diagnose(self.resources, self.task, baseline)
        for obstacle in self.obstacles:
            self.notify("checking", f"{describe_obstacle(self.task, obstacle)} {obstacle.remedy}")
        certain = [obstacle for obstacle in self.obstacles if obstacle.certain]
        hopeless = {check for obstacle in certain for check in obstacle.checks}
        if hopeless and hopeless >= set(baseline.red):
            raise out_of_reach(self.task, certain)
        if hopeless:
            return baseline.without(hopeless)
        self.traced = traced
        return baseline

    @property
    def baseline(self) -> Baseline:
        """The result of `examine`, which must have run."""
        assert self._baseline is not None, "examine() comes first"
        return self._baseline

    @property
    def is_examined(self) -> bool:
        """Whether `baseline` is known."""
        return self._baseline is not None

    @property
    def may_run_checks(self) -> bool:
        """Whether the task has checks to run; a pytest suite lists its own only once it is collected."""
        suite = self.task.suite
        return bool(suite.checks) or suite.kind is SuiteKind.PYTEST

    @property
    def reliable_task(self) -> Task:
        """The task with its reliable checks only; the task as it was given, before `examine`."""
        return replace(self.task, suite=self.baseline.suite) if self.is_examined else self.task

    def prove(self, candidate: Candidate, *, fail_fast: bool = False, seconds: float | None = None) -> Verdict:
        """The judge's verdict; a candidate that passes has to pass again under another random seed.

        With `fail_fast`, judge once and stop at the first failure. `seconds` lowers the CPU limit of each check.
        """
        with self.spans.judgement(candidate) as judged:
            verdict = self._proven(candidate, fail_fast=fail_fast, seconds=seconds)
            judged(verdict)
        if not fail_fast:
            _LOG.info("%s: %s %s", self.scope, candidate.origin, verdict_text(verdict))
        return verdict

    def _proven(self, candidate: Candidate, *, fail_fast: bool, seconds: float | None) -> Verdict:
        self.notify("proving")
        limits = replace(self.limits, seconds=min(self.limits.seconds, seconds or self.limits.seconds))
        verdict = self._judge(candidate, limits, seed=0, fail_fast=fail_fast)
        if not verdict.passed or fail_fast:
            return verdict
        again = self._judge(candidate, limits, seed=1)
        return verdict if again.passed else again

    @property
    def total(self) -> int:
        """How many checks there are."""
        return len(self.baseline.suite if self.is_examined else self.task.suite)

    def _judge(self, candidate: Candidate, limits: Limits, *, seed: int, fail_fast: bool = False) -> Verdict:
        suite, given = self.baseline.suite, self.task.suite
        # One check that hangs decides; waiting the full time for each of the others is not worth it.
        options = JudgeOptions(fail_fast, shorten_after_timeout=True, seed=seed, examples=self.baseline.examples)
        if suite.isolation is not given.isolation:
            # The bug itself may have let a live object out; without the bug the wall may hold.
            walled = replace(suite, isolation=given.isolation, surface=given.surface, reason=given.reason)
            verdict = self._judge_with(walled, candidate, limits, options, reach=lambda: Reach.STAND_INS)
            if verdict.passed:
                return verdict
        return self._judge_with(
            suite,
            candidate,
            limits,
            options,
            reach=lambda: Reach.SHARED if self._is_trusted(candidate) else reach_of(suite),
        )

    def _is_trusted(self, candidate: Candidate) -> bool:
        """Whether templates alone made the candidate: a live object that it returns is returned in good faith.

        A generator in place of a list, for example. A model's program might return one to have the checks run in its
        own process, where it can reach them.
        """
        is_trusted = candidate.is_searched and candidate.parent in self._trusted
        if is_trusted:
            self._trusted.add(candidate.id)
        return is_trusted

    def _judge_with(
        self,
        suite: Suite,
        candidate: Candidate,
        limits: Limits,
        options: JudgeOptions,
        *,
        reach: Callable[[], Reach],
    ) -> Verdict:
        judge, companions = self.resources.judge, self.task.companions
        return judge_by_need(judge, candidate.source, suite, limits, companions, options, reach=reach)[0]


def verdict_text(verdict: Verdict) -> str:
    """What the checks say of a candidate, e.g. "passes 2 of 3 checks; `assert f(1) == 2` failed: expected 2, got 3"."""
    told = f"passes {verdict.checks_passed} of {len(verdict.results)} checks"
    failed = next(((check, of) for check, of in verdict.results.items() if of.outcome is not Outcome.PASSED), None)
    if failed is None:
        return told if verdict.passed else f"{told}; {verdict.detail}"
    check, result = failed
    got = f"expected {result.expected}, got {result.actual}" if result.expected or result.actual else result.detail
    return f"{told}; `{check[:_SHOWN_CHECK]}` {result.outcome.value}: {got[:_SHOWN_DETAIL]}"


def checks_text(task: Task) -> str:
    """The text of the checks: evidence for the search and for the choice of a patch."""
    return "\n".join(check.code for check in task.suite.checks) or task.suite.source


def no_usable_checks(task: Task, baseline: Baseline) -> TaskError:
    """The error for a suite whose checks all skip or contradict themselves."""
    reasons = []
    if baseline.skipped:
        reasons.append(f"{', '.join(baseline.skipped[:_NAMED_CHECKS])} skipped itself")
    if baseline.flaky:
        reasons.append(f"{', '.join(baseline.flaky[:_NAMED_CHECKS])} passed in one run and failed in another")
    project = task.suite.project
    if not reasons and project is not None and "-k" in project.arguments:
        said = f"no test in {task.suite.origin} matches -k {project.arguments[-1]}."
        return TaskError(said, remedy="Check the names.")
    return TaskError(
        f"{task.suite.origin} holds no check to rely on: {'; '.join(reasons) or 'none was found'}.",
        remedy="Give at least one check that runs and always says the same.",
    )
