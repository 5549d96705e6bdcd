"""Further checks are written in the manner of the tests that they join."""

from __future__ import annotations

from dataclasses import replace

import pytest

from regreen.types import Project, Suite, SuiteKind, Task
from regreen.verify.added_checks import suite_with_checks, with_checks
from regreen.verify.doctests import read_doctests
from regreen.verify.suites import read_suite

PROGRAM = 'def f(xs):\n    """How many.\n\n    >>> f([1])\n    1\n    """\n    return len(xs)\n'
TESTS = "from program import f\n\n\ndef test_answered_1():\n    assert f([2]) == 2\n"
ANSWER = "assert f([]) == 0\n"


def test_a_file_of_test_functions_gets_another_one() -> None:
    """With a name that is not taken."""
    found = with_checks(TESTS, ["x = []\nassert f(x) == 0\n"])
    assert found == TESTS + "\n\ndef test_answered_2():\n    x = []\n    assert f(x) == 0\n"


def test_a_script_of_assertions_gets_another_line() -> None:
    """Also where its last line has no end."""
    assert with_checks("assert f([1]) == 1", ["assert f([]) == 0\n"]) == "assert f([1]) == 1\nassert f([]) == 0\n"


def task(suite: Suite) -> Task:
    """A task with these checks."""
    return Task("f", PROGRAM, "f", suite)


def read(text: str) -> Suite:
    """The suite of a text of tests."""
    return read_suite(text, program=PROGRAM, module="program", entry_point="f", origin="tests.py")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("assert f([1]) == 1\n", SuiteKind.SCRIPT),
        (TESTS, SuiteKind.MODULE),
        (f"import pytest\n{TESTS}", SuiteKind.PYTEST),
    ],
)
def test_a_suite_with_a_further_check_is_of_the_same_kind(text: str, kind: SuiteKind) -> None:
    """Scripts, test functions and tests for pytest, whose checks nobody knows before they are collected."""
    given = read(text)
    more = suite_with_checks(task(given), [ANSWER])
    assert more is not None
    assert (given.kind, more.kind, more.origin) == (kind, kind, "tests.py")
    assert ANSWER.strip() in more.source
    assert kind is SuiteKind.PYTEST or len(more.checks) == len(given.checks) + 1


def test_what_is_no_test_in_python_gets_no_further_check() -> None:
    """Nor do the tests of a project, and nothing is added that is no statement."""
    doctests = read_doctests(PROGRAM, module="f", entry_point="f")
    assert doctests is not None
    assert suite_with_checks(task(doctests), [ANSWER]) is None
    plain = read("assert f([1]) == 1\n")
    assert suite_with_checks(task(replace(plain, project=Project("/p", {}, "f.py"))), [ANSWER]) is None
    assert suite_with_checks(task(plain), ["assert f( ==\n"]) is None
