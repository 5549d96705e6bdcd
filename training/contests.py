"""Lists of behaviours of which some are right and some are not, and how likely the right ones are by given weights.

A conditional logit (McFadden, 1974): a behaviour's share is that of exp(-nats), where its nats are what it costs beyond
what is fitted, and the sum of its columns, each times its weight.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

TOKENS_PER_NAT: Final = 2.0
"""As in `regreen.select.behaviour`."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Contest:
    """The behaviours of one program."""

    data_set: str
    columns: Floats
    """What is weighed, in nats for each unit of a weight: one row for each behaviour."""
    beyond: Floats
    """The nats that each costs beyond that."""
    right: NDArray[np.bool_]

    def shares(self, weights: Floats) -> Floats:
        """How likely each is, by all that is known."""
        scores = -self.beyond - self.columns @ weights
        weighed: Floats = np.exp(scores - scores.max())
        return weighed / weighed.sum()

    def is_won(self, weights: Floats) -> bool:
        """Whether the likeliest one is right."""
        return bool(self.right[np.argmax(self.shares(weights))])

    def nats_of_right(self, weights: Floats) -> tuple[float, Floats]:
        """The nats of the right ones together, at least 0, and their slope."""
        shares = self.shares(weights)
        right = np.where(self.right, shares, 0.0)
        share = max(float(right.sum()), 1e-300)
        slope: Floats = (right / share - shares) @ self.columns
        return -float(np.log(share)), slope


def read_contests(path: Path, columns_of: Callable[[dict[str, Any]], tuple[Sequence[float], float]]) -> list[Contest]:
    """The lists of a file; `columns_of` gives what is weighed of a behaviour and what it costs beyond, in tokens."""
    return list(_contests(path, columns_of))


def _contests(path: Path, columns_of: Callable[[dict[str, Any]], tuple[Sequence[float], float]]) -> Iterator[Contest]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        columns, beyond = zip(*map(columns_of, row["behaviours"]), strict=True)
        yield Contest(
            row["program"].partition("/")[0],
            np.array(columns, np.float64) / TOKENS_PER_NAT,
            np.array(beyond, np.float64) / TOKENS_PER_NAT,
            np.array([behaviour["right"] for behaviour in row["behaviours"]], np.bool_),
        )


def nats_with_ridge(
    weights: Floats, contests: Sequence[Contest], start: Floats, ridge: float, units: Floats | float = 1.0
) -> tuple[float, Floats]:
    """The nats of what came true, with a ridge on how many units the weights depart from `start`, and their slope."""
    away = (weights - start) / units
    total, slope = ridge * float(away @ away), 2 * ridge * away / units
    for contest in contests:
        nats, one = contest.nats_of_right(weights)
        total, slope = total + nats, slope + one
    return total, slope


def named_lists(description: str | None) -> Path:
    """The file of lists that the command line names; ends with an error where it is not there."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", type=Path)
    path: Path = parser.parse_args().lists
    if not path.is_file():
        parser.error(f"{path} is not there; benchmarks/choice.py --lists makes such a file")
    return path


def print_held_out(
    contests: Sequence[Contest], start: Floats, fit: Callable[[Sequence[Contest]], Floats], headings: tuple[str, str]
) -> None:
    """For each data set, how many of its lists are won by the weights at first, and by those of the other sets."""
    before = after = 0
    print(f"{'held out':<24}{'lists':>6}{headings[0]:>18}{headings[1]:>22}")
    for name in sorted({contest.data_set for contest in contests}):
        some = [contest for contest in contests if contest.data_set == name]
        others = fit([contest for contest in contests if contest.data_set != name])
        now, then = sum(c.is_won(start) for c in some), sum(c.is_won(others) for c in some)
        print(f"{name:<24}{len(some):>6}{now:>18}{then:>22}")
        before, after = before + now, after + then
    print(f"{'':<24}{len(contests):>6}{before:>18}{after:>22}")
