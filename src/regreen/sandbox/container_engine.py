"""Starting, watching and removing containers.

What goes wrong here is a fault of the machine, never of a candidate: see `engine_client`.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import secrets
import socket
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from regreen.errors import SandboxError, SandboxUnavailable
from regreen.extras import optional_module
from regreen.sandbox.container_boot import container_command
from regreen.sandbox.container_image import find_image
from regreen.sandbox.container_profile import HandOver, as_memory_file, as_named_file, as_text, not_at_all
from regreen.sandbox.engine_client import asking_engine, connect_engine, engine_name, plain_socket
from regreen.sandbox.process_owner import Owner, this_process
from regreen.sandbox.promises import container_name
from regreen.sandbox.server_boot import ENVIRONMENT
from regreen.types import ContainerOptions

LABEL = "regreen.sandbox"
"""Every container of ours has this label; its value is the kind of its server."""
_OWNER_LABEL = "regreen.owner"
SCRATCH = "/scratch"
_SCRATCH_OPTIONS = "rw,noexec,nosuid,nodev,size=64m,nr_inodes=16384,mode=0700,uid={uid},gid={uid}"
_PODMAN_SCRATCH = "rw,noexec,nosuid,nodev,size=64m,mode=0700,U"
"""Podman takes neither a number of files nor an owner: with U it gives the folder to the container's user."""
_FIRST_UID, _UIDS = 20_000, 40_000
"""User ids that rootless engines have too, and that images seldom use. Each container gets one of them by chance: the
kernel counts processes by their user id, and so it counts one container's."""
_MORE_MEMORY_BYTES = 256 << 20
"""Beyond the limit of one candidate: for the server, and what its files in memory take."""
_PIDS = 128
_GVISOR_PIDS = 512
"""Its kernel is a process itself, whose threads count as well, some for each process of a program; and it panics where
it gets no more of them."""
_CPUS = 2.0
_GONE_SECONDS = 10
_BOUNDS = {"Memory": "memory", "PidsLimit": "processes", "NanoCpus": "processors"}
"""What an engine says that it holds a container to, by its name for it."""
_NO_BOUNDS = (
    "Rootless engines take limits with version 2 of cgroups alone: leave the setting out (each program has limits of "
    "its own), or take another engine."
)
_NO_PROFILE = "the engine's own seccomp profile until our filters hold: Podman's service does not see ours"
_EVENTS = logging.getLogger("regreen.sandbox")


@dataclass(frozen=True, slots=True)
class Container:
    """A container that was started, with its attached streams."""

    id: str
    name: str
    stream: socket.socket
    """Its standard streams, framed as the engine's API does."""


@dataclass(frozen=True, slots=True)
class ContainerEnd:
    """How a container ended, by its engine's word."""

    status: int | None
    """What its first process ended with; None where it goes on, or nothing is known."""
    words: str = ""

    @property
    def from_within(self) -> bool:
        """Whether what is inside brought it about: our server ends with 0, and only when we have hung up."""
        return self.status not in (None, 0)


class ContainerEngine:
    """An engine, and the options of the containers that are started there; may be used from several threads."""

    def __init__(self, api: Any, options: ContainerOptions, memory_bytes: int) -> None:
        self.api = api
        self.options = options
        self.scratch = SCRATCH
        self.memory_bytes = options.memory_bytes or memory_bytes + _MORE_MEMORY_BYTES
        self.owner = this_process()
        self._bounds_known = False
        self._lock = threading.Lock()
        self._image = ""
        self.notes: list[str] = []
        """What is weaker with this engine than with others, in words."""

    @property
    def image(self) -> str:
        """The image of the containers, fetched by the first who asks."""
        with self._lock:
            if not self._image:
                self._image = find_image(self.api, self.options.image, self.say)
            return self._image

    def start(self, kind: str) -> Container:
        """Start a container for a server of this kind. Raises SandboxUnavailable where the engine does not."""
        while True:
            hand_over = self._profiles[0]
            try:
                with hand_over() as profile:
                    return self._start(kind, profile)
            except SandboxUnavailable as error:
                if "seccomp profile" not in str(error) or hand_over is self._profiles[-1]:
                    raise
            with self._lock:
                if self._profiles[0] is hand_over:
                    self._profiles = self._profiles[1:]
                    self.notes += [_NO_PROFILE] * (len(self._profiles) == 1)

    @functools.cached_property
    def is_podman(self) -> bool:
        """Whether this is Podman, which speaks Docker's API with some differences."""
        with asking_engine("say what it is"):
            return engine_name(self.api.version()) == "Podman"

    @functools.cached_property
    def _profiles(self) -> tuple[HandOver, ...]:
        """Ways to hand our seccomp profile to the engine, the first that may work first."""
        if not self.is_podman:
            return (as_text,)
        return (as_memory_file, as_named_file, not_at_all) if sys.platform == "linux" else (not_at_all,)

    def _start(self, kind: str, profile: Sequence[str]) -> Container:
        uid = _FIRST_UID + secrets.randbelow(_UIDS)
        image, name = self.image, f"regreen-{kind}-{secrets.token_hex(6)}"
        doing = asking_engine(f"start a container of {image}", refusal=SandboxUnavailable)
        with doing:
            created = self.api.create_container(
                image,
                container_command(ENVIRONMENT | {"HOME": SCRATCH, "TMPDIR": SCRATCH}),
                name=name,
                entrypoint=[],
                user=f"{uid}:{uid}",
                working_dir="/",
                hostname="regreen",
                environment=dict(ENVIRONMENT),
                labels={LABEL: kind, _OWNER_LABEL: str(self.owner)},
                network_disabled=True,
                stdin_open=True,
                tty=False,
                host_config=self._host_config(uid, profile),
            )["Id"]
            with contextlib.ExitStack() as undo:
                undo.callback(self._remove, created)
                self._check_bounds(created)
                stream = undo.enter_context(plain_socket(self.api.attach_socket(created, params=_ALL_STREAMS)))
                self.api.start(created)
                undo.pop_all()
        self.say(f"{name} started from {image}")
        return Container(created, name, stream)

    def _check_bounds(self, ident: str) -> None:
        """Note which bounds of the whole container the engine leaves out, as it may without a word.

        Raises SandboxUnavailable for one that was chosen by hand.
        """
        if self._bounds_known:
            return
        held = self.api.inspect_container(ident)["HostConfig"]
        chosen = {"Memory": self.options.memory_bytes, "PidsLimit": self.options.pids, "NanoCpus": self.options.cpus}
        left_out = [name for name in chosen if not held.get(name)]
        if refused := [_BOUNDS[name] for name in left_out if chosen[name] is not None]:
            raise SandboxUnavailable(f"the engine takes no limit of {', '.join(refused)}.", remedy=_NO_BOUNDS)
        if left_out:
            names = ", ".join(_BOUNDS[name] for name in left_out)
            self.notes.append(f"no limit of {names} for the container as a whole: the engine takes none")
        self._bounds_known = True

    def _host_config(self, uid: int, profile: Sequence[str]) -> dict[str, Any]:
        settings = self.api.create_host_config(
            network_mode="none",
            ipc_mode="none",
            read_only=True,
            tmpfs={SCRATCH: (_PODMAN_SCRATCH if self.is_podman else _SCRATCH_OPTIONS).format(uid=uid)},
            cap_drop=["ALL"],
            security_opt=["no-new-privileges", *profile],
            mem_limit=self.memory_bytes,
            memswap_limit=self.memory_bytes,
            pids_limit=self.options.pids or (_GVISOR_PIDS if self._runtime.endswith("runsc") else _PIDS),
            nano_cpus=int(self._cpu_share() * 1e9),
            log_config={"type": "none"},
            auto_remove=True,
            runtime=self.options.runtime,
        )
        # Given outright: what the engine's own defaults would be (its daemon.json, Podman's containers.conf) differs.
        settings["Ulimits"] = [
            {"Name": "nofile", "Soft": 4096, "Hard": 4096},
            {"Name": "nproc", "Soft": 4096, "Hard": 4096},
            {"Name": "core", "Soft": 0, "Hard": 0},
        ]
        return dict(settings)

    @functools.cached_property
    def _info(self) -> Mapping[str, Any]:
        info: Mapping[str, Any] = self.api.info()
        return info

    @property
    def _runtime(self) -> str:
        """What runs the containers, as the engine names it."""
        return self.options.runtime or str(self._info.get("DefaultRuntime") or "")

    def _cpu_share(self) -> float:
        """Processors of one container: never more than the engine has, which it would refuse."""
        return self.options.cpus or min(_CPUS, float(self._info.get("NCPU") or 1))

    def remove(self, container: Container) -> None:
        """Remove a container and what it had, whatever state it is in."""
        container.stream.close()
        self._remove(container.id)
        self.say(f"{container.name} removed")

    def _remove(self, ident: str) -> None:
        errors = optional_module("docker.errors")
        with asking_engine("remove a container"), contextlib.suppress(errors.NotFound):
            try:
                self.api.remove_container(ident, force=True, v=True)
            except errors.APIError as error:
                # It is being removed already, since it has ended.
                if error.status_code != 409:
                    raise
            with contextlib.suppress(errors.APIError):
                self.api.wait(ident, timeout=_GONE_SECONDS, condition="removed")

    def remove_orphans(self) -> int:
        """Remove what processes of this machine have left that were killed; returns how many there were."""
        with asking_engine("list containers"):
            found = self.api.containers(all=True, filters={"label": LABEL})
        dead = [each for each in found if Owner.read(each["Labels"].get(_OWNER_LABEL, "")).is_dead]
        for each in dead:
            self.say(f"removing {each['Names'][0].lstrip('/')}, whose process is gone")
            with contextlib.suppress(SandboxError):
                self._remove(each["Id"])
        return len(dead)

    def count_processes(self, container: Container) -> int:
        """How many processes and threads there are in a container, as its control group counts them."""
        with asking_engine("look into a container"):
            # Not by `top`: Podman runs the image's own ps for it, and few images have one.
            return int(self.api.stats(container.id, stream=False)["pids_stats"]["current"])

    def how_it_ended(self, container: Container) -> ContainerEnd:
        """What the engine knows of the end of a container that has hung up; nothing where it cannot be asked.

        The container is gone by then, or soon: only its events tell.
        """
        errors = optional_module("docker.errors")
        with contextlib.suppress(SandboxError, KeyError, ValueError), asking_engine("tell of a container's end"):
            with contextlib.suppress(errors.APIError):
                self.api.wait(container.id, timeout=_GONE_SECONDS, condition="removed")
            filters = {"container": [container.id], "event": ["die", "died", "oom"]}
            # By the engine's clock; it would wait for events of the time to come.
            now = int(datetime.fromisoformat(self.api.info()["SystemTime"]).timestamp()) + 1
            events = [*self.api.events(since=0, until=now, filters=filters, decode=True)]
            return self._end_told_by(container, events)
        return ContainerEnd(None)

    def _end_told_by(self, container: Container, events: Sequence[Mapping[str, Any]]) -> ContainerEnd:
        told = {each["Action"]: each["Actor"]["Attributes"] for each in events}
        died = told.get("die") or told.get("died")
        if died is None:
            return ContainerEnd(None)
        status = int(died["exitCode"] if "exitCode" in died else died["containerExitCode"])
        spent = f"{container.name} ran out of its {self.memory_bytes >> 20} MiB" if "oom" in told else ""
        return ContainerEnd(status, spent or f"{container.name} ended with status {status}")

    def describe(self) -> Mapping[str, str]:
        """Facts about the engine, for `regreen doctor`; "sandbox" names the containers as in the table of promises."""
        with asking_engine("describe itself"):
            version, info = self.api.version(), self._info
        parts = {
            "sandbox": container_name(
                engine_name(version),
                self._runtime,
                # Older versions of Podman say it in a field of their own.
                rootless="name=rootless" in (info.get("SecurityOptions") or []) or bool(info.get("Rootless")),
            ),
            "engine": f"{engine_name(version)} {version.get('Version', '')} at {self.api.base_url}",
            "runtimes": ", ".join(sorted(info.get("Runtimes") or {})),
            "security": ", ".join(info.get("SecurityOptions") or []),
            "kernel": str(info.get("KernelVersion", "")),
        }
        return {name: fact for name, fact in parts.items() if fact}

    def say(self, event: str) -> None:
        """Tell an event of a container's life to whoever debugs."""
        _EVENTS.debug("%s", event)

    def close(self) -> None:
        """Hang up on the engine."""
        self.api.close()


_ALL_STREAMS = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}


@contextlib.contextmanager
def open_container_engine(options: ContainerOptions, memory_bytes: int) -> Iterator[ContainerEngine]:
    """The engine, for the block; what killed runs have left there is removed first."""
    engine = ContainerEngine(connect_engine(options), options, memory_bytes)
    try:
        engine.remove_orphans()
        yield engine
    finally:
        engine.close()
