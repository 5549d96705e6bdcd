"""Runs one sample: a strategy repairs it under a feedback protocol, the checks that decide judge the patch."""

from __future__ import annotations

import contextlib
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from regreen.config import Settings
from regreen.errors import BudgetSpent, ConfigError, ModelUnavailable
from regreen.evaluate.recorded_ends import RecordedEnd, open_replayed
from regreen.evaluate.records import Feedback, ResultLine, RunConfiguration
from regreen.evaluate.result_lines import best_attempt, error_line, result_line
from regreen.evaluate.run_loop import CompletedJob
from regreen.strategies import Event, Listener, Strategy, open_strategy
from regreen.strategies.diagnosis import out_of_reach
from regreen.types import Case, Judge, Limits, Repair, Stop, Suite, SuiteKind, Task, Verdict
from regreen.verify.baseline import Reach, decided, judge_by_need, judge_given, reach_of

if TYPE_CHECKING:
    from regreen.models import ChatModel


@dataclass(frozen=True, slots=True)
class SampleJob:
    """One sample of one case, to be repaired and judged."""

    case: Case
    sample: int
    """Number of the sample, from 0."""

    def seed(self, configuration: RunConfiguration) -> int:
        """The seed of the sample's repair."""
        return configuration.seed + self.sample


CompletedSample = CompletedJob[SampleJob, ResultLine]


@dataclass(frozen=True, slots=True)
class SampleRunner:
    """Repairs and judges samples in this process; may be used from several threads."""

    strategy: Strategy
    judge: Judge
    limits: Limits
    configuration: RunConfiguration
    clock: Callable[[], float] = field(default=time.monotonic)
    cores: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(1_000))
    """Those of the repairs: what decides about one is no work beside, and out of the time of, another."""
    on_phase: Callable[[str, int, str], object] = field(default=lambda task, sample, phase: None)
    """Gets task, number and phase of a sample as it advances, and an empty phase at its end."""

    def run(self, job: SampleJob) -> CompletedSample:
        """Repair and judge one sample; a failure on our side is recorded as an error."""
        began = self.clock()
        try:
            return CompletedJob(job, self._result(job))
        except Exception as error:  # noqa: BLE001 - one case must not end the run, and what failed is recorded
            return failed_sample(job, error, self.configuration, self.clock() - began, traceback.format_exc())
        finally:
            self.on_phase(job.case.task.id, job.sample, "")

    def _result(self, job: SampleJob) -> ResultLine:
        case, configuration = job.case, self.configuration
        repair = self.strategy.repair(
            visible_task(case, configuration.feedback),
            job.seed(configuration),
            self._listener(job),
        )
        if repair.stop is Stop.INTERRUPTED:
            raise KeyboardInterrupt
        _refuse_unpaid(repair)
        if repair.stop is Stop.ERROR:
            raise ModelUnavailable("the model's service was down, so the strategy could not be followed to its end.")
        judged = best_attempt(repair)
        final = judged.candidate.source if judged else case.task.source
        trusted = _is_of_templates_alone(repair)
        hidden = self._decide(final, case.hidden, case.task, trusted=trusted)
        if not hidden.passed and repair.set_aside:
            # Whatever the strategy did, these checks would have been red.
            raise out_of_reach(case.task, repair.set_aside)
        extra = (
            self._decide(final, case.extra, case.task, trusted=trusted)
            if case.extra and hidden.passed and repair.fixed
            else None
        )
        return result_line(case, repair, hidden, extra, configuration, sample=job.sample)

    def _listener(self, job: SampleJob) -> Listener:
        def listen(event: Event) -> None:
            self.on_phase(job.case.task.id, job.sample, event.phase)

        return listen

    def _decide(self, source: str, suite: Suite, task: Task, *, trusted: bool) -> Verdict:
        """The verdict that counts. How much the checks may reach is decided by the original program:

        a candidate could return a live object only to have its checks run in its own process. A `trusted` one does not.
        """
        with self.cores:
            verdict, _ = judge_by_need(
                self.judge,
                source,
                suite,
                self.limits,
                task.companions,
                reach=lambda: Reach.SHARED if trusted else self._reach(suite, task),
            )
        return decided(verdict)

    def _reach(self, suite: Suite, task: Task) -> Reach:
        """How much the checks need to reach of the program of a task itself."""
        _, used = judge_given(self.judge, task.source, suite, self.limits, task.companions)
        return reach_of(used)


def _is_of_templates_alone(repair: Repair) -> bool:
    """Whether no model wrote any part of the patch."""
    return repair.chosen is not None and repair.chosen.candidate.is_searched and not repair.cost.model_calls


@dataclass(frozen=True, slots=True)
class LocalExecutor:
    """Runs samples on threads of this process."""

    runner: SampleRunner
    concurrency: int

    def __post_init__(self) -> None:
        if self.concurrency < 1:
            raise ConfigError(f"{self.concurrency} workers: there has to be at least 1.")

    def run(self, job: SampleJob) -> CompletedSample:
        """Repair and judge one sample on the thread of the caller."""
        return self.runner.run(job)


@contextlib.contextmanager
def open_sample_runner(
    settings: Settings,
    configuration: RunConfiguration,
    *,
    model: ChatModel | None,
    samples_at_once: int,
    checkpoints: Path | None = None,
    check_sandbox: bool = False,
    ends: Mapping[tuple[str, int], RecordedEnd] | None = None,
) -> Iterator[SampleRunner]:
    """The run's strategy and a judge, with sandboxes for `samples_at_once` samples, for the block.

    `checkpoints` is the file from which a repair that was killed resumes; None to begin such a repair again. With
    `check_sandbox`, one sandbox is built at once. With `ends`, repairs end as they were recorded. Raises
    SandboxUnavailable where no sandbox can be built.
    """
    from regreen.strategies.collector import rare_collections
    from regreen.strategies.resources import open_resources

    with rare_collections(), open_resources(settings, tasks_at_once=samples_at_once) as resources:
        if check_sandbox:
            with resources.pool.lease():
                pass
        opened: contextlib.AbstractContextManager[Strategy]
        if ends is None:
            opened = open_strategy(settings, resources, model=model, checkpoints=checkpoints)
        else:
            opened = open_replayed(settings, resources, model, ends, configuration.strategy)
        with opened as strategy:
            yield SampleRunner(strategy, resources.judge, settings.limits, configuration, cores=resources.cores)


def failed_sample(
    job: SampleJob, error: Exception, configuration: RunConfiguration, seconds: float = 0.0, trace: str = ""
) -> CompletedSample:
    """The result of a sample that could not be decided because something of ours failed after `seconds`."""
    line = error_line(job.case, type(error).__name__, str(error), configuration, sample=job.sample, seconds=seconds)
    return CompletedJob(job, line, error, trace)


def visible_task(case: Case, feedback: Feedback) -> Task:
    """The task as a strategy may see it under a protocol."""
    if feedback is Feedback.NONE:
        # The text of the hidden checks may be shown, as in OctoPack's protocol; without checks nothing can be run.
        return replace(case.task, suite=Suite(SuiteKind.SCRIPT, case.hidden.source, (), origin=case.hidden.origin))
    if feedback is Feedback.EXAMPLES:
        # The visible checks may all pass, or be none: that the program is wrong is known all the same.
        return replace(case.task, known_wrong=True)
    return replace(case.task, suite=case.hidden, statement=_with_examples(case.task))


def _with_examples(task: Task) -> str:
    """The statement, followed by the visible checks where it does not hold them already.

    They stand one by one, with what prepares them, where each names the entry point: small models copy a function that
    is put around them.
    """
    text, checks, steps = task.suite.source.strip(), task.suite.checks, task.suite.steps
    tells = task.entry_point is not None and all(task.entry_point in check.code for check in checks)
    are_asserts = bool(steps) and all(step.want is None for step in steps)
    examples = "\n".join(step.code.strip() for step in steps) if tells and are_asserts else text
    if not checks or examples in task.statement or text in task.statement:
        return task.statement
    return f"{task.statement}\n\nExamples:\n{examples}".strip()


def _refuse_unpaid(repair: Repair) -> None:
    """Raise BudgetSpent for a repair that a limit of the run cut short: it says nothing about the strategy."""
    if repair.stop in (Stop.TOKENS, Stop.MONEY) and not repair.fixed:
        raise BudgetSpent(
            f"the limit of {repair.stop.value} that holds over the run is reached.",
            kind="usd" if repair.stop is Stop.MONEY else "tokens",
            remedy="Resume with a higher --max-usd or --max-tokens.",
        )
