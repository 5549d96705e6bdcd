"""The jail is built of the best layers that can be, which the first server shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from regreen.errors import ConfigError, SandboxUnavailable
from regreen.sandbox import jail
from regreen.sandbox.probe import Layer, MachineSupport, probe
from regreen.sandbox.server_process import SandboxServer
from regreen.types import Confinement

pytestmark = pytest.mark.sandbox


@pytest.fixture(autouse=True)
def _unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server has been started in this process."""
    monkeypatch.setattr(jail, "_known_layers", None)


@pytest.fixture
def only_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose servers cannot have namespaces."""
    start = SandboxServer.__init__

    def refuse(
        self: SandboxServer, interpreter: object, layers: str, kind: str, booting: jail.BootingServer, *, told: bool
    ) -> None:
        if layers == "namespaces":
            booting.abandon()
            raise SandboxUnavailable("denied.")
        start(self, interpreter, layers, kind, booting)  # type: ignore[arg-type]

    monkeypatch.setattr(SandboxServer, "__init__", refuse)
    builds = {"namespaces": Layer("namespaces", False, ""), "landlock": Layer("landlock", True, "")}
    monkeypatch.setattr("regreen.sandbox.probe.probe", lambda: _support(builds))


def _support(builds: dict[str, Layer]) -> MachineSupport:
    return MachineSupport((), builds, 6, "none", "", False, "", "", 0, 2)


def test_where_namespaces_work_the_first_server_shows_it_and_is_lent() -> None:
    """And nothing more is tried."""
    if not probe().builds["namespaces"].works:
        pytest.skip("this machine has no namespaces")
    with jail.open_jail(Confinement()) as start:
        assert start.layers == "namespaces"
        first = start._started["guests"]
        assert start("guests") is first
        second = start("guests")
        assert second.process.pid != first.process.pid
        first.close()
        second.close()


@pytest.mark.usefixtures("only_landlock")
def test_where_they_do_not_the_machine_is_probed_once() -> None:
    """What it says holds for the pools to come."""
    for _ in range(2):
        with jail.open_jail(Confinement()) as start:
            assert start.layers == "landlock"
    assert jail._known_layers == "landlock"


def test_nothing_that_was_started_stays() -> None:
    """Neither processes that were to become servers, nor a server that nobody asked for."""
    with jail.open_jail(Confinement()) as start:
        unused = [
            *(server.process for server in start._started.values()),
            *(b.process for b in start._booting.values()),
        ]
        assert len(unused) == 2
    assert all(process.poll() is not None for process in unused)


def test_a_python_behind_a_script_is_started_by_its_own_name(tmp_path: Path) -> None:
    """As a version manager's shim is one: what was started through it is not taken for the interpreter."""
    shim = tmp_path / "python"
    shim.write_text(f'#!/bin/sh\nexec {Path(jail.sys.executable)} "$@"\n')
    shim.chmod(0o755)
    with jail.open_jail(Confinement(python=str(shim))) as start:
        server = start("checks")
        assert server.python == start.interpreter.executable != str(shim)
        server.close()


def test_what_is_no_python_is_told() -> None:
    """Though processes were started before it was asked."""
    with pytest.raises(ConfigError, match="no Python"), jail.open_jail(Confinement(python="/bin/cat")):
        pass
