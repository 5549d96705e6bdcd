"""A server in a container: the same orders and children as in the jail, over a link instead of a socket."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from regreen.errors import ConfigError, SandboxEnded, SandboxError, SandboxUnavailable
from regreen.sandbox.container_boot import container_bundle
from regreen.sandbox.container_engine import Container, ContainerEngine
from regreen.sandbox.guest.boot import command
from regreen.sandbox.guest.server_orders import IMPORT
from regreen.sandbox.guest.wire.connection import Connection, Overdue, WireError
from regreen.sandbox.server_process import SandboxServer, cheap_forks

_START_SECONDS = 60.0
_OLDEST_PYTHON = [3, 11]


class ContainerServer(SandboxServer):
    """A running server in a container of its own. Not thread-safe: one user at a time.

    Servers for guests and for checks never share a container: what separates them are the engine's own walls, whatever
    the container's kernel offers to us inside.
    """

    def __init__(self, engine: ContainerEngine, kind: str) -> None:
        self.engine = engine
        self.kind = kind
        self.python = f"the Python of the image {engine.image}"
        self.imported: dict[str, str] = {}
        self.busy = self.spoilt = False
        self.scratch = None
        self.container: Container = engine.start(kind)
        ours, theirs = socket.socketpair()
        self.link = Connection(ours)
        try:
            with theirs, self.container.stream as stream:
                self.process = self._start_relay(theirs, stream)
        except BaseException:
            ours.close()
            engine.remove(self.container)
            raise
        try:
            self.link.send(container_bundle())
            self.report = self._introduce()
        except WireError as error:
            self.close()
            raise SandboxError(f"the container's server is gone: {error}.") from error
        except BaseException:
            self.close()
            raise

    def _start_relay(self, control: socket.socket, stream: socket.socket) -> subprocess.Popen[bytes]:
        given = control.fileno(), stream.fileno()
        return subprocess.Popen(
            command(sys.executable, "link.relay", *map(str, given)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=given,
            env={},
            cwd="/",
            start_new_session=True,
        )

    def _introduce(self) -> Mapping[str, Any]:
        plan = {"kind": self.kind, "scratch": self.engine.scratch, "cheap_forks": cheap_forks()}
        answer = self._ask(json.dumps(plan).encode("ascii"), _START_SECONDS)
        if "refused" in answer:
            raise SandboxUnavailable(
                f"the container is not what was asked for: {answer['refused']}.",
                remedy="Another engine or runtime may do it: REGREEN_DOCKER_RUNTIME, DOCKER_HOST.",
            )
        ready: Mapping[str, Any] = answer["ready"]
        if list(ready["python"])[:2] < _OLDEST_PYTHON:
            raise ConfigError(f"the image {self.engine.image} has Python {ready['python']}; 3.11 or newer is needed.")
        return ready

    def _ask_to_import(self, modules: Sequence[str], seconds: float) -> Mapping[str, Any]:
        return self._ask(bytes([IMPORT]) + json.dumps(list(modules)).encode("ascii"), seconds)

    def _ask(self, message: bytes, seconds: float = 10.0) -> Mapping[str, Any]:
        self._send(message)
        self.link.set_timeout(seconds)
        try:
            answer: Mapping[str, Any] = self.link.receive_json()
        except Overdue as error:
            raise SandboxError("the server in the container does not answer.") from error
        except WireError as error:
            raise self._loss() from error
        return answer

    def _send(self, message: bytes, fd: int | None = None) -> None:
        try:
            self.link.send(message, *([] if fd is None else [fd]))
        except WireError as error:
            raise self._loss() from error

    def close(self) -> None:
        """End the container and all that is in it."""
        self.link.close()
        try:
            # It hangs up on the container, which then ends by itself.
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stderr is not None:
            self.process.stderr.close()
        with contextlib.suppress(SandboxError):
            # An engine that is gone keeps what it had until it is back: then `remove_orphans` finds it by its label.
            self.engine.remove(self.container)

    def _loss(self) -> SandboxError:
        """What is known of the end of a container that has hung up."""
        self.engine.say(f"{self.container.name} is gone")
        end = self.engine.how_it_ended(self.container)
        said = "; ".join(filter(None, (end.words, self._last_words())))
        message = f"the server in the container is gone: {said}"
        return SandboxEnded(message, kind=self.kind) if end.from_within else SandboxError(message)


def processes_inside(servers: Sequence[SandboxServer]) -> int:
    """How many processes and threads there are in the containers of these servers."""
    return sum(s.engine.count_processes(s.container) for s in servers if isinstance(s, ContainerServer))
