"""The patches that --out saves: git takes every one of them, whatever the file's line ends, bytes and name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from regreen.tasks.patch_file import patch_name, unified_patch


def git_apply(folder: Path, patch: bytes) -> None:
    done = subprocess.run(["git", "apply", "-"], cwd=folder, input=patch, capture_output=True, timeout=20)
    assert done.returncode == 0, (done.stderr, patch)


@pytest.mark.parametrize("name", ["plain.py", "with space.py", "ünï.py", 'quo"te.py', "back\\slash.py", "tab\there.py"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\nb\nc\n", b"a\nB\nc\n"),
        (b"a\r\nb\r\n", b"a\r\nB\r\n"),
        (b"a\nb", b"a\nB"),
        (b"a\nb", b"a\nb\n"),
        (b"\xef\xbb\xbfa\n\xe9\n", b"\xef\xbb\xbfa\n\xe8\n"),
        (b"a\x0cb\nc\n", b"a\x0cb\nd\n"),
    ],
)
def test_git_applies_the_patch_and_the_file_is_the_repaired_one(
    tmp_path: Path, name: str, before: bytes, after: bytes
) -> None:
    """Byte for byte: encodings, line ends, a missing last newline and odd names survive."""
    (tmp_path / name).write_bytes(before)
    git_apply(tmp_path, unified_patch(before, after, name))
    assert (tmp_path / name).read_bytes() == after


def test_a_patch_applies_from_a_folder_of_a_repository(tmp_path: Path) -> None:
    """`git apply` run where regreen ran finds the file, below a repository's top too."""
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True, timeout=20)
    folder = tmp_path / "inner"
    folder.mkdir()
    (folder / "a.py").write_bytes(b"x\n")
    git_apply(folder, unified_patch(b"x\n", b"y\n", patch_name(folder / "a.py", folder)))
    assert (folder / "a.py").read_bytes() == b"y\n"
