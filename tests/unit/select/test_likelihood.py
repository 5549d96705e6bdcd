"""How much red checks ask for."""

from __future__ import annotations

import pytest

from regreen.select.likelihood import asked_bits
from regreen.types import CheckResult, Outcome


def failed(expected: str = "", detail: str = "") -> CheckResult:
    """A red check that asked for a value."""
    return CheckResult(Outcome.FAILED, expected, "0", detail)


@pytest.mark.parametrize("expected", ["True", "None", "[]", "''"])
def test_what_any_other_behaviour_comes_upon_is_one_bit(expected: str) -> None:
    """A condition that is right by chance gives it."""
    assert asked_bits([failed(expected)]) == 1


def test_an_exception_is_one_bit() -> None:
    """Whether it was raised or missed: there or not there."""
    raised = CheckResult(Outcome.RAISED, detail="KeyError: 'a'")
    assert asked_bits([raised]) == asked_bits([failed(detail="DID NOT RAISE ValueError")]) == 1


def test_longer_answers_ask_for_more_and_several_for_their_sum() -> None:
    """Up to a bound: most of a long text stood in the answer before."""
    short, long = asked_bits([failed("12")]), asked_bits([failed("[1, 2, 3]")])
    assert 1 < short < long <= 6
    assert asked_bits([failed("'" + "x" * 1000 + "'")]) == 6
    assert asked_bits([failed("12"), failed("[1, 2, 3]")]) == pytest.approx(short + long)
    assert asked_bits([]) == 1


def test_what_unittest_says_of_two_values_is_read() -> None:
    """It names no expected one; the shorter counts."""
    assert asked_bits([failed(detail="6 != 1234567")]) == asked_bits([failed("6")])
    assert asked_bits([failed(detail="Lists differ: [1, 2] != [1]")]) == asked_bits([failed("[1]")])
