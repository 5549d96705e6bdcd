"""An engine that speaks Docker's API, Docker or Podman: where it is, and how it is asked.

The package `docker` brings the client; it is imported when an engine is asked for. Everything that goes wrong here is
a fault of the machine, never of a candidate: SandboxUnavailable where nothing can be started, SandboxError otherwise.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from regreen.errors import ConfigError, SandboxError, SandboxUnavailable
from regreen.extras import optional_module
from regreen.types import ContainerOptions

_API_SECONDS = 60
_ASK_SECONDS = 10
_NO_PACKAGE = "Install it: pip install 'regreen[docker]'."
_NO_ENGINE = (
    "Start Docker or Podman (Docker Desktop, `colima start`, `podman machine start`, `systemctl --user start "
    "podman.socket`), or name its address in DOCKER_HOST. On Linux, --sandbox jail needs neither; --sandbox restricted "
    "needs nothing, and is no wall."
)
_DENIED = "Join the group that owns its socket (`sudo usermod -aG docker $USER`, then log in anew), or use it rootless."


@contextlib.contextmanager
def asking_engine(what: str, *, refusal: type[SandboxError] = SandboxError) -> Iterator[None]:
    """Errors of the client for the block become ours, with what was asked for and what can be done.

    `refusal` is the error for what the engine understood and did not do.
    """
    errors, requests = optional_module("docker.errors"), optional_module("requests.exceptions")
    try:
        yield
    except errors.APIError as error:
        raise refusal(f"the engine did not {what}: {error.explanation or short_reason(error)}.") from error
    except (errors.DockerException, requests.RequestException, OSError) as error:
        denied = "Permission denied" in str(error)
        raise SandboxUnavailable(
            f"the container engine cannot be asked to {what}: {short_reason(error)}.",
            remedy=_DENIED if denied else _NO_ENGINE,
        ) from error


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
                f"{program} cannot be asked where its engine is: {short_reason(error)}.",
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


def plain_socket(attached: Any) -> socket.socket:
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


def engine_name(version: Mapping[str, Any]) -> str:
    """ "Docker" or "Podman", by what an engine says of its version."""
    names = [str(part.get("Name", "")) for part in version.get("Components") or ()]
    return "Podman" if any("Podman" in name for name in names) else "Docker"


def short_reason(error: BaseException) -> str:
    """The beginning of an error's words, or its type's name."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300].rstrip(".")
