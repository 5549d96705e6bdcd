"""Judges programs that others generated, on every core, and keeps a record of each that can be gone on with."""

from __future__ import annotations

import contextlib
import datetime
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from regreen.errors import SandboxUnavailable
from regreen.evaluate import provenance, run_folder
from regreen.evaluate.extract import Extraction, extraction_of
from regreen.evaluate.judged_log import JUDGED, JudgedLine, JudgedLog, JudgedState, JudgedStates
from regreen.evaluate.parallel import run_as_completed
from regreen.evaluate.records import CheckLine, ErrorLine, capped
from regreen.evaluate.result_lines import CHECK_BYTES, TEXT_BYTES
from regreen.evaluate.sample_suites import JudgingJob, SampleSuites
from regreen.tasks.sample_rows import SampleContent
from regreen.tasks.samples import RECORDED_PASSED, RECORDED_UNKNOWN, Samples
from regreen.types import Candidate, Judge, JudgeOptions, Limits, Outcome, Suite, Verdict
from regreen.verify.baseline import needs_sharing

UNAVAILABLE_IN_A_ROW = 3
"""After so many the machine lacks something that the next sample will lack too."""
_STATES = {"passed": JudgedState.PASSED, "failed": JudgedState.FAILED, "error": JudgedState.ERROR}


class Progress(Protocol):
    """Anything that shows how far the judging has come."""

    def begin(self, total: int, tally: JudgedStates) -> None:
        """There are `total` verdicts to give; `tally` knows those that were given before."""
        ...

    def finished(self, line: JudgedLine) -> None:
        """One more sample is judged."""
        ...


@dataclass(frozen=True, slots=True)
class CompletedJudging:
    """How a job ended."""

    job: JudgingJob
    line: JudgedLine
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class JudgingSummary:
    """What a judging came to."""

    tally: JudgedStates
    resumed: int = 0
    """Verdicts that were given before this start."""
    interrupted: bool = False
    failure: str = ""
    """Why it was given up; empty when it was not."""
    notes: tuple[str, ...] = ()

    @property
    def exit_status(self) -> int:
        """0 when every sample was decided, 3 when some could not be, 130 when interrupted."""
        if self.interrupted:
            return 130
        return 3 if self.failure or self.tally.count(JudgedState.ERROR) else 0


@dataclass(frozen=True, slots=True)
class SampleJudge:
    """What every job needs."""

    dataset: str
    samples: Samples
    suites: SampleSuites
    judge: Judge
    limits: Limits
    clock: Callable[[], float] = time.monotonic

    @property
    def extraction(self) -> Extraction:
        """How programs are taken from the samples."""
        return extraction_of(self.samples.holds)

    def run(self, job: JudgingJob) -> CompletedJudging:
        """Judge one sample; whatever fails on our side is recorded as such."""
        began, source = self.clock(), ""
        try:
            taken = self.extraction.take(self.samples.text(job.task, job.position), self.suites.cases[job.task].task)
            if taken.fault:
                fault = capped(taken.fault, CHECK_BYTES)
                return CompletedJudging(job, self._line(job, "", outcome="failed", passed=False, fault=fault))
            source = taken.source
            verdict = self._decide(self.suites.preludes[job.prelude].before(source), job)
            return CompletedJudging(job, self._line(job, source, **_said(verdict, self.suites.of(job))))
        except Exception as error:  # noqa: BLE001 - one sample must not end the run, and what failed is recorded
            told = ErrorLine(kind=type(error).__name__, message=capped(str(error), TEXT_BYTES))
            seconds = self.clock() - began
            return CompletedJudging(
                job, self._line(job, source, outcome="error", passed=False, seconds=seconds, error=told), error
            )

    def _decide(self, source: str, job: JudgingJob) -> Verdict:
        """The verdict that counts. Whether the checks need live objects is for the task's own program to say."""
        suite, companions = self.suites.of(job), self.suites.cases[job.task].task.companions
        verdict = self.judge.judge(
            source, suite, self.limits, companions=companions, options=JudgeOptions(fail_fast=True)
        )
        if not needs_sharing(verdict):
            return verdict
        original = self.suites.original(job)
        shared = self.suites.shared(
            job, lambda: needs_sharing(self.judge.judge(original, suite, self.limits, companions=companions))
        )
        if shared is None:
            return verdict
        return self.judge.judge(
            source, shared, self.limits, companions=companions, options=JudgeOptions(fail_fast=True)
        )

    def _line(self, job: JudgingJob, source: str, **told: Any) -> JudgedLine:
        found, case = self.samples.of_task[job.task], self.suites.cases[job.task]
        recorded = found.recorded[job.position]
        return JudgedLine(
            task_id=case.task.id,
            sample=found.numbers[job.position],
            dataset=self.dataset,
            prelude=self.suites.preludes[job.prelude].name,
            recorded_passed=None if recorded == RECORDED_UNKNOWN else recorded == RECORDED_PASSED,
            candidate_id="" if told.get("fault") else Candidate(source, "given").id,
            labels=dict(case.labels),
            **told,
        )


@dataclass(frozen=True, slots=True)
class Record:
    """Where judged samples are kept, and what run.json says of them."""

    run_dir: Path
    settings: Mapping[str, Any]
    resume: bool = False


def judge_samples(
    sample_judge: SampleJudge,
    *,
    workers: int = 1,
    record: Record | None = None,
    progress: Progress | None = None,
    drain: threading.Event | None = None,
) -> JudgingSummary:
    """Judge every sample under every prelude, `workers` at a time; with `record`, keep a line of each as it ends.

    Once `drain` is set, what is under way is finished and nothing more is begun. Raises RunError when the folder is in
    use, holds something else, or was begun with other settings.
    """
    suites = sample_judge.suites
    tally = JudgedStates(sample_judge.samples, [prelude.name for prelude in suites.preludes])
    if record is None:
        return _run(sample_judge, tally, None, workers, progress, drain)
    told = {
        "dataset": sample_judge.dataset,
        **record.settings,
        "samples": sample_judge.samples.digest,
        "extraction": sample_judge.extraction.policy,
    }
    told |= {"preludes": {prelude.name: prelude.text for prelude in suites.preludes}}
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    header = provenance.header_with(told, suites.cases, protocol=None, started=now)
    with run_folder.open_run_folder(record.run_dir, header, resume=record.resume):
        return _run(sample_judge, tally, JudgedLog(record.run_dir / JUDGED, tally), workers, progress, drain)


def _run(
    sample_judge: SampleJudge,
    tally: JudgedStates,
    file: JudgedLog | None,
    workers: int,
    progress: Progress | None,
    drain: threading.Event | None,
) -> JudgingSummary:
    resumed = tally.total - tally.count(JudgedState.PENDING)
    if progress:
        progress.begin(tally.total, tally)
    interrupted, failure = False, ""
    try:
        with contextlib.closing(run_as_completed(sample_judge.run, _jobs(tally), workers, drain)) as ends:
            failure = _collect(ends, tally, file, progress)
    except KeyboardInterrupt:
        interrupted = True
    interrupted = interrupted or (bool(drain and drain.is_set()) and tally.count(JudgedState.PENDING) > 0)
    notes = (*([file.note] if file and file.note else ()), *_of_extraction(sample_judge, tally))
    return JudgingSummary(tally, resumed, interrupted, failure, notes)


def _of_extraction(sample_judge: SampleJudge, tally: JudgedStates) -> Iterator[str]:
    """What is to be known of how programs were taken from the samples, where they are not programs themselves."""
    if sample_judge.samples.holds is not SampleContent.PROGRAMS:
        faults = f"; from {tally.faults} no program could be taken, and they failed" if tally.faults else ""
        yield f"The samples are {sample_judge.samples.holds.value} (read by: {sample_judge.extraction.policy}){faults}."


def _collect(
    ends: Iterable[CompletedJudging], tally: JudgedStates, file: JudgedLog | None, progress: Progress | None
) -> str:
    """Keep what ends; returns why the judging has to be given up, "" when it came to its end."""
    unavailable = 0
    for ended in ends:
        job, line = ended.job, ended.line
        if file:
            file.add(line)
        tally.put(tally.preludes[job.prelude], job.task, job.position, _STATES[line.outcome])
        tally.faults += bool(line.fault)
        if progress:
            progress.finished(line)
        unavailable = unavailable + 1 if isinstance(ended.error, SandboxUnavailable) else 0
        if unavailable == UNAVAILABLE_IN_A_ROW:
            return str(ended.error)
    return ""


def _jobs(tally: JudgedStates) -> Iterator[JudgingJob]:
    """What is left to do, task by task, so that a judge keeps its checks as long as it can."""
    for task, found in enumerate(tally.samples.of_task):
        for place, prelude in enumerate(tally.preludes):
            for position in range(len(found)):
                if tally.get(prelude, task, position) is JudgedState.PENDING:
                    yield JudgingJob(task, place, position)


def _said(verdict: Verdict, suite: Suite) -> dict[str, Any]:
    """What a line says of a verdict."""
    failed = next(((c, r) for c, r in verdict.results.items() if r.outcome is not Outcome.PASSED), None)
    return {
        "outcome": "passed" if verdict.passed else "failed",
        "passed": verdict.passed,
        "outcomes": dict(Counter(result.outcome.value for result in verdict.results.values())),
        "checks_total": max(len(suite.checks), len(verdict.results)),
        "failed_check": failed and _check(*failed),
        "detail": capped(verdict.detail, CHECK_BYTES),
        "isolation": verdict.isolation,
        "seconds": verdict.seconds,
    }


def _check(check: str, result: Any) -> CheckLine:
    texts = {name: capped(getattr(result, name), CHECK_BYTES) for name in ("expected", "actual", "detail")}
    return CheckLine(id=capped(check, CHECK_BYTES), outcome=result.outcome, **texts)
