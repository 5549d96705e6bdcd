"""Patches that `git apply` and `patch -p1` take, made from bytes so that encodings and line ends survive."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

NO_NEWLINE = b"\\ No newline at end of file\n"
QUOTED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def unified_patch(before: bytes, after: bytes, name: str) -> bytes:
    """The unified diff of a file called `name`; empty when nothing changed."""
    lines = difflib.diff_bytes(
        difflib.unified_diff,
        _lines(before),
        _lines(after),
        _header("a/" + name),
        _header("b/" + name),
        lineterm=b"\n",
    )
    return b"".join(_terminated(lines))


def patch_name(path: Path, working_folder: Path) -> str:
    """The name under which a patch for `path` applies: from the working folder, else from its repository's top."""
    path = path.absolute()
    tops = (folder for folder in path.parents if (folder / ".git").exists())
    for folder in (working_folder.absolute(), *tops):
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return path.name


def _lines(text: bytes) -> list[bytes]:
    return re.findall(rb"[^\n]*\n|[^\n]+", text)


def _terminated(lines: Iterator[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield line if line.endswith(b"\n") else line + b"\n" + NO_NEWLINE


def _header(name: str) -> bytes:
    """A file name as git writes it: quoted where it holds what would end or change the line."""
    if any(c in QUOTED or not c.isprintable() for c in name):
        name = '"' + "".join(QUOTED.get(c) or _octal(c) for c in name) + '"'
    elif " " in name:
        name += "\t"
    return name.encode("utf-8", "surrogateescape")


def _octal(character: str) -> str:
    if character.isprintable():
        return character
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", "surrogateescape"))
