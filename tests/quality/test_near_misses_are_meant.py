"""Is what is handed over where nothing passes a step towards a repair, and no answer copied from a check?"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from small_searches import run_of

from regreen.config import load_settings
from regreen.propose.search.mutation import Mutation
from regreen.strategies.resources import Resources, borrow_resources
from regreen.strategies.searching.search_findings import NearMiss
from regreen.types import Edit

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
PROGRAM = "def line(name, total):\n    return name + total\n"
CHECKS = "assert line('Tea', 7.5) == 'Tea: 7.50'\nassert line('Ham', 1) == 'a' and line('Ham', 1) == 'b'\n"


@pytest.fixture(scope="module")
def resources() -> Iterator[Resources]:
    """One sandbox, for nothing but the judge."""
    with borrow_resources(load_settings({"workers": 1})) as opened:
        yield opened


@pytest.mark.parametrize(
    ("result", "is_handed_over"), [("'Tea: 7.50'", False), ("name + ': ' + format(total, '.2f')", True)]
)
def test_an_answer_of_a_check_is_no_step(resources: Resources, result: str, is_handed_over: bool) -> None:
    """Both pass the first check; the second one is red for good."""
    session, run = run_of(resources, PROGRAM, CHECKS)
    start = PROGRAM.index("name + total")
    edit = Edit(start, start + len("name + total"), result)
    first = session.baseline.suite.checks[0].id
    run.findings.near_misses = [NearMiss(frozenset({first}), 0.5, Mutation((edit,), "any", 1.0, 2, PROGRAM))]
    assert len(run.judge_near_misses(1)) == is_handed_over
