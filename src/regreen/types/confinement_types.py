"""What confines programs, as its user chose it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ContainerOptions:
    """What of a container its user chose; None leaves the choice to us."""

    image: str | None = None
    cpus: float | None = None
    memory_bytes: int | None = None
    """Of all processes in a container together."""
    pids: int | None = None
    """Processes and threads in a container together."""
    runtime: str | None = None
    """The engine's name of what runs its containers, such as "runsc"."""
    program: str | None = None
    """The command-line program whose engine is taken."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """What confines programs: the kind of sandbox, and what was chosen of it."""

    kind: str = "jail"
    layers: str | None = None
    """Of the jail: "namespaces", "landlock", or None for the best there is."""
    python: str | None = None
    """The interpreter of the programs; None for ours. In a container it is always the image's."""
    memory_bytes: int = 1 << 30
    """The limit of one candidate, which a container has to have room for."""
    container: ContainerOptions = ContainerOptions()
