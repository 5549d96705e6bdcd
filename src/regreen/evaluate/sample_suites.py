"""The checks that decide about samples: read once for each task and prelude, and run where the task needs them run."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

from regreen.evaluate.prelude import Prelude
from regreen.tasks.dataset import SuiteReader
from regreen.types import Case, Judge, Limits, Suite
from regreen.verify.baseline import Reach, judge_given, reach_of


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
        self._reach: dict[tuple[int, int], Reach] = {}
        self._lock = threading.Lock()

    def of(self, job: JudgingJob) -> Suite:
        """The checks that decide about a sample, always the same object, so that a seated judge is used again."""
        with self._lock:
            key = job.task, job.prelude
            if key not in self._read:
                self._read[key] = self._reread(job)
            return self._read[key]

    def reach(self, job: JudgingJob, judge: Judge, limits: Limits) -> Reach:
        """How much of a sample the checks may reach: as much as they need of the task's own program.

        `judge` says so, once for each task and prelude.
        """
        key = job.task, job.prelude
        if key not in self._reach:
            suite, task = self.of(job), self.cases[job.task].task
            original = self.preludes[job.prelude].before(task.source)
            _, used = judge_given(judge, original, suite, limits, task.companions)
            with self._lock:
                self._reach.setdefault(key, reach_of(used))
        return self._reach[key]

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
