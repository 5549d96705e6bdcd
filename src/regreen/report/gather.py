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


@dataclass(frozen=True, slots=True)
class RunReport:
    """Runs with their numbers; `comparisons` has one for each run but the one that they are compared with."""

    runs: tuple[Run, ...]
    statistics: tuple[RunStatistics, ...]
    comparisons: tuple[RunComparison, ...] = ()

    @property
    def with_statistics(self) -> list[tuple[Run, RunStatistics]]:
        """Each run with its numbers."""
        return list(zip(self.runs, self.statistics, strict=True))


def gather(paths: Sequence[Path], *, baseline: str | None = None) -> RunReport:
    """Read runs and count them; all others are compared with the first, or with `baseline`, a run's name or path.

    Raises RunError for a run that cannot be read, ConfigError where no run is the baseline.
    """
    runs = _told_apart([read_run(path) for path in paths])
    base = runs[_baseline(baseline, paths, runs)]
    return RunReport(
        runs=runs,
        statistics=tuple(statistics_of(run) for run in runs),
        comparisons=tuple(compare_runs(base, run) for run in runs if run is not base),
    )


def gather_statistics(path: Path) -> RunReport:
    """Read one run for a table: as `gather`, but no sample is kept in memory."""
    tally = SampleCounts()
    run = read_run(path, each=tally.add)
    return RunReport((run,), (statistics_from(tally, run),))


def _baseline(name: str | None, paths: Sequence[Path], runs: Sequence[Run]) -> int:
    """The place of the run that others are compared with."""
    if name is None:
        return 0
    found = [n for n, (path, run) in enumerate(zip(paths, runs, strict=True)) if name in (run.name, str(path))]
    if len(found) == 1:
        return found[0]
    what = "is none of the runs" if not found else "is the name of several runs"
    raise ConfigError(f"--baseline {name!r} {what}.", remedy=f"There are: {', '.join(map(str, paths))}.")


def _told_apart(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs, with a number after each name that two of them have."""
    names = [run.name for run in runs]
    return tuple(
        replace(run, name=f"{run.name} ({number})") if names.count(run.name) > 1 else run
        for number, run in enumerate(runs, start=1)
    )
