"""All that a report tells: the runs, their numbers, and each later run against the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from regreen.errors import ConfigError
from regreen.report.compare import Comparison, compare
from regreen.report.read import Run, read_run
from regreen.report.summary import Summary, summarise, summary_of
from regreen.report.tally import Tally

MAX_RUNS = 6
"""As many as a chart has colours and dashes for."""


@dataclass(frozen=True, slots=True)
class Report:
    """Runs with their numbers; `comparisons` has one for each run after the first."""

    runs: tuple[Run, ...]
    summaries: tuple[Summary, ...]
    comparisons: tuple[Comparison, ...] = ()

    @property
    def told(self) -> list[tuple[Run, Summary]]:
        """Each run with its numbers."""
        return list(zip(self.runs, self.summaries, strict=True))


def gather(paths: Sequence[Path]) -> Report:
    """Read runs and count them. Raises RunError for one that cannot be read, ConfigError when they are too many."""
    if not 1 <= len(paths) <= MAX_RUNS:
        raise ConfigError(f"{len(paths)} runs are too many for one report.", remedy=f"Give at most {MAX_RUNS}.")
    runs = _told_apart([read_run(path) for path in paths])
    return Report(
        runs=runs,
        summaries=tuple(summarise(run) for run in runs),
        comparisons=tuple(compare(runs[0], run) for run in runs[1:]),
    )


def gather_numbers(path: Path) -> Report:
    """Read one run and count it as `gather` does, with none of its samples kept: all that a table needs."""
    tally = Tally()
    run = read_run(path, each=tally.add)
    return Report((run,), (summary_of(tally, run.stages),))


def _told_apart(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs with a number after each name that is not theirs alone."""
    names = [run.name for run in runs]
    return tuple(
        replace(run, name=f"{run.name} ({number})") if names.count(run.name) > 1 else run
        for number, run in enumerate(runs, start=1)
    )
