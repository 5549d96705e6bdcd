"""What models are told of programs and checks."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from regreen.strategies.agents.program_view import with_line_numbers
from regreen.strategies.agents.prompt_values import (
    checks_report,
    first_failure,
    shown_numbered,
    shown_program,
    unit,
)
from regreen.types import Check, CheckResult, Outcome, Suite, SuiteKind, Task, Verdict

SOURCE = '''import functools

LIMIT = 3


@functools.cache
def area(a, b):
    """Area."""
    return a + b


class Box:
    def volume(self):
        return 1
'''


def task(source: str = SOURCE, entry_point: str | None = "area") -> Task:
    """A task with two checks."""
    checks = (Check("one", "assert area(2, 3) == 6"), Check("two", "assert area(1, 1) == 1"))
    return Task("t", source, entry_point, Suite(SuiteKind.SCRIPT, "", checks))


def test_a_long_program_is_shown_by_the_definition_in_question() -> None:
    """And what it uses; a short one as a whole."""
    long = SOURCE + "\n".join(f"x{i} = {i}" for i in range(4000))
    assert shown_program(task(), SOURCE) == SOURCE
    shown = shown_program(task(long), long)
    assert shown.startswith("import functools\n")
    assert "@functools.cache\ndef area" in shown
    assert "x7 = 7" not in shown
    assert shown.endswith("lines 10 to 4014 are not shown]")
    assert shown_program(task(), SOURCE, longest=len(SOURCE) - 1) != SOURCE


def test_what_is_asked_for_follows_from_the_entry_point() -> None:
    """One definition where it is known, else the program."""
    assert unit(task()) == "the complete definition of `area`"
    helped = "def half(x):\n    return x / 2\n\n\ndef area(a, b):\n    return half(a) * b\n"
    assert unit(task(helped)) == "the complete definition of `area` (and of any other function that has to change)"
    assert unit(task(entry_point=None)) == unit(task(entry_point="gone")) == "the complete program"


def test_the_first_failure_is_told_by_the_checks_own_text() -> None:
    """Expected against actual; nothing where all pass."""
    passed, failed = CheckResult(Outcome.PASSED), CheckResult(Outcome.FAILED, "1", "2")
    assert first_failure(task(), Verdict({"one": passed, "two": failed})) == (
        "`assert area(1, 1) == 1`: expected 1, got 2."
    )
    assert first_failure(task(), Verdict({"one": passed})) == ""


def test_a_report_counts_what_it_does_not_tell() -> None:
    """So that many failures do not fill the context."""
    results = {f"c{i}": CheckResult(Outcome.FAILED, "1", "2") for i in range(11)}
    told = checks_report(task(), Verdict(results))
    assert told.startswith("0 of 11 checks pass.")
    assert told.endswith("... and 3 more fail.")
    assert checks_report(task(), Verdict({"c": CheckResult(Outcome.PASSED)})) == "The one check passes."


def test_a_program_is_shown_with_line_numbers_and_a_long_one_by_its_definition() -> None:
    """The numbers are those of the whole program, so that edits fit it."""
    definition = "@cached\ndef f(x):\n    return x"
    filler = "# filler\n" * 20_000
    short, long = f"A = 1\n{definition}\n", f"A = 1\n{filler}{definition}\n\n\nB = 2\n"
    given_task = Task("t", "", "f", Suite(SuiteKind.SCRIPT, "", ()))
    assert shown_numbered(given_task, short) == "1| A = 1\n2| @cached\n3| def f(x):\n4|     return x"
    shown = shown_numbered(given_task, long).split("\n")
    assert with_line_numbers(definition, 20_002) in "\n".join(shown)
    assert shown[0] == "# [lines 1 to 20001 are not shown]"


ONE_CHECK = Task("t", "", None, Suite(SuiteKind.SCRIPT, "", (Check("c", "assert f() == 1"),)))
FENCE = re.compile(r"^`{3,}$", re.MULTILINE)


def test_each_failing_check_is_told_and_what_was_printed() -> None:
    """Expected against actual, in a fence; the program's output in another."""
    verdict = Verdict({"c": CheckResult(Outcome.FAILED, "1", "2")}, stdout="hello\n")
    assert checks_report(ONE_CHECK, verdict).split("\n") == [
        "0 of 1 checks pass.",
        "```",
        "`assert f() == 1`: expected 1, got 2.",
        "```",
        "It printed:",
        "```",
        "hello",
        "```",
    ]


@given(st.text("`ab\n:", max_size=40), st.text("`ab\n", max_size=40), st.integers(1, 400))
def test_no_output_and_no_error_leaves_its_fence(printed: str, raised: str, times: int) -> None:
    """However long it is and wherever it is cut: what opens a fence closes it."""
    results = {f"c{n}": CheckResult(Outcome.RAISED, detail=raised * times) for n in range(9)}
    told = checks_report(ONE_CHECK, Verdict(results, stdout=printed * times))
    fences, inside = FENCE.findall(told), ""
    for line in told.split("\n"):
        if inside:
            inside = "" if line == inside else inside
        elif line.startswith("```"):
            inside = line
        else:
            assert line in ("0 of 9 checks pass.", "... and 1 more fail.", "It printed:"), line
    assert not inside
    assert len(fences) >= 2
    assert len(told) < 8_400
