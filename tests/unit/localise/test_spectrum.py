"""Suspicion from coverage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.localise.spectrum import ochiai

coverages = st.dictionaries(st.text(max_size=3), st.frozensets(st.integers(1, 20)), max_size=6)


def test_a_line_that_only_failing_checks_run_is_suspected_most() -> None:
    """Run by all that fail and none that pass: 1."""
    coverage = {"bad": frozenset({1, 2}), "good": frozenset({1, 3})}
    assert ochiai(coverage, frozenset({"good"})) == pytest.approx({1: 0.5**0.5, 2: 1.0, 3: 0.0})


def test_missing_one_of_the_failing_checks_lowers_suspicion() -> None:
    """A fault explains every failure, so a line that some failing check skips is less likely."""
    coverage = {"a": frozenset({1, 2}), "b": frozenset({1})}
    assert ochiai(coverage, frozenset()) == pytest.approx({1: 1.0, 2: 0.5**0.5})


def test_without_a_failing_check_nothing_is_suspected() -> None:
    """Passing checks alone give 0 everywhere."""
    assert ochiai({"a": frozenset({4})}, frozenset({"a"})) == {4: 0.0}
    assert ochiai({}, frozenset()) == {}


@given(coverages, st.frozensets(st.text(max_size=3), max_size=4))
def test_suspicion_is_a_number_from_0_to_1_for_every_line_run(
    coverage: dict[str, frozenset[int]], passed: frozenset[str]
) -> None:
    """Every line that was run, and no other, gets a number in [0, 1]."""
    scores = ochiai(coverage, passed)
    assert set(scores) == set().union(*coverage.values())
    assert all(0.0 <= score <= 1.0 + 1e-12 for score in scores.values())


@given(coverages, st.frozensets(st.text(max_size=3), max_size=4), st.integers(1, 20))
def test_one_more_passing_check_never_raises_suspicion(
    coverage: dict[str, frozenset[int]], passed: frozenset[str], line: int
) -> None:
    """Evidence of innocence counts as such."""
    more = {**coverage, "another": frozenset({line})}
    before, after = ochiai(coverage, passed), ochiai(more, passed | {"another"})
    assert after[line] <= before.get(line, 0.0) + 1e-12
