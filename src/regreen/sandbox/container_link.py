"""How this process speaks with a container's server: over a socket between the two alone, or through the engine.

Both raise WireError: ConnectionClosed when the other end is gone, Overdue when it does not answer in time.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Any, Protocol

from regreen.sandbox.guest.boot import command
from regreen.sandbox.guest.link.engine_frames import STDERR, take_whole_frames
from regreen.sandbox.guest.wire.connection import Connection, ConnectionClosed, Overdue, WireError

_REPLY_BYTES = 1 << 17
_LAST_SECONDS = 1.0
_LAST_BYTES = 1 << 14
_SHOWN_CHARACTERS = 500


class ServerLink(Protocol):
    """A way to a container's server, for orders, answers and the connections of its child."""

    direct: bool
    """Whether nothing is in between."""

    def send(self, message: bytes, fd: int | None = None) -> None:
        """Send an order, with the child's end of its connection where it is to fork one."""

    def receive(self, seconds: float) -> Mapping[str, Any]:
        """The next answer."""

    def abandon(self) -> None:
        """Hang up; unlike all else here, for any thread."""

    def last_words(self) -> str:
        """What a server that has ended wrote to its standard error, and what is known besides."""

    def close(self) -> None:
        """Hang up, upon which the server ends, and its container with it."""


class DirectLink:
    """The same socket as a server of the jail has: descriptors pass, so that its child's bytes go by nobody else."""

    direct = True

    def __init__(self, control: socket.socket, stream: socket.socket) -> None:
        self.control = control
        self.stream = stream
        """The container's streams, on which nothing comes but what Python says when the server fails."""

    def send(self, message: bytes, fd: int | None = None) -> None:
        """Send an order."""
        rights = [] if fd is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fd.to_bytes(4, sys.byteorder))]
        try:
            self.control.sendmsg([message], rights)
        except OSError as error:
            raise ConnectionClosed(str(error)) from error

    def receive(self, seconds: float) -> Mapping[str, Any]:
        """The next answer; descriptors that come with it are the kernel's to close, as none are asked for."""
        if self.control.gettimeout() != seconds:
            self.control.settimeout(seconds)
        try:
            data = self.control.recv(_REPLY_BYTES)
            if not data:
                raise ConnectionClosed("it has hung up")
            answer: Mapping[str, Any] = json.loads(data.decode())
        except TimeoutError as error:
            raise Overdue("no answer came in time") from error
        except OSError as error:
            raise ConnectionClosed(str(error)) from error
        except (ValueError, RecursionError) as error:
            raise WireError(f"not JSON: {error}") from error
        return answer

    def abandon(self) -> None:
        """Hang up."""
        with contextlib.suppress(OSError):
            self.control.shutdown(socket.SHUT_RDWR)

    def last_words(self) -> str:
        """What came on the streams, until they end or a second is over."""
        raw, deadline = bytearray(), time.monotonic() + _LAST_SECONDS
        with contextlib.suppress(OSError):
            while len(raw) < _LAST_BYTES and (left := deadline - time.monotonic()) > 0:
                self.stream.settimeout(left)
                part = self.stream.recv(_LAST_BYTES)
                if not part:
                    break
                raw += part
        with contextlib.suppress(ValueError):
            said = b"".join(content for which, content in take_whole_frames(raw) if which == STDERR)
            return said.decode("utf-8", "replace").strip()[-_SHOWN_CHARACTERS:]
        return ""

    def close(self) -> None:
        """Hang up."""
        self.control.close()
        self.stream.close()


class StreamLink:
    """Frames on the streams that the engine attaches, which a process beside this one makes and reads.

    For engines on another machine, and runtimes that let no socket of the host in.
    """

    direct = False

    def __init__(self, stream: socket.socket) -> None:
        ours, theirs = socket.socketpair()
        self.connection = Connection(ours)
        try:
            with theirs, stream:
                self.relay = _start_relay(theirs.fileno(), stream.fileno())
        except BaseException:
            ours.close()
            raise

    def send(self, message: bytes, fd: int | None = None) -> None:
        """Send an order."""
        self.connection.send(message, *([] if fd is None else [fd]))

    def receive(self, seconds: float) -> Mapping[str, Any]:
        """The next answer."""
        self.connection.set_timeout(seconds)
        answer: Mapping[str, Any] = self.connection.receive_json()
        return answer

    def abandon(self) -> None:
        """Have the relay hang up on both sides."""
        self.relay.terminate()

    def last_words(self) -> str:
        """What the container said by its standard error, and why the relay ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.relay.wait(_LAST_SECONDS)
        if self.relay.poll() is None or self.relay.stderr is None:
            return ""
        os.set_blocking(self.relay.stderr.fileno(), False)
        return (self.relay.stderr.read() or b"").decode("utf-8", "replace").strip()[-_SHOWN_CHARACTERS:]

    def close(self) -> None:
        """Hang up, and end the relay."""
        self.connection.close()
        try:
            # It hangs up on the container, which then ends by itself.
            self.relay.wait(5)
        except subprocess.TimeoutExpired:
            self.relay.kill()
            self.relay.wait()
        if self.relay.stderr is not None:
            self.relay.stderr.close()


def _start_relay(control: int, stream: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command(sys.executable, "link.relay", str(control), str(stream)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=(control, stream),
        env={},
        cwd="/",
        start_new_session=True,
    )
