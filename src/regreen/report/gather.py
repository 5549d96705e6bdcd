"""Reads the runs of a report: their samples, their numbers, and the comparison of each later run with the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from regreen.errors import ConfigError
from regreen.report.run_comparison import RunComparison, compare_runs
from regreen.report.run_reader import Run, read_run
from regreen.report.run_statistics import RunStatistics, statistics_from, statistics_of
from regreen.report.sample_counts import SampleCounts

_MAX_RUNS = 6
"""The number of colours and dash patterns of a chart."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """Runs with their numbers; `comparisons` has one for each run after the first."""

    runs: tuple[Run, ...]
    statistics: tuple[RunStatistics, ...]
    comparisons: tuple[RunComparison, ...] = ()

    @property
    def with_statistics(self) -> list[tuple[Run, RunStatistics]]:
        """Each run with its numbers."""
        return list(zip(self.runs, self.statistics, strict=True))


def gather(paths: Sequence[Path]) -> RunReport:
    """Read runs and count them. Raises RunError for one that cannot be read, ConfigError when they are too many."""
    if not 1 <= len(paths) <= _MAX_RUNS:
        raise ConfigError(f"{len(paths)} runs are too many for one report.", remedy=f"Give at most {_MAX_RUNS}.")
    runs = _told_apart([read_run(path) for path in paths])
    return RunReport(
        runs=runs,
        statistics=tuple(statistics_of(run) for run in runs),
        comparisons=tuple(compare_runs(runs[0], run) for run in runs[1:]),
    )


def gather_statistics(path: Path) -> RunReport:
    """Read one run for a table: as `gather`, but no sample is kept in memory."""
    tally = SampleCounts()
    run = read_run(path, each=tally.add)
    return RunReport((run,), (statistics_from(tally, run),))


def _told_apart(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs, with a number after each name that two of them have."""
    names = [run.name for run in runs]
    return tuple(
        replace(run, name=f"{run.name} ({number})") if names.count(run.name) > 1 else run
        for number, run in enumerate(runs, start=1)
    )
