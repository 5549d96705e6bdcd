"""Fit the weights by which what passes is ranked, and show how often they would choose right.

    python training/fit_ranking.py LISTS.jsonl

LISTS.jsonl comes from benchmarks/choice.py --lists: of one program a line, the behaviours of which some are right and
some are not, each with the parts of its cost (`regreen.select.cost.CostParts`) and what it costs beyond them. The name
of a program begins with that of its data set.

The weights are those by which the right ones have the largest share of exp(-cost / 2), as `regreen.select.behaviour`
has it: a conditional logit (McFadden, 1974) with a ridge around the shipped weights. Each data set is also held out in
turn, since weights that were chosen by a set say little of how they do elsewhere. Run with numpy and scipy.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from regreen.select.cost import COST_WEIGHTS, CostParts

NAMES: Final = tuple(part.name for part in fields(CostParts))
TOKENS_PER_NAT: Final = 2.0
"""As in `regreen.select.behaviour`."""
RIDGE: Final = 3.0
"""Of the squares of what the weights depart from the shipped ones, each in units of itself: weights of parts that few
lists have stay where they are."""
LEAST_UNIT: Final = 0.1
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Contest:
    """The behaviours of one program, of which some are right and some are not."""

    data_set: str
    parts: Floats
    """One row for each behaviour, one column for each of `NAMES`."""
    beyond: Floats
    """What each costs beyond the parts, in changed tokens."""
    right: NDArray[np.bool_]

    def costs(self, weights: Floats) -> Floats:
        """Of each behaviour, in changed tokens."""
        found: Floats = self.parts @ weights + self.beyond
        return found

    def is_won(self, weights: Floats) -> bool:
        """Whether the cheapest one is right."""
        return bool(self.right[np.argmin(self.costs(weights))])


def read_contests(path: Path) -> list[Contest]:
    """The lists of a file."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        behaviours = row["behaviours"]
        found.append(
            Contest(
                row["program"].partition("/")[0],
                np.array([[behaviour["parts"][name] for name in NAMES] for behaviour in behaviours], np.float64),
                np.array([behaviour["beyond"] for behaviour in behaviours], np.float64),
                np.array([behaviour["right"] for behaviour in behaviours], np.bool_),
            )
        )
    return found


def shipped() -> Floats:
    """The weights that Regreen has."""
    return np.array([asdict(COST_WEIGHTS)[name] for name in NAMES])


def fitted(contests: Sequence[Contest]) -> Floats:
    """The weights that make the right ones likeliest."""
    start = shipped()
    found: Floats = minimize(loss, start, args=(contests, start), jac=True, method="L-BFGS-B").x
    return found


def loss(weights: Floats, contests: Sequence[Contest], start: Floats) -> tuple[float, Floats]:
    """The nats of what came true, with the ridge, and their slope."""
    units = np.maximum(np.abs(start), LEAST_UNIT)
    away = (weights - start) / units
    total, slope = RIDGE * float(away @ away), 2 * RIDGE * away / units
    for contest in contests:
        nats, one = nats_of(contest, weights)
        total += nats
        slope = slope + one
    return total, slope


def nats_of(contest: Contest, weights: Floats) -> tuple[float, Floats]:
    """The nats of one list's right behaviours together, at least 0, and their slope."""
    scores = -contest.costs(weights) / TOKENS_PER_NAT
    weighed = np.exp(scores - scores.max())
    right = np.where(contest.right, weighed, 0.0)
    share = max(right.sum() / weighed.sum(), 1e-300)
    slope: Floats = ((right / max(right.sum(), 1e-300) - weighed / weighed.sum())[:, None] * contest.parts).sum(0)
    return -float(np.log(share)), slope / TOKENS_PER_NAT


def show_set(name: str, contests: Sequence[Contest]) -> tuple[int, int]:
    """One line on a data set that was held out: lists won with the shipped weights, and with those of the others."""
    some = [contest for contest in contests if contest.data_set == name]
    others = fitted([contest for contest in contests if contest.data_set != name])
    now, then = sum(contest.is_won(shipped()) for contest in some), sum(contest.is_won(others) for contest in some)
    print(f"{name:<24}{len(some):>6}{now:>18}{then:>22}")
    return now, then


def main() -> int:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", type=Path)
    path = parser.parse_args().lists
    if not path.is_file():
        parser.error(f"{path} is not there; benchmarks/choice.py --lists makes such a file")
    contests = read_contests(path)
    print(f"{'held out':<24}{'lists':>6}{'right as shipped':>18}{'right by the others':>22}")
    won = [show_set(name, contests) for name in sorted({contest.data_set for contest in contests})]
    print(f"{'':<24}{len(contests):>6}{sum(now for now, _ in won):>18}{sum(then for _, then in won):>22}")
    for name, old, new in zip(NAMES, shipped(), fitted(contests), strict=True):
        print(f"{name:<24}{old:>8.3f}{new:>8.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
