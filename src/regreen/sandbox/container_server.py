"""A server in a container: the same orders and children as in the jail, over whichever link the engine allows."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from regreen.errors import ConfigError, SandboxEnded, SandboxError, SandboxUnavailable
from regreen.sandbox.container_boot import container_bundle
from regreen.sandbox.container_engine import Container, ContainerEngine
from regreen.sandbox.container_link import DirectLink, ServerLink, StreamLink
from regreen.sandbox.guest.link.frames import CONTROL, LENGTH_BYTES, MAIN, frame
from regreen.sandbox.guest.wire.connection import Overdue, WireError
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
        try:
            self.link = self._open_link()
        except BaseException:
            engine.remove(self.container)
            raise
        try:
            self.report = self._introduce()
        except BaseException:
            self.close()
            raise
        self._tell_link()

    def _open_link(self) -> ServerLink:
        """Send the code for inside, and its plan; then take the link that its first process takes."""
        stream, mounted = self.container.stream, self.container.mounted
        plan = {
            "kind": self.kind,
            "scratch": self.engine.scratch,
            "cheap_forks": cheap_forks(),
            "socket": None if mounted is None else self.engine.socket_place,
        }
        code = container_bundle()
        stream.settimeout(_START_SECONDS)
        with contextlib.suppress(OSError):
            # One that has ended already is told of by its last words, which are still to be read.
            first = frame(CONTROL, MAIN, json.dumps(plan).encode("ascii"))
            stream.sendall(len(code).to_bytes(LENGTH_BYTES, "little") + code + first)
        if mounted is None:
            return StreamLink(stream)
        try:
            control = mounted.accept(stream, self.engine.first_process(self.container), _START_SECONDS)
        finally:
            mounted.close()
        return StreamLink(stream) if control is None else DirectLink(control, stream)

    def delay_seconds(self) -> float:
        """None that is known: the processes of a container are its engine's, wherever that is."""
        return 0.0

    def _introduce(self) -> Mapping[str, Any]:
        answer = self._receive(_START_SECONDS)
        if "refused" in answer:
            raise SandboxUnavailable(
                f"the container is not what was asked for: {answer['refused']}.",
                remedy="Another engine or runtime may do it: REGREEN_DOCKER_RUNTIME, DOCKER_HOST.",
            )
        ready: Mapping[str, Any] = answer["ready"]
        if list(ready["python"])[:2] < _OLDEST_PYTHON:
            raise ConfigError(f"the image {self.engine.image} has Python {ready['python']}; 3.11 or newer is needed.")
        return ready

    def _tell_link(self) -> None:
        if self.link.direct:
            self.engine.say(f"{self.container.name} speaks over a socket of its own")
        elif self.container.mounted is not None:
            self.engine.mount_no_socket(str(self.report["no_socket"]))

    def _receive(self, seconds: float) -> Mapping[str, Any]:
        try:
            return self.link.receive(seconds)
        except Overdue as error:
            raise SandboxError("the server in the container does not answer.") from error
        except WireError as error:
            raise self._loss() from error

    def _send(self, message: bytes, fd: int | None = None) -> None:
        try:
            self.link.send(message, fd)
        except WireError as error:
            raise self._loss() from error

    def abandon(self) -> None:
        """End what is enclosed; unlike all else here, for any thread. Its user learns of it, and closes it."""
        self.link.abandon()

    def close(self) -> None:
        """End the container and all that is in it."""
        self.link.close()
        with contextlib.suppress(SandboxError):
            # An engine that is gone keeps what it had until it is back: then `remove_orphans` finds it by its label.
            self.engine.remove(self.container)

    def _loss(self) -> SandboxError:
        """What is known of the end of a container that has hung up."""
        self.engine.say(f"{self.container.name} is gone")
        end = self.engine.how_it_ended(self.container)
        said = "; ".join(filter(None, (end.words, self.link.last_words() or "it said nothing")))
        message = f"the server in the container is gone: {said}"
        return SandboxEnded(message, kind=self.kind) if end.from_within else SandboxError(message)


def processes_inside(servers: Sequence[SandboxServer]) -> int:
    """How many processes and threads there are in the containers of these servers."""
    return sum(s.engine.count_processes(s.container) for s in servers if isinstance(s, ContainerServer))
