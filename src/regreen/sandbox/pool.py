"""Servers in pairs, one pair a worker: one forks guests, another judges, so that neither sees the other."""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from regreen.errors import SandboxError, SandboxUnavailable
from regreen.sandbox.guest.wire.connection import Connection
from regreen.sandbox.interpreter import Interpreter, inspect_interpreter
from regreen.sandbox.probe import probe
from regreen.sandbox.server_process import ChildExit, SandboxServer
from regreen.types import Limits, Suite

SUITES_A_JUDGE = 512
"""After so many plain suites a judge is forked anew, so that none lives for ever."""
BYTES_A_JUDGE = 4 << 20
"""Nor one that holds longer suites than this together."""


@dataclass(slots=True)
class JudgeSlot:
    """A judge and the suites that it has before it, each by its number."""

    limits: Limits
    wire: Connection
    plain: bool
    suites: list[Suite] = field(default_factory=list)
    """Kept, so that no other suite takes the identity of one."""
    numbers: dict[int, int] = field(default_factory=dict)
    size: int = 0
    """Bytes of all their orders."""

    def takes(self, limits: Limits, size: int) -> bool:
        """Whether the judge may have one more plain suite."""
        room = len(self.suites) < SUITES_A_JUDGE and self.size + size <= BYTES_A_JUDGE
        return self.plain and self.limits == limits and room


class JudgeServer:
    """A server that forks what holds checks, started when it is first needed, and its judge if there is one."""

    def __init__(self, interpreter: Interpreter, layers: str) -> None:
        self.interpreter = interpreter
        self.layers = layers
        self.running: SandboxServer | None = None
        self._seat: JudgeSlot | None = None

    @property
    def server(self) -> SandboxServer:
        """The server."""
        if self.running is None:
            self.running = SandboxServer(self.interpreter, self.layers, "checks")
        return self.running

    def seated(self, suite: Suite, limits: Limits) -> tuple[Connection, int] | None:
        """The connection to the judge that has this very suite, and the suite's number there, if there is one."""
        seat = self._seat
        if seat is None or seat.limits != limits or id(suite) not in seat.numbers:
            return None
        return seat.wire, seat.numbers[id(suite)]

    def seat(self, suite: Suite, limits: Limits, size: int, *, plain: bool) -> tuple[Connection, int]:
        """A judge for another suite, whose order has `size` bytes, and the suite's number there.

        It is a new one, unless this suite and all that it had before are too plain to leave a trace.
        """
        seat = self._seat
        if seat is None or not (plain and seat.takes(limits, size)):
            self.dismiss()
            seat = self._seat = JudgeSlot(limits, self.server.spawn("judge", limits), plain)
        seat.suites.append(suite)
        seat.size += size
        number = seat.numbers[id(suite)] = len(seat.suites)
        return seat.wire, number

    def dismiss(self, *, gone: bool = False) -> ChildExit | None:
        """End the judge, if there is one; `gone` says that it has hung up."""
        if self._seat is None:
            return None
        self._seat.wire.close()
        self._seat = None
        return self.server.reap(gone=gone)

    def close(self) -> None:
        """End the server and all that it forked."""
        if self._seat is not None:
            self._seat.wire.close()
        if self.running is not None:
            self.running.close()
        self.running = self._seat = None


class ServerPair:
    """One worker's servers, started when they are first needed: that of the guests, and those of the checks.

    Plain suites have a judge of their own, which keeps many of them, so that others in between do not end it.
    """

    def __init__(self, interpreter: Interpreter, layers: str) -> None:
        self.interpreter = interpreter
        self.layers = layers
        self._guests: SandboxServer | None = None
        self.plain = JudgeServer(interpreter, layers)
        self.others = JudgeServer(interpreter, layers)

    @property
    def guests(self) -> SandboxServer:
        """The server that forks whatever holds the program."""
        if self._guests is None:
            self._guests = SandboxServer(self.interpreter, self.layers, "guests")
        return self._guests

    @property
    def servers(self) -> list[SandboxServer]:
        """Those that run."""
        return [server for server in (self._guests, self.plain.running, self.others.running) if server is not None]

    def new_guest(self, limits: Limits) -> socket.socket:
        """Have a guest forked; returns the end of its connection that is the judge's."""
        return self.guests.spawn_socket("guest", limits)

    def close(self) -> None:
        """End all servers."""
        self.plain.close()
        self.others.close()
        if self._guests is not None:
            self._guests.close()
        self._guests = None


class Pool:
    """As many pairs as there are workers; whoever needs one borrows it."""

    def __init__(self, workers: int, interpreter: Interpreter, layers: str) -> None:
        self.workers = workers
        self.interpreter = interpreter
        self.layers = layers
        self._pairs = [ServerPair(interpreter, layers) for _ in range(workers)]
        self._free: queue.LifoQueue[ServerPair] = queue.LifoQueue()
        for pair in self._pairs:
            self._free.put(pair)
        self._screens: queue.LifoQueue[SandboxServer] = queue.LifoQueue()
        self._closed = threading.Event()

    @contextlib.contextmanager
    def lease(self) -> Iterator[SandboxServer]:
        """A server for a long-lived child of the block's own (a screener), apart from the pairs."""
        try:
            server = self._screens.get_nowait()
        except queue.Empty:
            server = SandboxServer(self.interpreter, self.layers, "checks")
        try:
            yield server
            if server.busy:
                server.reap()
        except BaseException:
            server.close()
            raise
        if self._closed.is_set():
            server.close()
        else:
            self._screens.put(server)

    @contextlib.contextmanager
    def borrow(self) -> Iterator[ServerPair]:
        """A pair for the block alone. A pair on which anything fails is ended, and starts anew for the next one."""
        pair = self._free.get()
        try:
            if self._closed.is_set():
                raise SandboxError("the sandbox was closed")
            yield pair
        except BaseException:
            pair.close()
            raise
        finally:
            self._free.put(pair)

    def close(self) -> None:
        """End every server."""
        self._closed.set()
        for pair in self._pairs:
            pair.close()
        while not self._screens.empty():
            self._screens.get_nowait().close()


def choose_layers(wanted: str | None) -> str:
    """The layers to build on: the ones asked for, else the best that this machine offers.

    Raises SandboxUnavailable, with the remedy, when nothing here keeps the promise.
    """
    if wanted not in (None, "auto"):
        return str(wanted)
    support = probe()
    if support.best is None:
        raise SandboxUnavailable("no sandbox can be built on this machine.", remedy=support.refusal)
    return support.best


@contextlib.contextmanager
def open_pool(*, workers: int = 1, layers: str | None = None, python: str | None = None) -> Iterator[Pool]:
    """A pool for the block; nothing of it is left afterwards."""
    interpreter = inspect_interpreter(python) if python else inspect_interpreter()
    pool = Pool(workers, interpreter, choose_layers(layers))
    try:
        yield pool
    finally:
        pool.close()
