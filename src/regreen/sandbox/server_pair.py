"""One worker's servers, and the one child that each of them has at a time."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from regreen.sandbox.guest.wire.connection import Connection
from regreen.sandbox.server_process import ChildExit, SandboxServer
from regreen.types import Limits, Suite

_SUITES_A_JUDGE = 512
"""A judge's process is replaced after this many plain suites."""
_BYTES_A_JUDGE = 4 << 20
"""And before the messages of its plain suites have more bytes than this together."""

StartServer = Callable[[str], SandboxServer]
"""Starts a server of a kind, "guests", "checks" or "screens". Raises SandboxUnavailable where none can be built."""


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

    def rest(self) -> None:
        """End what the servers have forked. Raises SandboxError where one does not answer."""
        self.plain.dismiss()
        self.others.dismiss()
        if self._guests is not None and self._guests.busy:
            self._guests.reap()

    def close(self) -> None:
        """End all servers."""
        self.plain.close()
        self.others.close()
        if self._guests is not None:
            self._guests.close()
        self._guests = None
