"""Which check a collected test is, where pytest makes the ids of cases of what the program returned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence


def known_checks(known: Sequence[str], collected: Sequence[str]) -> list[str | None]:
    """For each collected id the check that it is, or None: the one of that id, else that in the place of its case.

    A table of cases that is computed by the program changes with it, and so do their ids ("test_even[5]" becomes
    "test_even[6]"): where a function has as many cases as it is known to have, the first is still the first.
    """
    places = {id_: id_ for id_ in known}
    cases, expected = _by_function(collected), _by_function(known)
    for function, ids in cases.items():
        before = expected.get(function, [])
        if len(ids) == len(before) and set(ids) != set(before):
            places.update(zip(ids, before, strict=True))
    return [places.get(id_) for id_ in collected]


def _by_function(ids: Sequence[str]) -> dict[str, list[str]]:
    """The ids of the cases of each test function, in order."""
    cases: defaultdict[str, list[str]] = defaultdict(list)
    for id_ in ids:
        function, bracket, _ = id_.partition("[")
        if bracket:
            cases[function].append(id_)
    return cases
