"""Our statistics and those of scipy and statsmodels: the same numbers."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.evaluate.metrics import task_intervals, wilson
from regreen.evaluate.paired import Pairing, mcnemar, pass_rate_difference
from regreen.evaluate.records import SampleKey


def keys(prefix: str, count: int) -> tuple[SampleKey, ...]:
    return tuple((f"{prefix}{number}", 0) for number in range(count))


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_agrees_with_scipy(gained: int, lost: int) -> None:
    """It is the binomial test of a fair coin over the pairs that differ."""
    stats = pytest.importorskip("scipy.stats")
    expected = stats.binomtest(gained, gained + lost, 0.5).pvalue if gained + lost else 1.0
    assert mcnemar(gained, lost) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("gained", "lost"), [(14, 7), (9, 1), (3, 3), (25, 6), (0, 5)])
def test_mcnemar_agrees_with_statsmodels(gained: int, lost: int) -> None:
    """The same table, the exact variant of the test."""
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    table = [[11, lost], [gained, 5]]
    assert mcnemar(gained, lost) == pytest.approx(tables.mcnemar(table, exact=True).pvalue, rel=1e-9)


def test_its_interval_agrees_with_scipy_s_bootstrap() -> None:
    """Percentile intervals of the same paired differences, up to the luck of the draws."""
    stats, numpy = pytest.importorskip("scipy.stats"), pytest.importorskip("numpy")
    pairing = Pairing(keys("b", 43), keys("g", 14), keys("l", 7), keys("n", 13))
    found = pass_rate_difference(pairing, rng=random.Random(1), rounds=4_000)
    assert found is not None
    gains = numpy.array([1] * 14 + [-1] * 7 + [0] * 56)
    theirs = stats.bootstrap((gains,), numpy.mean, method="percentile", n_resamples=4_000, rng=1)
    low, high = theirs.confidence_interval
    assert (found.low, found.high) == (pytest.approx(low, abs=0.015), pytest.approx(high, abs=0.015))


def test_a_bootstrapped_interval_agrees_with_scipy() -> None:
    """Percentile intervals, up to the luck of the draws."""
    stats, numpy = pytest.importorskip("scipy.stats"), pytest.importorskip("numpy")
    values = [random.Random(number).choice((0, 0.1, 0.5, 0.9, 1.0)) for number in range(164)]
    ((low, high),) = task_intervals([(value,) for value in values], rng=random.Random(0), rounds=4_000)
    theirs = stats.bootstrap((values,), numpy.mean, method="percentile", n_resamples=4_000, rng=0).confidence_interval
    assert (low, high) == (pytest.approx(theirs.low, abs=0.006), pytest.approx(theirs.high, abs=0.006))


@given(st.integers(1, 400), st.data())
def test_wilsons_interval_agrees_with_statsmodels(total: int, data: st.DataObject) -> None:
    """The score interval without a correction for continuity."""
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    successes = data.draw(st.integers(0, total))
    expected = proportion.proportion_confint(successes, total, method="wilson")
    assert wilson(successes, total) == pytest.approx(expected, abs=1e-9)
