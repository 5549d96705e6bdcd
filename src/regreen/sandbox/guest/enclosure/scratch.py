"""Emptying the scratch folder between two programs."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import count


def clear_folder(folder: str) -> None:
    """Remove everything in `folder`, at any depth, following no links.

    Call it when nothing else runs in the enclosure. Raises OSError for what cannot be removed.
    """
    names = count()
    while entries := [(entry.path, entry.is_dir(follow_symlinks=False)) for entry in os.scandir(folder)]:
        for path, is_folder in entries:
            if is_folder:
                _remove_level(path, folder, names)
            else:
                os.unlink(path)  # noqa: PTH108 - a Path would cost more than the call


def _remove_level(path: str, folder: str, names: count[int]) -> None:
    """Remove one folder; the folders in it move up, so that no path grows longer than PATH_MAX (path_resolution(7))."""
    with suppress(PermissionError):
        os.chmod(path, 0o700)  # noqa: PTH101
    for entry in list(os.scandir(path)):
        if entry.is_dir(follow_symlinks=False):
            with suppress(PermissionError):
                os.chmod(entry.path, 0o700)  # noqa: PTH101
            os.rename(entry.path, f"{folder}/.regreen-{next(names)}-{os.getpid()}")  # noqa: PTH104
        else:
            os.unlink(entry.path)  # noqa: PTH108
    os.rmdir(path)  # noqa: PTH106
