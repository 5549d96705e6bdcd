"""The numbers of a run: rates with intervals, each with its numerator and denominator."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from regreen.evaluate.metrics import PassAtK, mean, passes_at, share_intervals
from regreen.evaluate.records import RepairOrigin, Result
from regreen.report.costs import CostSummary
from regreen.report.run_reader import ReplyCounts, Run
from regreen.report.sample import Setup, order_of
from regreen.report.sample_counts import SampleCounts, TaskCounts

_MAX_ITERATIONS = 40
_MAX_K = 1_000
_MAX_LABELS = 8
_MAX_VALUES = 60
"""Values of a label with a group of their own, the largest; others are left out."""
_UNLABELLED = "(none)"


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of samples, averaged over tasks, with its 95 % interval."""

    count: int
    total: int
    """Number of samples in the denominator."""
    tasks: int
    value: float
    low: float
    high: float
    interval: str
    """How the interval was made: "wilson", "wilson-tasks", "bootstrap" or "normal"; `BOUNDS` in an unfinished run."""


BOUNDS = "bounds"
"""The interval of an unfinished run's rate: from none to all of the samples still to come; `value` is its low end."""


@dataclass(frozen=True, slots=True)
class LabelGroup:
    """The samples with one value of a label, e.g. `bug_type` "off by one"."""

    value: str
    outcomes: Mapping[Result, int]
    fixed: Rate | None
    """The rate of fixes; None where every sample ended in an error, or samples are still to come."""


@dataclass(frozen=True, slots=True)
class RunStatistics:
    """All numbers of a run in a report."""

    setups: Mapping[Setup, int]
    tasks: int
    samples: int
    planned: int | None
    """Samples that the run set out to decide; None where nothing says."""
    outcomes: Mapping[Result, int]
    rates: Mapping[str, Rate]
    """By name: fixed (pass@1), passed, overfitted, unfixed, plausible, first (of a model), and in a run with a model
    fixed_by_search, fixed_by_model and fixed_by_around_model; without those that were not measured."""
    origins: Mapping[str, int]
    """Fixed samples by whom their patch is owed to, a `RepairOrigin`; "" where it is not known."""
    asked: int
    """Decided samples for which a model was asked."""
    replies: ReplyCounts
    passes: tuple[PassAtK, ...]
    iterations: tuple[Rate, ...]
    """pass@1 had each repair ended after iteration 0, 1, 2, ..."""
    iteration_unknown: int
    """Fixed samples whose iteration is not recorded."""
    stops: Mapping[str, int]
    groups: Mapping[str, tuple[LabelGroup, ...]]
    """By label, the largest group first."""
    costs: CostSummary
    stages: Mapping[str, float]

    @property
    def decided(self) -> int:
        """Number of samples that ended without an error."""
        return self.samples - self.outcomes[Result.ERROR]

    @property
    def missing(self) -> int:
        """Number of planned samples that have no line yet: above 0, the run is unfinished and its rates are bounds."""
        return max((self.planned or 0) - self.samples, 0)

    @property
    def samples_a_task(self) -> int:
        """The largest number of decided samples of a task."""
        return self.passes[-1].k if self.passes else 0


def statistics_of(run: Run) -> RunStatistics:
    """Count and rate the samples of a run. Errors are faults of a machine or a service: they are in no rate."""
    tally = SampleCounts()
    for sample in run.samples:
        tally.add(sample)
    return statistics_from(tally, run)


def statistics_from(tally: SampleCounts, run: Run) -> RunStatistics:
    """The numbers of a run whose samples were counted as they were read, errors in no rate.

    Where fewer samples than planned have ended, those that end quickly are first: no rate of theirs is the run's, so
    each gives way to what it may still become.
    """
    numbers = _statistics(tally, run)
    if not numbers.missing:
        return numbers
    groups = {name: tuple(replace(group, fixed=None) for group in groups) for name, groups in numbers.groups.items()}
    return replace(
        numbers,
        rates={name: _bounded(rate, numbers) for name, rate in numbers.rates.items()},
        passes=(),
        iterations=tuple(_bounded(rate, numbers) for rate in numbers.iterations),
        groups=groups,
    )


def _bounded(rate: Rate, of: RunStatistics) -> Rate:
    planned = of.planned or of.samples
    low, high = rate.count / planned, (rate.count + planned - of.decided) / planned
    return Rate(rate.count, planned, rate.tasks, low, low, high, BOUNDS)


def _statistics(tally: SampleCounts, run: Run) -> RunStatistics:
    counted = tally.counted
    decided = _by_task(counted)
    outcomes = Counter({result: 0 for result in Result})
    for row in counted:
        outcomes.update(row.outcomes)
    unknown = outcomes[Result.FIXED] - sum(row.iterations.total() for row in counted)
    iterations = _iterations(decided, fixed=outcomes[Result.FIXED], any_judged=tally.any_judged)
    setups = dict(tally.setups.most_common())
    knows_first = bool(iterations) and not unknown and any(one.model for one in setups)
    return RunStatistics(
        setups=setups,
        tasks=len({row.task_id for row in counted}),
        samples=outcomes.total(),
        planned=run.planned,
        outcomes=outcomes,
        rates=_rates(decided, tally, knows_first=knows_first),
        origins=_added(row.origins for row in counted),
        asked=tally.asked,
        replies=run.replies,
        passes=_passes(decided),
        iterations=iterations,
        iteration_unknown=unknown,
        stops=dict(tally.stops.most_common()),
        groups=_kinds(counted),
        costs=tally.spent.summary(),
        stages=run.stages,
    )


Task = Sequence[TaskCounts]
"""The counts of one task, one for each set of labels."""


def _by_task(counted: Iterable[TaskCounts]) -> list[Task]:
    """The decided samples by task, sorted: numbers must not depend on the order in which samples ended."""
    found: dict[str, list[TaskCounts]] = defaultdict(list)
    for row in counted:
        if row.decided:
            found[row.task_id].append(row)
    return [found[task] for task in sorted(found, key=order_of)]


def _rates_of(tasks: Sequence[Task], **tests: Callable[[TaskCounts], int]) -> dict[str, Rate]:
    """The share of samples that each test counts, averaged over tasks; nothing where there are no samples."""
    if not tasks:
        return {}
    sizes = [_decided(task) for task in tasks]
    counts = [tuple(sum(map(test, task)) for test in tests.values()) for task in tasks]
    shares = [tuple(c / size for c in of) for of, size in zip(counts, sizes, strict=True)]
    total = sum(sizes)
    sums = [sum(column) for column in zip(*counts, strict=True)]
    intervals = share_intervals(shares, single=total == len(tasks), rng=random.Random(0))
    means = [mean(column) for column in zip(*shares, strict=True)]
    rows = zip(tests, sums, means, intervals, strict=True)
    return {name: Rate(n, total, len(tasks), value, *ends) for name, n, value, ends in rows}


def _decided(task: Task) -> int:
    return sum(row.decided for row in task)


def _fixed(row: TaskCounts) -> int:
    return row.outcomes[Result.FIXED]


def _rates(tasks: Sequence[Task], tally: SampleCounts, *, knows_first: bool) -> dict[str, Rate]:
    tests: dict[str, Callable[[TaskCounts], int]] = {
        "fixed": _fixed,
        "passed": lambda row: row.outcomes[Result.FIXED] + row.outcomes[Result.OVERFITTED],
        "unfixed": lambda row: row.outcomes[Result.UNFIXED],
    }
    if tally.any_measured:
        tests["overfitted"] = lambda row: row.outcomes[Result.OVERFITTED]
    if tally.knows_plausible:
        tests["plausible"] = lambda row: row.plausible
    if knows_first:
        tests["first"] = lambda row: row.first
    if any(setup.model for setup in tally.setups) and not any(row.origins[""] for task in tasks for row in task):
        tests |= {f"fixed_by_{origin}": _owed_to(origin) for origin in RepairOrigin}
    return _rates_of(tasks, **tests)


def _owed_to(origin: RepairOrigin) -> Callable[[TaskCounts], int]:
    return lambda row: row.origins[origin]


def _added(counts: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return total


def _passes(tasks: Sequence[Task]) -> tuple[PassAtK, ...]:
    """pass@k for every k that some task has samples for; ks over the same tasks share their draws."""
    counts = [(_decided(task), sum(map(_fixed, task))) for task in tasks]
    most = min(max((samples for samples, _ in counts), default=0), _MAX_K)
    having = Counter(samples for samples, _ in counts)
    found: list[PassAtK] = []
    for _, ks in groupby(range(1, most + 1), lambda k: sum(n for samples, n in having.items() if samples >= k)):
        same = tuple(ks)
        found += passes_at([count for count in counts if count[0] >= same[-1]], same)
    return tuple(found)


def _iterations(tasks: Sequence[Task], *, fixed: int, any_judged: bool) -> tuple[Rate, ...]:
    """pass@1 by iteration; empty where no fix has a recorded iteration, or no candidate was judged."""
    known = {number for task in tasks for row in task for number in row.iterations}
    if not known and (fixed or not any_judged):
        return ()
    last = min(max(known, default=0), _MAX_ITERATIONS)
    tests = {str(number): _fixed_by(number) for number in range(last + 1)}
    return tuple(_rates_of(tasks, **tests).values())


def _fixed_by(iteration: int) -> Callable[[TaskCounts], int]:
    return lambda row: sum(count for number, count in row.iterations.items() if number <= iteration)


def _kinds(counted: Sequence[TaskCounts]) -> dict[str, tuple[LabelGroup, ...]]:
    names: Counter[str] = Counter()
    for row in counted:
        names.update(dict.fromkeys(row.labels, row.samples))
    by_use = sorted(names, key=lambda name: (name != "bug_type", -names[name]))
    return {name: _values(counted, name) for name in by_use[:_MAX_LABELS]}


def _values(counted: Sequence[TaskCounts], label: str) -> tuple[LabelGroup, ...]:
    groups: dict[str, list[TaskCounts]] = defaultdict(list)
    for row in counted:
        groups[row.labels.get(label, _UNLABELLED)].append(row)
    by_size = sorted(groups.items(), key=lambda item: (-sum(row.samples for row in item[1]), item[0]))
    return tuple(_kind(value, found) for value, found in by_size[:_MAX_VALUES])


def _kind(value: str, counted: Sequence[TaskCounts]) -> LabelGroup:
    outcomes: Counter[Result] = Counter()
    for row in counted:
        outcomes.update(row.outcomes)
    return LabelGroup(value, outcomes, _rates_of(_by_task(counted), fixed=_fixed).get("fixed"))
