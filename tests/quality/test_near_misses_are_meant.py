"""What is handed over where nothing passes is a step towards a repair, and no answer copied from a check."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from small_searches import run_of

from regreen.config import load_settings
from regreen.strategies.resources import Resources, borrow_resources

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
PROGRAM = "def label(number):\n    return number\n"


@pytest.fixture(scope="module")
def resources() -> Iterator[Resources]:
    """Sandboxes for a short search."""
    with borrow_resources(load_settings({"max_candidates": 1_500, "workers": 1})) as opened:
        yield opened


def test_what_a_check_expects_is_no_step_towards_a_repair(resources: Resources) -> None:
    """It would turn a check green by what it says, and the others stay red for good."""
    checks = "assert label(1) == 'zebra-7'\nassert label(2) == 'q-42' and label(2) == 'other'\n"
    _, run = run_of(resources, PROGRAM, checks)
    run.run()
    assert run.findings.near_misses
    assert run.judge_near_misses(3) == []


def test_what_is_meant_is_handed_over(resources: Resources) -> None:
    """However many checks are left."""
    checks = "assert label(1) == 2\nassert label(5) == 6\nassert label(2) == 'q-42' and label(2) == 'other'\n"
    _, run = run_of(resources, PROGRAM, checks)
    run.run()
    (nearest,) = run.judge_near_misses(1)
    assert nearest.verdict.checks_passed == 2
    assert "number + 1" in nearest.candidate.source
