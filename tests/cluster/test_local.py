"""The command with a Ray of its own on this machine: it begins, is interrupted or killed, and leaves nothing behind."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import descendants
from waiting import wait_for

pytestmark = [pytest.mark.sandbox, pytest.mark.cluster, pytest.mark.timeout(400)]

BEGINNING = "ray::RepairActor.begin"
"""A process of Ray's that repairs its first sample."""
RAYS_OWN = ("ray::DashboardAgent", "ray::RuntimeEnvAgent")
"""Processes of Ray's that outlive its head by up to a minute, and hold nothing of ours."""


class Desk:
    """A data set of small tasks, and the command that spreads them."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        self.folder = folder
        self.scratch = scratch
        """For temporary files; the names of sockets in it have to be short."""
        self.results = folder / "run" / "results.jsonl"
        rows = (row(number) for number in range(12))
        (folder / "tasks.jsonl").write_text("".join(f"{json.dumps(task)}\n" for task in rows), encoding="utf-8")

    @contextlib.contextmanager
    def started(self, *more: str) -> Iterator[subprocess.Popen[str]]:
        """A run that is under way, for the block; it does not outlive it."""
        with self.start(*more) as process:
            try:
                yield process
            finally:
                process.kill()

    def start(self, *more: str) -> subprocess.Popen[str]:
        """Begin a run, or go on with it."""
        command = [sys.executable, "-m", "regreen", "eval", f"samples:{self.folder / 'tasks.jsonl'}"]
        command += ["-o", str(self.folder / "run"), "--resume", "--json", "--max-candidates", "3000", *more]
        return subprocess.Popen(
            command,
            env={**os.environ, "TMPDIR": str(self.scratch), "RAY_ADDRESS": "local"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def lines(self) -> int:
        """Results so far."""
        return self.results.read_bytes().count(b"\n") if self.results.exists() else 0

    def finish(self, *more: str) -> dict[str, Any]:
        """Go on with the run without Ray."""
        with self.start(*more) as process:
            out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        told: dict[str, Any] = json.loads(out)
        return told


def row(number: int) -> dict[str, Any]:
    """A task that cannot be mended, so that a search has something to do."""
    wanted = [pow(a * 7919 + number, 3, 104729) for a in (1, 2, 3)]
    checks = [f"assert total_{number}({a}) == {value}" for a, value in zip((1, 2, 3), wanted, strict=True)]
    return {"task_id": f"t{number}", "program": f"def total_{number}(a):\n    return a + 1\n", "hidden_checks": checks}


def command_of(pid: int) -> str:
    """What a process runs; empty where it is not there any more."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    return ""


@pytest.fixture
def desk(ray: Any, tmp_path: Path) -> Iterator[Desk]:
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="r-") as scratch:
        yield Desk(tmp_path, Path(scratch))


def test_ctrl_c_finishes_what_is_under_way_and_cleans_up(desk: Desk) -> None:
    """Status 130, one JSON object, nothing left; the run goes on without Ray, too."""
    with desk.started("--spread", "ray") as process:
        wait_for(lambda: desk.lines() >= 2, 150)
        started = descendants(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=150)
    assert process.returncode == 130, err
    told = json.loads(out)
    assert told["interrupted"] is True
    assert 2 <= sum(told["outcomes"].values()) == desk.lines() < 12
    assert "Started a local Ray with" in err
    assert "Traceback" not in err
    wait_for(lambda: not any(map(command_of, started)), 15)
    assert list(desk.scratch.iterdir()) == []
    again = desk.finish()
    assert (again["resumed"], told_count(again), desk.lines()) == (told_count(told), 12, 12)


def told_count(told: dict[str, Any]) -> int:
    """Results that a summary counts."""
    return sum(told["outcomes"].values())


def test_a_second_ctrl_c_stops_at_once(desk: Desk) -> None:
    """What was under way is dropped, and done when the run goes on."""
    with desk.started("--spread", "ray", "--max-candidates", "50000", "--max-seconds", "300") as process:
        wait_for(lambda: any(command_of(pid).startswith(BEGINNING) for pid in descendants(process.pid)), 150)
        started = descendants(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        assert process.stderr is not None
        assert any("Press Ctrl-C again" in line for line in process.stderr), "the first one was not answered"
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=40)
    assert process.returncode == 130, err
    assert json.loads(out)["interrupted"] is True
    wait_for(lambda: not any(map(command_of, started)), 15)
    assert list(desk.scratch.iterdir()) == []


def test_nothing_of_ours_outlives_a_driver_that_is_killed(desk: Desk) -> None:
    """Neither sandboxes nor the processes that hold them; the run goes on where it was."""
    with desk.started("--spread", "ray") as process:
        wait_for(lambda: desk.lines() >= 1, 150)
        started = descendants(process.pid)
        assert any("regreen-sandbox" in command_of(pid) for pid in started), "there are sandboxes to be left behind"
        process.kill()
        process.communicate(timeout=20)
    wait_for(lambda: not [pid for pid in started if command_of(pid) and not command_of(pid).startswith(RAYS_OWN)], 30)
    kept = desk.lines()
    told = desk.finish()
    assert told["resumed"] >= min(kept, 1)
    assert told_count(told) == 12
