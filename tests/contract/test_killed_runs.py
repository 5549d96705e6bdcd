"""Runs that are killed at any moment: resumed, they end with the records of a run that nobody disturbed."""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import descendants, left_of

from regreen.evaluate.agreement import untimed
from regreen.evaluate.provenance import RUN_FILE, UNFINISHED_RUN_FILE
from regreen.evaluate.result_log import RESULTS, read_results
from regreen.evaluate.run_folder import LOCK_FILE

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
    pytest.mark.timeout(300),
]

CASES = 12
WAYS = {"search": (), "reflect": ("--strategy", "reflect", "--iters", "2", "--model", "scripted:SCRIPT")}
KILLS = {"search": 5, "reflect": 3}
"""What is killed, and how often."""


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
        told += ["--max-candidates", "800", "--workers", "2", "--concurrency", "3", "--resume", "--json"]
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

    def kill(self, run: Path, way: str, delay: float) -> bool:
        """Go on with the run and kill it; whether it was still at it. Nothing that it started outlives it."""
        with self.start(run, way) as process:
            time.sleep(delay)
            started = descendants(process.pid)
            was_there = process.poll() is None
            process.kill()
            process.communicate(timeout=20)
        assert not left_of(started, 15)
        assert list(self.scratch.iterdir()) == []
        return was_there


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
def undisturbed(desk: Desk) -> Callable[[str], tuple[dict[Any, Any], float]]:
    """The records of a run that nobody disturbed, and how long it took."""
    known: dict[str, tuple[dict[Any, Any], float]] = {}

    def of(way: str) -> tuple[dict[Any, Any], float]:
        if way not in known:
            began = time.monotonic()
            status, err = desk.finish(desk.folder / f"calm-{way}", way)
            assert status == 0, err
            known[way] = records(desk.folder / f"calm-{way}"), time.monotonic() - began
        return known[way]

    return of


@pytest.mark.parametrize("way", WAYS)
def test_a_run_that_is_killed_again_and_again_ends_as_if_it_had_not_been(
    desk: Desk, undisturbed: Callable[[str], Any], way: str
) -> None:
    """At random moments, from the first import to the last line: none lost, none twice, nothing left behind."""
    wanted, seconds = undisturbed(way)
    assert len(wanted) == CASES
    rng, run = random.Random(f"kills of {way}"), desk.folder / f"killed-{way}"
    struck = sum(desk.kill(run, way, rng.uniform(0.2, 1.0) * seconds) for _ in range(KILLS[way]))
    assert struck, "no kill came in time"
    assert desk.finish(run, way)[0] == 0
    assert records(run) == wanted
    assert {line["outcome"] for line in wanted.values()} == {"fixed", "unfixed"}


def test_a_disk_that_is_full_for_a_while_costs_nothing_that_was_done(
    desk: Desk, undisturbed: Callable[[str], Any]
) -> None:
    """Status 3 while it is; with room again the run goes on behind the last whole line."""
    wanted, _ = undisturbed("search")
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
        until(lambda: (run / LOCK_FILE).exists() and (run / LOCK_FILE).read_bytes())
        status, err = desk.finish(run, "search")
        assert status == 2
        assert f"in use by process {first.pid}" in err
        first.kill()
        first.communicate(timeout=20)
    assert desk.finish(run, "search")[0] == 0
    assert len(records(run)) == CASES


@pytest.mark.parametrize("written", [b"", b'{"schema": 1, "started"'])
def test_a_kill_while_run_json_is_being_written_leaves_a_folder_that_can_be_begun(
    desk: Desk, undisturbed: Callable[[str], Any], tmp_path: Path, written: bytes
) -> None:
    """The half that is there counts for nothing, and is gone afterwards."""
    run = tmp_path / "run"
    run.mkdir()
    (run / UNFINISHED_RUN_FILE).write_bytes(written)
    (run / LOCK_FILE).write_bytes(b"")
    assert desk.finish(run, "search")[0] == 0
    assert records(run) == undisturbed("search")[0]
    assert json.loads((run / RUN_FILE).read_bytes())["cases"] == CASES
    assert not (run / UNFINISHED_RUN_FILE).exists()


def until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not true() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert true()


@pytest.fixture(autouse=True)
def _nothing_is_left(desk: Desk) -> Iterator[None]:
    yield
    assert list(desk.scratch.iterdir()) == []
