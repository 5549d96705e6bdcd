"""Starting the process of a server, which is told later how it is to be enclosed.

The first thing that a verdict waits for: so nothing is imported here that takes long.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import subprocess
import sys
import threading
from typing import NamedTuple

from regreen.sandbox.guest.boot import command

_END_SECONDS = 5.0
ENVIRONMENT = {"PYTHONHASHSEED": "0", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}
"""The whole environment of a program under repair, besides HOME and TMPDIR, which are its scratch folder."""
_first: dict[tuple[int, str], BootingServer] = {}
"""The processes of `boot_first` that nobody has taken, by the process that started them and by their kind."""
_first_questions: dict[tuple[int, str], subprocess.Popen[str]] = {}
"""The same of the Pythons that were asked for their paths, by the process that asked and the executable."""
_once = threading.Lock()
"""Taken by the first call of `boot_first`, and never given back."""
_PATHS_SCRIPT = """
import os, sys

def hops(path):
    yield path
    while os.path.islink(path):
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
        yield path

print(ascii({
    "version": list(sys.version_info[:3]),
    "path": [os.path.realpath(p) for p in sys.path if p and os.path.exists(p)],
    "roots": [sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.path.realpath(sys.executable))],
    "executable": sys.executable,
    "links": list(hops(sys.executable)),
}))
"""
"""Tells what a Python must be able to read, as a literal: to import what writes JSON takes longer than all the rest."""


class BootingServer(NamedTuple):
    """A server's process that loads what it needs, and waits to be told how to enclose itself."""

    python: str
    """The executable that was started."""
    process: subprocess.Popen[bytes]
    control: socket.socket

    def abandon(self) -> None:
        """End it: it has not been told anything."""
        self.control.close()
        end_process(self.process)


def boot_server(python: str, kind: str) -> BootingServer:
    """Start the process of a server of a kind: "guests", "checks" or "screens".

    Raises OSError where `python` cannot be run.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs, contextlib.ExitStack() as undo:
        undo.enter_context(ours)
        process = subprocess.Popen(
            command(python, "fork_server", str(theirs.fileno()), kind),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=[theirs.fileno()],
            env=ENVIRONMENT,
            cwd="/",
            start_new_session=True,
        )
        undo.pop_all()
    return BootingServer(python, process, ours)


def ask_for_paths(python: str) -> subprocess.Popen[str]:
    """Start a Python that tells its paths on its standard output. Raises OSError where it cannot be run."""
    return subprocess.Popen(
        [python, "-s", "-P", "-c", _PATHS_SCRIPT],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end_process(process: subprocess.Popen[bytes]) -> None:
    """Have a server's process end. On SIGTERM its outer half, the guard, ends all that is enclosed; on SIGKILL it could
    not."""
    process.terminate()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stderr is not None:
        process.stderr.close()


def boot_first() -> None:
    """Start, at the first call in this process, what the first judge is likely to need, and return at once.

    They load while the settings are read, which may then tell that others are wanted.
    """
    if sys.platform != "linux" or not _once.acquire(blocking=False):
        return
    atexit.register(drop_first)
    # What cannot be run is told by whoever needs it.
    with contextlib.suppress(OSError):
        _first_questions[os.getpid(), sys.executable] = ask_for_paths(sys.executable)
        for kind in ("guests", "checks"):
            _first[os.getpid(), kind] = boot_server(sys.executable, kind)


def take_first(python: str, kind: str) -> BootingServer | None:
    """The process for a server of that kind that `boot_first` has started with this Python, if it is still there."""
    booting = _first.pop((os.getpid(), kind), None)
    if booting is None or _same_python(booting.python, python):
        return booting
    booting.abandon()
    return None


def take_first_question(python: str) -> subprocess.Popen[str] | None:
    """This Python, as `boot_first` has asked it for its paths, if nobody has taken its answer."""
    for asked in list(_first_questions):
        if asked[0] == os.getpid() and _same_python(asked[1], python):
            return _first_questions.pop(asked, None)
    return None


def _same_python(one: str, other: str) -> bool:
    """Whether two names are of the same Python, as `python` and `python3` of a virtual environment are."""
    beside = os.path.dirname(one) == os.path.dirname(other)  # noqa: PTH120 - pathlib would be loaded first
    return one == other or (beside and os.path.realpath(one) == os.path.realpath(other))


def drop_first() -> None:
    """End what `boot_first` has started and nobody wants; a child that was forked off leaves it to its parent."""
    for key in list(_first):
        if key[0] == os.getpid() and (booting := _first.pop(key, None)):
            booting.abandon()
    for asked in list(_first_questions):
        if asked[0] == os.getpid() and (process := _first_questions.pop(asked, None)):
            process.kill()
            process.communicate()
