"""A server of `--sandbox restricted`: each child is a process of its own, newly started, with limits and no wall."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from regreen.errors import SandboxError
from regreen.sandbox.guest.boot import command
from regreen.sandbox.interpreter import Interpreter
from regreen.sandbox.owned_folder import new_owned_folder
from regreen.sandbox.restricted_text import NO_WALL
from regreen.sandbox.run_delay import run_delay
from regreen.sandbox.server_boot import ENVIRONMENT
from regreen.sandbox.server_process import ChildExit, SandboxServer, as_plain
from regreen.types import Limits

_EXIT_SECONDS = 0.1
"""What a child that has hung up gets to end by itself."""
_TEXT_BYTES = 1 << 13
FOLDER_PREFIX = "regreen-limited-"
_WORK_FOLDER = "work"
_IMPORT_SCRIPT = """
import json, sys
missing = {}
for name in json.loads(sys.argv[1]):
    try:
        __import__(name)
    except Exception as error:
        missing[name] = str(error) or type(error).__name__
print(json.dumps(missing))
"""


class LimitedServer(SandboxServer):
    """Starts one child at a time. Not thread-safe: one user at a time.

    A child is in a session of its own and is ended with its process group. What has left that group would live on: the
    texts that are run name no way to do so, and the filter of system calls, where the kernel has one, knows none.
    """

    def __init__(self, interpreter: Interpreter, kind: str) -> None:
        self.interpreter = interpreter
        self.python = interpreter.executable
        self.kind = kind
        self.layers = "restricted"
        self.imported: dict[str, str] = {}
        self.busy = self.spoilt = False
        self.folder = _new_work_folder()
        """The children's working folder, empty for each."""
        self.child: subprocess.Popen[bytes] | None = None
        self.output = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the server
        """What the child writes to its raw descriptors 1 and 2."""
        self.report: Mapping[str, Any] = {"layers": ["restricted"], "notes": [NO_WALL]}

    def spawn_socket(self, role: str, limits: Limits) -> socket.socket:
        """Start a child in this role; returns the host's end of its connection."""
        if self.busy:
            raise SandboxError("a server was asked for two children at once")
        ours, theirs = socket.socketpair()
        self.output.seek(0)
        self.output.truncate()
        with theirs:
            try:
                self.child = self._start_child(theirs.fileno(), role, limits)
            except OSError as error:
                ours.close()
                raise SandboxError(f"the process of the program could not be started: {error}") from error
        self.busy = True
        return ours

    def _start_child(self, connection: int, role: str, limits: Limits) -> subprocess.Popen[bytes]:
        plan = {
            "kind": self.kind,
            "role": role,
            "limits": as_plain(limits, role),
            "path": self.interpreter.path,
            "connection": connection,
            "host_pid": os.getpid(),
        }
        return subprocess.Popen(
            command(self.interpreter.executable, "limited_process", json.dumps(plan)),
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=self.output,
            pass_fds=[connection],
            env=ENVIRONMENT | {"HOME": self.folder, "TMPDIR": self.folder},
            cwd=self.folder,
            start_new_session=True,
        )

    def reap(self, *, gone: bool = False, brief: bool = False) -> ChildExit:
        """End the child; with `gone`, it has hung up, and gets a moment to end by itself."""
        self.busy = False
        child, self.child = self.child, None
        if child is None:
            raise SandboxError("there is no process to end")
        ended, status, usage = _end(child, _EXIT_SECONDS if gone else 0.0)
        text = os.pread(self.output.fileno(), _TEXT_BYTES, 0).decode("utf-8", "replace")
        self._tidy()
        was_killed = not ended and status == signal.SIGKILL
        return ChildExit(None if was_killed else status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10, text)

    def cpu_seconds(self) -> float:
        """CPU seconds of the child so far, where the kernel tells them of another process; else none."""
        if self.child is None:
            return 0.0
        with contextlib.suppress(OSError):
            # As clock_getcpuclockid(3) makes it: see `ForkServer.cpu_seconds`.
            return time.clock_gettime((~self.child.pid << 3) | 2)
        return 0.0

    def delay_seconds(self) -> float:
        """Seconds that the child so far could have run, and no processor was free; 0 where the kernel does not tell."""
        return 0.0 if self.child is None else run_delay(os.getpid(), self.child.pid)

    def _ask_to_import(self, modules: Sequence[str], seconds: float) -> Mapping[str, Any]:
        """Which modules the programs' Python has: every child imports them by itself."""
        own = [name for name in modules if not name.startswith("regreen.")]
        try:
            asked = subprocess.run(
                [self.interpreter.executable, "-s", "-P", "-c", _IMPORT_SCRIPT, json.dumps(own)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
                env=ENVIRONMENT,
                cwd=self.folder,
                check=True,
            )
            return {"missing": json.loads(asked.stdout.splitlines()[-1])}
        except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
            raise SandboxError(f"{self.python} cannot be asked what it can import: {error}") from error

    def abandon(self) -> None:
        """End the child; for any thread."""
        child = self.child
        if child is not None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()

    def close(self) -> None:
        """End the child, and leave no file."""
        child, self.child = self.child, None
        if child is not None:
            _end(child, 0.0)
        self.output.close()
        shutil.rmtree(Path(self.folder).parent, ignore_errors=True)

    def _tidy(self) -> None:
        for entry in os.scandir(self.folder):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)  # noqa: PTH108
        self.spoilt = self.spoilt or bool(os.listdir(self.folder))  # noqa: PTH208


def _new_work_folder() -> str:
    """An empty folder, in one that says whose it is."""
    work = new_owned_folder(FOLDER_PREFIX) / _WORK_FOLDER
    work.mkdir(0o700)
    return str(work)


def _end(child: subprocess.Popen[bytes], seconds: float) -> tuple[bool, int, Any]:
    """Kill a child with its process group once it has ended, or after `seconds`.

    Returns whether it had ended by itself, its status, and what it used.
    """
    deadline = time.monotonic() + seconds
    pid, status, usage = os.wait4(child.pid, os.WNOHANG)
    while not pid and time.monotonic() < deadline:
        time.sleep(0.001)
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        # The group's number is not given out again while anybody is in it.
        os.killpg(child.pid, signal.SIGKILL)
    ended = bool(pid)
    if not ended:
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return ended, status, usage
