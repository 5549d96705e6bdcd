"""What passes since it says the answers of the checks by heart."""

from __future__ import annotations

import pytest

from regreen.select.handed_over import says_answer_by_heart

GIVEN = "def seal(text):\n    return digest('text') if text else None\n"
CHECKS = "assert seal('Hello') == '3e25960a79db'\nassert seal('') is None\n"


@pytest.mark.parametrize(
    "after",
    [
        "def seal(text):\n    return '3e25960a79db'\n",
        GIVEN.replace("    return", "    if len(text) > 1:\n        return '3e25960a79db'\n    return"),
    ],
)
def test_the_one_answer_that_a_check_expects_is_no_repair(after):
    assert says_answer_by_heart(GIVEN, after, CHECKS)


def test_a_computed_answer_is_one():
    assert not says_answer_by_heart(GIVEN, GIVEN.replace("'text'", "text"), CHECKS)


def test_what_the_statement_or_several_checks_say_may_be_returned():
    after = GIVEN.replace("    return", "    if not text:\n        return 'no text at all'\n    return")
    checks = "assert seal('') == 'no text at all'\n"
    assert says_answer_by_heart(GIVEN, after, checks)
    assert not says_answer_by_heart(GIVEN, after, checks, "Give `no text at all` for an empty one.")
    assert not says_answer_by_heart(GIVEN, after, checks + "assert seal(None) == 'no text at all'\n")


def test_a_misspelt_answer_and_a_small_one_may_be_mended():
    given = "def f(x):\n    if x < 0:\n        return 'negatve number'\n    return x\n"
    assert not says_answer_by_heart(given, given.replace("negatve", "negative"), "assert f(-1) == 'negative number'\n")
    small = "def f(x):\n    return x\n"
    assert not says_answer_by_heart(small, "def f(x):\n    if x < 0:\n        return -1\n    return x\n", "f(-3) == -1")
    assert not says_answer_by_heart(small, "def f(", "f(1) == 'a long answer'")


def test_a_literal_that_is_not_written_as_its_value_is_no_answer():
    given = "def f(x):\n    return x\n"
    after = "def f(x):\n    if x:\n        return 1e999\n    return x\n"
    assert not says_answer_by_heart(given, after, "assert f(1) == 1e999\n")
