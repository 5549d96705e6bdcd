"""Compiling for another process."""

from __future__ import annotations

import warnings
from types import CodeType

import pytest

from regreen.sandbox.guest.runner.program_loading.precompile import precompiled

LONGEST_TEXT = 65_536


def test_a_program_becomes_its_code() -> None:
    """Under its own file name, and without having run."""
    code = precompiled("raise SystemExit\n", "<program>")
    assert isinstance(code, CodeType)
    assert code.co_filename == "<program>"


ODD = {
    "no Python": "def f(:\n",
    "a warning": "x = '\\d'\nassert (1, 'always')\n",
    "a null byte": "x = 1\0",
    "too deep": "x = " + "-" * 20_000 + "1",
    "too long": "#" * (LONGEST_TEXT + 1),
    "a surrogate": "x = '\ud800'",
}


@pytest.mark.parametrize("odd", ODD)
def test_what_is_not_in_order_is_left_as_text(odd: str) -> None:
    """The process that runs it says so in its own words, and nothing is said here."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert precompiled(ODD[odd], "<program>") is None
    assert said == []


@pytest.mark.parametrize("expression", ["{1, 1.5, 3}", "x in {9, 1}", "[y for y in {9, 1}]", "lambda: {9, 2, 1}"])
def test_what_has_sets_written_out_is_compiled_where_it_runs(expression: str) -> None:
    """Marshal sorts them, and their elements share places."""
    assert precompiled(f"def f(x):\n    return {expression}\n", "<program>") is None
    assert precompiled("def f(x):\n    return {1: 2}, {x, x}, {9}\n", "<program>") is not None
