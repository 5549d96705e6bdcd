"""Judges programs that others generated, and keeps a record of each verdict that a later start can resume."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from regreen.evaluate.equal_programs import EqualPrograms, SharedVerdict
from regreen.evaluate.extract import Extraction, extraction_of
from regreen.evaluate.judged_log import JUDGED, JudgedLine, JudgedLog, JudgedOutcome, JudgedState, JudgedStates
from regreen.evaluate.provenance import header_with, utc_now
from regreen.evaluate.records import ErrorLine, capped
from regreen.evaluate.result_lines import CHECK_BYTES, TEXT_BYTES, check_line
from regreen.evaluate.run_folder import hold_run_folder
from regreen.evaluate.run_loop import CompletedJob, Progress, run_jobs
from regreen.evaluate.sample_suites import JudgingJob, SampleSuites
from regreen.tasks.sample_rows import SampleContent
from regreen.tasks.samples import RECORDED_PASSED, RECORDED_UNKNOWN, Samples
from regreen.types import Candidate, Judge, JudgeOptions, Limits, Outcome, Suite, Verdict
from regreen.verify.baseline import decided, judge_by_need


@dataclass(frozen=True, slots=True)
class JudgingSummary:
    """Verdicts of a judging that ended, and why it ended."""

    states: JudgedStates
    resumed: int = 0
    """Verdicts that an earlier start had given."""
    interrupted: bool = False
    """Whether samples are left because somebody interrupted the judging."""
    failure: str = ""
    """Why the judging was given up; empty when it was not."""
    notes: tuple[str, ...] = ()
    """Repairs of the record, and how programs were taken from the samples."""

    @property
    def exit_status(self) -> int:
        """0 when every sample was decided, 3 when some could not be, 130 when interrupted."""
        if self.interrupted:
            return 130
        return 3 if self.failure or self.states.count(JudgedState.ERROR) else 0


@dataclass(frozen=True, slots=True)
class SampleJudge:
    """Judges the samples of one file on threads of this process."""

    dataset: str
    samples: Samples
    suites: SampleSuites
    judge: Judge
    limits: Limits
    concurrency: int = 1
    clock: Callable[[], float] = time.monotonic
    _verdicts: EqualPrograms[Verdict] = field(default_factory=EqualPrograms)

    @property
    def extraction(self) -> Extraction:
        """How programs are taken from the samples."""
        return extraction_of(self.samples.holds)

    def run(self, job: JudgingJob) -> CompletedJob[JudgingJob, JudgedLine]:
        """Judge one sample; a failure on our side is recorded as an error."""
        began, source = self.clock(), ""
        try:
            taken = self.extraction.take(self.samples.text(job.task, job.position), self.suites.cases[job.task].task)
            if taken.fault:
                fault = capped(taken.fault, CHECK_BYTES)
                return CompletedJob(job, self._line(job, "", outcome="failed", passed=False, fault=fault))
            source = taken.source
            shared = self._shared_verdict(source, job)
            fields = _verdict_fields(shared.verdict, self.suites.of(job))
            if shared.sample != self._number(job):
                fields |= {"same_as": shared.sample, "seconds": 0.0}
            return CompletedJob(job, self._line(job, source, **fields))
        except Exception as error:  # noqa: BLE001 - one sample must not end the run, and what failed is recorded
            line = ErrorLine(kind=type(error).__name__, message=capped(str(error), TEXT_BYTES))
            seconds = self.clock() - began
            return CompletedJob(
                job, self._line(job, source, outcome="error", passed=False, seconds=seconds, error=line), error
            )

    def _shared_verdict(self, source: str, job: JudgingJob) -> SharedVerdict[Verdict]:
        """The verdict on a program, judged once however many samples are equal to it."""
        program = self.suites.preludes[job.prelude].before(source)
        return self._verdicts.judged(
            (job.task, job.prelude), source, self._number(job), lambda: self._decide(program, job)
        )

    def _number(self, job: JudgingJob) -> int:
        return self.samples.of_task[job.task].numbers[job.position]

    def _decide(self, source: str, job: JudgingJob) -> Verdict:
        """The verdict that counts. How much the checks may reach is for the task's own program to say."""
        verdict, _ = judge_by_need(
            self.judge,
            source,
            self.suites.of(job),
            self.limits,
            self.suites.cases[job.task].task.companions,
            JudgeOptions(fail_fast=True),
            reach=lambda: self.suites.reach(job, self.judge, self.limits),
        )
        return decided(verdict)

    def _line(self, job: JudgingJob, source: str, **fields: Any) -> JudgedLine:
        found, case = self.samples.of_task[job.task], self.suites.cases[job.task]
        recorded = found.recorded[job.position]
        return JudgedLine(
            task_id=case.task.id,
            sample=self._number(job),
            dataset=self.dataset,
            prelude=self.suites.preludes[job.prelude].name,
            recorded_passed=None if recorded == RECORDED_UNKNOWN else recorded == RECORDED_PASSED,
            candidate_id="" if fields.get("fault") else Candidate(source, "given").id,
            labels=dict(case.labels),
            **fields,
        )


@contextlib.contextmanager
def open_judged_log(
    sample_judge: SampleJudge, run_dir: Path | None, settings: Mapping[str, Any], *, resume: bool = False
) -> Iterator[JudgedLog]:
    """Lock the folder of a judging for the block, begun or resumed, and open its record.

    `settings` are what run.json says beside the data set, the samples and the preludes. Without `run_dir`, verdicts
    are counted only. Raises RunError when the folder is in use, holds something else or has other settings.
    """
    suites = sample_judge.suites
    states = JudgedStates(sample_judge.samples, [prelude.name for prelude in suites.preludes])
    if run_dir is None:
        yield JudgedLog(None, states)
        return
    recorded = {
        "dataset": sample_judge.dataset,
        **settings,
        "samples": sample_judge.samples.digest,
        "extraction": sample_judge.extraction.policy,
        "preludes": {prelude.name: prelude.text for prelude in suites.preludes},
    }
    header = header_with(recorded, suites.cases, protocol=None, planned=len(sample_judge.samples), started=utc_now())
    with hold_run_folder(run_dir, header, resume=resume):
        yield JudgedLog(run_dir / JUDGED, states)


def judge_samples(
    sample_judge: SampleJudge,
    log: JudgedLog,
    *,
    progress: Progress[JudgedOutcome, JudgedLine] | None = None,
    drain: threading.Event | None = None,
    no_wall: str = "",
) -> JudgingSummary:
    """Judge every sample under every prelude that `log` does not hold yet.

    Once `drain` is set, samples under way are finished and none is begun. `no_wall` is what the sandbox does not
    promise, where it is no wall.
    """
    states = log.states
    end = run_jobs(_remaining(states), states.total, sample_judge, log, progress=progress, drain=drain)
    notes = (
        *([f"{no_wall}."] if no_wall else ()),
        *([log.note] if log.note else ()),
        *_extraction_notes(sample_judge, states),
    )
    return JudgingSummary(states, end.resumed, end.interrupted, end.failure, notes)


def _extraction_notes(sample_judge: SampleJudge, states: JudgedStates) -> Iterator[str]:
    """How programs were taken from samples that are not programs themselves."""
    samples = sample_judge.samples
    if samples.holds is not SampleContent.PROGRAMS:
        faults = f"; from {states.faults} no program could be taken, and they failed" if states.faults else ""
        yield f"The samples are {samples.holds.value} (read by: {sample_judge.extraction.policy}){faults}."


def _remaining(states: JudgedStates) -> Iterator[JudgingJob]:
    """Samples without a verdict, task by task: a judge keeps the checks of a task until those of another come."""
    for task, found in enumerate(states.samples.of_task):
        for place, prelude in enumerate(states.preludes):
            for position in range(len(found)):
                if states.get(prelude, task, position) is JudgedState.PENDING:
                    yield JudgingJob(task, place, position)


def _verdict_fields(verdict: Verdict, suite: Suite) -> dict[str, Any]:
    """The fields of a line that come from the verdict."""
    failed = next(((c, r) for c, r in verdict.results.items() if r.outcome is not Outcome.PASSED), None)
    return {
        "outcome": "passed" if verdict.passed else "failed",
        "passed": verdict.passed,
        "outcomes": dict(Counter(result.outcome.value for result in verdict.results.values())),
        "checks_total": max(len(suite.checks), len(verdict.results)),
        "unproven": sum(bool(r.unproven) for r in verdict.results.values() if r.outcome is Outcome.PASSED),
        "failed_check": failed and check_line(*failed),
        "detail": capped(verdict.detail, CHECK_BYTES),
        "isolation": verdict.isolation,
        "no_wall": verdict.no_wall,
        "seconds": verdict.seconds,
    }
