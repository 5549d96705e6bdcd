"""Spectrum-based fault localisation: suspicion from the coverage of failing and passing checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from math import sqrt


def ochiai(coverage: Mapping[str, frozenset[int]], passed: frozenset[str]) -> dict[int, float]:
    """Suspiciousness in [0, 1] of each line that some check ran.

    `coverage` has the program lines that each check ran, `passed` the ids of the checks that passed; a check
    without coverage is ignored. The formula is Ochiai's, failed(line) / sqrt(failed * run(line)), which
    Abreu, Zoeteweij and van Gemund found best among the coefficients compared ("On the accuracy of
    spectrum-based fault localization", TAIC PART 2007). With no failing check every line gets 0.
    """
    failing = [lines for check, lines in coverage.items() if check not in passed]
    runs = Counter(chain.from_iterable(coverage.values()))
    failures = Counter(chain.from_iterable(failing))
    return {line: failures[line] / sqrt(len(failing) * run) if failing else 0.0 for line, run in sorted(runs.items())}
