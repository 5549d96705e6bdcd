"""The points that charts are drawn from, the same for the picture and the page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeVar

from regreen.evaluate.records import Result
from regreen.report.gather import RunReport
from regreen.report.run_reader import IterationSpending, Run
from regreen.report.sample import Sample

_MAX_POINTS = 400
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Point:
    """One value with its interval; `x` counts from the left."""

    x: float
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The curve of one run."""

    run: int
    """The run's place in the report, from 0, which decides its colour."""
    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class TaskValue:
    """Seconds or tokens of one task, all its samples added up."""

    task: str
    value: float
    outcome: Result
    """The best outcome of its samples."""


@dataclass(frozen=True, slots=True)
class TaskValues:
    """The tasks of one run with a value above 0, the greatest first; at most 400, evenly chosen."""

    run: int
    """The run's place in the report, from 0, which decides its colour."""
    name: str
    values: tuple[TaskValue, ...]
    tasks: int
    """Number of tasks before the choice."""


def iteration_curves(report: RunReport) -> list[Curve]:
    """pass@1 after each iteration; a shorter run repeats its last rate."""
    last = max((len(statistics.iterations) for statistics in report.statistics), default=0)
    curves = []
    for place, (run, statistics) in enumerate(report.with_statistics):
        rates = [*statistics.iterations, *statistics.iterations[-1:] * (last - len(statistics.iterations))]
        points = tuple(Point(x, rate.value, rate.low, rate.high) for x, rate in enumerate(rates))
        name = f"UNFINISHED, at least: {run.name}" if statistics.missing else run.name
        curves += [Curve(place, name, points)] if points else []
    return curves


def spending_curves(report: RunReport, measure: Callable[[IterationSpending], float | None]) -> list[Curve]:
    """What a sample had spent on its model's replies by each iteration, on average; a shorter run stays where it was.

    Only of runs of which it is known for every iteration, and where it is anything at all.
    """
    last = max((max(run.replies.by_iteration, default=-1) for run in report.runs), default=-1)
    curves = []
    for place, run in enumerate(report.runs):
        spent = [measure(run.replies.by_iteration.get(x, IterationSpending())) for x in range(last + 1)]
        known = [value for value in spent if value is not None]
        if run.samples and sum(known) > 0 and len(known) == len(spent):
            means = [total / len(run.samples) for total in accumulate(known)]
            curves.append(Curve(place, run.name, tuple(Point(x, mean, mean, mean) for x, mean in enumerate(means))))
    return curves


def pass_curves(report: RunReport) -> list[Curve]:
    """pass@k against k; empty where no run has several samples a task."""
    if all(len(statistics.passes) < 2 for statistics in report.statistics):
        return []
    return [
        Curve(
            place, run.name, tuple(Point(one.k, one.value, one.low, one.high) for one in _even(statistics.passes, 20))
        )
        for place, (run, statistics) in enumerate(report.with_statistics)
        if statistics.passes
    ]


def seconds_by_task(report: RunReport) -> list[TaskValues]:
    """Seconds that each task took in each run."""
    return _by_task(report, lambda sample: sample.seconds)


def tokens_by_task(report: RunReport) -> list[TaskValues]:
    """Tokens that each task took in each run; empty where none were asked for."""
    return _by_task(report, lambda sample: sample.tokens)


def _by_task(report: RunReport, measure: Callable[[Sample], float | None]) -> list[TaskValues]:
    found = [_values(place, run, measure) for place, run in enumerate(report.runs)]
    return [values for values in found if values.values]


def _values(place: int, run: Run, measure: Callable[[Sample], float | None]) -> TaskValues:
    sums: dict[str, float] = defaultdict(float)
    best: dict[str, Result] = {}
    order = list(Result)
    for sample in run.samples:
        sums[sample.task_id] += measure(sample) or 0
        best[sample.task_id] = min(best.get(sample.task_id, sample.outcome), sample.outcome, key=order.index)
    known = sorted(((value, task) for task, value in sums.items() if value > 0), reverse=True)
    shown = _even(known, _MAX_POINTS)
    values = tuple(TaskValue(task, value, best[task]) for value, task in shown)
    return TaskValues(place, run.name, values, len(known))


def _even(values: Sequence[_T], most: int) -> list[_T]:
    """At most `most` of the values, evenly chosen, the first and the last among them."""
    if len(values) <= most:
        return list(values)
    return [values[round(place * (len(values) - 1) / (most - 1))] for place in range(most)]
