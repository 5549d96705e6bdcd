"""Two runs over the same tasks: samples gained and lost, and the difference of pass@1 with its interval."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regreen.evaluate.metrics import mean, task_intervals
from regreen.evaluate.records import Result, SampleKey


@dataclass(frozen=True, slots=True)
class Pairing:
    """Samples of two runs, by which of them fixed it."""

    both: tuple[SampleKey, ...] = ()
    gained: tuple[SampleKey, ...] = ()
    """Fixed by the second run alone."""
    lost: tuple[SampleKey, ...] = ()
    """Fixed by the first run alone."""
    neither: tuple[SampleKey, ...] = ()
    undecided: tuple[SampleKey, ...] = ()
    """Samples with an error in one of the runs, or in both; they count in no rate."""
    only_first: tuple[SampleKey, ...] = ()
    """Samples that the second run does not have."""
    only_second: tuple[SampleKey, ...] = ()
    """Samples that the first run does not have."""

    @property
    def pairs(self) -> int:
        """Samples that both runs decided."""
        return len(self.both) + len(self.gained) + len(self.lost) + len(self.neither)


@dataclass(frozen=True, slots=True)
class PassRateDifference:
    """pass@1 of two runs over the pairs, and the second's less the first's with its 95 % interval; in [-1, 1]."""

    first: float
    second: float
    low: float | None
    """None, as `high`, where every task has the same difference: drawing tasks would give no width."""
    high: float | None
    tasks: int

    @property
    def value(self) -> float:
        """By how much the second run is better."""
        return self.second - self.first


def pair(first: Mapping[SampleKey, Result], second: Mapping[SampleKey, Result]) -> Pairing:
    """Sort the samples of two runs by which of them fixed it; only the outcome `fixed` counts, as in pass@1."""
    found: dict[str, list[SampleKey]] = defaultdict(list)
    for key, before in first.items():
        found[_kind(before, second.get(key))].append(key)
    found["only_second"] = [key for key in second if key not in first]
    return Pairing(**{kind: tuple(keys) for kind, keys in found.items()})


def _kind(before: Result, after: Result | None) -> str:
    if after is None:
        return "only_first"
    if Result.ERROR in (before, after):
        return "undecided"
    kinds = {(True, True): "both", (False, True): "gained", (True, False): "lost", (False, False): "neither"}
    return kinds[before is Result.FIXED, after is Result.FIXED]


def mcnemar(gained: int, lost: int) -> float:
    """The exact two-sided p-value of McNemar's test: the chance of a split at least as uneven between equal runs.

    It takes each pair to be independent of the others. Raises ValueError for a negative count.
    """
    if min(gained, lost) < 0:
        raise ValueError(f"{gained} gained and {lost} lost are no counts")
    total, fewer = gained + lost, min(gained, lost)
    ways = at_most = 1
    for chosen in range(1, fewer + 1):
        ways = ways * (total - chosen + 1) // chosen
        at_most += ways
    return min(1.0, 2 * at_most / (1 << total))


def pass_rate_difference(pairing: Pairing, *, rng: random.Random, rounds: int = 2_000) -> PassRateDifference | None:
    """The difference of pass@1 with its 95 % interval, from `rounds` draws of tasks; None where there are no pairs.

    Pairs are averaged within their task first: samples of one task are not independent.
    """
    by_task: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for keys, fixed in _fixed_by(pairing):
        for task, _ in keys:
            counts = by_task[task]
            counts[0], counts[1], counts[2] = counts[0] + 1, counts[1] + fixed[0], counts[2] + fixed[1]
    if not by_task:
        return None
    first = [before / pairs for pairs, before, _ in by_task.values()]
    second = [after / pairs for pairs, _, after in by_task.values()]
    gains = [(after - before,) for before, after in zip(first, second, strict=True)]
    low, high = None, None
    if len(set(gains)) > 1:
        ((low, high),) = task_intervals(gains, rng=rng, rounds=rounds)
    return PassRateDifference(mean(first), mean(second), low, high, len(by_task))


def _fixed_by(pairing: Pairing) -> tuple[tuple[Sequence[SampleKey], tuple[int, int]], ...]:
    """The pairs, each with whether the first and the second run fixed them."""
    return (pairing.both, (1, 1)), (pairing.gained, (0, 1)), (pairing.lost, (1, 0)), (pairing.neither, (0, 0))
