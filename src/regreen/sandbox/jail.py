"""The jail: servers that enclose themselves, on Linux, without a daemon."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from regreen.errors import SandboxUnavailable
from regreen.sandbox.interpreter import Interpreter, inspect_interpreter
from regreen.sandbox.server_boot import BootingServer, boot_server, drop_first, take_first
from regreen.sandbox.server_process import SandboxServer, enclosure_plan
from regreen.types import Confinement

_BEST = "namespaces"
_known_layers: str | None = None
"""What servers are built of where nothing else is wanted, once this process knows it."""


class Jail:
    """Starts servers behind the wanted layers, or the best that can be built here.

    Whether these are namespaces is shown by the first server, which is needed anyway; only where it fails is the
    machine probed. Servers may be started by several threads.
    """

    def __init__(self, interpreter: Interpreter, layers: str | None, booting: dict[str, BootingServer]) -> None:
        """`booting`: processes that have been started for servers, by the kind of server.

        Raises SandboxUnavailable, with the remedy, where the wanted layers, or any, cannot be built.
        """
        self.interpreter = interpreter
        self._booting = booting
        self._told: set[str] = set()
        """Kinds whose booting process has been told to enclose itself by the best layers."""
        self._started: dict[str, SandboxServer] = {}
        if (layers or _known_layers or _BEST) == _BEST:
            self._tell()
        self.layers = layers or _known_layers or self._try_best()

    def __call__(self, kind: str) -> SandboxServer:
        """A server of a kind, "guests", "checks" or "screens"."""
        return self._started.pop(kind, None) or self._server(self.layers, kind)

    def close(self) -> None:
        """End the server that has been started and not used, if there is one."""
        for server in self._started.values():
            server.close()

    def _tell(self) -> None:
        """Have all processes enclose themselves side by side, before any is waited for."""
        for kind, booting in self._booting.items():
            if booting.python == self.interpreter.executable:
                self._told.add(kind)
                # One that has ended tells why when it is waited for.
                with contextlib.suppress(OSError):
                    booting.control.send(enclosure_plan(self.interpreter, _BEST))

    def _try_best(self) -> str:
        global _known_layers
        try:
            self._started["guests"] = self._server(_BEST, "guests")
        except SandboxUnavailable:
            _known_layers = _probed_layers()
        else:
            _known_layers = _BEST
        return _known_layers

    def _server(self, layers: str, kind: str) -> SandboxServer:
        booting, told = self._booting.pop(kind, None), kind in self._told
        self._told.discard(kind)
        # It may have been started through another name, such as a script that chooses a Python.
        if booting is not None and (booting.python != self.interpreter.executable or (told and layers != _BEST)):
            booting.abandon()
            booting, told = None, False
        return SandboxServer(self.interpreter, layers, kind, booting, told=told)


@contextlib.contextmanager
def open_jail(confinement: Confinement, interpreter: Interpreter | None = None) -> Iterator[Jail]:
    """The jail for the block; `interpreter` is one that is known already, in the place of the confinement's.

    Raises ConfigError where the interpreter cannot be used, SandboxUnavailable where nothing can be built.
    """
    if sys.platform != "linux":
        # Raises, with the remedy.
        _probed_layers()
    python = interpreter.executable if interpreter else confinement.python or sys.executable
    layers = None if confinement.layers == "auto" else confinement.layers
    # They load while the interpreter is asked for its paths.
    booting = _boot(python)
    try:
        jail = Jail(interpreter or inspect_interpreter(python), layers, booting)
        # What is left of it was started for another Python.
        drop_first()
        try:
            yield jail
        finally:
            jail.close()
    finally:
        for unused in booting.values():
            unused.abandon()


def _boot(python: str) -> dict[str, BootingServer]:
    """A process for a server of each kind; none of what cannot be run, which its inspection will tell."""
    booting = {}
    with contextlib.suppress(OSError):
        for kind in ("guests", "checks"):
            booting[kind] = take_first(python, kind) or boot_server(python, kind)
    return booting


def _probed_layers() -> str:
    from regreen.sandbox.probe import probe

    support = probe()
    if support.best is None:
        raise SandboxUnavailable("no sandbox can be built on this machine.", remedy=support.refusal)
    return support.best
