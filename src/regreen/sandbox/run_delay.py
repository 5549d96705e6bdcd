"""How long a process behind the wall has waited for a processor, as the kernel tells the host (proc(5), schedstat)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")


def run_delay(top: int, number: int) -> float:
    """Seconds that a process could have run and did not: of its threads, the one that waited most.

    It is the one among the descendants of the process `top` that has this number in its own namespace. 0 where there is
    none, or where nobody tells.
    """
    found = [pid for pid in _descendants(top) if _own_number(pid) == number]
    # A process outside may have the same number in its own: those further in come later.
    return max(_delays(found[-1]), default=0.0) if found else 0.0


def _descendants(top: int) -> Iterator[int]:
    waiting = [top]
    for pid in waiting:
        with suppress(OSError):
            below = [(task / "children").read_text().split() for task in _tasks(pid)]
            new = [int(child) for children in below for child in children]
            waiting += new
            yield from new


def _own_number(pid: int) -> int:
    with suppress(OSError):
        for line in (_PROC / str(pid) / "status").read_text(errors="replace").splitlines():
            name, _, numbers = line.partition(":")
            if name == "NSpid":
                return int(numbers.split()[-1])
    return 0


def _delays(pid: int) -> Iterator[float]:
    for task in _tasks(pid):
        with suppress(OSError, IndexError):
            yield int((task / "schedstat").read_text().split()[1]) / 1e9


def _tasks(pid: int) -> list[Path]:
    with suppress(OSError):
        return list((_PROC / str(pid) / "task").iterdir())
    return []
