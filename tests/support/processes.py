"""The processes that came of another one, and whether they are gone: for tests that end or kill what they started."""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from pathlib import Path

from waiting import wait_for


def descendants(root: int) -> set[int]:
    """All processes that come from `root` now, whichever of its threads started them."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (fields := _fields(int(entry.name))):
            parents[int(entry.name)] = int(fields[1])
    found, waiting = set[int](), [root]
    while waiting:
        parent = waiting.pop()
        below = {pid for pid, its_parent in parents.items() if its_parent == parent} - found
        found |= below
        waiting += below
    return found


def left_of(pids: Collection[int], seconds: float) -> set[int]:
    """Those that still run once all of them had so many seconds to end; one that waits to be counted has ended."""

    def left() -> set[int]:
        return {pid for pid in pids if (_fields(pid) or ["Z"])[0] != "Z"}

    with contextlib.suppress(AssertionError):
        wait_for(lambda: not left(), seconds)
    return left()


def _fields(pid: int) -> list[str]:
    """What the kernel tells of a process, from its state on; nothing where it is not there any more."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    return []
