"""Where few checks let something pass by chance, are two faults that lie behind likelier changes found, too?"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from small_searches import run_of

from regreen.config import load_settings
from regreen.strategies import search_run
from regreen.strategies.resources import Resources, borrow_resources
from regreen.types import Stop

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
CHAIN = (
    "def chain(tiles):\n    end = tiles[0][1]\n    count = 1\n    for left, right in tiles[1:]:\n"
    "        if left == end:\n            end = right\n            count += 1\n"
    "        elif right == end:\n            end = right\n            count += 1\n    return count\n"
)
CHECKS = (
    "assert chain([(1, 2)]) == 1\n"
    "assert chain([(1, 2), (3, 2), (3, 4)]) == 3\n"
    "assert chain([(1, 2), (2, 3), (5, 6), (3, 4)]) == 2\n"
)


@pytest.fixture(scope="module")
def resources() -> Iterator[Resources]:
    """Sandboxes for small searches."""
    with borrow_resources(load_settings({"max_candidates": 6_000, "workers": 1})) as opened:
        yield opened


def test_changes_likelier_than_what_passes_are_searched_on_from(
    resources: Resources, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What passes then is made of one that won some of the checks; with many checks nothing more is tried."""
    _, run = run_of(resources, CHAIN, CHECKS, "chain")
    assert run.run() is Stop.FIXED
    monkeypatch.setattr(search_run, "FEW_CHECKS", 0)
    _, plain = run_of(resources, CHAIN, CHECKS, "chain")
    assert plain.run() is Stop.FIXED
    before = {mutation.edits for mutation in plain.findings.plausible}
    found = [mutation for mutation in run.findings.plausible if mutation.edits not in before]
    likelier = [set(one.edits) for ones in run.findings.improvements.values() for one in ones]
    assert found
    assert any(won & set(mutation.edits) for mutation in found for won in likelier)
    assert plain.findings.tried < run.findings.tried <= plain.findings.tried + 1_000
