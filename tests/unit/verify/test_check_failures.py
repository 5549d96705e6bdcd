"""A red check as a user reads of it: by name and failing line, its values whole or where they differ."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.types import Check, CheckResult, Outcome, Suite, SuiteKind, Verdict
from regreen.verify.check_failures import CheckFailure, check_failures, differing_parts, result_in_words

TESTS = """\
from shop import total

def test_total():
    cart = [1, 2]
    assert total(cart) == 3
    assert total(
        []) == 0
"""
WHOLE = "def test_total():\n    cart = [1, 2]\n    assert total(cart) == 3\n    assert total(\n        []) == 0"
MODULE = Suite(SuiteKind.MODULE, TESTS, (Check("test_total", WHOLE, 3),), origin="test_shop.py")
WRONG = CheckResult(Outcome.FAILED, "3", "2", test_line=5)
LONG = CheckResult(Outcome.FAILED, detail="Lists differ: [1] != [2]\n\nFirst differing element 0:\n1\n2", test_line=5)


def failure(suite: Suite, result: CheckResult, check: str = "test_total") -> CheckFailure:
    (found,) = check_failures(suite, Verdict({check: result, "other": CheckResult(Outcome.PASSED)}))
    return found


def test_a_headline_is_the_first_line_of_what_came() -> None:
    """unittest goes on for many lines, of which a list of tests shows none."""
    told = failure(MODULE, LONG)
    assert told.headline == "test_total failed: Lists differ: [1] != [2]"
    assert told.sentence.endswith("1\n2")
    assert failure(MODULE, WRONG).headline == "test_total expected 3, got 2"


def test_a_test_function_is_quoted_by_its_name_and_failing_line() -> None:
    """The line that failed, not the whole body flattened into one line."""
    told = failure(MODULE, WRONG)
    assert (told.sentence, told.place, told.code) == (
        "test_total expected 3, got 2",
        "test_shop.py:5",
        "assert total(cart) == 3",
    )


def test_a_statement_over_several_lines_says_that_it_goes_on() -> None:
    """Only its first line is quoted."""
    assert failure(MODULE, replace(WRONG, test_line=6)).code == "assert total( ..."


@pytest.mark.parametrize("line", [None, 9_999])
def test_an_unknown_line_is_that_of_the_test(line: int | None) -> None:
    """What cannot be placed is not invented: the head of the test stands for it."""
    told = failure(MODULE, replace(WRONG, test_line=line))
    assert (told.place, told.code) == ("test_shop.py:3", "def test_total():")


def test_a_check_that_only_pytest_knows_has_a_place_where_it_failed() -> None:
    """Parametrised tests are collected in the sandbox; their line comes with the result."""
    suite = replace(MODULE, kind=SuiteKind.PYTEST, checks=())
    told = failure(suite, WRONG, "test_total[a]")
    assert (told.name, told.place, told.code) == ("test_total[a]", "test_shop.py:5", "assert total(cart) == 3")
    assert failure(suite, CheckResult(Outcome.CRASHED), "test_total[a]").place == ""


def test_a_statement_has_a_place_and_no_invented_name() -> None:
    """The name "check-1" is ours, and says nothing to whoever wrote the assert."""
    suite = Suite(
        SuiteKind.SCRIPT, "x = 1\nassert f(x) == 3\n", (Check("check-1", "assert f(x) == 3", 2),), origin="t.py"
    )
    told = failure(suite, replace(WRONG, test_line=2), "check-1")
    assert (told.sentence, told.place, told.code) == ("expected 3, got 2", "t.py:2", "assert f(x) == 3")


def test_cases_of_data_and_examples_are_quoted_as_they_are_asked() -> None:
    """A row as the call that it stands for, a row for an exception as it is; an example by its prompt."""
    raising = '{"args": [], "raises": "KeyError"}'
    checks = (Check("case-1", "assert f(1) == 3", 1), Check("case-2", "try:\n    f()\nexcept KeyError:\n    pass", 2))
    rows = Suite(SuiteKind.SCRIPT, f'{{"args": [1], "expected": 3}}\n{raising}\n', checks, origin="c.jsonl")
    told = check_failures(rows, Verdict({"case-1": WRONG, "case-2": WRONG}))
    assert [(one.place, one.code) for one in told] == [("c.jsonl:1", "assert f(1) == 3"), ("c.jsonl:2", raising)]
    program = 'def f():\n    """\n    >>> f()\n    3\n    """\n'
    doc = Suite(SuiteKind.SCRIPT, program, (Check("doc-f-1", ">>> f()\n3", 3),), origin="<docstrings>")
    told_doc = failure(doc, replace(WRONG, test_line=None), "doc-f-1")
    assert (told_doc.place, told_doc.code) == ("line 3", ">>> f()")


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (CheckResult(Outcome.FAILED, "3", "2"), "expected 3, got 2"),
        (CheckResult(Outcome.FAILED, "", "2"), "got 2"),
        (CheckResult(Outcome.FAILED), "did not hold"),
        (CheckResult(Outcome.FAILED, "3", "2", "the sum"), "expected 3, got 2 (the sum)"),
        (CheckResult(Outcome.FAILED, detail="DID NOT RAISE"), "failed: DID NOT RAISE"),
        (CheckResult(Outcome.RAISED, detail="KeyError: 1 (line 7)"), "raised KeyError: 1, in line 7 of the program"),
        (CheckResult(Outcome.RAISED, detail="E: (line 7) x"), "raised E: (line 7) x"),
        (CheckResult(Outcome.RAISED), "raised an exception"),
        (CheckResult(Outcome.TIMED_OUT, detail="ran longer than 2 s"), "ran longer than 2 s"),
        (CheckResult(Outcome.TIMED_OUT, detail="no time was left"), "ran longer than it may (no time was left)"),
        (
            CheckResult(Outcome.FAILED, "[1, ...]", "[1, ...]"),
            "expected [1, ...], got another value that differs in what is left out here",
        ),
        (CheckResult(Outcome.TIMED_OUT, detail="2 s"), "ran longer than it may (2 s)"),
    ],
)
def test_what_came_of_a_check_ends_a_sentence(result: CheckResult, words: str) -> None:
    """Every outcome has words, and says whose lines it means."""
    assert result_in_words(result) == words


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_has_words(outcome: Outcome) -> None:
    """None is left out of the table."""
    assert result_in_words(CheckResult(outcome))


def test_the_message_of_an_exception_is_never_cut() -> None:
    """The essential error stands whole, however long."""
    long = "ModuleNotFoundError: No module named " + "x" * 900
    assert result_in_words(CheckResult(Outcome.RAISED, detail=long)) == f"raised {long}"


@given(st.text(max_size=400), st.text(max_size=400), st.text(max_size=400), st.integers(30, 60))
def test_long_values_are_shown_where_they_differ(same: str, one: str, two: str, most: int) -> None:
    """Both are short, and differ wherever the values do."""
    expected, actual = same + one, same + two
    shown = differing_parts(expected, actual, most)
    assert max(map(len, shown)) <= most + 2
    assert (shown[0] == shown[1]) <= (expected == actual)
