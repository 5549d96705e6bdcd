"""What plain Python says: each program runs with its checks in a child of its own of one bare process.

Run as `python plain.py FOLDER`: reads a JSON list of [style, program, checks] from stdin and writes
whether each passes.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import runpy
import signal
import sys
from pathlib import Path

SECONDS = 30
QUIET = [
    "-q",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:anyio",
    "-p",
    "no:langsmith_plugin",
    "-c",
    os.devnull,
    "--rootdir",
    ".",
]


def main(folder: str) -> None:
    """Run everything that stdin lists."""
    orders = json.load(sys.stdin)
    sys.stdout.write(json.dumps([in_child(Path(folder) / str(n), *order) for n, order in enumerate(orders)]))


def in_child(folder: Path, style: str, program: str, checks: str) -> bool:
    """Whether one program passes, in a child process that ends without a word where it does not."""
    folder.mkdir()
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        with contextlib.suppress(BaseException):
            run(folder, style, program, checks)
            os.write(writer, b"passed")
        os._exit(0)
    os.close(writer)
    said = os.read(reader, 100)
    os.close(reader)
    os.waitpid(pid, 0)
    return said == b"passed"


def run(folder: Path, style: str, program: str, checks: str) -> None:
    """Run a program with its checks in this process. Raises where they fail."""
    signal.alarm(SECONDS)
    os.chdir(folder)
    quiet = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(quiet, fd)
    text = program + "\n" + checks if style == "same" else program
    Path("program.py").write_text(text, "utf-8", "surrogatepass")
    Path("checks.py").write_text(checks, "utf-8", "surrogatepass")
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    STYLES[style]()


def in_one_namespace() -> None:
    """The checks stand below the program."""
    __import__("program")


def importing() -> None:
    """The checks are a script."""
    runpy.run_path("checks.py", run_name="__main__")


def under_pytest() -> None:
    """The checks are a test file."""
    import pytest

    with contextlib.redirect_stdout(io.StringIO()):
        status = pytest.main([*QUIET, "checks.py"])
    assert status == 0


def as_doctest() -> None:
    """The examples in the docstrings, as `python -m doctest program.py` runs them."""
    import doctest

    with contextlib.redirect_stdout(io.StringIO()):
        found = doctest.testmod(__import__("program"))
    assert found.attempted
    assert not found.failed


STYLES = {"same": in_one_namespace, "import": importing, "tests": under_pytest, "doctest": as_doctest}

if __name__ == "__main__":
    main(sys.argv[1])
