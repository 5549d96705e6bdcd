"""`regreen fix` in a project: what is said of settings that change nothing there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from regreen.types import CheckResult, Outcome, ProjectOutcome, ProjectRepair


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
