"""Property tests by Hypothesis: told alike each time, and screened by what failed on the program as it is."""

from __future__ import annotations

import pytest

from regreen.config import load_settings
from regreen.sandbox.kept_pools import lend_pool
from regreen.types import Edit, Limits, Outcome
from regreen.verify.baseline import take_baseline
from regreen.verify.judge import SandboxJudge
from regreen.verify.screener_pool import open_screeners
from regreen.verify.screening import ScreeningLimits, TraceOrder
from regreen.verify.suites import read_suite

pytestmark = pytest.mark.sandbox

PROGRAM = "def total(xs):\n    s = 0\n    for x in xs[:3]:\n        s += x\n    return s\n"
TESTS = (
    "from hypothesis import given, strategies as st\nfrom prices import total\n\n"
    "@given(st.lists(st.integers()))\ndef test_total(xs):\n    assert total(xs) == sum(xs)\n"
)
LIMITS = Limits(seconds=5.0)


def edit(old: str, new: str) -> list[Edit]:
    """The change of a text that stands once in the program."""
    place = PROGRAM.index(old)
    return [Edit(place, place + len(old), new)]


def test_a_property_is_red_in_every_run_and_its_example_comes_first() -> None:
    """Its example was made small once; wrong candidates fail on it at once, and a right one passes all others, too."""
    suite = read_suite(TESTS, program=PROGRAM, module="prices", entry_point=None, origin="test_prices.py")
    with lend_pool(load_settings(environ={}).confinement) as pool:
        baseline = take_baseline(SandboxJudge(pool), PROGRAM, suite, LIMITS, {})
        assert (baseline.red, baseline.flaky) == (("test_total",), ())
        result = baseline.verdict.results["test_total"]
        assert (result.outcome, result.actual, result.expected) == (Outcome.FAILED, "0", "1")
        with open_screeners(pool, PROGRAM, baseline.suite, LIMITS, {}, size=1, examples=baseline.examples) as screeners:
            assert screeners.trace(TraceOrder(LIMITS.seconds)).ticks < 20
            answers = screeners.screen(
                [edit("xs[:3]", "xs[:2]"), edit("xs[:3]", "xs"), edit("xs[:3]", "xs[1:]")],
                frozenset(),
                ScreeningLimits(ticks=1 << 20, seconds=LIMITS.seconds),
            )
    assert [answer.status for answer in answers] == ["failed", "passed", "failed"]
