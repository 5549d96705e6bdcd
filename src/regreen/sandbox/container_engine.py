"""Starting, watching and removing containers.

What goes wrong here is a fault of the machine, never of a candidate: see `engine_client`.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import secrets
import socket
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regreen.errors import SandboxError, SandboxUnavailable
from regreen.extras import optional_module
from regreen.sandbox.container_boot import container_command
from regreen.sandbox.container_config import SCRATCH, SOCKET_PLACE, host_config, is_gvisor, runtime_of
from regreen.sandbox.container_end import GONE_SECONDS, ContainerEnd, how_it_ended
from regreen.sandbox.container_image import find_image
from regreen.sandbox.container_profile import ProfileGiver, as_memory_file, as_named_file, as_text, not_at_all
from regreen.sandbox.engine_client import asking_engine, connect_engine, engine_name, plain_socket
from regreen.sandbox.mounted_socket import SOCKET_FOLDER_PREFIX, MountedSocket
from regreen.sandbox.owned_folder import remove_orphaned_folders
from regreen.sandbox.process_owner import Owner, this_process
from regreen.sandbox.promises import container_name
from regreen.sandbox.server_boot import ENVIRONMENT
from regreen.types import ContainerOptions

LABEL = "regreen.sandbox"
"""Every container of ours has this label; its value is the kind of its server."""
_OWNER_LABEL = "regreen.owner"
_FIRST_UID, _UIDS = 20_000, 40_000
"""User ids that rootless engines have too, and that images seldom use. Each container gets one of them by chance: the
kernel counts processes by their user id, and so it counts one container's."""
_MORE_MEMORY_BYTES = 256 << 20
"""Beyond the limit of one candidate: for the server, and what its files in memory take."""
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
    mounted: MountedSocket | None = None
    """What its server may connect to, where one was mounted."""


class ContainerEngine:
    """An engine, and the options of the containers that are started there; may be used from several threads."""

    def __init__(self, api: Any, options: ContainerOptions, memory_bytes: int) -> None:
        self.api = api
        self.options = options
        self.scratch, self.socket_place = SCRATCH, SOCKET_PLACE
        self.memory_bytes = options.memory_bytes or memory_bytes + _MORE_MEMORY_BYTES
        self.owner = this_process()
        self._bounds_known = False
        self._no_socket = ""
        """Why no socket is mounted any more, if that was tried."""
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
        if not self._may_mount:
            return self._start_by_profile(kind, None)
        mounted = MountedSocket()
        try:
            return self._start_by_profile(kind, mounted)
        except SandboxUnavailable as error:
            mounted.close()
            container = self._start_by_profile(kind, None)
            self.mount_no_socket(str(error))
            return container
        except BaseException:
            mounted.close()
            raise

    @property
    def _may_mount(self) -> bool:
        """Whether containers may be able to connect to a socket of this process; only a try tells for certain.

        gVisor's kernel lets none of the host's in, and where one is let in, passes no descriptors.
        """
        if self._no_socket or sys.platform != "linux" or self.api.base_url != _BY_A_SOCKET:
            return False
        with asking_engine("say what it is"):
            same_kernel = self._info.get("KernelVersion") == os.uname().release
        return same_kernel and not is_gvisor(runtime_of(self.options, self._info))

    def mount_no_socket(self, reason: str) -> None:
        """Start all other containers without, since it is of no use there."""
        self._no_socket = reason
        self.say(f"containers speak through the engine, which takes longer: {reason}")

    def _start_by_profile(self, kind: str, mounted: MountedSocket | None) -> Container:
        while True:
            hand_over = self._profiles[0]
            try:
                with hand_over(connects=mounted is not None) as profile:
                    return self._start(kind, profile, mounted)
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
    def _profiles(self) -> tuple[ProfileGiver, ...]:
        """Ways to hand our seccomp profile to the engine, the first that may work first."""
        if not self.is_podman:
            return (as_text,)
        return (as_memory_file, as_named_file, not_at_all) if sys.platform == "linux" else (not_at_all,)

    def _start(self, kind: str, profile: Sequence[str], mounted: MountedSocket | None) -> Container:
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
                # The first process of a container ignores what it has no handler for: an engine that stops would wait.
                stop_signal="SIGKILL",
                host_config=host_config(
                    self.api,
                    self.options,
                    info=self._info,
                    is_podman=self.is_podman,
                    uid=uid,
                    memory_bytes=self.memory_bytes,
                    profile=profile,
                    socket=None if mounted is None else mounted.path,
                ),
            )["Id"]
            with contextlib.ExitStack() as undo:
                undo.callback(self._remove, created)
                self._check_bounds(created)
                stream = undo.enter_context(plain_socket(self.api.attach_socket(created, params=_ALL_STREAMS)))
                self.api.start(created)
                undo.pop_all()
        self.say(f"{name} started from {image}")
        return Container(created, name, stream, mounted)

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

    @functools.cached_property
    def _info(self) -> Mapping[str, Any]:
        info: Mapping[str, Any] = self.api.info()
        return info

    def remove(self, container: Container) -> None:
        """Remove a container and what it had, whatever state it is in."""
        container.stream.close()
        if container.mounted is not None:
            container.mounted.close()
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
                self.api.wait(ident, timeout=GONE_SECONDS, condition="removed")

    def remove_orphans(self) -> int:
        """Remove what processes of this machine have left that were killed; returns how many there were."""
        with asking_engine("list containers"):
            found = self.api.containers(all=True, filters={"label": LABEL})
        dead = [each for each in found if Owner.read(each["Labels"].get(_OWNER_LABEL, "")).is_dead]
        for each in dead:
            # An engine that was killed while it removed one lists it later without its name.
            name = next(iter(each.get("Names") or ()), each["Id"][:12])
            self.say(f"removing {name.lstrip('/')}, whose process is gone")
            with contextlib.suppress(SandboxError):
                self._remove(each["Id"])
        return len(dead)

    def count_processes(self, container: Container) -> int:
        """How many processes and threads there are in a container, as its control group counts them."""
        with asking_engine("look into a container"):
            # Not by `top`: Podman runs the image's own ps for it, and few images have one.
            return int(self.api.stats(container.id, stream=False)["pids_stats"]["current"])

    def first_process(self, container: Container) -> int:
        """The number of a container's first process on this machine; 0 where it has none."""
        with asking_engine("look into a container"):
            return int(self.api.inspect_container(container.id)["State"]["Pid"])

    def how_it_ended(self, container: Container) -> ContainerEnd:
        """What the engine knows of the end of a container that has hung up; nothing where it cannot be asked."""
        return how_it_ended(self.api, container.id, container.name, self.memory_bytes)

    def describe(self) -> Mapping[str, str]:
        """Facts about the engine, for `regreen doctor`; "sandbox" names the containers as in the table of promises."""
        with asking_engine("describe itself"):
            version, info = self.api.version(), self._info
        parts = {
            "sandbox": container_name(
                engine_name(version),
                runtime_of(self.options, self._info),
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


_BY_A_SOCKET = "http+docker://localhost"
"""How the client names the address of every engine that it speaks with over a socket of this machine."""
_ALL_STREAMS = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}


@contextlib.contextmanager
def open_container_engine(options: ContainerOptions, memory_bytes: int) -> Iterator[ContainerEngine]:
    """The engine, for the block; what killed runs have left there is removed first."""
    engine = ContainerEngine(connect_engine(options), options, memory_bytes)
    remove_orphaned_folders(SOCKET_FOLDER_PREFIX)
    try:
        engine.remove_orphans()
        yield engine
    finally:
        engine.close()
