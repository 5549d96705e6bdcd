"""Failures, syntax errors and idle checks in words that a user acts on."""

from __future__ import annotations

import pytest

from regreen.types import Check, CheckResult, Outcome
from regreen.verify.bindings import guess_entry_point
from regreen.verify.check_messages import explain_failure, suspicious_checks
from regreen.verify.python_text import python_problem

CHECK = Check("check-1", "assert f(3) == [1, 2]", 1)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (CheckResult(Outcome.FAILED, "[1, 2]", "[2, 1]"), "expected [1, 2], got [2, 1]."),
        (CheckResult(Outcome.FAILED), "did not hold"),
        (CheckResult(Outcome.FAILED, "", "3"), "got 3."),
        (CheckResult(Outcome.FAILED, detail="no TypeError"), "failed: no TypeError."),
        (CheckResult(Outcome.RAISED, detail="ValueError: negative (line 7)"), "raised ValueError: negative (line 7)."),
        (CheckResult(Outcome.RAISED), "raised an exception."),
        (CheckResult(Outcome.TIMED_OUT, detail="2 s"), "ran longer than its limit (2 s)."),
        (CheckResult(Outcome.OUT_OF_MEMORY), "more memory"),
        (CheckResult(Outcome.OUTPUT_FLOOD), "printed more"),
        (CheckResult(Outcome.CRASHED, detail="signal 11"), "ended before it answered (signal 11)."),
        (CheckResult(Outcome.UNJUDGEABLE, detail="a generator cannot cross"), "cannot be judged"),
    ],
)
def test_each_outcome_is_explained(result: CheckResult, words: str) -> None:
    """The check's text, then what happened."""
    said = explain_failure(CHECK, result)
    assert said.startswith("`assert f(3) == [1, 2]`: ")
    assert words in said


def test_a_passed_check_needs_no_explanation() -> None:
    """And neither does any other outcome go unsaid."""
    assert explain_failure(CHECK, CheckResult(Outcome.PASSED)) == ""
    assert all(explain_failure(CHECK, CheckResult(outcome)) for outcome in Outcome if outcome is not Outcome.PASSED)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def f(x:\n    return x\n", "Line 1, column 6: '(' was never closed."),
        ("def f(x)\n    return x\n", "a colon is missing"),
        ("x = 'abc\n", "unterminated string"),
        ("def f():\nreturn 1\n", "indented block"),
        ("x = 1\0\n", "null byte"),
        ("x = '\ud800'\n", "surrogate"),
        ("def f(a, a):\n    pass\n", "duplicate argument"),
    ],
)
def test_a_syntax_error_is_told_with_line_and_caret(source: str, words: str) -> None:
    """One sentence, the line's own text, and a caret under the place."""
    problem = python_problem(source)
    assert problem is not None
    assert words in problem


def test_the_caret_stands_under_the_place_even_after_tabs() -> None:
    """Tabs before the place are kept in the caret's line."""
    problem = python_problem("def f():\n\tx = (1\n")
    assert problem is not None
    text, caret = problem.split("\n")[1:]
    assert text.index("(") == caret.index("^")


@pytest.mark.parametrize("source", ["", "x = 1\r\n", "\ufeffx = 1\n", "# coding: latin-1\nx = 'é'\n", "'\\d'\n"])
def test_python_is_no_problem(source: str) -> None:
    """Marks, line ends, coding lines and odd escapes are all Python."""
    assert python_problem(source) is None


def test_checks_that_cannot_fail_are_reported() -> None:
    """A tuple is always true; a comparison without `assert` says nothing."""
    said = suspicious_checks("assert (f(1) == 2, 'msg')\nf(1) == 2\nassert 'f works'\nassert f(1) == 2\nassert True\n")
    assert [sentence.split()[1] for sentence in said] == ["1", "2", "3"]
    assert "parentheses" in said[0]
    assert suspicious_checks("assert (") == ()


def test_asserts_whose_failure_is_swallowed_are_reported() -> None:
    """A handler that only prints makes the check pass whatever the program does."""
    swallowed = "try:\n    assert f(1) == 2\nexcept AssertionError:\n    print('no')\n"
    assert "Line 1" in suspicious_checks(swallowed)[0]
    assert suspicious_checks(swallowed.replace("print('no')", "raise SystemExit(1)")) == ()
    assert suspicious_checks("try:\n    f(1)\nexcept ValueError:\n    pass\nelse:\n    assert False\n") == ()


def test_the_entry_point_is_what_the_tests_call_most() -> None:
    """One function is the answer by itself; among several the tests decide."""
    program = "def helper(x):\n    return x\n\ndef main_thing(x):\n    return helper(x)\n"
    assert guess_entry_point("def only():\n    pass\n", "") == "only"
    assert guess_entry_point(program, "assert main_thing(helper(1)) == main_thing(2)") == "main_thing"
    assert guess_entry_point(program, "from prog import main_thing as m\nassert m(1) == m(2)") == "main_thing"
    assert guess_entry_point(program, "import prog\nassert prog.main_thing(1)") == "main_thing"
    assert guess_entry_point(program, "assert 1") is None
    assert guess_entry_point(program, "assert (") is None
    assert guess_entry_point("def f(x)\n    return x\n", "assert f(1)") == "f"
