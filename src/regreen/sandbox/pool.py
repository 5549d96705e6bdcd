"""Pairs of servers, one pair a worker: one forks guests, the other judges, so that neither sees the other."""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace

from regreen.errors import SandboxError, SandboxUnavailable
from regreen.sandbox.guest.wire import Wire
from regreen.sandbox.interpreter import Interpreter, inspect_interpreter
from regreen.sandbox.probe import probe
from regreen.sandbox.workers import Ended, Server
from regreen.types import Limits, Suite

SUITES_A_JUDGE = 64
"""After so many plain suites a judge is forked anew, so that none lives for ever."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A judge and the suite that it has before it."""

    suite: Suite
    limits: Limits
    wire: Wire
    plain: bool
    suites: int
    """How many it has had."""


class Pair:
    """One worker's two servers, started when they are first needed."""

    def __init__(self, interpreter: Interpreter, layers: str) -> None:
        self.interpreter = interpreter
        self.layers = layers
        self._guests: Server | None = None
        self._judges: Server | None = None
        self._seat: Seat | None = None

    @property
    def guests(self) -> Server:
        """The server that forks whatever holds the program."""
        if self._guests is None:
            self._guests = Server(self.interpreter, self.layers, "guests")
        return self._guests

    @property
    def judges(self) -> Server:
        """The server that forks whatever holds the checks."""
        if self._judges is None:
            self._judges = Server(self.interpreter, self.layers, "checks")
        return self._judges

    def seated(self, suite: Suite, limits: Limits) -> Wire | None:
        """The connection to the judge that sits with this very suite, if there is one."""
        seat = self._seat
        return seat.wire if seat is not None and seat.suite is suite and seat.limits == limits else None

    def seat(self, suite: Suite, limits: Limits, *, plain: bool) -> Wire:
        """A judge for another suite: a new one, unless both it and the one before are too plain to leave a trace."""
        seat = self._seat
        if seat is None or not (plain and seat.plain and seat.limits == limits and seat.suites < SUITES_A_JUDGE):
            self.dismiss()
            seat = Seat(suite, limits, self.judges.spawn("judge", limits), plain, 0)
        self._seat = replace(seat, suite=suite, suites=seat.suites + 1)
        return seat.wire

    def dismiss(self, *, gone: bool = False) -> Ended | None:
        """End the judge, if there is one; `gone` says that it has hung up."""
        if self._seat is None:
            return None
        self._seat.wire.close()
        self._seat = None
        return self.judges.reap(gone=gone)

    def new_guest(self, limits: Limits) -> socket.socket:
        """Have a guest forked; returns the end of its connection that is the judge's."""
        ours, theirs = socket.socketpair()
        with theirs:
            self.guests.spawn_on("guest", limits, theirs)
        return ours

    def close(self) -> None:
        """End both servers."""
        if self._seat is not None:
            self._seat.wire.close()
        for server in (self._guests, self._judges):
            if server is not None:
                server.close()
        self._guests = self._judges = self._seat = None


class Pool:
    """As many pairs as there are workers; whoever needs one borrows it."""

    def __init__(self, workers: int, interpreter: Interpreter, layers: str) -> None:
        self.workers = workers
        self.interpreter = interpreter
        self.layers = layers
        self._pairs = [Pair(interpreter, layers) for _ in range(workers)]
        self._free: queue.LifoQueue[Pair] = queue.LifoQueue()
        for pair in self._pairs:
            self._free.put(pair)
        self._screens: queue.LifoQueue[Server] = queue.LifoQueue()
        self._closed = threading.Event()

    @contextlib.contextmanager
    def lease(self) -> Iterator[Server]:
        """A server for a long-lived child of the block's own (a screener), apart from the pairs."""
        try:
            server = self._screens.get_nowait()
        except queue.Empty:
            server = Server(self.interpreter, self.layers, "checks")
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
    def borrow(self) -> Iterator[Pair]:
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
    offer = probe()
    if offer.best is None:
        raise SandboxUnavailable("no sandbox can be built on this machine.", remedy=offer.refusal)
    return offer.best


@contextlib.contextmanager
def open_pool(*, workers: int = 1, layers: str | None = None, python: str | None = None) -> Iterator[Pool]:
    """A pool for the block; nothing of it is left afterwards."""
    interpreter = inspect_interpreter(python) if python else inspect_interpreter()
    pool = Pool(workers, interpreter, choose_layers(layers))
    try:
        yield pool
    finally:
        pool.close()
