"""`regreen fix` in a project: what is said of settings that change nothing there, and of what else passes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from regreen.types import (
    CheckResult,
    FileChange,
    Outcome,
    PossibleAnswer,
    ProjectAlternative,
    ProjectOutcome,
    ProjectRepair,
    Question,
)


@pytest.fixture
def green(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A project without a red test."""
    repair = ProjectRepair(
        str(tmp_path), ProjectOutcome.NOTHING_RED, {"test_a.py::test_a": CheckResult(Outcome.PASSED)}, {}
    )
    monkeypatch.setattr("regreen.api.repair_project", lambda *_, **__: repair)


@pytest.mark.usefixtures("green")
@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ((), ""),
        (("--critic",), "--critic has no effect"),
        (("--allow", "tests/*"), "--allow has no effect"),
        (("--alternatives", "2"), ""),
        (("--alternatives", "2", "--strategy", "reflect", "--model", "ollama:m"), "--alternatives has no effect"),
    ],
)
def test_a_setting_that_is_not_used_is_told(
    regreen: Callable[..., Any], tmp_path: Path, flags: tuple[str, ...], words: str
) -> None:
    """Nobody waits for what never comes."""
    ran = regreen("fix", tmp_path, *flags)
    assert ran.status == 0
    assert words in ran.err.replace("\n", " ") if words else ran.err == ""


def change(after: str) -> FileChange:
    """Of the one module."""
    return FileChange("size.py", "BEFORE\n", f"{after}\n", b"BEFORE\n", f"{after}\n".encode(), "a note")


def test_what_else_passes_and_what_would_decide_are_shown(
    regreen: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alternatives with their patches, questions with the test to add for each answer; as data, too."""
    answers = tuple(
        PossibleAnswer(value, f"from size import size\nassert size(0) == {value}\n", 0.5) for value in ("0", "1")
    )
    results = {"test_a.py::test_a": CheckResult(Outcome.FAILED)}
    repair = ProjectRepair(
        str(tmp_path),
        ProjectOutcome.FIXED,
        results,
        {"test_a.py::test_a": CheckResult(Outcome.PASSED)},
        changes=(change("AFTER"),),
        diff="-BEFORE\n+AFTER\n",
        likelihood=0.6,
        alternatives=(ProjectAlternative((change("OTHER"),), "-BEFORE\n+OTHER\n", 0.25),),
        questions=(Question("size(0)", answers),),
    )
    monkeypatch.setattr("regreen.api.repair_project", lambda *_, **__: repair)
    shown = regreen("fix", tmp_path, "--alternatives", "1").out
    assert "Alternative 1, 25 % likely right:" in shown
    assert "+OTHER" in shown
    assert "For size(0): 0, or 1?" in shown
    assert "from size import size" in shown
    assert "--ask" not in shown
    told = json.loads(regreen("fix", tmp_path, "--alternatives", "1", "--json").out)
    (other,) = told["alternatives"]
    assert (other["likelihood"], other["changes"][0]["after"]) == (0.25, "OTHER\n")
    (asked,) = told["questions"]
    assert [answer["value"] for answer in asked["answers"]] == ["0", "1"]
