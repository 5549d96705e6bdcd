"""The Python that runs the programs under repair: the user's own, with what is installed there."""

from __future__ import annotations

import ast
import functools
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regreen.errors import ConfigError
from regreen.sandbox.server_boot import ask_for_paths, take_first_question
from regreen.sandbox.source_folders import is_source_folder, shown_parts

_SYSTEM_FOLDERS = (
    "/lib",
    "/lib64",
    "/lib32",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/usr/share/zoneinfo",
)
"""Folders of the system that a dynamically linked interpreter needs; all of them are public (ld.so(8), tzset(3))."""
_OLDEST_VERSION = (3, 11)
_MOST_LINKS = 40
_ANSWER_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python, and the parts of the file system that it needs to read."""

    executable: str
    version: tuple[int, int, int]
    path: tuple[str, ...]
    """Its `sys.path` when it runs no script."""
    readable: tuple[str, ...]
    """Folders and files that it must be able to read, none inside another."""
    listed: tuple[str, ...] = ()
    """Source folders on its path of which it may read parts: what is in them it must be able to find."""


def _why(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        said = (error.stderr or "").strip().splitlines()
        return f"it ended with status {error.returncode}" + (f": {said[-1][:200]}" if said else "")
    if isinstance(error, subprocess.TimeoutExpired):
        return "it did not answer"
    return error.strerror or str(error) if isinstance(error, OSError) else "it did not answer as Python does"


def closed_interpreter(executable: str) -> ConfigError:
    """The error for a Python that this user may not run, naming what is closed on the way to it."""
    closed = _first_closed(executable)
    return ConfigError(
        f"this user may not run {executable}" + (f", since {closed} is closed to it." if closed else "."),
        remedy="Name another one with --python."
        if executable != sys.executable
        else "Install Regreen into a virtual environment that this user may read, as well as the Python that made it.",
    )


def _first_closed(executable: str) -> str | None:
    """The first folder or file on the way to an executable, links followed, that this user may not pass or run."""
    path = Path(executable).absolute()
    for _ in range(_MOST_LINKS):
        for part in reversed(path.parents):
            if not os.access(part, os.X_OK):
                return str(part)
        if not path.is_symlink():
            return None if os.access(path, os.X_OK) else str(path)
        path = Path(os.path.normpath(path.parent / path.readlink()))
    return None


@functools.cache
def inspect_interpreter(executable: str = sys.executable) -> Interpreter:
    """Ask an interpreter for its version and paths. Raises ConfigError when it is no Python, or too old."""
    try:
        answer = _answer_of(executable)
    except PermissionError as error:
        raise closed_interpreter(executable) from error
    except (OSError, subprocess.SubprocessError, ValueError, SyntaxError, IndexError) as error:
        raise ConfigError(
            f"{executable} is no Python that can be run ({_why(error)}).", remedy="Name another one with --python."
        ) from error
    major, minor, micro = answer["version"]
    if (major, minor) < _OLDEST_VERSION:
        raise ConfigError(
            f"{executable} is Python {major}.{minor}; programs are run with 3.11 or newer.",
            remedy="Name a newer one with --python.",
        )
    path = tuple(dict.fromkeys(answer["path"]))
    sources = [folder for folder in path if is_source_folder(folder, answer["roots"])]
    shown = [part for folder in path for part in (shown_parts(folder) if folder in sources else (folder,))]
    return Interpreter(
        answer["executable"],
        (major, minor, micro),
        path,
        _readable(shown, answer["roots"], answer["links"]),
        tuple(sources),
    )


def _answer_of(executable: str) -> dict[str, Any]:
    process = take_first_question(executable) or ask_for_paths(executable)
    with process:
        try:
            told, complaint = process.communicate(timeout=_ANSWER_SECONDS)
        except BaseException:
            process.kill()
            raise
    if process.returncode == -signal.SIGINT:
        # Ctrl-C goes to all processes of the terminal: it was meant for us, and may have been lost on the way.
        raise KeyboardInterrupt
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args, told, complaint)
    answer: dict[str, Any] = ast.literal_eval(told.splitlines()[-1])
    return answer


def _readable(path: Sequence[str], roots: list[str], links: list[str]) -> tuple[str, ...]:
    """The paths to show: none twice, none inside another, and of a virtual environment only its code.

    `links`: every name that leads to the interpreter, each of which a program that starts it follows.
    """
    wanted = [*_SYSTEM_FOLDERS, *path, *links]
    wanted += [str(Path(root) / part) for root in roots for part in ("lib", "lib64", "bin", "pyvenv.cfg")]
    there = [path for path in wanted if Path(path).exists()]
    real = sorted({str(Path(path).resolve()) for path in there} | set(there))
    kept: list[str] = []
    for candidate in real:
        if not any(candidate == other or candidate.startswith(other + "/") for other in kept):
            kept.append(candidate)
    return tuple(kept)
