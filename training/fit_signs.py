"""Fit what each sign of an odd change costs, and show how often lists of candidates would be won with it.

    python training/fit_signs.py LISTS.jsonl

LISTS.jsonl comes from benchmarks/choice.py --lists: of one program a line, the behaviours of which some are right and
some are not, each with the signs and flaws that were counted in its best candidate, and what else that costs. The name
of a program begins with that of its data set.

The costs are those by which the right behaviours have the largest share, beside all else that they cost
(`contests.py`), with a ridge around the shipped ones: what few lists show stays where it was put by hand, and none is
below 0. Each data set is also held out in turn. What is printed is every sign that should cost otherwise, as the lists
have it. Signs were written for sets that somebody had looked at, so these are no reason by themselves. Run with numpy
and scipy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from contests import Contest, Floats, named_lists, nats_with_ridge, print_held_out, read_contests
from scipy.optimize import minimize

from regreen.select.cost import COST_WEIGHTS, CostParts
from regreen.select.signs.change_signs import SIGNS
from regreen.select.signs.program_flaws import FLAWS

SHIPPED: Final = {sign.count.__name__: sign.cost for sign in (*SIGNS, *FLAWS)}
PLACES: Final = {name: place for place, name in enumerate(SHIPPED)}
RIDGE: Final = 0.05
"""Of the squares of the changed tokens by which the costs depart from the shipped ones."""
TOLD: Final = 0.75
"""By how many changed tokens a cost has to depart to be printed."""


def columns_of(behaviour: dict[str, Any]) -> tuple[Sequence[float], float]:
    """How often each sign was counted, and what a behaviour costs beyond them."""
    counts = [0.0] * len(PLACES)
    for name, count in behaviour["signs"].items():
        if name in PLACES:
            counts[PLACES[name]] = count
    parts = CostParts(**{**behaviour["parts"], "signs": 0.0})
    return counts, parts.weighed(COST_WEIGHTS) + behaviour["beyond"]


def shipped() -> Floats:
    """The costs that Regreen has."""
    return np.array([*SHIPPED.values()])


def fitted(contests: Sequence[Contest]) -> Floats:
    """The costs that make the right behaviours likeliest."""
    start = shipped()
    given, bounds = (contests, start, RIDGE), [(0.0, None)] * len(start)
    found: Floats = minimize(nats_with_ridge, start, args=given, jac=True, method="L-BFGS-B", bounds=bounds).x
    return found


def main() -> int:
    """Fit and print."""
    contests = read_contests(named_lists(__doc__), columns_of)
    print_held_out(contests, shipped(), fitted, ("right as shipped", "right by the others"))
    for name, old, new in zip(SHIPPED, shipped(), fitted(contests), strict=True):
        if abs(new - old) >= TOLD:
            lists = sum(bool(np.ptp(contest.columns[:, PLACES[name]])) for contest in contests)
            print(f"{name:<28}{old:>6.1f}{new:>7.2f}{lists:>5} lists")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
