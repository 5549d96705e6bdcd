"""One folder that two processes see alike: what changed in it on one side is told to the other, as plain data.

Only ordinary files and folders are told. What comes from the other side is a description: each path is looked at, part
by part, before anything is written, and no link is ever followed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from stat import S_IFMT, S_ISDIR, S_ISREG
from typing import Any, NamedTuple

from regreen.sandbox.guest.wire.codec_format import BadMessage, Unplain

MOST_FILES = 1_000
"""Files and folders that may lie there."""
_MOST_BYTES = 8 << 20
"""Bytes of all files together; a message holds twice as much."""
_UNSURE_NS = 50_000_000
"""Nanoseconds within which a file may change without another time of change: a kernel's clock ticks slowly."""
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
_LINKS_OF_PYTEST = "current"
"""How the names of links end that pytest makes to the newest of its temporary folders; nothing depends on them."""
Told = tuple[str, bytes | None, bool, int]
"""A path below the folder, its content (None for a folder), whether it is another file than before, and its time of
modification in nanoseconds."""


class _Entry(NamedTuple):
    inode: int
    changed_ns: int
    modified_ns: int
    mode: int
    content: bytes | None
    seen_ns: int


class FolderImage:
    """What both sides know of a folder; `spared` are names at its top that are nobody else's business."""

    def __init__(self, root: str, spared: Collection[str]) -> None:
        self.root = root
        self.spared = frozenset(spared)
        self.known: dict[str, _Entry] = {}

    def changes(self) -> tuple[tuple[str, ...], tuple[Told, ...]]:
        """The paths that are gone, and what is new or another, folders before what lies in them.

        Raises Unplain where something there cannot be told.
        """
        found: dict[str, _Entry] = {}
        told: list[Told] = []
        for path, entry in self._entries():
            before = self.known.get(path)
            fresh = before is None or before.inode != entry.inode or (before.content is None) != (entry.content is None)
            if before is None or fresh or before[2:5] != entry[2:5]:
                told.append((path, entry.content, fresh, entry.modified_ns))
            found[path] = entry
            if len(found) > MOST_FILES:
                raise Unplain(f"more than {MOST_FILES:,} files")
        gone = tuple(path for path in self.known if path not in found)
        self.known = found
        if sum(len(content) for _, content, _, _ in told if content is not None) > _MOST_BYTES:
            raise Unplain(f"files of more than {_MOST_BYTES:,} bytes")
        return gone, tuple(told)

    def apply(self, gone: Any, told: Any) -> None:
        """Do what the other side has told of its changes.

        Raises BadMessage for what no honest side tells, Unplain where it cannot be done here.
        """
        if type(gone) is not tuple or type(told) is not tuple or len(gone) + len(told) > 2 * MOST_FILES:
            raise BadMessage("changes of files of another shape")
        try:
            for path in reversed(gone):
                self._remove(path)
            for change in told:
                self._write(*_checked(change))
        except OSError as error:
            raise Unplain(f"files that cannot be laid out alike ({error.strerror})") from None

    def _entries(self) -> Iterator[tuple[str, _Entry]]:
        pending = [""]
        while pending:
            folder = pending.pop()
            try:
                listed = sorted(os.scandir(f"{self.root}/{folder}"), key=lambda item: item.name)
            except OSError:
                raise Unplain("a folder that cannot be read") from None
            for item in listed:
                path = f"{folder}{item.name}"
                if path in self.spared or (item.is_symlink() and item.name.endswith(_LINKS_OF_PYTEST)):
                    continue
                entry = self._entry(path, item.stat(follow_symlinks=False))
                yield path, entry
                if entry.content is None:
                    pending.append(f"{path}/")

    def _entry(self, path: str, status: os.stat_result) -> _Entry:
        if not (S_ISREG(status.st_mode) or S_ISDIR(status.st_mode)):
            raise Unplain("a file that is none of the ordinary kind")
        if S_ISREG(status.st_mode) and status.st_nlink != 1:
            raise Unplain("a file with several names")
        before = self.known.get(path)
        if before is not None and S_IFMT(before.mode) == S_IFMT(status.st_mode) and before.mode != status.st_mode:
            raise Unplain("a file whose mode changed")
        now = time.time_ns()
        if S_ISDIR(status.st_mode):
            # A folder changes with what lies in it: its own times say nothing more.
            return _Entry(0, 0, 0, status.st_mode, None, now)
        same = before is not None and (before.inode, before.changed_ns) == (status.st_ino, status.st_ctime_ns)
        if before is not None and same and before.seen_ns - status.st_ctime_ns > _UNSURE_NS:
            return before
        if status.st_size > _MOST_BYTES:
            raise Unplain(f"files of more than {_MOST_BYTES:,} bytes")
        return _Entry(
            status.st_ino, status.st_ctime_ns, status.st_mtime_ns, status.st_mode, _content(self._full(path)), now
        )

    def _full(self, path: str) -> str:
        return f"{self.root}/{path}"

    def _remove(self, path: Any) -> None:
        entry = self.known.get(path) if type(path) is str else None
        if entry is None:
            raise BadMessage("a file is gone that was not there")
        self._unlink(path, entry)

    def _unlink(self, path: str, entry: _Entry) -> None:
        (os.unlink if entry.content is not None else os.rmdir)(self._full(path))
        del self.known[path]

    def _write(self, path: str, content: bytes | None, fresh: bool, modified_ns: int) -> None:
        above, _, _ = path.rpartition("/")
        folder = self.known.get(above)
        if above and (folder is None or folder.content is not None):
            raise BadMessage("a file in a folder that is not there")
        if path.partition("/")[0] in self.spared:
            raise Unplain("a file with a name that the checks need themselves")
        before = self.known.get(path)
        if before is not None and fresh:
            self._unlink(path, before)
        full = self._full(path)
        if content is None:
            Path(full).mkdir()
        else:
            _fill(full, content, modified_ns)
        self.known[path] = self._entry(path, os.lstat(full))


def _checked(change: Any) -> tuple[str, bytes | None, bool, int]:
    if type(change) is not tuple or len(change) != 4:
        raise BadMessage("a change of a file of another shape")
    path, content, fresh, modified_ns = change
    if type(path) is not str or len(path) > 1_000 or type(fresh) is not bool or type(modified_ns) is not int:
        raise BadMessage("a change of a file of another shape")
    if "\0" in path or any(part in ("", ".", "..") for part in path.split("/")):
        raise BadMessage("a path that leads elsewhere")
    if (content is not None and type(content) is not bytes) or not 0 <= modified_ns < 1 << 62:
        raise BadMessage("a file of another shape")
    return path, content, fresh, modified_ns


def _content(full: str) -> bytes:
    descriptor = os.open(full, os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(_MOST_BYTES + 1)


def _fill(full: str, content: bytes, modified_ns: int) -> None:
    """Write a file in place, so that who has it open sees it change as with one process."""
    with os.fdopen(os.open(full, _CREATE, 0o666), "wb") as file:
        file.write(content)
    os.utime(full, ns=(modified_ns, modified_ns), follow_symlinks=False)
