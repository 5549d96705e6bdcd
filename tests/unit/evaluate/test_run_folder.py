"""One run folder, one writer."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
from pathlib import Path

import pytest

from regreen.errors import RunError
from regreen.evaluate.run_folder import LOCK_FILE, lock_run


def test_a_second_holder_is_refused_and_told_who_has_it(tmp_path: Path) -> None:
    """Process, host and since when."""
    with (
        lock_run(tmp_path),
        pytest.raises(RunError, match=f"in use by process {os.getpid()} on {socket.gethostname()} since 20"),
        lock_run(tmp_path),
    ):
        pass


def test_a_lock_is_free_after_use(tmp_path: Path) -> None:
    """Also when what was done under it failed."""
    with pytest.raises(KeyboardInterrupt), lock_run(tmp_path):
        raise KeyboardInterrupt
    with lock_run(tmp_path):
        assert owner(tmp_path) == os.getpid()
    assert (tmp_path / LOCK_FILE).read_text(encoding="ascii") == ""


@pytest.fixture
def dead_pid() -> int:
    """A number that no process has."""
    return int(Path("/proc/sys/kernel/pid_max").read_text(encoding="ascii")) + 1


def leave(folder: Path, pid: int, host: str) -> None:
    """A lock file as a killed process leaves it."""
    (folder / LOCK_FILE).write_text(json.dumps({"pid": pid, "host": host, "since": "2001"}), encoding="ascii")


def owner(folder: Path) -> int:
    """The process that the lock file names."""
    return int(json.loads((folder / LOCK_FILE).read_text(encoding="ascii"))["pid"])


def test_the_lock_of_a_dead_process_is_taken_over(tmp_path: Path, dead_pid: int) -> None:
    """The kernel let go of it."""
    leave(tmp_path, dead_pid, socket.gethostname())
    with lock_run(tmp_path):
        assert owner(tmp_path) == os.getpid()


@pytest.mark.parametrize("content", ["", "nonsense", "[]", '{"pid": "x"}'])
def test_any_content_of_a_free_lock_will_do(tmp_path: Path, content: str) -> None:
    """A torn lock file does not lock anybody out."""
    (tmp_path / LOCK_FILE).write_text(content, encoding="ascii")
    with lock_run(tmp_path):
        assert owner(tmp_path) == os.getpid()


@pytest.fixture
def _no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that has no locks."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)


@pytest.mark.usefixtures("_no_locks")
def test_where_there_are_no_locks_the_file_decides(tmp_path: Path, dead_pid: int) -> None:
    """A holder that is gone is followed; one that lives, or is on another machine, is respected."""
    with lock_run(tmp_path):
        pass
    leave(tmp_path, dead_pid, socket.gethostname())
    with lock_run(tmp_path):
        pass
    for pid, host in ((os.getppid(), socket.gethostname()), (dead_pid, "elsewhere")):
        leave(tmp_path, pid, host)
        with pytest.raises(RunError, match=f"in use by process {pid} on {host} since 2001"), lock_run(tmp_path):
            pass
