"""What a check ends in, as text that is bounded and safe to make."""

from __future__ import annotations

import json
from typing import Any

import pytest

from regreen.sandbox.guest.runner.checks import results
from regreen.sandbox.guest.runner.checks.assertions import AssertionRecorder
from regreen.sandbox.guest.wire.connection import MESSAGE_BYTES


class Hostile:
    """Raises whatever is asked of it."""

    def __repr__(self) -> str:
        raise ValueError("no")

    __str__ = __repr__


ring: list[Any] = []
ring.append(ring)


ODD = (Hostile(), [Hostile()], ring, "x" * 100_000, 10**10_000, list(range(10_000)), {1: ring})


@pytest.mark.parametrize("number", range(len(ODD)))
def test_any_value_can_be_shown(number: int) -> None:
    """Briefly, and without an exception."""
    assert len(results.show(ODD[number])) <= results.MOST_CHARACTERS + 1


def test_a_failure_shows_both_sides() -> None:
    """In the words of its sign."""
    recorder = AssertionRecorder()
    recorder.compare("<", 3, 2)
    assert results.failed_result(AssertionError("why"), recorder) == {
        "outcome": "failed",
        "detail": "why",
        "actual": "3",
        "expected": "< 2",
    }
    recorder.truth(0)
    assert results.failed_result(AssertionError(), recorder)["expected"] == "a true value"


def test_an_exception_in_the_program_names_its_innermost_line() -> None:
    """One in the check names none."""
    assert results.raised_result("E", "m", [3, 7], inside=True)["detail"] == "E: m (line 7)"
    assert results.raised_result("E", "", [3, 7], inside=False) == {"outcome": "raised", "detail": "E", "lines": []}


def test_a_message_that_cannot_be_read_is_the_name_of_its_type() -> None:
    """A hostile `__str__` is not worth a crash."""

    class Bad(Exception):
        __str__ = Hostile.__str__

    assert results.message_of(Bad()) == "Bad"


def test_results_of_very_many_checks_fit_into_one_message() -> None:
    """The text of each gets shorter, and no result is lost."""
    raised = results.raised_result("E", "\U0001f600" * 5_000, [7] * 1_000, inside=True)
    few, many = ({f"check-{n}": raised for n in range(count)} for count in (3, 20_000))
    assert results.short_enough(few) == few
    told = results.short_enough(many)
    assert told.keys() == many.keys()
    assert {result["outcome"] for result in told.values()} == {"raised"}
    assert len(json.dumps(told)) < MESSAGE_BYTES
