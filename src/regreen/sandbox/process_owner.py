"""Who started a container, or made a folder: its label tells what a killed run left from what is in use."""

from __future__ import annotations

import contextlib
import os
import socket
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Owner:
    """A process, by where its number means something."""

    place: str
    """The machine since its start, and the process namespace; empty where nothing is known."""
    pid: int
    born: str
    """When the process was started, in the kernel's ticks, so that a number given out again is not taken for it."""

    def __str__(self) -> str:
        return f"{self.place}|{self.pid}|{self.born}"

    @classmethod
    def read(cls, label: str) -> Owner:
        """The owner that a label names; nobody for a label of another form."""
        place, _, rest = label.partition("|")
        pid, _, born = rest.partition("|")
        return cls(place, int(pid), born) if pid.isdigit() else cls("", 0, "")

    @property
    def is_dead(self) -> bool:
        """Whether this is known to be a process of this very place that has ended."""
        return self.place == _place() and self.born != _birth(self.pid)


@lru_cache
def this_process() -> Owner:
    """This process."""
    return Owner(_place(), os.getpid(), _birth(os.getpid()))


@lru_cache
def _place() -> str:
    """Process numbers of two containers on one machine, which may share an engine, must not be taken for each other."""
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot}/{Path('/proc/self/ns/pid').readlink()}"
    return socket.gethostname()


def _birth(pid: int) -> str:
    """When a process was started (field 22 of /proc/PID/stat, proc(5)); empty where there is none."""
    with contextlib.suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[19]
    if Path("/proc/self").exists():
        return ""
    with contextlib.suppress(OSError):
        os.kill(pid, 0)
        return "alive"
    return ""
