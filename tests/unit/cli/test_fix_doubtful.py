"""`regreen fix` where a repair is doubtful: what is said first, what is asked, and what is not written."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from regreen.cli import console
from regreen.types import Alternative, Candidate, PossibleAnswer, Question

BUGGY = "def add(a, b):\n    return a - b  # the sum\n"
RIGHT = "def add(a, b):\n    return a + b  # the sum\n"
OTHER = "def add(a, b):\n    return a * 3  # the sum\n"
QUESTION = Question(
    "add(2, 2)",
    (
        PossibleAnswer("4", "assert add(2, 2) == 4\n", 0.6),
        PossibleAnswer("raises ValueError", "try:\n    add(2, 2)\nexcept ValueError:\n    pass\n", 0.4),
    ),
)
Command = Callable[..., Any]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes the standard streams a terminal at which these lines are typed."""

    def type_lines(lines: str) -> None:
        keyboard = io.StringIO(lines)
        monkeypatch.setattr(keyboard, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", keyboard)
        monkeypatch.setattr(console.PipeSafeConsole, "is_terminal", True)

    return type_lines


def test_doubt_comes_first_and_trust_is_told_too(regreen: Command, search: Any, files: Any) -> None:
    """How likely a repair is to be right stands in every one."""
    search.likelihood = 0.84
    assert "Likely right: 84 %." in regreen("fix", files.program, "--tests", files.tests).out
    search.likelihood = 0.31
    said = regreen("fix", files.program, "--tests", files.tests)
    assert said.out.startswith("This is a guess, more likely wrong than right (31 % likely right).\nFixed")
    assert said.status == 0


def test_what_is_doubtful_is_not_written_unless_it_is_accepted(regreen: Command, search: Any, files: Any) -> None:
    """The patch can be saved all the same."""
    search.likelihood = 0.4
    refused = regreen("fix", files.program, "--tests", files.tests, "--apply", "--out", "fix.patch")
    assert (refused.status, files.program.read_text()) == (1, BUGGY)
    assert "Saved the patch as fix.patch." in refused.out
    assert "--accept-doubtful writes it" in refused.out
    accepted = regreen("fix", files.program, "--tests", files.tests, "--apply", "--accept-doubtful")
    assert (accepted.status, files.program.read_text()) == (0, RIGHT)


@pytest.mark.parametrize(("reply", "status", "left"), [("y\n", 0, RIGHT), ("\n", 1, BUGGY), ("", 1, BUGGY)])
def test_at_a_terminal_the_user_is_asked(
    regreen: Command, search: Any, files: Any, typed: Any, reply: str, status: int, left: str
) -> None:
    """With the diff before the question; anything but yes is no."""
    search.likelihood = 0.4
    typed(reply)
    ran = regreen("fix", files.program, "--tests", files.tests, "--apply", "--no-color")
    assert (ran.status, files.program.read_text()) == (status, left)
    assert ran.err.index("+    return a + b") < ran.err.index("only 40 % likely right. Write it? [y/N]")


@pytest.mark.parametrize(("reply", "answer"), [("2\n", 1), ("\n", None), ("3\n", None), ("one\n", None)])
def test_ask_shows_each_input_with_its_answers(
    regreen: Command, search: Any, files: Any, typed: Any, reply: str, answer: int | None
) -> None:
    """A number chooses; whatever else is typed is no answer."""
    search.questions = (QUESTION,)
    typed(reply)
    ran = regreen("fix", files.program, "--tests", files.tests, "--ask", "--no-color")
    assert "For add(2, 2), what is right?" in ran.err
    assert "1 4" in ran.err
    assert "2 ValueError" in ran.err
    assert search.asked == [answer]


def test_where_nobody_can_be_asked_questions_are_listed(regreen: Command, search: Any, files: Any) -> None:
    """With the check to add for each answer; the further behaviours with their diffs."""
    search.questions = (QUESTION,)
    search.alternatives = (Alternative(Candidate(OTHER, "search:other"), 0.2),)
    ran = regreen("fix", files.program, "--tests", files.tests, "--ask", "--alternatives", "1")
    assert search.asked == []
    assert "For add(2, 2): 4, or ValueError?" in ran.out
    assert "    assert add(2, 2) == 4\n    try:\n        add(2, 2)\n" in ran.out
    assert "Alternative 1, 20 % likely right:" in ran.out
    assert "+    return a * 3  # the sum" in ran.out
    assert search.settings[-1].alternatives == 1


def test_the_record_has_all_of_it_as_data(regreen: Command, search: Any, files: Any) -> None:
    """For programs that call ours."""
    search.questions = (QUESTION,)
    search.alternatives = (Alternative(Candidate(OTHER, "search:other", note="n"), 0.2),)
    line = json.loads(regreen("fix", files.program, "--tests", files.tests, "--json").out)
    assert line["likelihood"] == 0.9
    assert line["alternatives"] == [{"source": OTHER, "likelihood": 0.2, "note": "n"}]
    assert [(q["input"], [a["value"] for a in q["answers"]], q["answered"]) for q in line["questions"]] == [
        ("add(2, 2)", ["4", "raises ValueError"], None)
    ]
