"""The user's project inside the sandbox: a copy of its files in the scratch folder, laid out anew for each process."""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import shutil
import sys
from importlib.util import source_from_cache
from pathlib import Path
from typing import Any

_COMPILED = ".pyc"
_PLACE = "project"
"""The folder of the scratch folder that the project's own top folder is made in."""


def enter_project(project: dict[str, Any], archive: int, program: dict[str, Any]) -> None:
    """Lay the project out with this program in it, and make it this process's surroundings: folder, path, variables.

    `archive` is a descriptor of `Project.archive`. Sets `place` of the project, the absolute path of its top folder,
    `texts`, the content of its modules by their absolute paths, and the program's `filename`.
    """
    place = Path.cwd() / _PLACE / (Path(project["root"]).name or "top")
    texts = project["texts"] = {}
    packed = PackedFiles(archive)
    for folder in {path.rpartition("/")[0] for path in packed.places}:
        os.makedirs(place / folder, exist_ok=True)  # noqa: PTH103 - once, and not for each of thousands of files
    for path in packed.places:
        content = packed.content(path)
        _fill(f"{place}/{path}", content)
        if path.endswith(".py"):
            texts[f"{place}/{path}"] = content
        elif path.endswith(_COMPILED):
            _date(f"{place}/{path}", content)
    packed.whole.close()
    target = place / project["target"]
    if project["target"]:
        _write(place, project["target"], program["source"].encode(project["encoding"], "backslashreplace"))
    folder = place / project["folder"]
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    os.environ.update(project["environment"])
    sys.path[:] = _import_path(project, place)
    project["place"], program["filename"] = str(place), str(target)


class PackedFiles:
    """The files of an archive (`Project.archive`), which stays packed but for those that are asked for."""

    def __init__(self, archive: int) -> None:
        self.whole = mmap.mmap(archive, 0, access=mmap.ACCESS_READ)
        at = 8 + int.from_bytes(self.whole[:8], "little")
        self.places: dict[str, tuple[int, int]] = {}
        """Path -> where its content begins and ends."""
        for path, size in json.loads(self.whole[8:at]):
            self.places[path] = at, at + size
            at += size

    def content(self, path: str) -> bytes:
        """What one file holds."""
        begin, end = self.places[path]
        return self.whole[begin:end]

    def below(self, folder: str) -> list[str]:
        """The paths in a folder and in those below it, "a/b/" for an empty one; none where there is no such folder."""
        return [path for path in self.places if path.startswith(f"{folder}/")]


class FolderRestorer:
    """Puts a project's files back as they were, where Python's own calls have changed them: for screeners alone.

    Tests that write beside themselves would meet, in the next program's run, what the last one's has left.
    """

    def __init__(self, project: dict[str, Any]) -> None:
        self.place = Path(project["place"])
        self.target: str = project["target"]
        """Where the program lies that is changed, below the place."""
        self.encoding: str = project["encoding"]
        self.is_read = False
        """Whether anybody has opened the program's file, or started a process that may."""
        self.packed = PackedFiles(project["archive"])
        self.changed: set[str] = set()
        """Absolute paths below the place that may have been changed."""
        self.at_work = False
        self._laid_out: bytes | None = None

    def watch(self) -> None:
        """Take note of changes from now on, by the events that Python raises for them (sys.addaudithook)."""
        sys.addaudithook(self._note)

    def _note(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _STARTING:
            self.is_read = True
        if event not in _CHANGING or self.at_work:
            return
        if event == "open" and not self.is_read:
            self.is_read = _absolute(arguments[0]) == f"{self.place}/{self.target}"
        if event == "open" and not (isinstance(arguments[2], int) and arguments[2] & _WRITING):
            return
        for argument in arguments[:2]:
            path = _absolute(argument)
            if path.startswith(f"{self.place}/"):
                self.changed.add(path)

    def lay_out(self, source: str | None) -> None:
        """Have the program's file hold this text, if anybody reads it: a test may run it by its path."""
        if source is None or not self.target or not self.is_read:
            return
        content = source.encode(self.encoding, "backslashreplace")
        if self._laid_out != content:
            self._laid_out, self.at_work = content, True
            try:
                _write(self.place, self.target, content)
            finally:
                self.at_work = False

    def restore(self) -> None:
        """Put back what was changed since the last time."""
        if not self.changed:
            return
        self.at_work = True
        try:
            for path in self.changed:
                _remove(path)
            for path in self.changed:
                name = path.removeprefix(f"{self.place}/")
                for lost in [name] if name in self.packed.places else self.packed.below(name):
                    _write(self.place, lost, self.packed.content(lost))
                    if lost == self.target:
                        self._laid_out = None
        finally:
            self.at_work = False
            self.changed.clear()


def _absolute(argument: Any) -> str:
    """The path that an event tells of; empty for a descriptor. Links are not followed."""
    return os.path.abspath(os.fsdecode(argument)) if isinstance(argument, (str, bytes, os.PathLike)) else ""  # noqa: PTH100


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        if os.path.isdir(path) and not os.path.islink(path):  # noqa: PTH112, PTH114
            shutil.rmtree(path)
        else:
            os.unlink(path)  # noqa: PTH108


_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_STARTING = frozenset({"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty"})
_CHANGING = frozenset(
    "open os.mkdir os.rename os.remove os.rmdir os.link os.symlink os.truncate sqlite3.connect".split()
)


def _date(compiled: str, content: bytes) -> None:
    """Give the source of a compiled file the time of change that is in it, as Python compares them (PEP 552)."""
    seconds = int.from_bytes(content[8:12], "little")
    with contextlib.suppress(OSError, ValueError):
        os.utime(source_from_cache(compiled), (seconds, seconds))


def _write(place: Path, path: str, content: bytes) -> None:
    """Write one file below `place`, or make a folder where the path ends in "/"."""
    full = f"{place}/{path}"
    os.makedirs(os.path.dirname(full), exist_ok=True)  # noqa: PTH103, PTH120 - a Path would cost more than the call
    _fill(full, content)


def _fill(full: str, content: bytes) -> None:
    """Write one file in a folder that is there; a path that ends in "/" is such a folder."""
    if not full.endswith("/"):
        with open(full, "wb") as file:  # noqa: PTH123
            file.write(content)


def _import_path(project: dict[str, Any], place: Path) -> list[str]:
    """`sys.path` with the copy in the place of the project (an editable install is on the path), and its own folders.

    What the copy lacks (a virtual environment in the project's folder) stays where it is.
    """
    root = project["root"].rstrip("/")
    found = []
    for entry in sys.path:
        inside = f"{place}{entry.removeprefix(root)}"
        is_ours = entry == root or entry.startswith(f"{root}/")
        found.append(inside if is_ours and os.path.isdir(inside) else entry)  # noqa: PTH112
    last = [os.path.normpath(place / folder) for folder in (project["folder"], *project["import_folders"])]
    return [*found, *(folder for folder in dict.fromkeys(last) if folder not in found)]
