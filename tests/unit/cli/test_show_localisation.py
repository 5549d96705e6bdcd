"""What `regreen explain` shows: the red checks, the suspicious lines with their numbers, and why; nothing raw."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from regreen.cli.show_localisation import localisation_values, show_localisation
from regreen.strategies.localisation import Localisation
from regreen.types import Check, CheckResult, Outcome, Site, Suite, SuiteKind, Task, Verdict

SOURCE = "def top(items):\n    best = 0\n    for item in items:\n\tif item < best: best = item\n    return best\n"
CHECKS = (Check("check-1", "assert top([1]) == 1", 1), Check("check-2", "assert top([]) == 0", 2))
SUITE = Suite(SuiteKind.SCRIPT, "assert top([1]) == 1\nassert top([]) == 0\n", CHECKS, origin="t.py")
WRONG = CheckResult(Outcome.FAILED, "1", "0", test_line=1)
FOUND = Localisation(
    Task("top.py", SOURCE, "top", SUITE),
    Verdict({"check-1": WRONG, "check-2": CheckResult(Outcome.PASSED)}),
    sites=(Site(4, 4, 0.9, "run by the failing check and by no passing one"), Site(2, 2, 0.5, "run by both")),
    suspiciousness={2: 0.7071, 3: 0.7071, 4: 1.0, 5: 0.7071},
)


def shown(found: Localisation, *, full: bool = False, width: int = 100) -> str:
    file = io.StringIO()
    show_localisation(Console(file=file, width=width, markup=False, highlight=False), found, full=full)
    return file.getvalue()


def test_red_checks_suspicious_lines_and_reasons_are_shown() -> None:
    """In the order of a reader's questions: what is red, where to look, why there."""
    assert shown(FOUND).splitlines() == [
        "top.py fails 1 of 2 checks.",
        "Red: expected 1, got 0",
        "     t.py:1: assert top([1]) == 1",
        "",
        "Suspicious lines of top.py (1.00: run by every red check and by no green one; > the likeliest):",
        "  2  0.71      best = 0",
        "  3  0.71      for item in items:",
        "> 4  1.00      if item < best: best = item",
        "  5  0.71      return best",
        "",
        "Line 4: run by the failing check and by no passing one.",
        "Line 2: run by both.",
    ]


def test_lines_that_are_suspected_alike_are_named_together() -> None:
    """Each of the likeliest has its mark, and one reason is told once; what no red check ran is left out."""
    sites = (Site(2, 2, 0.5, "run by all"), Site(5, 5, 0.5, "run by all"), Site(3, 4, 0.2, "a loop"))
    text = shown(replace(FOUND, sites=sites, suspiciousness={2: 0.5, 5: 0.5, 1: 0.0}))
    assert text.count("\n> ") == 2
    assert text.endswith("\nLines 2, 5: run by all.\nLines 3 to 4: a loop.\n")
    assert "def top" not in text


def test_a_long_program_shows_its_most_suspicious_lines() -> None:
    """At most a screen of them, unless all are asked for; gaps are marked."""
    long = replace(
        FOUND,
        task=replace(FOUND.task, source="x = 1\n" * 500),
        sites=(Site(400, 400, 1.0),),
        suspiciousness={line: line / 1000 for line in range(1, 500, 2)},
    )
    few = shown(long).splitlines()
    assert sum("x = 1" in line for line in few) == 30
    assert any(line.startswith("> 400") for line in few)
    assert any(line.strip() == "..." for line in few)
    assert sum("x = 1" in line for line in shown(long, full=True).splitlines()) == 251


def test_a_narrow_terminal_cuts_code_and_nothing_else() -> None:
    """A line of the listing stays one line."""
    wide = replace(FOUND, task=replace(FOUND.task, source=SOURCE.replace("return best", "return best" + " + 0" * 90)))
    lines = shown(wide, width=40).splitlines()
    assert max(map(len, lines)) <= 40
    assert sum(line.lstrip("> ").startswith(("2  ", "3  ", "4  ", "5  ")) for line in lines) == 4


def test_nothing_red_is_said_in_a_line() -> None:
    """There is nothing to suspect."""
    green = Verdict(dict.fromkeys(["check-1", "check-2"], CheckResult(Outcome.PASSED)))
    assert shown(Localisation(FOUND.task, green)) == "Nothing is red: top.py passes all 2 checks.\n"


def test_foreign_words_cannot_steer_the_terminal() -> None:
    """Source, reasons and names are shown, not obeyed."""
    nasty = "\x1b[2J\u202e"
    suite = replace(SUITE, checks=(Check("check-1", nasty),))
    task = replace(FOUND.task, id=nasty, source=f"x = '{nasty}'\n" * 5, suite=suite)
    text = shown(replace(FOUND, task=task, sites=(Site(1, 1, 1.0, nasty),), flaky=(nasty,)))
    assert not set(text) & set("\x1b\u202e")


def test_the_same_is_there_as_data() -> None:
    """Every number and text, for programs that read it."""
    values = json.loads(json.dumps(localisation_values(FOUND)))
    assert values["checks"][0] == {
        "name": "check-1",
        "outcome": "failed",
        "message": "expected 1, got 0",
        "expected": "1",
        "actual": "0",
        "place": "t.py:1",
        "code": "assert top([1]) == 1",
    }
    assert values["checks"][1]["message"] == ""
    assert values["lines"][0] == {"line": 2, "suspiciousness": 0.7071, "code": "    best = 0"}
    assert values["sites"][0]["first_line"] == 4


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_the_command_explains_and_writes_nothing(
    regreen: Callable[..., Any], files: Any, monkeypatch: pytest.MonkeyPatch, form: tuple[str, ...]
) -> None:
    """Status 0 although something is red: it was asked what."""
    asked: list[Task] = []

    def localise_task(task: Task, **more: Any) -> Localisation:
        asked.append(task)
        return FOUND

    monkeypatch.setattr("regreen.strategies.localisation.localise_task", localise_task)
    before = files.program.read_text()
    ran = regreen("explain", files.program, "--tests", files.tests, *form)
    assert (ran.status, ran.err, files.program.read_text()) == (0, "", before)
    assert json.loads(ran.out)["program"] == "top.py" if form else ran.out == shown(FOUND, width=120)
    assert asked[0].id == "adding.py"
