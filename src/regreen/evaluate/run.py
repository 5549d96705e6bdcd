"""The harness: repairs every case of a data set, judges what is handed over, and keeps a record that can be resumed."""

from __future__ import annotations

import contextlib
import datetime
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from regreen.errors import BudgetSpent, CircuitOpen, ConfigError, SandboxUnavailable
from regreen.evaluate import provenance, run_folder
from regreen.evaluate.parallel import run_as_completed
from regreen.evaluate.records import Feedback, Result, ResultLine, RunConfiguration
from regreen.evaluate.result_log import RESULTS, PriorSpending, ResultLog, SampleKey
from regreen.evaluate.sample_runner import CompletedSample, SampleJob, SampleRunner, Strategy, visible_task
from regreen.types import Case, Judge, Limits

ERROR_LOG = "errors.log"
UNAVAILABLE_IN_A_ROW = 3
"""After so many the machine lacks something that the next case will lack too."""

HOPELESS = (BudgetSpent, CircuitOpen)
"""What the next case would meet too: nothing more is begun."""

__all__ = [
    "Equip",
    "Hands",
    "Open",
    "Progress",
    "RunSummary",
    "Strategy",
    "evaluate",
    "evaluate_by",
    "evaluate_with",
    "visible_task",
]

Equip = Callable[[PriorSpending], AbstractContextManager[tuple[Strategy, Judge]]]
"""Opens a strategy and a judge, given what was spent before."""


@dataclass(frozen=True, slots=True)
class Hands:
    """Whoever does the work of a run: on threads of this process, or elsewhere."""

    work: Callable[[SampleJob], CompletedSample]
    """Does one job; may be called from several threads, and returns whatever happens."""
    at_once: int
    """How many jobs may be under way."""


Open = Callable[[PriorSpending], AbstractContextManager[Hands]]
"""Opens the hands of a run, given what was spent before."""


class Progress(Protocol):
    """Anything that shows how far a run has come."""

    def begin(self, total: int, done: Mapping[Result, int]) -> None:
        """The run has `total` samples; `done` counts those that were finished before."""
        ...

    def finished(self, line: ResultLine) -> None:
        """One more sample has ended and is on disk."""
        ...


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a run came to."""

    total: int
    """Samples that the run has."""
    outcomes: Mapping[Result, int]
    """Samples by how they ended, those of an earlier start too."""
    resumed: int = 0
    """Samples that were finished before this start."""
    interrupted: bool = False
    failure: str = ""
    """Why the run was given up; empty when it was not."""
    notes: tuple[str, ...] = ()
    """What was mended on the way."""

    @property
    def exit_status(self) -> int:
        """0 when every sample was decided, 3 when some could not be, 130 when interrupted: those two can be resumed."""
        if self.interrupted:
            return 130
        return 3 if self.failure or self.outcomes.get(Result.ERROR) else 0


def evaluate(
    cases: Sequence[Case],
    strategy: Strategy,
    judge: Judge,
    run_dir: Path,
    configuration: RunConfiguration,
    *,
    limits: Limits | None = None,
    workers: int = 1,
    resume: bool = False,
    progress: Progress | None = None,
    drain: threading.Event | None = None,
) -> RunSummary:
    """Repair `configuration.samples` samples of every case into a run folder, `workers` at a time.

    What ends is on disk before the next is taken; Ctrl-C and a machine that fails leave a run that `resume` goes on
    with. Once `drain` is set, what is under way is finished and nothing more is begun. Raises ConfigError for a
    protocol that the strategy cannot work under, and RunError when the folder is in
    use, holds something else, or was begun with other settings.
    """
    equipped = contextlib.nullcontext((strategy, judge))
    return evaluate_with(
        lambda spent: equipped,
        cases,
        run_dir,
        configuration,
        limits=limits,
        workers=workers,
        resume=resume,
        progress=progress,
        drain=drain,
    )


def evaluate_with(
    equip: Equip,
    cases: Sequence[Case],
    run_dir: Path,
    configuration: RunConfiguration,
    *,
    limits: Limits | None = None,
    workers: int = 1,
    resume: bool = False,
    progress: Progress | None = None,
    drain: threading.Event | None = None,
    origin: Mapping[str, str] | None = None,
) -> RunSummary:
    """As `evaluate`, with a strategy and a judge that `equip` opens once the folder is this run's alone.

    `origin` tells run.json from which files the cases come.
    """
    if workers < 1:
        raise ConfigError(f"{workers} workers: there has to be at least 1.")

    @contextlib.contextmanager
    def opened(spent: PriorSpending) -> Iterator[Hands]:
        with equip(spent) as (strategy, judge):
            yield Hands(SampleRunner(strategy, judge, limits or Limits(), configuration).run, workers)

    return evaluate_by(
        opened, cases, run_dir, configuration, resume=resume, progress=progress, drain=drain, origin=origin
    )


def evaluate_by(
    opened: Open,
    cases: Sequence[Case],
    run_dir: Path,
    configuration: RunConfiguration,
    *,
    resume: bool = False,
    progress: Progress | None = None,
    drain: threading.Event | None = None,
    origin: Mapping[str, str] | None = None,
) -> RunSummary:
    """As `evaluate`, by hands that are opened once the folder is this run's alone."""
    _refuse_unusable(cases, configuration)
    with run_folder.open_run_folder(
        run_dir, provenance.header_of(configuration, cases, started=_now(), origin=origin), resume=resume
    ):
        ledger = ResultLog(run_dir / RESULTS)
        with opened(ledger.spent) as hands:
            return _run(hands, cases, ledger, configuration.samples, progress, drain)


def _run(
    hands: Hands,
    cases: Sequence[Case],
    ledger: ResultLog,
    samples: int,
    progress: Progress | None,
    drain: threading.Event | None,
) -> RunSummary:
    total = len(cases) * samples
    tally = Counter(ledger.outcomes.values())
    resumed = len(ledger.outcomes)
    if progress:
        progress.begin(total, dict(tally))
    interrupted, failure = False, ""
    jobs = _jobs(cases, samples, set(ledger.outcomes))
    try:
        with contextlib.closing(run_as_completed(hands.work, jobs, hands.at_once, drain)) as ends:
            failure = _collect(ends, ledger, tally, progress)
    except KeyboardInterrupt:
        interrupted = True
    interrupted = interrupted or (tally.total() < total and bool(drain and drain.is_set()))
    notes = (ledger.note,) if ledger.note else ()
    return RunSummary(total, dict(tally), resumed, interrupted, failure, notes)


def _collect(
    ends: Iterable[CompletedSample], ledger: ResultLog, tally: Counter[Result], progress: Progress | None
) -> str:
    """Keep what ends; returns why the run has to be given up, "" when it came to its end."""
    unavailable = 0
    for ended in ends:
        ledger.add(ended.line)
        tally[ended.line.outcome] += 1
        if ended.error is not None:
            _log(ledger.path.with_name(ERROR_LOG), ended)
        if progress:
            progress.finished(ended.line)
        unavailable = unavailable + 1 if isinstance(ended.error, SandboxUnavailable) else 0
        if unavailable == UNAVAILABLE_IN_A_ROW or isinstance(ended.error, HOPELESS):
            return str(ended.error)
    return ""


def _jobs(cases: Iterable[Case], samples: int, finished: set[SampleKey]) -> Iterator[SampleJob]:
    """What is left to do: every case once before any a second time."""
    return (
        SampleJob(case, sample) for sample in range(samples) for case in cases if (case.task.id, sample) not in finished
    )


def _log(path: Path, ended: CompletedSample) -> None:
    """Keep a traceback where records do not: it tells of our code, not of the case."""
    head = f"{_now()} {ended.line.task_id} sample {ended.line.sample}"
    with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"{head}\n{ended.trace}\n")


def _refuse_unusable(cases: Sequence[Case], configuration: RunConfiguration) -> None:
    if configuration.feedback is Feedback.NONE and configuration.strategy != "single":
        raise ConfigError(
            f"feedback 'none' lets no check be run, and the strategy"
            f" {configuration.strategy} has nothing else to go by.",
            remedy="Choose --feedback examples or all, or --strategy single.",
        )
    if configuration.samples < 1:
        raise ConfigError(f"{configuration.samples} samples: there has to be at least 1.")
    if not cases:
        raise ConfigError("there are no cases to repair.", remedy="Choose fewer filters.")
    name, count = Counter(case.task.id for case in cases).most_common(1)[0]
    if count > 1:
        raise ConfigError(f"{count} cases have the id {name}, so their results could not be told apart.")


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
