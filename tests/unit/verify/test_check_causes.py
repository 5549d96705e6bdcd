"""What two traces tell of the cause of a red check."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from regreen.types import CheckResult, Outcome, Project, Suite, SuiteKind
from regreen.verify.check_causes import check_causes, is_unconditional, neighbours
from regreen.verify.hollow_program import REFUSING_LINE, hollow_program
from regreen.verify.raised_errors import RaisedError, TracebackFrame
from regreen.verify.screening import ProgramTrace

SUITE = Suite(
    SuiteKind.MODULE, "import os\n\ndef test_a():\n    os.environ['A']\n", (), module="prog", origin="test_a.py"
)
WRONG = CheckResult(Outcome.FAILED, expected="3", actual="2")
NOTHING_RUN = ProgramTrace({"test_a": WRONG}, {"test_a": frozenset()}, {}, {})


def is_independent(traced: ProgramTrace, hollow: ProgramTrace | None) -> bool:
    """Whether the red check is said to end so whatever the program says."""
    (cause,) = check_causes(SUITE, {"test_a": WRONG}, {}, traced, hollow)
    return cause.is_independent


def test_a_check_that_runs_nothing_and_ends_alike_on_a_hollow_program_is_independent() -> None:
    """No change of the program can reach it."""
    assert is_independent(NOTHING_RUN, NOTHING_RUN)


DEPENDENT = {
    "it runs a line of the program": (replace(NOTHING_RUN, coverage={"test_a": frozenset({2})}), NOTHING_RUN),
    "it passes on the hollow program": (
        NOTHING_RUN,
        replace(NOTHING_RUN, results={"test_a": CheckResult(Outcome.PASSED)}),
    ),
    "it ends otherwise on the hollow program": (
        NOTHING_RUN,
        replace(NOTHING_RUN, results={"test_a": replace(WRONG, actual="4")}),
    ),
    "it uses the hollow program, and swallows that it is refused": (
        NOTHING_RUN,
        replace(NOTHING_RUN, coverage={"test_a": frozenset({REFUSING_LINE})}),
    ),
    "the tests use the hollow program while they load": (
        NOTHING_RUN,
        replace(NOTHING_RUN, loading=frozenset({REFUSING_LINE})),
    ),
    "the trace ends otherwise than the verdict, out of time": (
        *(replace(NOTHING_RUN, results={"test_a": CheckResult(Outcome.TIMED_OUT)}),) * 2,
    ),
    "there is no hollow program to compare with": (NOTHING_RUN, None),
}


@pytest.mark.parametrize("why", DEPENDENT)
def test_a_check_is_not_independent_where(why: str) -> None:
    """A change of the program may turn it green."""
    assert not is_independent(*DEPENDENT[why])


def test_what_the_tests_met_while_they_were_prepared_explains_the_names_that_they_miss() -> None:
    """The import that failed is the cause, not the NameError after it."""
    missing = RaisedError("ModuleNotFoundError", "No module named 'x'", name="x")
    traced = replace(NOTHING_RUN, errors={"": (missing,), "test_a": (RaisedError("NameError", "x"),)})
    (cause,) = check_causes(SUITE, {"test_a": WRONG}, {}, traced, None)
    assert cause.errors == (missing,)


def test_errors_of_a_trace_that_ends_otherwise_than_the_verdict_explain_nothing() -> None:
    """What ran out of time under the tracer may have been in the middle of anything."""
    missing = RaisedError("FileNotFoundError", "", file="cache.gz")
    ended = replace(NOTHING_RUN, results={"test_a": CheckResult(Outcome.TIMED_OUT)}, errors={"test_a": (missing,)})
    (cause,) = check_causes(SUITE, {"test_a": WRONG}, {}, ended, None)
    assert cause.errors == ()


def test_checks_that_the_trace_has_green_have_no_cause() -> None:
    """What fails behind the wall alone is not told of the tests."""
    traced = replace(NOTHING_RUN, results={"test_a": CheckResult(Outcome.PASSED)})
    assert not list(check_causes(SUITE, {"test_a": WRONG}, {}, traced, None))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = open('a')", True),
        ("assert f(1) == open('a')", True),
        ("with open('a') as file:\n    if file:\n        pass", True),
        ("try:\n    x = open('a')\nfinally:\n    pass", True),
        ("if f(1):\n    x = open('a')", False),
        ("for x in f(1):\n    x = open('a')", False),
        ("while f(1):\n    x = open('a')", False),
        ("x = f(1) or open('a')", False),
        ("x = open('a') if f(1) else None", False),
        ("x = [open('a') for _ in f(1)]", False),
        ("try:\n    f(1)\nexcept ValueError:\n    x = open('a')", False),
    ],
)
def test_what_is_run_whatever_the_program_answers_is_told_from_what_is_not(text: str, expected: bool) -> None:
    """The program decides about branches, loops and what comes after `or`."""
    lines = [f"    {line}" for line in text.split("\n")]
    body = "\n".join(["def test_a():", "    f(0)", *lines])
    assert is_unconditional(body, next(n for n, line in enumerate(body.split("\n"), 1) if "open" in line)) is expected


def test_only_places_of_the_tests_own_text_are_unconditional() -> None:
    """A traceback through the program, or through another module, depends on what these do."""
    own, library = TracebackFrame("test_a.py", 4, "test_a"), TracebackFrame("<frozen os>", 679, "__getitem__")
    for frames, expected in (
        ((own, library), True),
        ((own, TracebackFrame("<prog>", 4, "f")), False),
        ((library,), False),
    ):
        traced = replace(NOTHING_RUN, errors={"test_a": (RaisedError("KeyError", "", frames=frames),)})
        (cause,) = check_causes(SUITE, {"test_a": WRONG}, {}, traced, None)
        assert cause.is_unconditional is expected


def test_tests_are_no_neighbours_of_the_program() -> None:
    """An error that a test itself raises is not told as that of another file."""
    files = {
        "a.py": b"",
        "lib/b.py": b"",
        "tests/test_a.py": b"",
        "conftest.py": b"",
        "tests/a_test.py": b"",
        "a.csv": b"",
    }
    project = Project("/home/me/shop", files, "prices.py")
    assert neighbours(replace(SUITE, project=project), {"c.py": ""}) == {"a.py", "lib/b.py", "c.py"}
    assert neighbours(SUITE, {"c.py": ""}) == {"c.py"}


PROGRAM = "import re\nfrom math import pi\nRATE = 2\n__all__ = ['f']\n\ndef f():\n    pass\n\nclass C:\n    X = 1\n"


def test_a_hollow_program_has_the_names_and_refuses_every_use() -> None:
    """Calls, attributes, arithmetic, comparison: each runs the same line."""
    text = hollow_program(PROGRAM)
    assert {"re", "pi", "RATE", "f", "C"} <= {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
    assert "raise _Untouchable" in text.split("\n")[REFUSING_LINE - 1]
    assert "__all__ =" not in text
