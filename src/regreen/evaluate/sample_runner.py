"""One sample at work: repaired by a strategy under a protocol, judged, and told as a line of the record."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from regreen.errors import BudgetSpent, ModelUnavailable
from regreen.evaluate.records import Feedback, ResultLine, RunConfiguration
from regreen.evaluate.result_lines import error_line, result_line
from regreen.types import Case, Isolation, Judge, Limits, Repair, Stop, Suite, SuiteKind, Task, Verdict
from regreen.verify.baseline import needs_sharing

Strategy = Callable[[Task, int], Repair]
"""Repairs a task with a seed."""


@dataclass(frozen=True, slots=True)
class SampleJob:
    """One sample of one case."""

    case: Case
    sample: int

    def seed(self, configuration: RunConfiguration) -> int:
        """What the sample's repair is seeded with."""
        return configuration.seed + self.sample


@dataclass(frozen=True, slots=True)
class CompletedSample:
    """How a job ended."""

    line: ResultLine
    error: Exception | None = None
    trace: str = ""


@dataclass(frozen=True, slots=True)
class SampleRunner:
    """What every job needs."""

    strategy: Strategy
    judge: Judge
    limits: Limits
    configuration: RunConfiguration
    clock: Callable[[], float] = field(default=time.monotonic)

    def run(self, job: SampleJob) -> CompletedSample:
        """Repair and judge one sample; whatever fails on our side is recorded as such."""
        began = self.clock()
        try:
            return CompletedSample(self._judged(job))
        except Exception as error:  # noqa: BLE001 - one case must not end the run, and what failed is recorded
            return failed_sample(job, error, self.configuration, self.clock() - began, traceback.format_exc())

    def _judged(self, job: SampleJob) -> ResultLine:
        case, configuration = job.case, self.configuration
        repair = self.strategy(visible_task(case, configuration.feedback), job.seed(configuration))
        if repair.stop is Stop.INTERRUPTED:
            raise KeyboardInterrupt
        _refuse_unpaid(repair)
        if repair.stop is Stop.ERROR:
            raise ModelUnavailable("the model's service was down, so the strategy could not be followed to its end.")
        final = repair.chosen.candidate.source if repair.chosen else case.task.source
        trusted = _is_of_templates_alone(repair)
        hidden = self._decide(final, case.hidden, case.task, trusted=trusted)
        extra = self._decide(final, case.extra, case.task, trusted=trusted) if case.extra and hidden.passed else None
        return result_line(case, repair, hidden, extra, configuration, sample=job.sample)

    def _decide(self, source: str, suite: Suite, task: Task, *, trusted: bool) -> Verdict:
        """The verdict that counts. Whether the checks need live objects is for the original program to say:

        a candidate could return one only to have its checks run where it can reach them. A `trusted` one does not.
        """
        verdict = self._verdict(source, suite, task)
        if needs_sharing(verdict) and (trusted or needs_sharing(self._verdict(task.source, suite, task))):
            return self._verdict(source, replace(suite, isolation=Isolation.SHARED), task)
        return verdict

    def _verdict(self, source: str, suite: Suite, task: Task) -> Verdict:
        return self.judge.judge(source, suite, self.limits, companions=task.companions)


def _is_of_templates_alone(repair: Repair) -> bool:
    """Whether no model wrote any of what is handed over."""
    return repair.chosen is not None and repair.chosen.candidate.is_searched and not repair.cost.model_calls


def failed_sample(
    job: SampleJob, error: Exception, configuration: RunConfiguration, seconds: float = 0.0, trace: str = ""
) -> CompletedSample:
    """How a job ended that could not be decided because something of ours failed."""
    line = error_line(job.case, type(error).__name__, str(error), configuration, sample=job.sample, seconds=seconds)
    return CompletedSample(line, error, trace)


def visible_task(case: Case, feedback: Feedback) -> Task:
    """The task as a strategy may see it under a protocol."""
    if feedback is Feedback.NONE:
        # The text of the hidden checks may be shown, as in OctoPack's protocol; without checks nothing can be run.
        return replace(case.task, suite=Suite(SuiteKind.SCRIPT, case.hidden.source, (), origin=case.hidden.origin))
    if feedback is Feedback.EXAMPLES:
        return case.task
    return replace(case.task, suite=case.hidden, statement=_with_examples(case.task))


def _with_examples(task: Task) -> str:
    """The statement, followed by the visible checks where it does not hold them already."""
    examples = task.suite.source.strip()
    if not task.suite.checks or examples in task.statement:
        return task.statement
    return f"{task.statement}\n\nExamples:\n{examples}".strip()


def _refuse_unpaid(repair: Repair) -> None:
    """What a limit of the run cut short says nothing of the strategy: it is done when there is more to spend."""
    if repair.stop in (Stop.TOKENS, Stop.MONEY) and not repair.fixed:
        raise BudgetSpent(
            f"the limit of {repair.stop.value} that holds over the run is reached.",
            kind="usd" if repair.stop is Stop.MONEY else "tokens",
            remedy="Resume with a higher --max-usd or --max-tokens.",
        )
