"""The command line as a whole: help, version, errors, speed, and readers that go away."""

from __future__ import annotations

import contextlib
import json
import resource
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

HEAVY = ("pydantic", "rich.progress", "libcst", "regreen.strategies.search", "regreen.sandbox.pool", "multiprocessing")


def python(code: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, **options)


@pytest.mark.parametrize("args", [["--help"], ["-h"], ["fix", "--help"], ["eval", "--help"], ["doctor", "-h"]])
def test_help_is_help(regreen: Callable[..., Any], args: list[str]) -> None:
    """Every command explains itself on stdout, with status 0."""
    ran = regreen(*args)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("Usage: regreen")


def test_no_arguments_show_the_help_as_unusable_input(regreen: Callable[..., Any]) -> None:
    """A bare `regreen` tells what there is."""
    ran = regreen()
    assert ran.status == 2
    assert "Commands:" in ran.out + ran.err


def test_the_version_is_the_package_s(regreen: Callable[..., Any]) -> None:
    """`--version` says which one is installed."""
    assert regreen("--version").out == f"regreen {version('regreen')}\n"


def test_an_unknown_command_is_unusable_input(regreen: Callable[..., Any]) -> None:
    """Status 2, one line, and as JSON where that was asked for."""
    assert regreen("mend").status == 2
    error = json.loads(regreen("mend", "--json").out)["error"]
    assert error["kind"] == "UsageError"
    assert "mend" in error["message"]


def test_an_error_cannot_steer_the_terminal(regreen: Callable[..., Any]) -> None:
    """File names are untrusted too."""
    ran = regreen("fix", "\x1b]0;owned\x07.py")
    assert ran.status == 2
    assert "\x1b" not in ran.err
    assert "\\x1b]0;owned\\x07.py" in ran.err


def test_help_loads_nothing_heavy() -> None:
    """What makes `regreen --help` quick: rooms are imported by the command that needs them."""
    ran = python(
        "import sys; from regreen.cli import run; run(['--help']);"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    assert ran.stderr == "[]\n"


def test_help_is_quick() -> None:
    """Under 0.3 s of processor time, at the best of three: other work on the machine is not ours."""

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "regreen", "--help"], capture_output=True, check=True, timeout=60)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(3)) < 0.3


@pytest.mark.parametrize("args", [["--help"], ["fix", "--help"]])
def test_a_reader_that_goes_away_is_no_error(args: list[str]) -> None:
    """`regreen ... | head -0` is quiet."""
    command = [sys.executable, "-m", "regreen", *args]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "1>&- 2>&-"])
def test_a_closed_stream_is_no_fault(closed: str) -> None:
    """`>&-` means that nobody wants to read it."""
    command = f"{sys.executable} -m regreen doctor --json {closed}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, 3)
    assert done.stderr == ""


def test_a_folder_that_is_gone_is_unusable_input(regreen: Callable[..., Any], tmp_path: Path) -> None:
    """Whoever stands in a deleted folder is told so."""
    folder = tmp_path / "gone"
    folder.mkdir()
    with contextlib.chdir(folder):
        folder.rmdir()
        ran = regreen("fix", "prog.py")
    assert (ran.status, ran.err) == (2, "error: the working folder does not exist any more. Change to another one.\n")
