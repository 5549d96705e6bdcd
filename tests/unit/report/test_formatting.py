"""How numbers are said: with their unit, their sign, and what is not known."""

from __future__ import annotations

import pytest

from regreen.evaluate.metrics import PassAtK
from regreen.report import formatting
from regreen.report.run_statistics import CostSummary

MINUS = "\N{MINUS SIGN}"


def spent(usd: float, unknown: int) -> CostSummary:
    return CostSummary(100, 11, 0, usd, unknown, 1, 1, 1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.5, "0.50 s"), (59.94, "59.9 s"), (120, "2 min 00 s"), (3_599.6, "60 min 00 s"), (7_200, "2 h 00 min")],
)
def test_times_are_said_in_the_unit_that_suits_them(value: float, said: str) -> None:
    """No more digits than mean something."""
    assert formatting.duration_text(value) == said


def test_money_that_is_not_known_is_not_nothing() -> None:
    """All, some or none of it."""
    assert formatting.money_text(spent(0.0, 3), 3) == "unknown"
    assert formatting.money_text(spent(1.5, 1), 3) == "$1.50, unknown for 1 sample"
    assert formatting.money_text(spent(0.0123, 0), 3) == "$0.0123"
    assert formatting.money_text(spent(0.0, 0), 0) == "$0.00"


def test_differences_have_a_sign() -> None:
    """A minus that is as wide as a plus; none for nothing."""
    assert formatting.points(0.091) == "+9.1"
    assert formatting.points(-0.5) == f"{MINUS}50.0"
    assert formatting.signed(-1234, "{:,}") == f"{MINUS}1,234"
    assert formatting.signed(0, "${:.2f}") == "$0.00"


@pytest.mark.parametrize(
    ("p", "said"), [(1.0, "p = 1.00"), (0.19, "p = 0.19"), (0.0312, "p = 0.031"), (0, "p < 0.0001")]
)
def test_probabilities_are_said_with_two_digits(p: float, said: str) -> None:
    """Small ones as a bound."""
    assert formatting.p_value_text(p) == said


def test_many_ks_are_told_by_landmarks() -> None:
    """Every k up to 10; beyond, round ones and the last."""
    passes = [PassAtK(k, 1, 1.0, 1.0, 1.0, "wilson") for k in range(1, 25)]
    assert [one.k for one in formatting.shown_passes(passes[:10])] == list(range(1, 11))
    assert [one.k for one in formatting.shown_passes(passes)] == [1, 2, 5, 10, 20, 24]
