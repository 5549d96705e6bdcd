"""What models are told of programs and checks."""

from __future__ import annotations

import pytest

from regreen.strategies.feedback import CHECKS, report
from regreen.strategies.prompt_values import definition_text, definitions, first_failure, shown_program, unit
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


def test_a_definition_is_shown_with_its_decorators() -> None:
    """And nothing else of the module."""
    text = definition_text(SOURCE, "area")
    assert text.startswith("@functools.cache\ndef area")
    assert text.endswith("return a + b")
    assert definition_text(SOURCE, "Box.volume") == "    def volume(self):\n        return 1"


@pytest.mark.parametrize("name", [None, "nobody"])
def test_without_a_definition_the_whole_source_is_shown(name: str | None) -> None:
    """Nothing is left out for want of a name."""
    assert definition_text(SOURCE, name) == SOURCE


def test_what_is_no_python_has_no_definitions() -> None:
    """And is shown as it is."""
    assert definitions("def f(:") == {}
    assert definition_text("def f(:", "f") == "def f(:"


def test_a_long_program_is_shown_by_the_definition_in_question() -> None:
    """Its imports are for the model to trust."""
    long = SOURCE + "\n".join(f"x{i} = {i}" for i in range(4000))
    assert shown_program(task(), SOURCE) == SOURCE
    assert shown_program(task(long), long).startswith("@functools.cache")


def test_what_is_asked_for_follows_from_the_entry_point() -> None:
    """One definition where it is known, else the program."""
    assert unit(task()) == "the complete definition of `area`"
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
    results = {f"c{i}": CheckResult(Outcome.FAILED, "1", "2") for i in range(CHECKS + 3)}
    told = report(task(), Verdict(results))
    assert told.startswith(f"0 of {CHECKS + 3} checks pass.")
    assert told.endswith("... and 3 more fail.")
    assert report(task(), Verdict({"c": CheckResult(Outcome.PASSED)})) == "The one check passes."
