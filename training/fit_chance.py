"""Fit how often changes of each family pass by chance, and show how often lists of candidates would be won with it.

    python training/fit_chance.py LISTS.jsonl

LISTS.jsonl comes from benchmarks/choice.py --lists: of one program a line, the behaviours of which some are right and
some are not, each with the origin of its best candidate and what that costs. The name of a program begins with that of
its data set.

Each family has a number of nats, the sum of its own and of its module's, so that families which few lists have are
judged by their neighbours. They are those by which the right behaviours have the largest share, beside all other costs
(`contests.py`), with a ridge. Each data set is also held out in turn. What is printed is the table of
`regreen.select.by_chance`. Run with numpy and scipy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from contests import TOKENS_PER_NAT, Contest, Floats, named_lists, nats_with_ridge, print_held_out, read_contests
from scipy.optimize import minimize

from regreen.propose.search.templates import TEMPLATES
from regreen.select.cost import COST_WEIGHTS, CostParts

RIDGE: Final = 0.25
"""Of the squares of all nats. 0.15 to 1 were tried, with each data set held out: 0.25 won most."""
STEP: Final = 0.5
"""To what the table is rounded."""
MOST: Final = 1.5
"""How far the table goes, on both sides: what families have won in the sets they were written for flatters them."""
MODULES: Final = {template.name: template.function.__module__ for template in TEMPLATES}
NAMES: Final = {name: place for place, name in enumerate([*MODULES, *sorted(set(MODULES.values()))])}


def columns_of(behaviour: dict[str, Any]) -> tuple[Sequence[float], float]:
    """How often each family and each module is in an origin such as `search:one+other`, and what else it costs."""
    counts = [0.0] * len(NAMES)
    for name in behaviour["origin"].partition(":")[2].split("+"):
        if name in MODULES:
            counts[NAMES[name]] += TOKENS_PER_NAT
            counts[NAMES[MODULES[name]]] += TOKENS_PER_NAT
    parts = CostParts(**{**behaviour["parts"], "by_chance": 0.0})
    return counts, parts.weighed(COST_WEIGHTS) + behaviour["beyond"]


def fitted(contests: Sequence[Contest]) -> Floats:
    """The nats of each family and module that make the right behaviours likeliest."""
    start = np.zeros(len(NAMES))
    found: Floats = minimize(nats_with_ridge, start, args=(contests, start, RIDGE), jac=True, method="L-BFGS-B").x
    return found


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
    contests = read_contests(named_lists(__doc__), columns_of)
    print_held_out(contests, np.zeros(len(NAMES)), fitted, ("won without", "won by the others"))
    for nats, names in table(fitted(contests)).items():
        print(f"{nats:+.1f} {' '.join(sorted(names))}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
