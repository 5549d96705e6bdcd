"""`regreen fix --suspect`: guesses where nothing is red, told apart from repairs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from regreen.strategies.searching.guesses import Guess
from regreen.types import Attempt, Candidate, Stop, Verdict

BUGGY = "def add(a, b):\n    return a - b  # the sum\n"
RIGHT = "def add(a, b):\n    return a + b  # the sum\n"
GUESS = Guess(
    Attempt(Candidate(RIGHT, "search:operator", note="`-` became `+`"), Verdict({})),
    line=2,
    question="add(1, 2)",
    now="-1",
    then="raises \x1b[31mValueError",
    quotes=("the sum",),
)
Command = Callable[..., Any]


@pytest.fixture
def guesses(monkeypatch: pytest.MonkeyPatch) -> list[Guess]:
    """What is guessed; the test may empty it."""
    found = [GUESS]
    monkeypatch.setattr("regreen.strategies.guesses_for", lambda task, **_: found)
    return found


def test_guesses_are_shown_and_never_written(regreen: Command, search: Any, files: Any, guesses: list[Guess]) -> None:
    """With the diff, what speaks for it and what would show it; what the program says cannot act on the terminal."""
    search.stop, search.source = Stop.NOTHING_RED, None
    ran = regreen("fix", files.program, "--tests", files.tests, "--suspect", "--apply")
    assert (ran.status, files.program.read_text()) == (0, BUGGY)
    assert ran.out.startswith("Nothing is red: ")
    assert "Guesses, none of them proven right" in ran.out
    assert "Guess 1, line 2:\n" in ran.out
    assert "-    return a - b  # the sum\n+    return a + b  # the sum\n" in ran.out
    assert "The prose says so: the sum" in ran.out
    assert "add(1, 2) gives -1 now, and " in ran.out
    assert "\x1b" not in ran.out


def test_no_guess_is_said_to_be_none(regreen: Command, search: Any, files: Any, guesses: list[Guess]) -> None:
    """Rather than nothing."""
    search.stop, search.source = Stop.NOTHING_RED, None
    guesses.clear()
    assert "No guess: " in regreen("fix", files.program, "--tests", files.tests, "--suspect").out


def test_json_lists_guesses(regreen: Command, search: Any, files: Any, guesses: list[Guess]) -> None:
    """Beside the fields of a repair; an empty list where nobody asked."""
    search.stop, search.source = Stop.NOTHING_RED, None
    asked, not_asked = (
        json.loads(regreen("fix", files.program, "--tests", files.tests, "--json", *flags).out)
        for flags in (("--suspect",), ())
    )
    assert (asked["stop"], not_asked["guesses"]) == ("nothing_red", [])
    (guess,) = asked["guesses"]
    assert (guess["line"], guess["input"], guess["now"]) == (2, "add(1, 2)", "-1")
    assert "+    return a + b" in guess["diff"]


def test_where_something_is_red_there_is_a_repair(
    regreen: Command, search: Any, files: Any, guesses: list[Guess]
) -> None:
    """And no guess."""
    ran = regreen("fix", files.program, "--tests", files.tests, "--suspect")
    assert "Fixed" in ran.out
    assert "Guess" not in ran.out


def test_a_project_cannot_be_suspected(regreen: Command, files: Any) -> None:
    """One file has to be named."""
    ran = regreen("fix", "--suspect")
    assert ran.status == 2
    assert "--suspect is for the repair of one file" in ran.err
