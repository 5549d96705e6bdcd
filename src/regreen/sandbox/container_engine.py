"""Docker, Podman or what else speaks Docker's API: finding the engine, and starting, watching and removing containers.

The package `docker` brings the client; it is imported when a container is asked for. Everything that goes wrong here is
a fault of the machine, never of a candidate: SandboxUnavailable where nothing can be started, SandboxError otherwise.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import secrets
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regreen.errors import ConfigError, SandboxError, SandboxUnavailable
from regreen.extras import optional_module
from regreen.sandbox.container_owner import Owner, this_process
from regreen.sandbox.container_profile import container_profile
from regreen.sandbox.guest.boot import container_command
from regreen.sandbox.memory_file import memory_file
from regreen.sandbox.promises import container_name
from regreen.sandbox.server_process import ENVIRONMENT
from regreen.types import ContainerOptions

LABEL = "regreen.sandbox"
"""Every container of ours has this label; its value is the kind of its server."""
_OWNER_LABEL = "regreen.owner"
SCRATCH = "/scratch"
_SCRATCH_OPTIONS = "rw,noexec,nosuid,nodev,size=64m,nr_inodes=16384,mode=0700,uid={uid},gid={uid}"
_PODMAN_SCRATCH = "rw,noexec,nosuid,nodev,size=64m,mode=0700,U"
"""Podman takes neither a number of files nor an owner: with U it gives the folder to the container's user."""
_OWN_IMAGE = "regreen-sandbox:py{0}.{1}"
_PUBLIC_IMAGE = "python:{0}.{1}-slim"
_FIRST_UID, _UIDS = 20_000, 40_000
"""User ids that rootless engines have too, and that images seldom use. Each container gets one of them by chance: the
kernel counts processes by their user id, and so it counts one container's."""
_MORE_MEMORY_BYTES = 256 << 20
"""Beyond the limit of one candidate: for the server, and what its files in memory take."""
_PIDS = 128
_CPUS = 2.0
_GONE_SECONDS = 10
_API_SECONDS = 60
_ASK_SECONDS = 10
_NO_PACKAGE = "Install it: pip install 'regreen[docker]'."
_NO_ENGINE = (
    "Start Docker or Podman (`systemctl --user start podman.socket`), or name its address in DOCKER_HOST; on Linux, "
    "--sandbox jail needs neither."
)
_DENIED = "Join the group that owns its socket (`sudo usermod -aG docker $USER`, then log in anew), or use it rootless."
_NO_PROFILE = "the engine's own seccomp profile until our filters hold: Podman's service does not see ours"
_NO_IMAGE = "Build one with `regreen doctor --build-image`, or name one that is there: --docker-image."
_EVENTS = logging.getLogger("regreen.sandbox")


def own_image() -> str:
    """The image that `regreen doctor --build-image` makes: with the Python that Regreen runs on."""
    return _OWN_IMAGE.format(*sys.version_info)


def public_image() -> str:
    """The image that is fetched where none was built or named."""
    return _PUBLIC_IMAGE.format(*sys.version_info)


@dataclass(frozen=True, slots=True)
class Container:
    """A container that was started, with its attached streams."""

    id: str
    name: str
    stream: socket.socket
    """Its standard streams, framed as the engine's API does."""


class ContainerEngine:
    """An engine, and the options of the containers that are started there; may be used from several threads."""

    def __init__(self, api: Any, options: ContainerOptions, memory_bytes: int) -> None:
        self.api = api
        self.options = options
        self.scratch = SCRATCH
        self.memory_bytes = options.memory_bytes or memory_bytes + _MORE_MEMORY_BYTES
        self.owner = this_process()
        self._lock = threading.Lock()
        self._image = ""
        self._cpus = 0.0
        self.notes: list[str] = []
        """What is weaker with this engine than with others, in words."""

    @property
    def image(self) -> str:
        """The image of the containers, fetched by the first who asks."""
        with self._lock:
            if not self._image:
                self._image = self._find_image()
            return self._image

    def start(self, kind: str) -> Container:
        """Start a container for a server of this kind. Raises SandboxUnavailable where the engine does not."""
        try:
            return self._start(kind)
        except SandboxUnavailable as error:
            if "seccomp profile" not in str(error) or not self.is_podman or self.notes:
                raise
        # Its service sees other files than this process: it is in a virtual machine, or on another one.
        self.notes.append(_NO_PROFILE)
        return self._start(kind)

    @functools.cached_property
    def is_podman(self) -> bool:
        """Whether this is Podman, which speaks Docker's API with some differences."""
        with asking_engine("say what it is"):
            return _engine_name(self.api.version()) == "Podman"

    def _start(self, kind: str) -> Container:
        uid = _FIRST_UID + secrets.randbelow(_UIDS)
        image, name = self.image, f"regreen-{kind}-{secrets.token_hex(6)}"
        doing = asking_engine(f"start a container of {image}", refusal=SandboxUnavailable)
        with self._profile() as profile, doing:
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
                stream = undo.enter_context(_plain_socket(self.api.attach_socket(created, params=_ALL_STREAMS)))
                self.api.start(created)
                undo.pop_all()
        self.say(f"{name} started from {image}")
        return Container(created, name, stream)

    @contextlib.contextmanager
    def _profile(self) -> Iterator[list[str]]:
        """Our seccomp profile as the engine takes it, for the block: Docker as text, Podman as a file's path.

        None where Podman's service cannot have it; then its own profile holds until our filters do.
        """
        if not self.is_podman:
            yield [f"seccomp={container_profile()}"]
        elif self.notes or sys.platform != "linux":
            yield []
        else:
            with memory_file(container_profile().encode("ascii")) as fd:
                yield [f"seccomp=/proc/{os.getpid()}/fd/{fd}"]

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
            pids_limit=self.options.pids or _PIDS,
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

    def _cpu_share(self) -> float:
        """Processors of one container: never more than the engine has, which it would refuse."""
        with self._lock:
            if not self._cpus:
                self._cpus = self.options.cpus or min(_CPUS, float(self.api.info().get("NCPU") or 1))
            return self._cpus

    def _find_image(self) -> str:
        if self.options.image is None and self._has_image(own_image()):
            return own_image()
        image = self.options.image or public_image()
        if not self._has_image(image):
            self.say(f"fetching {image}")
            try:
                self.api.pull(*_split_tag(image))
            except Exception as error:
                raise SandboxUnavailable(
                    f"the image {image} is not there and cannot be fetched: {_first_line(error)}.", remedy=_NO_IMAGE
                ) from error
        return image

    def _has_image(self, image: str) -> bool:
        with asking_engine(f"look for the image {image}"):
            try:
                self.api.inspect_image(image)
            except optional_module("docker.errors").NotFound:
                return False
            return True

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

    def why_it_ended(self, container: Container) -> str:
        """What the engine knows of a container's end; empty where it knows nothing."""
        with contextlib.suppress(Exception):
            state = self.api.inspect_container(container.id)["State"]
            if state.get("OOMKilled"):
                return f"{container.name} ran out of its {self.memory_bytes >> 20} MiB."
        return ""

    def describe(self) -> Mapping[str, str]:
        """Facts about the engine, for `regreen doctor`; "sandbox" names the containers as in the table of promises."""
        with asking_engine("describe itself"):
            version, info = self.api.version(), self.api.info()
        parts = {
            "sandbox": container_name(
                _engine_name(version),
                self.options.runtime or str(info.get("DefaultRuntime") or ""),
                # Older versions of Podman say it in a field of their own.
                rootless="name=rootless" in (info.get("SecurityOptions") or []) or bool(info.get("Rootless")),
            ),
            "engine": f"{_engine_name(version)} {version.get('Version', '')} at {self.api.base_url}",
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
def asking_engine(what: str, *, refusal: type[SandboxError] = SandboxError) -> Iterator[None]:
    """Errors of the client for the block become ours, with what was asked for and what can be done.

    `refusal` is the error for what the engine understood and did not do.
    """
    errors, requests = optional_module("docker.errors"), optional_module("requests.exceptions")
    try:
        yield
    except errors.APIError as error:
        raise refusal(f"the engine did not {what}: {error.explanation or _first_line(error)}.") from error
    except (errors.DockerException, requests.RequestException, OSError) as error:
        denied = "Permission denied" in str(error)
        raise SandboxUnavailable(
            f"the container engine cannot be asked to {what}: {_first_line(error)}.",
            remedy=_DENIED if denied else _NO_ENGINE,
        ) from error


@contextlib.contextmanager
def open_container_engine(options: ContainerOptions, memory_bytes: int) -> Iterator[ContainerEngine]:
    """The engine, for the block; what killed runs have left there is removed first."""
    engine = ContainerEngine(connect_engine(options), options, memory_bytes)
    try:
        engine.remove_orphans()
        yield engine
    finally:
        engine.close()


def connect_engine(options: ContainerOptions) -> Any:
    """The client of the engine's API: at DOCKER_HOST, the current context's address, or a usual place.

    Raises SandboxUnavailable where the package, or the engine, is not there.
    """
    try:
        docker = optional_module("docker")
    except ImportError as error:
        raise SandboxUnavailable("--sandbox docker needs the package docker.", remedy=_NO_PACKAGE) from error
    with asking_engine("answer"):
        given = docker.utils.kwargs_from_env()
        if options.program is not None:
            given["base_url"] = _address_by(options.program)
        elif "base_url" not in given:
            given |= _usual_address(docker)
        return docker.APIClient(version="auto", timeout=_API_SECONDS, **given)


def _address_by(program: str) -> str:
    """The address of the engine that a command-line program talks to: docker's context, or Podman's socket."""
    questions = (
        ("context", "inspect", "--format", "{{.Endpoints.docker.Host}}"),
        ("info", "--format", "unix://{{.Host.RemoteSocket.Path}}"),
    )
    for question in questions:
        try:
            asked = subprocess.run(
                [program, *question], capture_output=True, text=True, timeout=_ASK_SECONDS, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise ConfigError(
                f"{program} cannot be asked where its engine is: {_first_line(error)}.",
                remedy="REGREEN_DOCKER_BIN has to name docker or podman; DOCKER_HOST names an address.",
            ) from error
        address = asked.stdout.strip().replace("unix://unix://", "unix://")
        if asked.returncode == 0 and "://" in address:
            return address
    raise ConfigError(f"{program} does not say where its engine is.", remedy="Name the address in DOCKER_HOST instead.")


def _usual_address(docker: Any) -> dict[str, Any]:
    """The current context's address; else the first usual place where there is a socket."""
    context = docker.ContextAPI.get_current_context()
    if context is not None and context.Name != "default" and context.Host:
        return {"base_url": context.Host, **({"tls": context.TLSConfig} if context.TLSConfig else {})}
    there = next((place for place in usual_sockets() if Path(place).exists()), None)
    return {"base_url": f"unix://{there}"} if there else {}


def usual_sockets() -> tuple[str, ...]:
    """Where engines listen when nobody said otherwise: Docker's, rootless, desktop; Podman's."""
    user, home = f"/run/user/{os.getuid()}" if hasattr(os, "getuid") else "", Path.home()
    return (
        *("/var/run/docker.sock", "/run/docker.sock", f"{user}/docker.sock"),
        *(f"{home}/.docker/run/docker.sock", f"{home}/.docker/desktop/docker.sock"),
        *(f"{home}/.colima/default/docker.sock", f"{user}/podman/podman.sock", "/run/podman/podman.sock"),
    )


def _plain_socket(attached: Any) -> socket.socket:
    """A socket with a descriptor that can be handed to another process, for what the client returned."""
    inner = getattr(attached, "_sock", attached)
    if type(inner) is socket.socket:
        plain = socket.socket(fileno=os.dup(inner.fileno()))
        attached.close()
        inner.close()
        return plain
    # TLS and SSH are kept up by the client, in this process.
    ours, theirs = socket.socketpair()
    for source, drain in ((attached, theirs), (theirs, attached)):
        threading.Thread(target=_carry, args=(source, drain), daemon=True).start()
    return ours


def _carry(source: Any, drain: Any) -> None:
    """Copy what comes until either side hangs up."""
    with contextlib.suppress(OSError, EOFError):
        while content := source.recv(1 << 16):
            drain.sendall(content)
    for side in (source, drain):
        with contextlib.suppress(OSError):
            side.close()


def _split_tag(image: str) -> tuple[str, str | None]:
    """Name and tag, as the client wants them; a digest stays with the name."""
    name, colon, tag = image.rpartition(":")
    if "@" in image or not colon or "/" in tag:
        return image, None if "@" in image else "latest"
    return name, tag


def _engine_name(version: Mapping[str, Any]) -> str:
    names = [str(part.get("Name", "")) for part in version.get("Components") or ()]
    return "Podman" if any("Podman" in name for name in names) else "Docker"


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300].rstrip(".")
