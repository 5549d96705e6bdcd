"""Numbers over results, each with the interval that says how far to trust it."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

_NORMAL_95 = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""
MOST_DRAWN = 1_000
"""Tasks up to which an interval is bootstrapped; with more, the mean is nearly normal, and drawing takes minutes."""

Numbers = tuple[float, ...]
Interval = tuple[float, float]
ShareInterval = tuple[float, float, str]
"""Low and high end, and the method: "wilson", "wilson-tasks", "bootstrap" or "normal"."""


def pass_at_k(samples: int, correct: int, k: int) -> float:
    """Chance that at least one of `k` repairs, drawn without replacement, is correct (Chen et al. 2021).

    `samples` counts judged repairs of one task; 1 <= k <= samples, 0 <= correct <= samples.
    Average the result over tasks, never over samples. Raises ValueError if a bound is broken.
    """
    if not (1 <= k <= samples and 0 <= correct <= samples):
        raise ValueError(f"pass@{k} of {correct} correct among {samples} is not defined")
    return 1.0 - math.comb(samples - correct, k) / math.comb(samples, k)


@dataclass(frozen=True, slots=True)
class PassAtK:
    """pass@k over tasks, and the 95 % interval that says how far to trust it; all three in [0, 1]."""

    k: int
    tasks: int
    """Tasks with at least k decided samples."""
    value: float
    low: float
    high: float
    interval: str
    """How the interval was made: "wilson", "wilson-tasks", "bootstrap" or "normal"."""


def passes_at(counts: Sequence[tuple[int, int]], ks: Sequence[int]) -> tuple[PassAtK, ...]:
    """pass@k for every k of `ks` over tasks, each with its decided and its correct samples, at least max(ks) decided.

    All intervals come from the same draws of tasks, with a seed of 0.
    """
    if not ks:
        return ()
    by_task = [tuple(pass_at_k(decided, correct, k) for k in ks) for decided, correct in counts]
    single = all(decided == 1 for decided, _ in counts)
    intervals = share_intervals(by_task, single=single, rng=random.Random(0))
    columns = zip(*by_task, strict=True)
    return tuple(PassAtK(k, len(counts), mean(of), *ends) for k, of, ends in zip(ks, columns, intervals, strict=True))


def wilson(successes: float, total: int, *, z: float = _NORMAL_95) -> tuple[float, float]:
    """Wilson's score interval of a rate, for few samples and rates near 0 or 1 too; (0, 1) when there are none.

    0 <= successes <= total; no whole number where each of the total is a rate itself. Raises ValueError if a bound is
    broken.
    """
    if not 0 <= successes <= total:
        raise ValueError(f"{successes} of {total} is no rate")
    if total == 0:
        return 0.0, 1.0
    rate = successes / total
    spread = z * math.sqrt(rate * (1 - rate) / total + z * z / (4 * total * total))
    middle, scale = rate + z * z / (2 * total), 1 + z * z / total
    # Rounding must not push an end past the rate itself.
    return max(min((middle - spread) / scale, rate), 0.0), min(max((middle + spread) / scale, rate), 1.0)


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean. Raises ValueError when there are no values."""
    if not values:
        raise ValueError("the mean of no values is not defined")
    return math.fsum(values) / len(values)


def quantile(values: Sequence[float], fraction: float) -> float:
    """The smallest value that at least `fraction` of the values do not exceed (nearest rank); 0 < fraction <= 1.

    Raises ValueError when there are no values or the fraction is out of bounds.
    """
    if not values or not 0 < fraction <= 1:
        raise ValueError(f"the {fraction} quantile of {len(values)} values is not defined")
    return sorted(values)[math.ceil(fraction * len(values)) - 1]


def share_intervals(tasks: Sequence[Numbers], *, single: bool, rng: random.Random) -> tuple[ShareInterval, ...]:
    """For each of several shares that every task has, the 95 % interval of its mean over tasks.

    Samples of one task are not independent, so Wilson's interval is used for `single` samples only; otherwise tasks are
    drawn. Where all tasks have the same share, drawing them would give an interval of no width, so Wilson's interval
    over tasks takes its place. Raises ValueError as task_intervals does.
    """
    columns = list(zip(*tasks, strict=True))
    if single:
        return tuple((*wilson(math.fsum(column), len(column)), "wilson") for column in columns)
    drawn = task_intervals(tasks, rng=rng)
    return tuple(_share_interval(column, ends) for column, ends in zip(columns, drawn, strict=True))


def _share_interval(column: Sequence[float], drawn: Interval) -> ShareInterval:
    if min(column) == max(column):
        return *wilson(column[0] * len(column), len(column)), "wilson-tasks"
    return *drawn, interval_name(len(column))


def interval_name(tasks: int) -> str:
    """The method for an interval over this many tasks: "bootstrap" or "normal"."""
    return "bootstrap" if tasks <= MOST_DRAWN else "normal"


def task_intervals(
    tasks: Sequence[Numbers], *, rng: random.Random, rounds: int = 2_000, level: float = 0.95
) -> tuple[Interval, ...]:
    """For each of several numbers that every task has, the interval of its mean over tasks.

    All means come from the same draws of tasks with replacement (percentile bootstrap), so that with equal seeds equal
    numbers get equal intervals; beyond `MOST_DRAWN` tasks it is the normal interval.
    Raises ValueError when there are no tasks, or they do not have equally many numbers.
    """
    if len({len(numbers) for numbers in tasks}) != 1 or not 0 < level < 1 or rounds < 1:
        raise ValueError(f"{level} intervals of {len(tasks)} tasks in {rounds} rounds are not defined")
    columns = list(zip(*tasks, strict=True))
    if len(tasks) > MOST_DRAWN:
        return tuple(_normal_interval(column, level) for column in columns)
    if all(min(column) == max(column) for column in columns):
        return tuple((column[0], column[0]) for column in columns)
    draws = [Counter(rng.choices(range(len(tasks)), k=len(tasks))) for _ in range(rounds)]
    return tuple(_drawn_interval(column, draws, level) for column in columns)


def _drawn_interval(column: Sequence[float], draws: Sequence[Mapping[int, int]], level: float) -> Interval:
    if min(column) == max(column):
        return column[0], column[0]
    return _percentiles([_drawn_mean(column, drawn) for drawn in draws], level)


def _drawn_mean(column: Sequence[float], drawn: Mapping[int, int]) -> float:
    return math.fsum(column[task] * times for task, times in drawn.items()) / len(column)


def _percentiles(means: Sequence[float], level: float) -> Interval:
    tail = (1 - level) / 2
    return quantile(means, tail), quantile(means, 1 - tail)


def _normal_interval(column: Sequence[float], level: float) -> Interval:
    middle = mean(column)
    spread = math.fsum((value - middle) ** 2 for value in column) / (len(column) - 1)
    reach = NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(spread / len(column))
    return max(middle - reach, min(column)), min(middle + reach, max(column))
