"""Servers, a few a worker: those that fork guests never fork judges, so that neither sees the other."""

from __future__ import annotations

import contextlib
import queue
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from regreen.errors import SandboxError
from regreen.sandbox.interpreter import Interpreter, inspect_interpreter
from regreen.sandbox.jail import open_jail
from regreen.sandbox.server_pair import ServerPair, StartServer
from regreen.sandbox.server_process import SandboxServer
from regreen.types import Confinement


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

    def rest(self, *, screens: int) -> bool:
        """End what the servers have forked, and the servers for more than so many screeners.

        Says whether another user may have the rest: nobody uses any of it, and it is as good as new. Raises
        SandboxError where a server does not answer.
        """
        if self._lent or self._free.qsize() < self.workers:
            return False
        while self._screens.qsize() > screens:
            self._screens.get_nowait().close()
        for pair in self._pairs:
            pair.rest()
        return self.is_sound

    @property
    def is_sound(self) -> bool:
        """Whether the pool is open, no server has ended, and no child has left in one what cannot be removed."""
        servers = [*(server for pair in self._pairs for server in pair.servers), *self._screens.queue]
        return not self._closed.is_set() and all(
            server.process.poll() is None and not server.spoilt for server in servers
        )

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
