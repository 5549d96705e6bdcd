"""The command line as a whole: help, version, errors, speed, and readers that go away."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize("args", [["--help"], ["-h"], ["fix", "--help"], ["eval", "--help"], ["doctor", "-h"]])
def test_help_is_help(regreen: Callable[..., Any], args: list[str]) -> None:
    """Every command explains itself on stdout, with status 0."""
    ran = regreen(*args)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("Usage: regreen")


def test_no_arguments_show_the_help(regreen: Callable[..., Any]) -> None:
    """A bare `regreen` tells what there is, and is no error."""
    ran = regreen()
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == regreen("--help").out


@pytest.mark.parametrize("columns", ["60", "80", "120"])
def test_what_a_command_does_is_never_cut(
    regreen: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    """In the list of commands, at any usual width."""
    monkeypatch.setenv("COLUMNS", columns)
    listed = regreen("--help").out.partition("Commands:")[2]
    assert "..." not in listed
    assert listed.count(".\n") >= 9


def test_a_wrong_call_is_sent_to_the_help_of_its_command(regreen: Callable[..., Any]) -> None:
    """Not to the list of all commands."""
    assert regreen("explain").err == "error: Missing argument 'TARGET'. See regreen explain --help.\n"
    assert regreen("eval", "bundled", "--nonsense").err.endswith("See regreen eval --help.\n")
    assert regreen("mend").err.endswith("See regreen --help.\n")


def test_an_error_is_wrapped_between_words_at_a_terminal(
    regreen: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere it is one line, for programs that read it."""
    one = regreen("fix", "there_is_no_such_file.py").err
    assert one.count("\n") == 1
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "40")
    wrapped = regreen("fix", "there_is_no_such_file.py").err
    assert max(map(len, wrapped.splitlines())) <= 40
    assert wrapped.split() == one.split()


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_the_version_is_the_package_s(regreen: Callable[..., Any], flag: str) -> None:
    """It says which one is installed."""
    assert regreen(flag).out == f"regreen {version('regreen')}\n"


def test_an_unknown_command_is_unusable_input(regreen: Callable[..., Any]) -> None:
    """Status 2, one line, and as JSON where that was asked for."""
    assert regreen("mend").status == 2
    error = json.loads(regreen("mend", "--json").out)["error"]
    assert error["kind"] == "UsageError"
    assert "mend" in error["message"]


def test_a_second_file_is_told_to_be_named_as_tests(regreen: Callable[..., Any]) -> None:
    """With the command to type."""
    assert "regreen fix prog.py --tests 'its tests.py'\n" in regreen("fix", "prog.py", "its tests.py").err
    assert "See regreen fix --help.\n" in regreen("fix", "prog.py", "test_prog.py", "--no-such").err


def test_an_error_cannot_steer_the_terminal(regreen: Callable[..., Any]) -> None:
    """File names are untrusted too."""
    ran = regreen("fix", "\x1b]0;owned\x07.py")
    assert ran.status == 2
    assert "\x1b" not in ran.err
    assert "\\x1b]0;owned\\x07.py" in ran.err


def test_a_folder_that_is_gone_is_unusable_input(regreen: Callable[..., Any], tmp_path: Path) -> None:
    """Whoever stands in a deleted folder is told so."""
    folder = tmp_path / "gone"
    folder.mkdir()
    with contextlib.chdir(folder):
        folder.rmdir()
        ran = regreen("fix", "prog.py")
    assert (ran.status, ran.err) == (2, "error: the working folder does not exist any more. Change to another one.\n")


def test_the_commands_are_put_together_once(regreen: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs several command lines in one process pays for one; options of the first do not stay for the next."""
    assert regreen("graph", "search", "--json").status == 2
    monkeypatch.setattr("typer.main.get_group", lambda app: pytest.fail("the commands are put together again"))
    again = regreen("graph", "nothing")
    assert again.status == 2
    assert again.err.startswith("error: ")
