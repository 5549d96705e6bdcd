"""What each sandbox promises, in words: the one table that `regreen doctor` and `docs/security.md` show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Standing(StrEnum):
    """How far a promise holds in a sandbox."""

    KEPT = "kept"
    WEAKER = "weaker"
    """Against accidents, not against attacks."""
    UNTRIED = "untried"
    """Built in, but not every attack on it was tried there."""
    BROKEN = "not kept"


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise, as one sandbox keeps it."""

    text: str
    standing: Standing
    means: str
    """What keeps it, or what happens instead."""


_NAMESPACES, _LANDLOCK = "jail, namespaces", "jail, Landlock alone"
_DOCKER, _PODMAN, _ROOTLESS = "Docker, runc", "Podman as root, runc", "Podman, rootless, runc"
_GVISOR = "Docker, gVisor"
RESTRICTED = "restricted"
SANDBOX_NAMES = (_NAMESPACES, _LANDLOCK, _DOCKER, _PODMAN, _ROOTLESS, _GVISOR, RESTRICTED)
"""The sandboxes that were tried: columns of the table."""
_STANDINGS = {RESTRICTED: Standing.WEAKER}
"""How far the promises of a sandbox hold, where that is not to the full."""

_MEANS: Mapping[str, tuple[str, ...]] = {
    "reads no file of yours": ("mounts", "Landlock", *["image"] * 4, "words"),
    "writes nothing that stays": ("mounts", "Landlock", *["read-only root"] * 4, "words"),
    "reaches no network": (
        "namespace, seccomp",
        "seccomp, Landlock",
        *["no network in the container, seccomp"] * 4,
        "words, seccomp",
    ),
    "sees and ends no other process": ("namespace", "Landlock", *["namespace"] * 4, "words, seccomp"),
    "leaves no process behind": ("PID 1", "guard, Landlock", *["PID 1"] * 4, "process group"),
    "makes few system calls": (
        "seccomp",
        "seccomp",
        "seccomp, from the start",
        *["seccomp, from the start where its service sees our profile"] * 2,
        "gVisor's kernel",
        "seccomp, where there is one",
    ),
    "is not root, gains nothing": (
        "user namespace",
        "as the user, or an unused id where one can be taken",
        *["unused id, no capabilities"] * 4,
        "no new rights; as the user",
    ),
    "stays within memory and time": (
        *["limits"] * 2,
        *["limits, cgroup"] * 2,
        "limits, cgroup where it is of version 2",
        "limits, cgroup",
        "limits",
    ),
    "is kept from flaws of your kernel": (*["they reach you"] * 5, "gVisor's kernel comes first", "they reach you"),
    "passes only by right answers": ("separate mode",) * 7,
    "sees nothing of its sandbox": (
        *("mounts, Landlock", "Landlock"),
        *["Landlock"] * 3,
        "it sees its image, and what gVisor's kernel shows of its container",
        "words",
    ),
    "withstands every attack that doctor tries": (*["all were contained"] * 6, "one gets out"),
}
"""What keeps each promise, in the order of SANDBOX_NAMES."""
_BROKEN = {
    "they reach you",
    "one gets out",
    "it sees its image, and what gVisor's kernel shows of its container",
}


def promises_of(name: str) -> tuple[Promise, ...]:
    """What the sandbox of that name promises; one that is not in SANDBOX_NAMES is an engine that nobody has tried."""
    if name not in SANDBOX_NAMES:
        # Built like Docker's containers, as far as anybody knows.
        return tuple(Promise(text, Standing.UNTRIED, means[2]) for text, means in _MEANS.items())[:-1]
    column = {text: dict(zip(SANDBOX_NAMES, means, strict=True))[name] for text, means in _MEANS.items()}
    return tuple(Promise(text, _standing(name, means), means) for text, means in column.items())


def _standing(name: str, means: str) -> Standing:
    return Standing.BROKEN if means in _BROKEN else _STANDINGS.get(name, Standing.KEPT)


def jail_name(build: str) -> str:
    """The name of the jail that is built on "namespaces" or "landlock"."""
    return {"namespaces": _NAMESPACES, "landlock": _LANDLOCK}[build]


def container_name(engine: str, runtime: str, *, rootless: bool) -> str:
    """The name of containers: one of SANDBOX_NAMES where they were tried, else one that says what they are.

    `engine` is "Docker" or "Podman"; `runtime` is as the engine names it, with a path or without, "" for unknown.
    """
    program = runtime.rsplit("/", 1)[-1] or "an unknown runtime"
    known = {("Docker", "runc"): _DOCKER, ("Podman", "runc"): _PODMAN, ("Docker", "runsc"): _GVISOR}
    # A rootless one that was tried has this very name.
    tried = None if rootless else known.get((engine, program))
    return tried or f"{engine}{', rootless' if rootless else ''}, {program}"
