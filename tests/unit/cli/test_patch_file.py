"""The patches that --out saves: git takes every one of them, whatever the file's line ends, bytes and name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.cli.patch_file import patch_name, unified_patch

TEXTS = st.lists(st.sampled_from([b"a\n", b"b\n", b"a\r\n", b"\xff\n", b"\n", b"--- x\n", b"c"]), max_size=12).map(
    b"".join
)


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


@given(before=TEXTS, after=TEXTS)
def test_a_patch_is_empty_exactly_when_nothing_changed(before: bytes, after: bytes) -> None:
    """No patch, no change; no change, no patch."""
    assert (unified_patch(before, after, "x.py") == b"") == (before == after)


def test_a_patch_names_the_file_from_where_it_will_be_applied(tmp_path: Path) -> None:
    """Below the working folder: from there. Elsewhere in a repository: from its top. Else: the bare name."""
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    inside, outside = tmp_path / "repo" / "src" / "a.py", tmp_path / "b.py"
    assert patch_name(inside, tmp_path / "repo" / "src") == "a.py"
    assert patch_name(inside, tmp_path / "repo" / "docs") == "src/a.py"
    assert patch_name(outside, tmp_path / "repo") == "b.py"


def test_a_patch_applies_from_a_folder_of_a_repository(tmp_path: Path) -> None:
    """`git apply` run where regreen ran finds the file, below a repository's top too."""
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True, timeout=20)
    folder = tmp_path / "inner"
    folder.mkdir()
    (folder / "a.py").write_bytes(b"x\n")
    git_apply(folder, unified_patch(b"x\n", b"y\n", patch_name(folder / "a.py", folder)))
    assert (folder / "a.py").read_bytes() == b"y\n"
