"""A Python that this user may not run is told so, with what is closed and what to do."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from regreen.errors import ConfigError
from regreen.sandbox import interpreter, probe
from regreen.sandbox.interpreter import inspect_interpreter


@pytest.fixture
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The Python of a virtual environment whose own lies in a home that is closed to this user."""
    (tmp_path / "home/versions").mkdir(parents=True)
    (tmp_path / "home/versions/python3").touch(0o755)
    (tmp_path / "venv").mkdir()
    link = tmp_path / "venv/python"
    link.symlink_to("../home/versions/python3")
    allowed = os.access
    closed = str(tmp_path / "home")
    monkeypatch.setattr(
        os, "access", lambda path, mode: not os.path.realpath(path).startswith(closed) and allowed(path, mode)
    )

    def refused(*args: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied", str(link))

    for how in ("run", "Popen"):
        monkeypatch.setattr(subprocess, how, refused)
    return link


@pytest.mark.parametrize("ask", [inspect_interpreter.__wrapped__, lambda path: probe._answers()])
def test_what_is_closed_on_the_way_to_it_is_named(
    python: Path, monkeypatch: pytest.MonkeyPatch, ask: Callable[[str], object]
) -> None:
    """Behind every link, the first folder that the user may not enter, for the program's Python and for our own."""
    monkeypatch.setattr("sys.executable", str(python))
    with pytest.raises(ConfigError) as told:
        ask(str(python))
    assert f"this user may not run {python}, since {python.parent.parent / 'home'} is closed to it." in str(told.value)
    assert "virtual environment that this user may read" in told.value.remedy


class Answered(contextlib.nullcontext[None]):
    """A process that was asked for its paths and ended so."""

    args = ("python",)

    def __init__(self, status: int) -> None:
        super().__init__()
        self.returncode = status

    def communicate(self, timeout: float) -> tuple[str, str]:
        return "", "Killed"


@pytest.mark.parametrize(("status", "error"), [(-signal.SIGINT, KeyboardInterrupt), (-signal.SIGKILL, ConfigError)])
def test_an_interrupt_that_ends_the_question_is_ours(
    monkeypatch: pytest.MonkeyPatch, status: int, error: type[BaseException]
) -> None:
    """Ctrl-C goes to all processes of a terminal; it says nothing of the Python that was asked."""
    monkeypatch.setattr(interpreter, "take_first_question", lambda executable: Answered(status))
    with pytest.raises(error):
        inspect_interpreter.__wrapped__("python")
