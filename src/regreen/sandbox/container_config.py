"""What an engine is asked for when it starts a container: nothing that a program could use, and bounds for the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from regreen.extras import optional_module
from regreen.types import ContainerOptions

SCRATCH = "/scratch"
SOCKET_PLACE = "/regreen.socket"
"""Where a container has the socket that its server connects to, if it has one."""
_SCRATCH_OPTIONS = "rw,noexec,nosuid,nodev,size=64m,nr_inodes=16384,mode=0700,uid={uid},gid={uid}"
_PODMAN_SCRATCH = "rw,noexec,nosuid,nodev,size=64m,mode=0700,U"
"""Podman takes neither a number of files nor an owner: with U it gives the folder to the container's user."""
_PIDS = 128
_GVISOR_PIDS = 512
"""Its kernel is a process itself, whose threads count as well, some for each process of a program; and it panics where
it gets no more of them."""
_CPUS = 2.0


def host_config(
    api: Any,
    options: ContainerOptions,
    *,
    info: Mapping[str, Any],
    is_podman: bool,
    uid: int,
    memory_bytes: int,
    profile: Sequence[str],
    socket: str | None,
) -> dict[str, Any]:
    """The part of a container's configuration that confines it, for the client of an engine.

    `info` is what the engine says of itself; `profile` are security options; `socket` is the path of one to mount.
    """
    settings = api.create_host_config(
        network_mode="none",
        ipc_mode="none",
        read_only=True,
        tmpfs={SCRATCH: (_PODMAN_SCRATCH if is_podman else _SCRATCH_OPTIONS).format(uid=uid)},
        cap_drop=["ALL"],
        security_opt=["no-new-privileges", *profile],
        mem_limit=memory_bytes,
        memswap_limit=memory_bytes,
        pids_limit=options.pids or (_GVISOR_PIDS if is_gvisor(runtime_of(options, info)) else _PIDS),
        nano_cpus=int(_cpu_share(options, info) * 1e9),
        log_config={"type": "none"},
        auto_remove=True,
        runtime=options.runtime,
        **({} if socket is None else {"mounts": [_read_only_mount(socket)]}),
    )
    # Given outright: what the engine's own defaults would be (its daemon.json, Podman's containers.conf) differs.
    settings["Ulimits"] = [
        {"Name": "nofile", "Soft": 4096, "Hard": 4096},
        {"Name": "nproc", "Soft": 4096, "Hard": 4096},
        {"Name": "core", "Soft": 0, "Hard": 0},
    ]
    return dict(settings)


def runtime_of(options: ContainerOptions, info: Mapping[str, Any]) -> str:
    """What runs the containers, as the engine names it."""
    return options.runtime or str(info.get("DefaultRuntime") or "")


def is_gvisor(runtime: str) -> bool:
    """Whether a runtime of that name, or path, is gVisor's."""
    return runtime.endswith("runsc")


def _read_only_mount(socket: str) -> Any:
    """An engine that sees no such file refuses this; as one of "binds", it would make a folder there."""
    types = optional_module("docker.types")
    return types.Mount(SOCKET_PLACE, socket, type="bind", read_only=True, propagation="rprivate")


def _cpu_share(options: ContainerOptions, info: Mapping[str, Any]) -> float:
    """Processors of one container: never more than the engine has, which it would refuse."""
    return options.cpus or min(_CPUS, float(info.get("NCPU") or 1))
