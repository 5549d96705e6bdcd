"""What the user answered becomes a check, in the manner of the file that it is put into."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from regreen.cli.answered_checks import offer_to_add
from regreen.errors import TaskError
from regreen.types import PossibleAnswer, Question

ANSWERS = (PossibleAnswer("0", "assert f([]) == 0\n", 0.6), PossibleAnswer("1", "", 0.4))
QUESTION = Question("f([])", ANSWERS, answered=0)
TESTS = "from program import f\n\n\ndef test_answered_1():\n    assert f([2]) == 2\n"


def asked(path: Path, *questions: Question, agrees: bool = True) -> str:
    """What was done where somebody sits at the terminal."""
    prompts: Any = SimpleNamespace(is_possible=True, confirm=lambda what: agrees)
    repair: Any = SimpleNamespace(questions=questions)
    return offer_to_add(prompts, [str(path)], repair)


def test_one_key_adds_what_was_answered(tmp_path: Path) -> None:
    """And says so; nothing is written where the user does not agree, or answered nothing."""
    path = tmp_path / "test_f.py"
    path.write_text(TESTS)
    assert asked(path, QUESTION, agrees=False) == asked(path) == ""
    assert path.read_text() == TESTS
    assert asked(path, QUESTION) == f"Added 1 check to {path}."
    assert path.read_text().endswith("def test_answered_2():\n    assert f([]) == 0\n")


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """By its name, with what to do."""
    with pytest.raises(TaskError, match=r"gone\.py"):
        asked(tmp_path / "gone.py", QUESTION)
