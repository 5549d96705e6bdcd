"""The harness: repairs every case of a data set and keeps a record that a later start can resume."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regreen.errors import ConfigError
from regreen.evaluate.provenance import header_of, utc_now
from regreen.evaluate.records import Feedback, Result, ResultLine, RunConfiguration, SampleKey
from regreen.evaluate.result_log import RESULTS, ResultLog
from regreen.evaluate.run_folder import hold_run_folder
from regreen.evaluate.run_loop import Executor, Progress, run_jobs
from regreen.evaluate.sample_runner import SampleJob
from regreen.types import Case


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Where the results of a run are kept, who sees its progress, and what ends it early."""

    results: ResultLog
    """The open record, as `open_results` gives it."""
    progress: Progress[Result, ResultLine] | None = None
    drain: threading.Event | None = None
    """Once it is set, samples under way are finished and none is begun."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """Counts of a run that ended, and why it ended."""

    total: int
    """Samples of the run, ended or not."""
    outcomes: Mapping[Result, int]
    """Samples by outcome, those of earlier starts included."""
    resumed: int = 0
    """Samples that an earlier start had decided."""
    interrupted: bool = False
    """Whether samples are left because somebody interrupted the run."""
    failure: str = ""
    """Why the run was given up; empty when it was not."""
    notes: tuple[str, ...] = ()
    """Repairs of the record, e.g. of a torn last line."""

    @property
    def exit_status(self) -> int:
        """0 when every sample was decided, 3 when some could not be, 130 when interrupted: those two can be resumed."""
        if self.interrupted:
            return 130
        return 3 if self.failure or self.outcomes.get(Result.ERROR) else 0


@contextlib.contextmanager
def open_results(
    run_dir: Path,
    configuration: RunConfiguration,
    cases: Sequence[Case],
    *,
    resume: bool = False,
    origin: Mapping[str, str] | None = None,
    selection: Mapping[str, Any] | None = None,
) -> Iterator[ResultLog]:
    """Lock a run's folder for the block, begun or resumed, and open its record.

    `origin` names the files of the data set for run.json, `selection` what part of it the cases are. Raises ConfigError
    for cases or settings that cannot be run, before anything is written; RunError when the folder is in use, holds
    something else or has other settings.
    """
    _refuse_unusable(cases, configuration)
    header = header_of(configuration, cases, started=utc_now(), origin=origin, selection=selection)
    with hold_run_folder(run_dir, header, resume=resume):
        yield ResultLog(run_dir / RESULTS)


def evaluate_cases(
    cases: Sequence[Case],
    executor: Executor[SampleJob, ResultLine],
    configuration: RunConfiguration,
    options: RunOptions,
) -> RunSummary:
    """Repair `configuration.samples` samples of every case, each recorded before its place is given to the next.

    Ctrl-C and a machine that fails leave a record that can be resumed.
    """
    results = options.results
    total = len(cases) * configuration.samples
    jobs = _remaining(cases, configuration.samples, set(results.outcomes))
    end = run_jobs(jobs, total, executor, results, progress=options.progress, drain=options.drain)
    notes = (results.note,) if results.note else ()
    return RunSummary(total, results.counts(), end.resumed, end.interrupted, end.failure, notes)


def _remaining(cases: Iterable[Case], samples: int, decided: set[SampleKey]) -> Iterator[SampleJob]:
    """Samples without a result: the first of every case before the second of any."""
    return (
        SampleJob(case, sample) for sample in range(samples) for case in cases if (case.task.id, sample) not in decided
    )


def _refuse_unusable(cases: Sequence[Case], configuration: RunConfiguration) -> None:
    if configuration.feedback is Feedback.NONE and configuration.strategy != "single":
        raise ConfigError(
            f"feedback 'none' lets no check be run, and the strategy {configuration.strategy} has nothing else to go"
            " by.",
            remedy="Choose --feedback examples or all, or --strategy single.",
        )
    if configuration.samples < 1:
        raise ConfigError(f"{configuration.samples} samples: there has to be at least 1.")
    if not cases:
        raise ConfigError("there are no cases to repair.", remedy="Choose fewer filters.")
    name, count = Counter(case.task.id for case in cases).most_common(1)[0]
    if count > 1:
        raise ConfigError(f"{count} cases have the id {name}, so their results could not be told apart.")
