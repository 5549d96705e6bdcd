"""Patches that `git apply` and `patch -p1` take, made from bytes so that encodings and line ends survive."""

from __future__ import annotations

from pathlib import Path

from regreen.unified_diff import unified_diff


def unified_patch(before: bytes, after: bytes, name: str, *, context: int = 3) -> bytes:
    """The unified diff of a file called `name`, with lines of context around each change; empty when there is none."""
    # Surrogates stand for bytes that are not ASCII, and become those bytes again.
    old, new = (text.decode("ascii", "surrogateescape") for text in (before, after))
    return unified_diff(old, new, name, context=context).encode("utf-8", "surrogateescape")


def patch_name(path: Path, working_folder: Path) -> str:
    """The name under which a patch for `path` applies: from the working folder, else from its repository's top."""
    path = path.absolute()
    tops = (folder for folder in path.parents if (folder / ".git").exists())
    for folder in (working_folder.absolute(), *tops):
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return path.name
