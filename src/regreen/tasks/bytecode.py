"""The compiled files that Python keeps beside modules: with them, tests begin as soon as they do for the user."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath

FOLDER = "__pycache__"
_NAME = re.compile(r"(?P<stem>.+)\.cpython-3\d+\.pyc")
"""Neither of optimised code, nor of pytest's own rewriting."""
_TAG = ".cpython-"
_HEADER_BYTES = 16
_BY_TIME = bytes(4)
"""Flags of a file that is valid as long as time and size of its source are those that it holds (PEP 552)."""
_SAME_SECOND = 2.0
"""Seconds within which a source may change without another time: what changed so lately is compiled anew."""
_MOST_BYTES = 40 << 20


def bytecode_of(root: Path, sources: Mapping[str, bytes], paths: Collection[str], *, began: float) -> dict[str, bytes]:
    """The compiled files of those of the sources (path below `root` -> content) that Python itself would still use.

    By their path below `root`; of several for one source, the newest. `began` is when the first source was read, in
    seconds since the epoch. No link is followed.
    """
    found: dict[str, bytes] = {}
    room = _MOST_BYTES
    kept = {str(folder): _compiled_in(root / folder) for folder in {PurePosixPath(path).parent for path in paths}}
    for path in sorted(paths):
        place = PurePosixPath(path)
        name = kept[str(place.parent)].get(place.stem)
        content = _fresh(root, path, place.parent / FOLDER / name, len(sources[path]), began) if name else None
        if content is not None and len(content) <= room:
            found[str(place.parent / FOLDER / str(name))] = content
            room -= len(content)
    return found


def source_of(compiled: str) -> str:
    """The path of the source of a compiled file."""
    place = PurePosixPath(compiled)
    return str(place.parent.parent / f"{place.name.rpartition(_TAG)[0]}.py")


def _compiled_in(folder: Path) -> dict[str, str]:
    """Name of each module of a folder -> the name of its newest compiled file."""
    place = folder / FOLDER
    newest: dict[str, tuple[float, str]] = {}
    try:
        if place.is_symlink():
            return {}
        for entry in os.scandir(place):
            match = _NAME.fullmatch(entry.name)
            if match is not None and entry.is_file(follow_symlinks=False):
                changed = entry.stat(follow_symlinks=False).st_mtime
                newest[match["stem"]] = max(newest.get(match["stem"], (0.0, "")), (changed, entry.name))
    except OSError:
        return {}
    return {stem: name for stem, (_, name) in newest.items()}


def _fresh(root: Path, path: str, compiled: PurePosixPath, size: int, began: float) -> bytes | None:
    """The content of a compiled file, where it is that of the source as it was read."""
    try:
        content = (root / compiled).read_bytes()
        changed = os.lstat(root / path).st_mtime
    except OSError:
        return None
    time, length = (int.from_bytes(content[at : at + 4], "little") for at in (8, 12))
    is_whole = len(content) > _HEADER_BYTES and content[4:8] == _BY_TIME
    is_of_it = time == int(changed) & 0xFFFFFFFF and length == size & 0xFFFFFFFF
    return content if is_whole and is_of_it and changed < began - _SAME_SECOND else None
