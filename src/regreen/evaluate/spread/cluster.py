"""Joins a Ray cluster, or starts one on this machine and removes it afterwards."""

from __future__ import annotations

import contextlib
import shutil
import signal
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from regreen.environment import address, quiet_ray, ray_encrypts
from regreen.errors import ConfigError

_LOOPBACK = "127.0.0.1"
"""Address of a local Ray: no other machine can reach it."""
_STORE_BYTES = 256 << 20
"""Shared memory of a local Ray, 256 MiB: cases and results are small."""
_LONGEST_FOLDER = 24
"""Characters of a temporary folder's path: Ray adds about 60 for a socket, and unix(7) allows 107 in all."""

_ANSWER_SECONDS = 10.0
"""How long a cluster may take to answer."""

_HTTP2_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""The client's preface of HTTP/2, which Ray's services speak, and an empty SETTINGS frame (RFC 9113, 3.4 and 6.5)."""
_FRAME_HEADER_BYTES = 9
"""Size of a frame's header: length in 3 bytes, type in 1, flags in 1, stream in 4 (RFC 9113, 4.1)."""
_SETTINGS_FRAME = 4
"""Type of the frame that a server has to send first (RFC 9113, 3.4)."""

Notify = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Node:
    """A machine of the cluster."""

    id: str
    name: str
    """Its address."""
    cores: int
    """Cores that Ray may use."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Ray cluster that this process has joined."""

    ray: Any

    def nodes(self) -> tuple[Node, ...]:
        """Nodes that are alive and have cores, ordered by id."""
        alive = (entry for entry in self.ray.nodes() if entry["Alive"])
        found = (
            Node(entry["NodeID"], str(entry["NodeManagerAddress"]), int(entry["Resources"].get("CPU", 0)))
            for entry in alive
        )
        return tuple(sorted((node for node in found if node.cores), key=lambda node: node.id))

    def start_actor(self, kind: type, node: Node, cores: int, calls: int, *given: object) -> Any:
        """Start an actor of class `kind` on a node, with up to `calls` calls at a time.

        It ends with this process, and Ray never restarts it by itself.
        """
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        return (
            self.ray.remote(kind)
            .options(
                num_cpus=cores,
                max_concurrency=calls,
                max_restarts=0,
                max_task_retries=0,
                scheduling_strategy=NodeAffinitySchedulingStrategy(node.id, soft=False),
            )
            .remote(*given)
        )


@contextlib.contextmanager
def join_cluster(cores: int, notify: Notify) -> Iterator[Cluster]:
    """The cluster that RAY_ADDRESS names, else the one on this machine, else a new one of `cores` cores, for the block.

    Raises ConfigError where Ray is not installed or the cluster cannot be reached.
    """
    ray = _import_ray()
    if ray.is_initialized():
        notify("Working on the Ray cluster that this process belongs to.")
        yield Cluster(ray)
        return
    with contextlib.ExitStack() as stack:
        stack.enter_context(_sigterm_restored())
        if not _join(ray, address(("RAY_ADDRESS",)), notify):
            folder = stack.enter_context(_folder())
            _start(ray, cores, folder)
            notify(f"Started a local Ray with {cores} {'core' if cores == 1 else 'cores'}.")
        stack.callback(ray.shutdown)
        yield Cluster(ray)


def _import_ray() -> Any:
    quiet_ray()
    try:
        import ray
    except ImportError:
        raise ConfigError(
            "--spread ray needs Ray, which is not installed here.",
            remedy="Install the extra with: pip install 'regreen[ray]'",
        ) from None
    return ray


def _join(ray: Any, where: str | None, notify: Notify) -> bool:
    """Join a cluster that runs; False where none was named and none runs."""
    if where == "local":
        return False
    _check_address(where or "auto")
    try:
        ray.init(address=where or "auto", **_quiet_options())
    except Exception as error:
        if where is None and isinstance(error, ConnectionError):
            return False
        raise ConfigError(
            f"the Ray cluster at {where or 'this machine'} cannot be joined: {_first_line(error)}.",
            remedy="Check RAY_ADDRESS, and that Ray and Python have the same versions here and there.",
        ) from error
    notify(f"Joined the Ray cluster at {where or ray.get_runtime_context().gcs_address}.")
    return True


def _check_address(where: str) -> None:
    """Connect to a cluster's address once and see whether it answers as Ray does: Ray itself would retry for minutes.

    Raises ConfigError where there is no answer, one of another service, or no valid address.
    """
    is_ray = True
    try:
        parts = urlsplit(where if "://" in where else f"//{where}")
        if parts.hostname and parts.port is not None:
            with socket.create_connection((parts.hostname, parts.port), timeout=_ANSWER_SECONDS) as line:
                is_ray = _is_ray(line)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise ConfigError(
            f"nobody answers at {where}, where RAY_ADDRESS says that a Ray cluster is: {why}.",
            remedy="Check the address, and that the cluster's head is up: `ray status` on it tells. Unset RAY_ADDRESS"
            " to have a Ray started here.",
        ) from None
    if not is_ray:
        raise ConfigError(
            f"what answers at {where}, where RAY_ADDRESS says that a Ray cluster is, is no Ray.",
            remedy="Check the port: `ray status` on the cluster's head tells it. Unset RAY_ADDRESS to have a Ray"
            " started here.",
        )


def _is_ray(line: socket.socket) -> bool:
    """Whether the service speaks HTTP/2, as Ray's do; not checked where Ray is set to use TLS."""
    if ray_encrypts():
        return True
    head = b""
    try:
        line.sendall(_HTTP2_PREFACE)
        while len(head) < _FRAME_HEADER_BYTES and (more := line.recv(_FRAME_HEADER_BYTES - len(head))):
            head += more
    except OSError:
        return False
    return len(head) == _FRAME_HEADER_BYTES and head[3] == _SETTINGS_FRAME


def _start(ray: Any, cores: int, folder: str) -> None:
    try:
        ray.init(
            address="local",
            num_cpus=cores,
            include_dashboard=False,
            object_store_memory=_STORE_BYTES,
            _node_ip_address=_LOOPBACK,
            _temp_dir=folder,
            **_quiet_options(),
        )
    except Exception as error:
        raise ConfigError(
            f"a local Ray cannot be started: {_first_line(error)}.",
            remedy="Start one by `ray start --head`, or leave out --spread ray.",
        ) from error


@contextlib.contextmanager
def _folder() -> Iterator[str]:
    """A temporary folder for the sockets and logs of a local Ray, for the block."""
    temporary = tempfile.gettempdir()
    folder = tempfile.mkdtemp(prefix="regreen-ray-", dir=temporary if len(temporary) <= _LONGEST_FOLDER else "/tmp")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _quiet_options() -> dict[str, Any]:
    """Options that keep the output of nodes from this process: it may be a program's."""
    return {"log_to_driver": False, "logging_level": "CRITICAL"}


@contextlib.contextmanager
def _sigterm_restored() -> Iterator[None]:
    """Restore our SIGTERM handler after the block: Ray replaces it by its own."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:300].rstrip(".")
