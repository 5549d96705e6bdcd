"""Writing a repair into the user's file: whole or not at all, and never over somebody's newer work."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from regreen.errors import TaskError
from regreen.tasks.local_task import read_program_file, write_if_unchanged


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_bytes(b"x = 1\r\ny = 2\r\n")
    return path


def test_the_repair_is_written_with_the_files_own_line_ends(path: Path) -> None:
    """What is on disk afterwards is the rendered text, and nothing lies beside it."""
    write_if_unchanged(read_program_file(path), "x = 1\ny = 3\n")
    assert path.read_bytes() == b"x = 1\r\ny = 3\r\n"
    assert list(path.parent.iterdir()) == [path]


def test_permissions_stay(path: Path) -> None:
    """An executable script stays executable."""
    path.chmod(0o751)
    write_if_unchanged(read_program_file(path), "x = 2\n")
    assert path.stat().st_mode & 0o7777 == 0o751


def test_a_file_that_changed_meanwhile_is_left_alone(path: Path) -> None:
    """Newer work is never lost to a repair of older text."""
    program = read_program_file(path)
    path.write_bytes(b"x = 'newer'\n")
    with pytest.raises(TaskError, match="has changed since it was read"):
        write_if_unchanged(program, "x = 2\n")
    assert path.read_bytes() == b"x = 'newer'\n"
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_is_gone_is_not_made_again(path: Path) -> None:
    """A deleted program stays deleted."""
    program = read_program_file(path)
    path.unlink()
    with pytest.raises(TaskError, match="cannot be written"):
        write_if_unchanged(program, "x = 2\n")
    assert list(path.parent.iterdir()) == []


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    """What a link points to is repaired; the link is not replaced by a file."""
    folder = tmp_path / "links"
    folder.mkdir()
    link = folder / "link.py"
    link.symlink_to(path)
    write_if_unchanged(read_program_file(link), "x = 2\n")
    assert link.is_symlink()
    assert path.read_bytes() == b"x = 2\r\n"
    assert list(folder.iterdir()) == [link]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_write_protected_file_is_left_alone(path: Path) -> None:
    """The folder would allow replacing it; the user's protection is respected all the same."""
    path.chmod(0o444)
    with pytest.raises(TaskError, match="write-protected"):
        write_if_unchanged(read_program_file(path), "x = 2\n")
    assert path.read_bytes() == b"x = 1\r\ny = 2\r\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_folder_that_takes_no_files_is_a_refusal(path: Path) -> None:
    """Without room for a fresh file beside it, nothing is touched."""
    path.parent.chmod(0o555)
    try:
        with pytest.raises(TaskError, match=r"cannot be written: Permission denied\. Nothing has been changed"):
            write_if_unchanged(read_program_file(path), "x = 2\n")
    finally:
        path.parent.chmod(0o755)
