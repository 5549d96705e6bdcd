"""Servers, a few a worker: those that fork guests never fork judges, so that neither sees the other."""

from __future__ import annotations

import contextlib
import queue
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from regreen.errors import SandboxError
from regreen.sandbox.guest.wire.connection import Connection
from regreen.sandbox.interpreter import Interpreter, inspect_interpreter
from regreen.sandbox.jail import open_jail
from regreen.sandbox.server_process import ChildExit, SandboxServer
from regreen.types import Confinement, Limits, Suite

_SUITES_A_JUDGE = 512
"""A judge's process is replaced after this many plain suites."""
_BYTES_A_JUDGE = 4 << 20
"""And before the messages of its plain suites have more bytes than this together."""

StartServer = Callable[[str], SandboxServer]
"""Starts a server of a kind, "guests", "checks" or "screens". Raises SandboxUnavailable where none can be built."""


@dataclass(frozen=True, slots=True)
class Wall:
    """What the servers of a pool are built behind."""

    start: StartServer
    layers: str
    """What it is made of: "namespaces", "landlock", "container" or "restricted"."""
    python: str
    """The Python that programs run on, in words: a path, or that of an image."""
    refused: Callable[[str, Mapping[str, str]], str] = lambda source, companions: ""
    """What of a program, or of the modules beside it, cannot be run here, in words; empty where all can."""
    promise: str = ""
    """What it does not promise, as a clause, where it is no wall."""


SuiteKey = tuple[str, tuple[tuple[str, str], ...]]
"""Digest of a suite, and the modules that its checks may import as sorted pairs of path and text."""


def suite_key(suite: Suite, companions: Mapping[str, str]) -> SuiteKey:
    """Equal for suites and companions that are judged alike."""
    return suite.digest, tuple(sorted(companions.items()))


@dataclass(slots=True)
class JudgeSlot:
    """A judge's process and the suites that it has compiled, each by its number."""

    limits: Limits
    connection: Connection
    plain: bool
    """Whether its suites leave no trace in the process, so that it may hold several."""
    numbers: dict[SuiteKey, int] = field(default_factory=dict)
    size: int = 0
    """Bytes of the messages that brought the suites."""

    def takes(self, limits: Limits, size: int) -> bool:
        """Whether the judge may hold one more plain suite, whose message has `size` bytes."""
        room = len(self.numbers) < _SUITES_A_JUDGE and self.size + size <= _BYTES_A_JUDGE
        return self.plain and self.limits == limits and room


class JudgeServer:
    """A server that forks judges, started when it is first needed, and the one judge that it has at a time."""

    def __init__(self, start: StartServer) -> None:
        self.start = start
        self.running: SandboxServer | None = None
        self._slot: JudgeSlot | None = None

    @property
    def server(self) -> SandboxServer:
        """The server."""
        if self.running is not None and self.running.spoilt and not self.running.busy:
            self.close()
        if self.running is None:
            self.running = self.start("checks")
        return self.running

    def find(self, key: SuiteKey, limits: Limits) -> tuple[Connection, int] | None:
        """The connection to the judge and the suite's number there; None where it has no equal suite and limits."""
        slot = self._slot
        if slot is None or slot.limits != limits:
            return None
        number = slot.numbers.get(key)
        return None if number is None else (slot.connection, number)

    def assign(self, key: SuiteKey, limits: Limits, size: int, *, plain: bool) -> tuple[Connection, int]:
        """The connection to a judge that is to get this suite, and the number to send it with.

        It is a new judge, unless this suite (its message has `size` bytes) and all that it holds are plain.
        """
        slot = self._slot
        if slot is None or not (plain and slot.takes(limits, size)):
            self.dismiss()
            slot = self._slot = JudgeSlot(limits, self.server.spawn("judge", limits), plain)
        slot.size += size
        number = slot.numbers[key] = len(slot.numbers) + 1
        return slot.connection, number

    def dismiss(self, *, gone: bool = False) -> ChildExit | None:
        """End the judge, if there is one; `gone` says that it has hung up."""
        if self._slot is None:
            return None
        self._slot.connection.close()
        self._slot = None
        return self.server.reap(gone=gone)

    def close(self) -> None:
        """End the server and all that it forked."""
        if self._slot is not None:
            self._slot.connection.close()
        if self.running is not None:
            self.running.close()
        self.running = self._slot = None


class ServerPair:
    """One worker's servers, each started when it is first needed: one for guests, two for checks.

    Plain suites have a server apart: its judge holds many of them, and other suites in between do not end it.
    """

    def __init__(self, start: StartServer, preload: Sequence[str] = ()) -> None:
        self.start = start
        self.preload = preload
        self._guests: SandboxServer | None = None
        self.plain = JudgeServer(start)
        self.others = JudgeServer(start)

    @property
    def guests(self) -> SandboxServer:
        """The server that forks whatever holds the program."""
        if self._guests is not None and self._guests.spoilt and not self._guests.busy:
            self._guests.close()
            self._guests = None
        if self._guests is None:
            self._guests = self.start("guests")
            # What cannot be imported is for the program to find out.
            self._guests.ensure_imported(self.preload)
        return self._guests

    @property
    def servers(self) -> list[SandboxServer]:
        """The servers that are running."""
        return [server for server in (self._guests, self.plain.running, self.others.running) if server is not None]

    def new_guest(self, limits: Limits) -> socket.socket:
        """Fork a guest; returns the judge's end of its connection."""
        return self.guests.spawn_socket("guest", limits)

    def close(self) -> None:
        """End all servers."""
        self.plain.close()
        self.others.close()
        if self._guests is not None:
            self._guests.close()
        self._guests = None


class Pool:
    """One pair of servers a worker, lent to one user at a time, and servers for screeners."""

    def __init__(self, workers: int, wall: Wall, *, preload: Sequence[str] = ()) -> None:
        self.workers = workers
        self.wall = wall
        self._pairs = [ServerPair(wall.start, preload) for _ in range(workers)]
        self._free: queue.LifoQueue[ServerPair] = queue.LifoQueue()
        for pair in self._pairs:
            self._free.put(pair)
        self._screens: queue.LifoQueue[SandboxServer] = queue.LifoQueue()
        self._lent: set[SandboxServer] = set()
        self._closed = threading.Event()

    @contextlib.contextmanager
    def lease(self) -> Iterator[SandboxServer]:
        """A server for the block's own long-lived child (a screener), apart from the pairs."""
        try:
            server = self._screens.get_nowait()
        except queue.Empty:
            server = self.wall.start("screens")
        self._lent.add(server)
        try:
            yield server
            if server.busy:
                server.reap()
        except BaseException:
            server.close()
            raise
        finally:
            self._lent.discard(server)
        if self._closed.is_set():
            server.close()
        else:
            self._screens.put(server)

    @property
    def has_idle_server(self) -> bool:
        """Whether a lease needs no server to be started; another user may take it meanwhile."""
        return not self._screens.empty()

    @contextlib.contextmanager
    def borrow(self) -> Iterator[ServerPair]:
        """A pair for the block alone; after an exception its servers are ended, and the next user starts new ones."""
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

    def abandon(self) -> None:
        """Have whoever works with a server see it fail, and lend none any more; for another thread than theirs."""
        self._closed.set()
        for server in [*(server for pair in self._pairs for server in pair.servers), *self._lent.copy()]:
            server.abandon()

    def close(self) -> None:
        """End every server."""
        self._closed.set()
        for pair in self._pairs:
            pair.close()
        while not self._screens.empty():
            self._screens.get_nowait().close()


@contextlib.contextmanager
def open_pool(
    confinement: Confinement = Confinement(),
    *,
    layers: str | None = None,
    workers: int = 1,
    interpreter: Interpreter | None = None,
    preload: Sequence[str] = (),
) -> Iterator[Pool]:
    """A pool for the block; all its processes, containers and files are gone afterwards.

    `layers` are the jail's, where nothing else is chosen. `interpreter` is one that is known already,
    in the place of the confinement's; a container has its own. `preload` names modules that every program starts with
    in memory, so that importing them takes it no time. Raises SandboxUnavailable, with the remedy, where no
    sandbox of the wanted kind can be built.
    """
    if layers is not None:
        confinement = replace(confinement, layers=layers)
    with _KINDS[confinement.kind](confinement, interpreter) as wall:
        pool = Pool(workers, wall, preload=preload)
        try:
            yield pool
        finally:
            pool.close()


@contextlib.contextmanager
def _in_jail(confinement: Confinement, interpreter: Interpreter | None) -> Iterator[Wall]:
    with open_jail(confinement, interpreter) as jail:
        yield Wall(jail, jail.layers, jail.interpreter.executable)


@contextlib.contextmanager
def _in_containers(confinement: Confinement, _of_host: Interpreter | None) -> Iterator[Wall]:
    # Imported late: the client of Docker's API is an extra, and costs some 0.3 s.
    from regreen.sandbox.container_engine import open_container_engine
    from regreen.sandbox.container_server import ContainerServer

    with open_container_engine(confinement.container, confinement.memory_bytes) as engine:
        yield Wall(partial(ContainerServer, engine), "container", f"the Python of the image {engine.image}")


@contextlib.contextmanager
def _restricted(confinement: Confinement, interpreter: Interpreter | None) -> Iterator[Wall]:
    from regreen.sandbox.limited_server import FOLDER_PREFIX, LimitedServer
    from regreen.sandbox.owned_folder import remove_orphaned_folders
    from regreen.sandbox.restricted_text import NO_WALL, need_restricted_python, what_is_refused

    need_restricted_python()
    remove_orphaned_folders(FOLDER_PREFIX)
    interpreter = interpreter or inspect_interpreter(confinement.python or sys.executable)
    refused = partial(what_is_refused, same_grammar=interpreter.version[:2] == sys.version_info[:2])
    yield Wall(partial(LimitedServer, interpreter), "restricted", interpreter.executable, refused, NO_WALL)


_KINDS = {"jail": _in_jail, "docker": _in_containers, "restricted": _restricted}
