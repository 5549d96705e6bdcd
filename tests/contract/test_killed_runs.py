"""Runs that are killed at any moment: resumed, they end with the records of a run that nobody disturbed."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import descendants, left_of
from waiting import wait_for

from regreen.evaluate.agreement import untimed
from regreen.evaluate.provenance import RUN_FILE, UNFINISHED_RUN_FILE
from regreen.evaluate.result_log import RESULTS, read_results
from regreen.evaluate.run_folder import LOCK_FILE

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
    pytest.mark.timeout(300),
]

CASES = 6
WAYS = {"search": (), "reflect": ("--strategy", "reflect", "--iters", "2", "--model", "scripted:SCRIPT")}
KILLS = {"search": ("start", "lock", "sandbox", 1, 4), "reflect": (1, 4)}
"""At what each way to run is killed, one after the other: what is there by then, or how many results."""


class Desk:
    """A data set, a script for a model, and the command that evaluates one by the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scratch = folder / "tmp"
        self.scratch.mkdir()
        rows = [row(number) for number in range(CASES)]
        (folder / "tasks.jsonl").write_text("".join(f"{json.dumps(task)}\n" for task in rows), encoding="utf-8")
        rules = [{"contains": f"def {task['entry_point']}(", "replies": replies(task)} for task in rows]
        (folder / "script.json").write_text(json.dumps({"rules": rules}), encoding="utf-8")

    def command(self, run: Path, way: str) -> list[str]:
        """The command line that begins the run, or goes on with it."""
        told = [word.replace("SCRIPT", str(self.folder / "script.json")) for word in WAYS[way]]
        data = f"samples:{self.folder / 'tasks.jsonl'}"
        told += ["--max-candidates", "100", "--workers", "2", "--concurrency", "3", "--resume", "--json"]
        return [sys.executable, "-m", "regreen", "eval", data, "-o", str(run), *told]

    def start(self, run: Path, way: str, **more: Any) -> subprocess.Popen[str]:
        """Begin the run, or go on with it."""
        return subprocess.Popen(
            self.command(run, way),
            env={**os.environ, "TMPDIR": str(self.scratch)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            **more,
        )

    def finish(self, run: Path, way: str, **more: Any) -> tuple[int, str]:
        """Go on with the run to its end; returns the exit status and all that was said."""
        with self.start(run, way, **more) as process:
            out, err = process.communicate(timeout=120)
        return process.returncode, f"{out}{err}"

    def kill(self, run: Path, way: str, moment: str | int) -> bool:
        """Go on with the run and kill it; whether it was still at it. Nothing that it started outlives it."""
        with self.start(run, way) as process:
            wait_for(lambda: reached(moment, process, run) or process.poll() is not None, what=f"{moment} of {way}")
            started = descendants(process.pid)
            was_there = process.poll() is None
            process.kill()
            process.communicate(timeout=20)
        assert not left_of(started, 15)
        assert list(self.scratch.iterdir()) == []
        return was_there


def reached(moment: str | int, process: subprocess.Popen[str], run: Path) -> bool:
    """Whether a run has come so far."""
    if moment == "lock":
        return (run / LOCK_FILE).exists() and bool((run / LOCK_FILE).read_bytes())
    if moment == "sandbox":
        return bool(descendants(process.pid))
    return moment == "start" or ((run / RESULTS).exists() and (run / RESULTS).read_bytes().count(b"\n") >= int(moment))


def row(number: int) -> dict[str, Any]:
    """A small task: most are mended at once, every fourth cannot be."""
    right = f"def total_{number}(a, b):\n    return a + b + {number}\n"
    pairs = ((1, 2), (3, 5), (8, 13))
    wanted = [pow(a * 7919 + b, 3, 104729) if number % 4 == 3 else a + b + number for a, b in pairs]
    checks = [f"assert total_{number}({a}, {b}) == {value}" for (a, b), value in zip(pairs, wanted, strict=True)]
    return {
        "task_id": f"total_{number}",
        "program": right.replace("a + b", "a - b"),
        "hidden_checks": checks,
        "reference": right,
        "entry_point": f"total_{number}",
    }


def replies(task: dict[str, Any]) -> list[dict[str, Any]]:
    """What a model says to it, in its time: the third program is the right one."""
    programs = [task["program"].replace("a - b", other) for other in ("b - a", "a * b", "a + b")]
    return [{"text": f"```python\n{program}```", "latency": 0.1} for program in programs]


def records(run: Path) -> dict[tuple[str, int], Any]:
    """What a run found, measured times aside; a repeated line is refused by whoever reads it."""
    return {line.key: untimed(line.values()) for line in read_results(run / RESULTS)}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("desk"))


@pytest.fixture(scope="module")
def undisturbed(desk: Desk) -> Callable[[str], dict[Any, Any]]:
    """The records of a run that nobody disturbed."""
    known: dict[str, dict[Any, Any]] = {}

    def of(way: str) -> dict[Any, Any]:
        if way not in known:
            status, err = desk.finish(desk.folder / f"calm-{way}", way)
            assert status == 0, err
            known[way] = records(desk.folder / f"calm-{way}")
        return known[way]

    return of


@pytest.mark.parametrize("way", [pytest.param("search", marks=pytest.mark.slow), "reflect"])
def test_a_run_that_is_killed_again_and_again_ends_as_if_it_had_not_been(
    desk: Desk, undisturbed: Callable[[str], Any], way: str
) -> None:
    """From half a run.json, which counts for nothing, to the last line: none lost, none twice, nothing left behind."""
    wanted = undisturbed(way)
    assert len(wanted) == CASES
    run = desk.folder / f"killed-{way}"
    run.mkdir()
    (run / UNFINISHED_RUN_FILE).write_bytes(b'{"schema": 1, "started"')
    (run / LOCK_FILE).write_bytes(b"")
    struck = [moment for moment in KILLS[way] if desk.kill(run, way, moment)]
    assert set(KILLS[way]) - {4} <= set(struck), "a kill came too late"
    assert desk.finish(run, way)[0] == 0
    assert records(run) == wanted
    assert {line["outcome"] for line in wanted.values()} == {"fixed", "unfixed"}
    assert json.loads((run / RUN_FILE).read_bytes())["cases"] == CASES
    assert not (run / UNFINISHED_RUN_FILE).exists()


def test_a_disk_that_is_full_for_a_while_costs_nothing_that_was_done(
    desk: Desk, undisturbed: Callable[[str], Any]
) -> None:
    """Status 3 while it is; with room again the run goes on behind the last whole line."""
    wanted = undisturbed("search")
    run = desk.folder / "full"
    most = (desk.folder / "calm-search" / RESULTS).stat().st_size * 2 // 5
    status, err = desk.finish(
        run, "search", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    )
    assert status == 3, err
    assert "cannot be written: File too large" in err
    kept = records(run)
    assert 0 < len(kept) < CASES
    assert desk.finish(run, "search")[0] == 0
    assert records(run) == wanted
    assert kept.items() <= wanted.items()


def test_a_second_run_in_the_same_folder_is_refused_while_the_first_is_at_it(desk: Desk) -> None:
    """It is told which process has the folder; killed outright, that one has it no more."""
    run = desk.folder / "shared"
    with desk.start(run, "search") as first:
        wait_for(lambda: reached("lock", first, run), what="the lock")
        first.send_signal(signal.SIGSTOP)
        status, err = desk.finish(run, "search")
        assert status == 2
        assert f"in use by process {first.pid}" in err
        first.kill()
        first.communicate(timeout=20)
    assert desk.finish(run, "search")[0] == 0
    assert len(records(run)) == CASES


@pytest.fixture(autouse=True)
def _nothing_is_left(desk: Desk) -> Iterator[None]:
    yield
    assert list(desk.scratch.iterdir()) == []
