"""Which Ray a run works on: the one that is named, the one that is there, or one of its own."""

from __future__ import annotations

import builtins
import contextlib
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from regreen.errors import ConfigError
from regreen.evaluate.spread import cluster as clusters
from regreen.evaluate.spread.cluster import join_cluster

REALLY_CONNECTED = socket.create_connection
AS_RAY = b"\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64"
"""How Ray's services answer: a frame of settings, and what it holds."""


class FakeRay(ModuleType):
    """A Ray that notes how it was begun."""

    def __init__(self, running: str | None) -> None:
        super().__init__("ray")
        self.running = running
        self.begun: list[dict[str, Any]] = []
        self.inside = False

    def is_initialized(self) -> bool:
        return self.inside

    def init(self, **how: Any) -> None:
        if how["address"] == "auto" and self.running is None:
            raise ConnectionError("no cluster is running")
        if how["address"].startswith("bad"):
            raise RuntimeError("version mismatch:\nhere 3, there 4")
        signal.signal(signal.SIGTERM, lambda *_: None)
        self.begun.append(how)
        self.inside = True

    def shutdown(self) -> None:
        self.inside = False

    def get_runtime_context(self) -> Any:
        return type("Context", (), {"gcs_address": self.running})

    def nodes(self) -> list[dict[str, Any]]:
        def node(name: str, cores: float, alive: bool) -> dict[str, Any]:
            return {"NodeID": name, "NodeManagerAddress": f"at-{name}", "Resources": {"CPU": cores}, "Alive": alive}

        return [node("b", 2.0, True), node("dead", 8.0, False), node("head", 0.0, True), node("a", 1.5, True)]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str | None], FakeRay]]:
    open_lines = contextlib.ExitStack()

    def put(running: str | None) -> FakeRay:
        ray = FakeRay(running)
        monkeypatch.setitem(sys.modules, "ray", ray)
        return ray

    def connected(place: tuple[str, int], timeout: float) -> socket.socket:
        ours, theirs = socket.socketpair()
        open_lines.callback(theirs.close)
        theirs.sendall(AS_RAY)
        return ours

    monkeypatch.setattr(socket, "create_connection", connected)
    for name in ("RAY_ADDRESS", "RAY_USAGE_STATS_ENABLED", "RAY_ENABLE_AUTO_CONNECT", "RAY_USE_TLS"):
        monkeypatch.delenv(name, raising=False)
    with open_lines:
        yield put


WHERE = {
    "a cluster is named": ("10.0.0.1:6379", None, "10.0.0.1:6379", "Joined the Ray cluster at 10.0.0.1:6379."),
    "a client's address is": ("ray://host:1", None, "ray://host:1", "Joined the Ray cluster at ray://host:1."),
    "one runs here": (None, "127.0.0.1:1", "auto", "Joined the Ray cluster at 127.0.0.1:1."),
    "none runs here": (None, None, "local", "Started a local Ray with 3 cores."),
    "its own is asked for": ("local", "127.0.0.1:1", "local", "Started a local Ray with 3 cores."),
}


@pytest.mark.parametrize("kind", WHERE)
def test_a_run_joins_what_is_there_and_starts_what_is_not(
    install: Callable[[str | None], FakeRay], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """It is said which; SIGTERM means what it meant, and nothing is left afterwards."""
    named, running, address, said = WHERE[kind]
    if named:
        monkeypatch.setenv("RAY_ADDRESS", named)
    ray, told, before = install(running), [], signal.getsignal(signal.SIGTERM)
    with join_cluster(3, told.append) as cluster:
        assert [(node.id, node.name, node.cores) for node in cluster.nodes()] == [("a", "at-a", 1), ("b", "at-b", 2)]
    how = ray.begun[0]
    assert (how["address"], told, ray.inside) == (address, [said], False)
    assert signal.getsignal(signal.SIGTERM) is before
    if address == "local":
        assert (how["num_cpus"], how["_node_ip_address"]) == (3, "127.0.0.1")
        assert not Path(how["_temp_dir"]).exists()


def test_a_cluster_that_the_process_belongs_to_is_used_and_kept(install: Callable[[str | None], FakeRay]) -> None:
    """It was not ours to begin, and is not ours to end."""
    ray = install("127.0.0.1:1")
    ray.inside = True
    with join_cluster(3, lambda text: None):
        pass
    assert (ray.begun, ray.inside) == ([], True)


@pytest.mark.parametrize("named", ["bad:1", "auto"])
def test_a_cluster_that_is_named_and_cannot_be_joined_is_refused(
    install: Callable[[str | None], FakeRay], monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    """No other takes its place."""
    monkeypatch.setenv("RAY_ADDRESS", named)
    ray = install(None)
    with (
        pytest.raises(ConfigError, match=rf"the Ray cluster at {named} cannot be joined: .*RAY_ADDRESS"),
        join_cluster(3, str),
    ):
        pass
    assert ray.begun == []


UNANSWERED = {
    "nothing listens": ("10.0.0.1:6379", ConnectionRefusedError(111, "Connection refused"), "Connection refused"),
    "nothing comes back": ("ray://10.0.0.1:10001", TimeoutError("timed out"), "timed out"),
    "no such host": ("nowhere:6379", socket.gaierror(-2, "Name or service not known"), "Name or service not known"),
    "no such port": ("10.0.0.1:99999", None, "out of range"),
}


@pytest.mark.parametrize("kind", UNANSWERED)
def test_a_cluster_that_does_not_answer_is_given_up_at_once(
    install: Callable[[str | None], FakeRay], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Ray would go on trying for minutes: it is not asked."""
    where, error, said = UNANSWERED[kind]
    waits: list[float] = []

    def refused(place: tuple[str, int], timeout: float) -> None:
        waits.append(timeout)
        if error:
            raise error

    ray = install(None)
    monkeypatch.setenv("RAY_ADDRESS", where)
    monkeypatch.setattr(socket, "create_connection", refused)
    with (
        pytest.raises(ConfigError, match=rf"nobody answers at {where}, .*{said}.*Unset RAY_ADDRESS"),
        join_cluster(3, str),
    ):
        pass
    assert (ray.begun, [wait for wait in waits if wait > 15]) == ([], [])


@pytest.mark.parametrize(
    ("said", "tls", "is_ray"),
    [
        (AS_RAY, "0", True),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "0", False),
        (b"-ERR\r\n", "0", False),
        (b"", "0", False),
        (None, "0", False),
        (b"\x15\x03\x01\x00\x02\x02\x46", "1", True),
    ],
    ids=["settings", "a web server", "too little", "it hangs up", "it is silent", "encrypted"],
)
def test_whatever_answers_at_the_address_has_to_speak_as_ray_does(
    install: Callable[[str | None], FakeRay],
    monkeypatch: pytest.MonkeyPatch,
    said: bytes | None,
    tls: str,
    is_ray: bool,
) -> None:
    """Ray itself would take half a minute to see that it is none; what is encrypted is left to it."""
    ray = install(None)
    monkeypatch.setattr(socket, "create_connection", REALLY_CONNECTED)
    monkeypatch.setattr(clusters, "_ANSWER_SECONDS", 0.2)
    monkeypatch.setenv("RAY_USE_TLS", tls)
    with socket.create_server(("127.0.0.1", 0)) as server, contextlib.ExitStack() as open_lines:

        def answer() -> None:
            line = server.accept()[0]
            open_lines.callback(line.close)
            if said is not None:
                # In two parts, as a network may deliver it.
                line.sendall(said[:3])
                time.sleep(0.01)
                with contextlib.suppress(OSError):
                    line.sendall(said[3:])
                    line.shutdown(socket.SHUT_WR)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        where = f"127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setenv("RAY_ADDRESS", where)
        if is_ray:
            with join_cluster(3, str):
                assert ray.begun
        else:
            with pytest.raises(ConfigError, match=rf"what answers at {where}.* is no Ray.*Unset"), join_cluster(3, str):
                pass
            assert not ray.begun
        thread.join(10)


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that brings it."""
    real = builtins.__import__

    def missing(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "ray":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ConfigError, match=r"pip install 'regreen\[ray\]'"), join_cluster(3, str):
        pass
