"""Which files, classes and functions of tests have to be collected where only some of the checks are run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from regreen.sandbox.guest.runner.checks.check_runner import IsWanted


class PlacedTest(NamedTuple):
    """Where one collected test is."""

    file: str
    """The path of its file."""
    node: str
    """pytest's id of it: `tests/test_shop.py::TestCart::test_total[3]`."""


class NeededTests(NamedTuple):
    """What has to be collected for some of the checks."""

    files: tuple[str, ...]
    """In the order in which they were collected first."""
    nodes: frozenset[str]
    """pytest's ids of the test functions, without their cases, and of the classes around them."""


def needed_tests(places: Mapping[str, PlacedTest], wanted: IsWanted) -> NeededTests | None:
    """What the wanted checks need, by where all checks are; None where that is everything, or paths look like cases."""
    kept = [place for check, place in places.items() if wanted(check)]
    if not kept or len(kept) == len(places) or any("[" in place.file for place in places.values()):
        return None
    files = tuple(dict.fromkeys(place.file for place in kept))
    return NeededTests(files, frozenset(node for place in kept for node in _around(place.node)))


def _around(node: str) -> Iterator[str]:
    """The ids of a test's function and of the classes around it."""
    file, *names = node.partition("[")[0].split("::")
    for name in names:
        file = f"{file}::{name}"
        yield file
