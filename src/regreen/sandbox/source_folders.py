"""What programs may read of a folder of sources on Python's path: never the tests, which hold the expected values.

A project's own folder gets onto the path by `PYTHONPATH=.` or by an editable install of a flat layout. Python's own
folders and those that hold installed packages are shown as a whole; of any other, its modules and packages are, without
tests, hidden files, and whatever else lies beside them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

_OURS = str(Path(__file__).resolve().parents[1])
"""Our own package, where it is installed for work on it: it holds no tests of the user's."""
_INSTALLED = frozenset({"site-packages", "dist-packages"})
_TEST_FOLDERS = frozenset({"test", "tests", "testing"})
_TEST_FILES = ("test_*", "*_test.*", "*_tests.*", "tests.*", "test.*", "conftest.*", "*.jsonl")
_MODULES = (".py", ".so", ".pyi")
_COMPILED = "__pycache__"
_TEST_WORDS = ("import pytest", "import unittest", "from unittest", "from pytest", "assert ", "check(", ">>> ")
"""How lines begin by which a module at the top of a source folder is taken for tests."""
_READ_CHARACTERS = 1 << 16
_MOST_ENTRIES = 20_000
"""Files and folders that are looked at; what lies beyond is not shown."""


def is_source_folder(path: str, roots: Sequence[str]) -> bool:
    """Whether a folder on Python's path is neither Python's own nor one of installed packages."""
    inside = any(path == root or path.startswith(f"{root.rstrip('/')}/") for root in roots)
    return not inside and not _INSTALLED & set(Path(path).parts) and Path(path).is_dir()


def shown_parts(folder: str) -> Iterator[str]:
    """The files and folders of a source folder that programs may read, each as a whole."""
    left = _Allowance()
    for entry in _entries(folder, left):
        if entry.is_dir(follow_symlinks=False):
            if entry.path == _OURS:
                yield entry.path
            elif _holds_modules(entry.path):
                yield from _parts_of(entry.path, left)
        elif entry.name.endswith(_MODULES) and not _is_test(entry.name) and not _looks_like_tests(entry.path):
            yield entry.path


class _Allowance:
    def __init__(self) -> None:
        self.entries = _MOST_ENTRIES


def _parts_of(folder: str, left: _Allowance) -> list[str]:
    """The folder itself where all in it may be read; else the parts that may."""
    parts, whole = [], True
    for entry in _scan(folder):
        left.entries -= 1
        if left.entries < 0 or _is_hidden(entry):
            whole = False
        elif entry.name == _COMPILED:
            # It is shown with the whole folder, or not at all: each part more is one more mount.
            whole = whole and _parts_of(entry.path, left) == [entry.path]
        elif entry.is_dir(follow_symlinks=False):
            inner = _parts_of(entry.path, left)
            whole = whole and inner == [entry.path]
            parts += inner
        else:
            parts.append(entry.path)
    return [folder] if whole else parts


def _entries(folder: str, left: _Allowance) -> Iterator[os.DirEntry[str]]:
    for entry in _scan(folder):
        left.entries -= 1
        if left.entries >= 0 and not _is_hidden(entry) and entry.name != _COMPILED:
            yield entry


def _scan(folder: str) -> list[os.DirEntry[str]]:
    try:
        return sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return []


def _is_hidden(entry: os.DirEntry[str]) -> bool:
    # A link could lead to the tests by another way.
    named = entry.name in _TEST_FOLDERS if entry.is_dir(follow_symlinks=False) else _is_test(entry.name)
    return named or entry.name.startswith(".") or entry.is_symlink()


def _is_test(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in _TEST_FILES)


def _holds_modules(folder: str) -> bool:
    return any(entry.name.endswith(_MODULES) for entry in _scan(folder))


def _looks_like_tests(path: str) -> bool:
    try:
        with Path(path).open(encoding="utf-8", errors="replace") as file:
            text = file.read(_READ_CHARACTERS)
    except OSError:
        return True
    return any(line.startswith(_TEST_WORDS) for line in text.splitlines())
