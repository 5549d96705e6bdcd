"""macOS and Windows, played here: what does not need Linux works, and what does is refused with what to do instead."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import as_macos
import pytest

from regreen.__main__ import main

BUGGY = "def total(items):\n    s = 0\n    for i in range(1, len(items)):\n        s += items[i]\n    return s\n"
TESTS = "from sums import total\n\ndef test_sum():\n    assert total([1, 2, 3]) == 6\n"
LOADS = """
import as_macos
as_macos.become_macos()
import regreen.sandbox.container_server, regreen.sandbox.container_profile, regreen.verify.screener_pool
import regreen.sandbox.guest.link.relay
from regreen.sandbox.guest.limited_process import ROLES
for prepare in ROLES.values():
    prepare()
from regreen.sandbox.memory_file import memory_file, shared_file
import fcntl, os
with memory_file(b"content") as fd:
    assert os.pread(fd, 9, 0) == b"content"
    assert fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY
fd = shared_file(9)
assert os.pwrite(fd, b"x", 3) == 1
assert os.pread(fd, 99, 0) == bytes(3) + b"x" + bytes(5)
"""


def on_macos(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    given = {**os.environ, "DOCKER_HOST": "unix:///nonexistent.sock"}
    command = [sys.executable, as_macos.__file__, *words]
    return subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A program with a red test."""
    (tmp_path / "sums.py").write_text(BUGGY)
    (tmp_path / "test_sums.py").write_text(TESTS)
    return tmp_path


@pytest.mark.sandbox
def test_what_runs_on_macos_loads_there() -> None:
    """The host's part of containers, and the processes of the restricted sandbox: none needs anything of Linux's."""
    given = {**os.environ, "PYTHONPATH": str(Path(as_macos.__file__).parent)}
    done = subprocess.run([sys.executable, "-c", LOADS], env=given, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), ("The jail needs Linux", "WSL 2", "--sandbox docker", "--sandbox restricted")),
        (("--sandbox", "docker"), ("Start Docker or Podman", "colima start", "DOCKER_HOST")),
    ],
    ids=["the jail", "no engine"],
)
def test_macos_is_told_what_it_can_use(folder: Path, words: tuple[str, ...], told: tuple[str, ...]) -> None:
    """Status 3, what is missing, and every way out of it."""
    done = on_macos("fix", "sums.py", "--tests", "test_sums.py", *words, folder=folder)
    assert done.returncode == 3, done.stderr
    assert [what for what in told if what not in " ".join(done.stderr.split())] == []
    assert "Traceback" not in done.stderr


def test_windows_is_told_what_it_can_use(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is imported that it lacks."""
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 3
    assert "WSL 2" in capsys.readouterr().err
