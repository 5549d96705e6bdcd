"""The loop of `eval` and `judge`: runs jobs, records each result, shows progress and decides when to give up."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from regreen.errors import BudgetSpent, CircuitOpen, SandboxUnavailable
from regreen.evaluate.parallel import run_as_completed

JobT = TypeVar("JobT")
LineT = TypeVar("LineT")
OutcomeT = TypeVar("OutcomeT")
_LineT_contra = TypeVar("_LineT_contra", contravariant=True)

_MAX_UNAVAILABLE_IN_A_ROW = 3
"""Consecutive jobs without a sandbox after which the machine is taken to lack something that every job needs."""

_FINAL_ERRORS = (BudgetSpent, CircuitOpen)
"""Errors that every further job of the run would meet too."""


@dataclass(frozen=True, slots=True)
class CompletedJob(Generic[JobT, LineT]):
    """A job that ended, with its line for the record."""

    job: JobT
    line: LineT
    error: Exception | None = None
    """The fault of the machine or a service that kept the job from a decision; None where it was decided."""
    trace: str = ""
    """Traceback of `error`, for the log beside the record."""


class Executor(Protocol[JobT, LineT]):
    """Runs the jobs of a run: on threads of this process, or on the nodes of a cluster."""

    @property
    def concurrency(self) -> int:
        """Jobs that may be under way at the same time; at least 1."""
        ...

    def run(self, job: JobT) -> CompletedJob[JobT, LineT]:
        """Run one job to its end; called from several threads.

        A fault of the machine or a service is returned in `error`, never raised; KeyboardInterrupt ends the run.
        """
        ...


class RunLog(Protocol[JobT, OutcomeT, LineT]):
    """Keeps the result of every job of a run, those of earlier starts included."""

    def counts(self) -> Mapping[OutcomeT, int]:
        """Jobs that have ended, by outcome."""
        ...

    def record(self, completed: CompletedJob[JobT, LineT]) -> None:
        """Keep one more result. Raises RunStorageError when the disk does not take it."""
        ...


class Progress(Protocol[OutcomeT, _LineT_contra]):
    """Shows how far a run has come."""

    def begin(self, total: int, done: Mapping[OutcomeT, int]) -> None:
        """The run has `total` samples; `done` counts those that an earlier start decided, by outcome."""
        ...

    def finished(self, line: _LineT_contra) -> None:
        """One more sample has ended and is on disk."""
        ...


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """Why a loop ended, and from where it had resumed."""

    resumed: int = 0
    """Jobs that an earlier start had decided."""
    interrupted: bool = False
    """Whether jobs are left because somebody interrupted the run."""
    failure: str = ""
    """Why the run was given up; empty when it was not."""


def run_jobs(
    jobs: Iterable[JobT],
    total: int,
    executor: Executor[JobT, LineT],
    log: RunLog[JobT, OutcomeT, LineT],
    *,
    progress: Progress[OutcomeT, LineT] | None = None,
    drain: threading.Event | None = None,
) -> LoopEnd:
    """Run `jobs`, those of `total` that `log` does not have yet, and record each as it ends.

    Once `drain` is set, jobs under way are finished and none is begun. Ctrl-C ends the loop at once. The run is given
    up after 3 jobs in a row without a sandbox, or when a limit of the whole run is reached.
    """
    done = dict(log.counts())
    if progress:
        progress.begin(total, done)
    interrupted, failure = False, ""
    try:
        with contextlib.closing(run_as_completed(executor.run, jobs, executor.concurrency, drain)) as completed:
            failure = _record_all(completed, log, progress)
    except KeyboardInterrupt:
        interrupted = True
    drained = drain is not None and drain.is_set() and sum(log.counts().values()) < total
    return LoopEnd(sum(done.values()), interrupted or drained, failure)


def _record_all(
    completed: Iterable[CompletedJob[JobT, LineT]],
    log: RunLog[JobT, OutcomeT, LineT],
    progress: Progress[OutcomeT, LineT] | None,
) -> str:
    """Record every result; returns why the run has to be given up, "" when all jobs have ended."""
    unavailable = 0
    for result in completed:
        log.record(result)
        if progress:
            progress.finished(result.line)
        unavailable = unavailable + 1 if isinstance(result.error, SandboxUnavailable) else 0
        if unavailable == _MAX_UNAVAILABLE_IN_A_ROW or isinstance(result.error, _FINAL_ERRORS):
            return str(result.error)
    return ""
