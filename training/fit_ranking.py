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

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any, Final

import numpy as np
from contests import Contest, Floats, named_lists, nats_with_ridge, print_held_out, read_contests
from scipy.optimize import minimize

from regreen.select.cost import COST_WEIGHTS, CostParts

NAMES: Final = tuple(part.name for part in fields(CostParts))
RIDGE: Final = 3.0
"""Of the squares of what the weights depart from the shipped ones, each in units of itself: weights of parts that few
lists have stay where they are."""
LEAST_UNIT: Final = 0.1


def columns_of(behaviour: dict[str, Any]) -> tuple[Sequence[float], float]:
    """The parts of a behaviour's cost, and what it costs beyond them."""
    return [behaviour["parts"][name] for name in NAMES], behaviour["beyond"]


def shipped() -> Floats:
    """The weights that Regreen has."""
    return np.array([asdict(COST_WEIGHTS)[name] for name in NAMES])


def fitted(contests: Sequence[Contest]) -> Floats:
    """The weights that make the right ones likeliest."""
    start = shipped()
    given = (contests, start, RIDGE, np.maximum(np.abs(start), LEAST_UNIT))
    found: Floats = minimize(nats_with_ridge, start, args=given, jac=True, method="L-BFGS-B").x
    return found


def main() -> int:
    """Fit and print."""
    contests = read_contests(named_lists(__doc__), columns_of)
    print_held_out(contests, shipped(), fitted, ("right as shipped", "right by the others"))
    for name, old, new in zip(NAMES, shipped(), fitted(contests), strict=True):
        print(f"{name:<24}{old:>8.3f}{new:>8.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
