"""Fit how often changes of each family pass by chance, and show how often lists of candidates would be won with it.

    python training/fit_chance.py LISTS.jsonl

LISTS.jsonl comes from benchmarks/choice.py --lists: of one program a line, the behaviours of which some are right and
some are not, each with the origin of its best candidate and what that costs. The name of a program begins with that of
its data set.

Each family has a number of nats, the sum of its own and of its module's, so that families which few lists have are
judged by their neighbours. They are those by which the right behaviours have the largest share, beside all other costs:
a conditional logit (McFadden, 1974) with a ridge. Each data set is also held out in turn. What is printed is the table
of `regreen.select.by_chance`. Run with numpy and scipy.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from regreen.propose.search.templates import TEMPLATES
from regreen.select.cost import COST_WEIGHTS, CostParts

RIDGE: Final = 0.25
"""Of the squares of all nats. 0.15 to 1 were tried, with each data set held out: 0.25 won most."""
TOKENS_PER_NAT: Final = 2.0
"""As in `regreen.select.behaviour`."""
STEP: Final = 0.5
"""To what the table is rounded."""
MOST: Final = 2.5
"""How far the table goes, on both sides."""
MODULES: Final = {template.name: template.function.__module__ for template in TEMPLATES}
NAMES: Final = {name: place for place, name in enumerate([*MODULES, *sorted(set(MODULES.values()))])}
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Contest:
    """The behaviours of one program, of which some are right and some are not."""

    data_set: str
    families: Floats
    """One row for each behaviour, one column for each family and each module: how often it is in the origin."""
    nats: Floats
    """What each costs otherwise."""
    right: NDArray[np.bool_]

    def shares(self, chance: Floats) -> Floats:
        """How likely each is, by all that is known."""
        scores = -self.nats - self.families @ chance
        weighed: Floats = np.exp(scores - scores.max())
        return weighed / weighed.sum()


def read_contests(path: Path) -> list[Contest]:
    """The lists of a file."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        behaviours = row["behaviours"]
        costs = [cost_without_chance(one["parts"]) + one["beyond"] for one in behaviours]
        found.append(
            Contest(
                row["program"].partition("/")[0],
                np.array([families_of(one["origin"]) for one in behaviours], np.float64),
                np.array(costs, np.float64) / TOKENS_PER_NAT,
                np.array([one["right"] for one in behaviours], np.bool_),
            )
        )
    return found


def cost_without_chance(parts: dict[str, float]) -> float:
    """A cost in changed tokens, without what is to be fitted."""
    return CostParts(**{**parts, "by_chance": 0.0}).weighed(COST_WEIGHTS)


def families_of(origin: str) -> list[float]:
    """How often each family and each module is in an origin such as `search:one+other`."""
    counts = [0.0] * len(NAMES)
    for name in origin.partition(":")[2].split("+"):
        if name in MODULES:
            counts[NAMES[name]] += 1
            counts[NAMES[MODULES[name]]] += 1
    return counts


def fitted(contests: Sequence[Contest]) -> Floats:
    """The nats of each family and module that make the right behaviours likeliest."""
    found: Floats = minimize(loss, np.zeros(len(NAMES)), args=(contests,), jac=True, method="L-BFGS-B").x
    return found


def loss(chance: Floats, contests: Sequence[Contest]) -> tuple[float, Floats]:
    """The nats of what came true, with the ridge, and their slope."""
    total, slope = RIDGE * float(chance @ chance), 2 * RIDGE * chance
    for contest in contests:
        shares = contest.shares(chance)
        right = np.where(contest.right, shares, 0.0)
        total -= float(np.log(max(right.sum(), 1e-300)))
        slope = slope + (right / max(right.sum(), 1e-300) - shares) @ contest.families
    return total, slope


def won(contests: Sequence[Contest], chance: Floats) -> int:
    """In how many lists the likeliest behaviour is right."""
    return sum(bool(contest.right[np.argmax(contest.shares(chance))]) for contest in contests)


def table(chance: Floats) -> dict[float, list[str]]:
    """The families of each rounded number of nats, but for those of none."""
    found: dict[float, list[str]] = defaultdict(list)
    for name, module in MODULES.items():
        nats = float(chance[NAMES[name]] + chance[NAMES[module]])
        rounded = max(-MOST, min(MOST, round(nats / STEP) * STEP))
        if rounded:
            found[rounded].append(name)
    return dict(sorted(found.items()))


def main() -> int:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", type=Path)
    path = parser.parse_args().lists
    if not path.is_file():
        parser.error(f"{path} is not there; benchmarks/choice.py --lists makes such a file")
    contests = read_contests(path)
    nothing = np.zeros(len(NAMES))
    before = after = 0
    print(f"{'held out':<24}{'lists':>6}{'won without':>13}{'won by the others':>19}")
    for name in sorted({contest.data_set for contest in contests}):
        some = [contest for contest in contests if contest.data_set == name]
        others = fitted([contest for contest in contests if contest.data_set != name])
        print(f"{name:<24}{len(some):>6}{won(some, nothing):>13}{won(some, others):>19}")
        before, after = before + won(some, nothing), after + won(some, others)
    print(f"{'':<24}{len(contests):>6}{before:>13}{after:>19}")
    for nats, names in table(fitted(contests)).items():
        print(f"{nats:+.1f} {' '.join(sorted(names))}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
