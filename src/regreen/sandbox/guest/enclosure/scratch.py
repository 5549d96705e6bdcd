"""Emptying the scratch folder between two programs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import count

_MODE = 0o700
_NEVER = (0, 0)
"""The times that an untouched scratch folder shows: those of its last change would tell of an earlier program."""


class ScratchFolder:
    """The scratch folder of a server, which every program is to find as the first did."""

    __slots__ = ("known", "path")

    def __init__(self, path: str) -> None:
        self.path = path
        self._restore()

    def tidy(self) -> None:
        """Undo what a program did to the folder, once nothing else runs. Raises OSError where that cannot be done."""
        # The state comes first: a folder that may not be read cannot be listed.
        if self._state() != self.known or os.listdir(self.path):  # noqa: PTH208 - pathlib is not loaded here
            self._restore()

    def _restore(self) -> None:
        os.chmod(self.path, _MODE)  # noqa: PTH101
        clear_folder(self.path)
        os.utime(self.path, _NEVER)
        self.known = self._state()

    def _state(self) -> tuple[int, int, int]:
        about = os.stat(self.path)  # noqa: PTH116
        return about.st_mode, about.st_mtime_ns, about.st_ctime_ns


def clear_folder(folder: str) -> None:
    """Remove everything in `folder`, at any depth, following no links.

    Call it when nothing else runs in the enclosure. Raises OSError for what cannot be removed.
    """
    # Nobody can guess these names, and have something else there.
    secret = os.urandom(8).hex()
    names = (f"{folder}/.regreen-{number}-{secret}" for number in count())
    while entries := [(entry.path, entry.is_dir(follow_symlinks=False)) for entry in os.scandir(folder)]:
        for path, is_folder in entries:
            if is_folder:
                _remove_level(path, names)
            else:
                os.unlink(path)  # noqa: PTH108 - a Path would cost more than the call


def _remove_level(path: str, names: Iterator[str]) -> None:
    """Remove one folder; those in it move up to `names`, so that no path outgrows PATH_MAX (path_resolution(7))."""
    with suppress(PermissionError):
        os.chmod(path, 0o700)  # noqa: PTH101
    for entry in list(os.scandir(path)):
        if entry.is_dir(follow_symlinks=False):
            with suppress(PermissionError):
                os.chmod(entry.path, 0o700)  # noqa: PTH101
            os.rename(entry.path, next(names))  # noqa: PTH104
        else:
            os.unlink(entry.path)  # noqa: PTH108
    os.rmdir(path)  # noqa: PTH106
