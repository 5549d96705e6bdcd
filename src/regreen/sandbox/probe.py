"""Which layers of the sandbox this machine supports: tried in throw-away processes, never guessed."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import platform
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regreen.errors import SandboxError
from regreen.sandbox.guest.boot import command
from regreen.sandbox.interpreter import closed_interpreter

_TRIAL_SECONDS = 20.0
_DOCKER_SOCKETS = ("/var/run/docker.sock", "/run/docker.sock")
_DOCKER_SECONDS = 0.1

_MEANINGS = {
    "user": "an ordinary user may build the other namespaces, and the program is nobody to the host",
    "mount": "the program sees a read-only file tree with Python in it and nothing of yours",
    "pid": "the program sees no other process, and everything that it starts ends with its verdict",
    "net": "the program has no network at all",
    "ipc": "the program shares no memory segments and message queues with other processes",
    "uts": "the program does not learn the machine's name",
}
_LANDLOCK = "the kernel refuses paths, TCP, signals and abstract sockets outside the sandbox, whoever the user is"
_SECCOMP = "the program can only make the system calls that a Python program needs"
_ELSEWHERE = (
    "Where none of that can be had: --sandbox docker needs Docker or Podman, --sandbox restricted needs neither and is "
    "no wall."
)
_NEWER_KERNEL = "Use Linux 6.12 or newer with Landlock among its security modules (boot option lsm=landlock,...)."

_SWITCHES = (
    (
        "/proc/sys/kernel/unprivileged_userns_clone",
        "0",
        "Unprivileged user namespaces are switched off: run `sudo sysctl kernel.unprivileged_userns_clone=1`.",
    ),
    (
        "/proc/sys/user/max_user_namespaces",
        "0",
        "User namespaces are switched off: run `sudo sysctl user.max_user_namespaces=15000`.",
    ),
    (
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "AppArmor restricts user namespaces (Ubuntu does since 24.04): run `sudo sysctl "
        "kernel.apparmor_restrict_unprivileged_userns=0`, or give your Python an AppArmor profile with `userns,`.",
    ),
)
_IN_A_CONTAINER = (
    "Containers deny namespaces by default: start this one with `--security-opt seccomp=unconfined --security-opt "
    "apparmor=unconfined` (Docker, Podman), or with a seccomp profile that lets unshare, mount, pivot_root, open_tree, "
    "move_mount and mount_setattr pass."
)
_NEEDS_LINUX = "The jail needs Linux: a virtual machine, or WSL 2."


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of the enclosure, and whether it works here."""

    name: str
    works: bool
    meaning: str
    """What holds when it works."""
    detail: str = ""
    """The kernel's error when it does not work; or what is weaker here than elsewhere."""
    remedy: str = ""
    """How to get it; empty when it works."""


@dataclass(frozen=True, slots=True)
class MachineSupport:
    """What this machine supports."""

    layers: tuple[Layer, ...]
    builds: Mapping[str, Layer]
    """The two ways to build the whole enclosure, "namespaces" and "landlock"."""
    landlock_abi: int
    """0 when the kernel has no Landlock."""
    cgroup: str
    """"v1", "v2", "v1 and v2" or "none": for information only, no limit depends on it."""
    docker: str
    """In words: no program, a program without a daemon, or a daemon that answers."""
    restricted: bool
    """Whether RestrictedPython is installed."""
    kernel: str
    python: str
    uid: int
    cores: int

    @property
    def best(self) -> str | None:
        """The stronger of the two builds that work here; None when neither does."""
        return next((name for name, build in self.builds.items() if build.works), None)

    @property
    def refusal(self) -> str:
        """Why no sandbox can be built here, and what to do; empty when one can."""
        if self.best is not None:
            return ""
        remedies = dict.fromkeys(build.remedy for build in self.builds.values() if build.remedy)
        tried = "; ".join(f"{name}: {build.detail}" for name, build in self.builds.items())
        return f"Tried {tried}. {' Or: '.join(remedies)} {_ELSEWHERE}"

    def build(self, layers: str) -> Layer | None:
        """The build that is taken where `layers` are asked for ("auto": the best); None where it does not work here."""
        name = self.best if layers == "auto" else layers
        return self.builds[name] if name is not None and self.builds[name].works else None


@functools.cache
def probe() -> MachineSupport:
    """Try all layers, once in a process's life. Raises SandboxError when the trial itself cannot be started."""
    answers = _answers() if sys.platform == "linux" else {}
    return MachineSupport(
        layers=_layers(answers),
        builds={name: _build(name, answers.get(f"build {name}")) for name in ("namespaces", "landlock")},
        landlock_abi=answers.get("abi", 0),
        cgroup=_cgroup(),
        docker=_docker(),
        restricted=importlib.util.find_spec("RestrictedPython") is not None,
        kernel=f"{platform.system()} {platform.release()} {platform.machine()}",
        python=platform.python_version(),
        uid=os.getuid() if hasattr(os, "getuid") else -1,
        cores=_cores(),
    )


def _answers() -> dict[str, Any]:
    try:
        trial = subprocess.run(
            command(sys.executable, "enclosure.layer_trial"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TRIAL_SECONDS,
            env={},
            start_new_session=True,
        )
        answers: dict[str, Any] = json.loads(trial.stdout)
    except PermissionError as error:
        raise closed_interpreter(sys.executable) from error
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise SandboxError(f"the layers of the sandbox could not be tried: {error}") from error
    return answers


def _layers(answers: Mapping[str, Any]) -> tuple[Layer, ...]:
    namespaces = answers.get("namespaces", {})
    reasons = namespaces if isinstance(namespaces, dict) else dict.fromkeys(_MEANINGS, namespaces)
    found = [
        _layer(f"{name} namespace", reasons.get(name, "not Linux"), meaning, _namespace_remedy())
        for name, meaning in _MEANINGS.items()
    ]
    abi = answers.get("abi", 0)
    short = "" if abi >= 6 else f"version {abi} of 6" if abi else "the kernel has none"
    found.append(_layer("landlock", short, _LANDLOCK, _landlock_remedy()))
    found.append(
        _layer("seccomp", answers.get("seccomp", "not Linux"), _SECCOMP, "Use a kernel with CONFIG_SECCOMP_FILTER.")
    )
    return tuple(found)


def _layer(name: str, reason: str, meaning: str, remedy: str) -> Layer:
    return Layer(name, not reason, meaning, reason, remedy if reason else "")


def _build(name: str, answer: object) -> Layer:
    """`answer`: the notes of a build that worked (a list), or the reason of one that failed (a text)."""
    meaning = "all layers" if name == "namespaces" else "the fallback without namespaces"
    if isinstance(answer, list):
        return Layer(name, True, meaning, "; ".join(answer))
    remedy = _namespace_remedy() if name == "namespaces" else _landlock_remedy()
    return Layer(name, False, meaning, str(answer or "not Linux"), remedy)


@functools.cache
def _namespace_remedy() -> str:
    """How to get namespaces on this machine, as far as its settings show what denies them."""
    if sys.platform != "linux":
        return _NEEDS_LINUX
    for path, closed, remedy in _SWITCHES:
        if _first_line(path) == closed:
            return remedy
    if any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv")):
        return _IN_A_CONTAINER
    return "Allow unprivileged user namespaces; a security module or a container's seccomp profile denies them here."


def _landlock_remedy() -> str:
    return _NEWER_KERNEL if sys.platform == "linux" else _NEEDS_LINUX


def _first_line(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""


def _cgroup() -> str:
    try:
        lines = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return "none"
    kinds = {fields[2] for fields in (line.split() for line in lines) if len(fields) > 2}
    found = [name for kind, name in (("cgroup", "v1"), ("cgroup2", "v2")) if kind in kinds]
    return " and ".join(found) or "none"


def _docker() -> str:
    program = shutil.which("docker")
    if program is None:
        return "not installed"
    for path in _DOCKER_SOCKETS:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
            door.settimeout(_DOCKER_SECONDS)
            try:
                door.connect(path)
            except OSError:
                continue
            return f"{program}, its daemon answers"
    return f"{program}, but no daemon answers"


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
