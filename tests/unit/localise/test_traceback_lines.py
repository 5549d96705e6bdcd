"""Suspicion from tracebacks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.localise.traceback import innermost, recursing_lines, traceback_lines
from regreen.types import CheckResult, Outcome

REPEATS = 20


def test_the_innermost_frame_weighs_most() -> None:
    """Each caller weighs half of what it called."""
    assert traceback_lines({"a": (3, 8, 5)}) == pytest.approx({5: 1.0, 8: 0.5, 3: 0.25})


def test_weights_are_averaged_over_the_checks_that_raised() -> None:
    """Two checks that raised in different places share the suspicion; those with no frames do not count."""
    assert traceback_lines({"a": (5,), "b": (7,), "c": ()}) == pytest.approx({5: 0.5, 7: 0.5})


def test_checks_that_passed_do_not_count() -> None:
    """An exception that a check asked for is no evidence."""
    assert traceback_lines({"a": (5,), "b": (7,)}, {"b"}) == pytest.approx({5: 1.0})


def test_a_recursion_counts_its_line_once_and_is_noticed() -> None:
    """A thousand equal frames are one place, known to repeat."""
    raised = {"a": (2, *[5] * 1000)}
    assert traceback_lines(raised) == pytest.approx({5: 1.0, 2: 0.5})
    assert recursing_lines(raised) == {5}
    assert recursing_lines({"a": (5,) * (REPEATS - 1)}) == frozenset()


def test_what_was_raised_is_told_by_its_name_alone() -> None:
    """`detail` is the program's own text: only an exception's name is taken from it."""
    raised = {"a": (2, 7), "b": (9,), "c": (4,)}
    results = {
        "a": CheckResult(Outcome.RAISED, detail="ValueError: negative (line 7)"),
        "b": CheckResult(Outcome.RAISED, detail="\x1b[2J gotcha"),
        "c": CheckResult(Outcome.PASSED, detail="KeyError: 1"),
    }
    assert innermost(raised, results) == {7: "ValueError", 9: "an exception"}


@given(st.dictionaries(st.text(max_size=3), st.lists(st.integers(1, 30), max_size=40).map(tuple), max_size=5))
def test_weights_stay_in_bounds_and_name_lines_of_the_stacks(raised: dict[str, tuple[int, ...]]) -> None:
    """Whatever the stacks, each of their lines gets a weight in (0, 1] and no other line does."""
    weights = traceback_lines(raised)
    assert set(weights) == {line for stack in raised.values() for line in stack}
    assert all(0.0 < weight <= 1.0 for weight in weights.values())
