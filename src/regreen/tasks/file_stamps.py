"""Whether files of a project have changed: by size, time and inode, asked again and again.

Asking works on every file system, on those of networks and containers too, where the kernel tells nobody of a change.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from regreen.tasks.project_files import shown_files

Stamps = Mapping[Path, tuple[int, int, int]]
"""Of each file that tests may see: when it was written, in nanoseconds, its size and its inode."""
_PAUSE, _SETTLING = 0.5, 0.2
"""Seconds between two looks, and between those that must agree before a change counts as ended."""
_SHARE = 0.05
"""Of its time that looking may take."""


def file_stamps(root: Path) -> Stamps:
    """The stamps of all files of a project as they are now."""
    found = ((path, stamp_of(path)) for path in shown_files(root))
    return {path: stamp for path, stamp in found if stamp is not None}


def stamp_of(path: Path) -> tuple[int, int, int] | None:
    """The stamp of one file; None where there is none any more."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def wait_for_change(root: Path, seen: Stamps, *, pause: Callable[[float], object] = time.sleep) -> Stamps:
    """Wait until files of a project differ from what was seen, and no longer change; returns the new stamps."""
    while True:
        started = time.monotonic()
        now = file_stamps(root)
        if now != seen:
            return _settled(root, now, pause)
        pause(max(_PAUSE, (time.monotonic() - started) / _SHARE))


def _settled(root: Path, now: Stamps, pause: Callable[[float], object]) -> Stamps:
    """The stamps once two looks agree: an editor, or git, writes in more than one step."""
    while True:
        pause(_SETTLING)
        later = file_stamps(root)
        if later == now:
            return now
        now = later
