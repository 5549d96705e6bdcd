"""The checks that decide about samples: read once for each task and prelude, and run where the task needs them run."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from regreen.evaluate.prelude import Prelude
from regreen.tasks.dataset import SuiteReader
from regreen.types import Case, Isolation, Judge, Limits, Suite
from regreen.verify.baseline import needs_sharing


class JudgingJob(NamedTuple):
    """One sample under one prelude, by position."""

    task: int
    """Rank of the task in the data set."""
    prelude: int
    """Rank of the prelude."""
    position: int
    """Place of the sample among those of its task."""


class SampleSuites:
    """The checks of each task under each prelude; may be asked from several threads."""

    def __init__(self, cases: Sequence[Case], preludes: Sequence[Prelude], reader: SuiteReader) -> None:
        self.cases = cases
        self.preludes = preludes
        self.reader = reader
        self._read: dict[tuple[int, int], Suite] = {}
        self._shared: dict[tuple[int, int], Suite | None] = {}
        self._lock = threading.Lock()

    def of(self, job: JudgingJob) -> Suite:
        """The checks that decide about a sample, always the same object, so that a seated judge is used again."""
        with self._lock:
            key = job.task, job.prelude
            if key not in self._read:
                self._read[key] = self._reread(job)
            return self._read[key]

    def shared(self, job: JudgingJob, judge: Judge, limits: Limits) -> Suite | None:
        """The checks to be run in the program's own process; None where the task's own program does not need that.

        `judge` says so, once for each task and prelude.
        """
        key = job.task, job.prelude
        if key not in self._shared:
            suite, task = self.of(job), self.cases[job.task].task
            original = self.preludes[job.prelude].before(task.source)
            needed = needs_sharing(judge.judge(original, suite, limits, companions=task.companions))
            with self._lock:
                self._shared.setdefault(key, replace(suite, isolation=Isolation.SHARED) if needed else None)
        return self._shared[key]

    def _reread(self, job: JudgingJob) -> Suite:
        case, prelude = self.cases[job.task], self.preludes[job.prelude]
        hidden, task = case.hidden, case.task
        if not prelude.text:
            return hidden
        # What the checks find in the program decides how they are run, and the prelude is a part of it here.
        program = prelude.before(task.source)
        return self.reader(
            hidden.source, program=program, module=task.module, entry_point=task.entry_point, origin=hidden.origin
        )
