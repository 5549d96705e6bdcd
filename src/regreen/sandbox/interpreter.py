"""The Python that runs the programs under repair: the user's own, with what is installed there."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from regreen.errors import ConfigError

ASK = """
import json, os, sys, sysconfig

def hops(path):
    yield path
    while os.path.islink(path):
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
        yield path

print(json.dumps({
    "version": list(sys.version_info[:3]),
    "path": [os.path.realpath(p) for p in sys.path if p and os.path.exists(p)],
    "roots": [sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.path.realpath(sys.executable))],
    "executable": sys.executable,
    "links": list(hops(sys.executable)),
}))
"""
SYSTEM = (
    "/lib",
    "/lib64",
    "/lib32",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/usr/share/zoneinfo",
)
"""What a dynamically linked interpreter needs of the system, all of it public."""
OLDEST = (3, 11)


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python and what of the file system it needs to see."""

    executable: str
    version: tuple[int, int, int]
    path: tuple[str, ...]
    """Its `sys.path`, as it is without a script."""
    readable: tuple[str, ...]
    """Folders and files that it must be able to read, without duplicates."""


def _why(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        said = (error.stderr or "").strip().splitlines()
        return f"it ended with status {error.returncode}" + (f": {said[-1][:200]}" if said else "")
    if isinstance(error, subprocess.TimeoutExpired):
        return "it did not answer"
    return error.strerror or str(error) if isinstance(error, OSError) else "it did not answer as Python does"


@functools.cache
def inspect_interpreter(executable: str = sys.executable) -> Interpreter:
    """Ask a Python where its parts are. Raises ConfigError when it is none, or too old."""
    try:
        command = [executable, "-s", "-P", "-c", ASK]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True, stdin=subprocess.DEVNULL)
        told = json.loads(done.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        raise ConfigError(
            f"{executable} is no Python that can be run ({_why(error)}).", remedy="Name another one with --python."
        ) from error
    major, minor, micro = told["version"]
    if (major, minor) < OLDEST:
        raise ConfigError(
            f"{executable} is Python {major}.{minor}; programs are run with 3.11 or newer.",
            remedy="Name a newer one with --python.",
        )
    path = tuple(dict.fromkeys(told["path"]))
    return Interpreter(told["executable"], (major, minor, micro), path, _readable(path, told["roots"], told["links"]))


def _readable(path: tuple[str, ...], roots: list[str], links: list[str]) -> tuple[str, ...]:
    """The folders to show: no folder twice, none inside another, and of an environment only its code.

    `links`: every name that leads to the interpreter, each of which a program that starts it follows.
    """
    wanted = [*SYSTEM, *path, *links]
    wanted += [str(Path(root) / part) for root in roots for part in ("lib", "lib64", "bin", "pyvenv.cfg")]
    there = [path for path in wanted if Path(path).exists()]
    real = sorted({str(Path(path).resolve()) for path in there} | set(there))
    kept: list[str] = []
    for candidate in real:
        if not any(candidate == other or candidate.startswith(other + "/") for other in kept):
            kept.append(candidate)
    return tuple(kept)
