"""The host's side of a server: start it, have it fork a child in a role, learn how the child ended, end it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from regreen.errors import SandboxError, SandboxUnavailable
from regreen.sandbox import guest
from regreen.sandbox.guest.enclosure.scratch import clear_folder
from regreen.sandbox.guest.server_orders import CPU_TIME, IMPORT, REAP, REAP_BRIEFLY, REAP_GONE, SPAWN
from regreen.sandbox.guest.wire.connection import Connection
from regreen.sandbox.interpreter import Interpreter
from regreen.sandbox.run_delay import run_delay
from regreen.sandbox.server_boot import BootingServer, boot_server, end_process
from regreen.types import Limits, Outcome

_REPLY_BYTES = 1 << 17
_START_SECONDS = 30.0
_REPLY_SECONDS = 10.0
"""A server that does not answer for this long is taken to hang."""
_REAP_SECONDS = 60.0
"""And while it removes what a child left: perhaps very many files."""
_SCRATCH_BYTES = 64 << 20
_OPEN_FILES = 256
_LONG_LIVED = frozenset({"judge", "screener"})
"""Roles that outlive thousands of candidates: each candidate has its own timer; a CPU limit for all would end them."""
_LIFETIME_SECONDS = 1 << 20
_GUEST_FOLDER = os.path.abspath(os.path.dirname(guest.__file__))  # noqa: PTH100, PTH120 - links are kept as Python was given them
"""The folder of the code that runs inside: readable there, since parts of it are imported only when they are needed."""


@dataclass(frozen=True, slots=True)
class ChildExit:
    """How a child ended."""

    status: int | None
    """Its status as wait(2) tells it, if it had ended by itself; None when it was still running and was killed."""
    cpu_seconds: float
    memory_bytes: int
    """Its peak resident size."""
    text: str
    """The beginning of what it wrote to its raw descriptors 1 and 2."""

    @property
    def exit_code(self) -> int | None:
        """The exit code, or minus the number of the signal; None when it was killed by its server."""
        return None if self.status is None else os.waitstatus_to_exitcode(self.status)

    def describe(self) -> tuple[Outcome, str]:
        """The outcome, and why in words, for the check that was running when the child ended by itself."""
        code = self.exit_code
        if code is None:
            return Outcome.CRASHED, "the program closed its connection and went on without an answer"
        if code == -signal.SIGXFSZ:
            return Outcome.OUTPUT_FLOOD, "the program wrote more than it may"
        if code == -signal.SIGXCPU:
            return Outcome.TIMED_OUT, "the processor time for all checks together was spent"
        if code < 0:
            return Outcome.CRASHED, f"the program was ended by {_signal_name(-code)}"
        return Outcome.CRASHED, f"the program ended its process with exit status {code}"


def cheap_forks(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether servers prepare for cheap forks: yes, unless REGREEN_CHEAP_FORKS is 0, "false" or "no".

    No setting, as it changes neither results nor what confines programs; and this room needs nothing but Python.
    """
    return environ.get("REGREEN_CHEAP_FORKS", "").strip().lower() not in ("0", "false", "no")


def _signal_name(number: int) -> str:
    with contextlib.suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


def _new_folder() -> str:
    """A path for the scratch folder; the guard, which removes it in the end, makes it."""
    import tempfile

    return str(Path(tempfile.gettempdir()).absolute() / f"regreen-{os.urandom(8).hex()}")


class SandboxServer:
    """A running server. Not thread-safe: one user at a time."""

    def __init__(
        self,
        interpreter: Interpreter,
        layers: str,
        kind: str,
        booting: BootingServer | None = None,
        *,
        told: bool = False,
    ) -> None:
        """Enclose the process of `booting`, which is of that interpreter and kind, or one that is started now.

        `told`: it knows already how, by `enclosure_plan` for these layers.
        """
        self.interpreter = interpreter
        self.python = interpreter.executable
        """The Python that programs run on, in words."""
        self.kind = kind
        """"guests", "checks" or "screens": what its children become."""
        self.layers = layers
        self.imported: dict[str, str] = {}
        """Modules that the server was asked to import, with the reason of each that failed; empty for the others."""
        self.scratch = _new_folder() if layers == "landlock" else None
        booting = booting or boot_server(self.python, kind)
        self.process, self.control = booting.process, booting.control
        self.busy = False
        self.spoilt = False
        """Whether a child left something that could not be removed, so that no other may follow it."""
        try:
            if not told:
                self._send(enclosure_plan(interpreter, layers, self.scratch))
            self.report = self._introduce()
        except BaseException:
            self.close()
            raise

    def _introduce(self) -> Mapping[str, Any]:
        answer = self._receive(_START_SECONDS)
        if "refused" in answer:
            raise SandboxUnavailable(
                f"the sandbox cannot be built here: {answer['refused']}.",
                remedy="`regreen doctor` shows what is missing and how to get it.",
            )
        ready: Mapping[str, Any] = answer["ready"]
        return ready

    def spawn(self, role: str, limits: Limits) -> Connection:
        """Fork a child as "guest", "judge", "shared" or "screener"; returns the host's end of its connection."""
        return Connection(self.spawn_socket(role, limits))

    def spawn_socket(self, role: str, limits: Limits) -> socket.socket:
        """As `spawn`, returning the bare socket, to be passed on."""
        if self.busy:
            raise SandboxError("a server was asked for two children at once")
        self.busy = True
        ours, theirs = socket.socketpair()
        try:
            self._send(spawn_order(role, limits), theirs.fileno())
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        return ours

    def reap(self, *, gone: bool = False, brief: bool = False) -> ChildExit:
        """End the child and all its descendants; with `gone`, it has hung up, and gets a moment to end by itself.

        With `brief`, CPU time and memory are only counted for a child that had ended by itself.
        """
        self.busy = False
        answer = self._ask(bytes([REAP_GONE if gone else REAP_BRIEFLY if brief else REAP]), _REAP_SECONDS)
        if "failed" in answer:
            raise SandboxError(f"the sandbox could not start a process: {answer['failed']}.")
        self.spoilt = self.spoilt or answer["spoilt"]
        return ChildExit(answer["status"], answer["cpu"] / 1e6, answer["memory"], answer["text"])

    def cpu_seconds(self) -> float:
        """CPU seconds of the child so far."""
        return float(self._ask(bytes([CPU_TIME]))["cpu"])

    def delay_seconds(self) -> float:
        """Seconds that the child so far could have run, and no processor was free; 0 where the kernel does not tell."""
        return run_delay(self.process.pid, int(self._ask(bytes([CPU_TIME]))["child"]))

    def ensure_imported(self, modules: Sequence[str]) -> Mapping[str, str]:
        """Import modules once, for all children to come; returns those that cannot be, with the reason."""
        new = [name for name in modules if name not in self.imported]
        if new:
            missing: Mapping[str, str] = self._ask_to_import(new, _START_SECONDS)["missing"]
            self.imported |= {name: missing.get(name, "") for name in new}
        return {name: self.imported[name] for name in modules if self.imported[name]}

    def abandon(self) -> None:
        """End what is enclosed; unlike all else here, for any thread. Its user learns of it, and closes it."""
        self.process.terminate()

    def _ask_to_import(self, modules: Sequence[str], seconds: float) -> Mapping[str, Any]:
        self._send(bytes([IMPORT]))
        return self._ask(json.dumps(modules).encode("ascii"), seconds)

    def close(self) -> None:
        """End the server and everything in it, and leave no file."""
        self.control.close()
        end_process(self.process)
        if self.scratch is not None and Path(self.scratch).exists():
            with contextlib.suppress(OSError):
                clear_folder(self.scratch)
                Path(self.scratch).rmdir()

    def _ask(self, message: bytes, seconds: float = _REPLY_SECONDS) -> Mapping[str, Any]:
        self._send(message)
        return self._receive(seconds)

    def _receive(self, seconds: float) -> Mapping[str, Any]:
        if self.control.gettimeout() != seconds:
            self.control.settimeout(seconds)
        try:
            data = self.control.recv(_REPLY_BYTES)
        except OSError as error:
            raise SandboxError(f"the sandbox's server does not answer ({error or type(error).__name__}).") from error
        if not data:
            raise SandboxError(f"the sandbox's server ended: {self._last_words()}")
        # As text: for bytes, json would first detect their encoding.
        answer: Mapping[str, Any] = json.loads(data.decode())
        return answer

    def _send(self, message: bytes, fd: int | None = None) -> None:
        rights = [] if fd is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fd.to_bytes(4, sys.byteorder))]
        try:
            self.control.sendmsg([message], rights)
        except OSError as error:
            raise SandboxError(f"the sandbox's server is gone: {self._last_words()}") from error

    def _last_words(self) -> str:
        """What a server that ended wrote to its error pipe, for the error message."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=1)
        if self.process.poll() is None or self.process.stderr is None:
            return "no reason is known"
        os.set_blocking(self.process.stderr.fileno(), False)
        return (self.process.stderr.read() or b"").decode("utf-8", "replace").strip()[-500:] or "it said nothing"


def enclosure_plan(interpreter: Interpreter, layers: str, scratch: str | None = None) -> bytes:
    """What a booting server is told: how it is to enclose itself, for this process."""
    plan = {
        "layers": layers,
        "readable": [*interpreter.readable, _GUEST_FOLDER],
        "listed": list(interpreter.listed),
        "path": list(interpreter.path),
        "scratch": scratch,
        "scratch_bytes": _SCRATCH_BYTES,
        "host_pid": os.getpid(),
        "cheap_forks": cheap_forks(),
    }
    return json.dumps(plan).encode("ascii")


@lru_cache
def spawn_order(role: str, limits: Limits) -> bytes:
    """The order to fork a child; equal limits make equal bytes, by which the server finds what it has prepared."""
    return bytes([SPAWN]) + json.dumps({"role": role, "limits": as_plain(limits, role)}).encode("ascii")


def as_plain(limits: Limits, role: str) -> dict[str, Any]:
    """The limits of a child in that role, as plain data."""
    cpu_seconds = _LIFETIME_SECONDS if role in _LONG_LIVED else int(limits.total_seconds + limits.seconds) + 2
    return {
        "seconds": limits.seconds,
        "total_seconds": limits.total_seconds,
        "memory_bytes": limits.memory_bytes,
        "output_bytes": limits.output_bytes,
        "cpu_seconds": cpu_seconds,
        "processes": limits.processes,
        "open_files": _OPEN_FILES,
        # pytest makes links in its temporary folders, and looks where they lead.
        "links": role != "guest",
    }
