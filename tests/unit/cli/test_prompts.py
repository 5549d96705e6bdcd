"""What is typed at a question."""

from __future__ import annotations

import io
import sys

import pytest
from rich.console import Console

from regreen.cli.show_alternatives import Prompts
from regreen.types import PossibleAnswer, Question

QUESTION = Question("f([])", (PossibleAnswer("0", "", 0.6), PossibleAnswer("raises IndexError", "", 0.4)))


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("1\n", 0),
        ("2\n", 1),
        ("3\n", None),
        ("\n", None),
        ("", None),
        ("= 3\n", "3"),
        ("=ValueError\n", "raises ValueError"),
        ("= f(\n= [1]\n", "[1]"),
        ("= f(\n\n", None),
    ],
)
def test_an_answer_is_a_number_of_those_shown_or_another_value(
    monkeypatch: pytest.MonkeyPatch, typed: str, told: int | str | None
) -> None:
    """What is no value is asked for once more."""
    out = Console(file=io.StringIO(), width=80)
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert Prompts(out).ask(QUESTION) == told
