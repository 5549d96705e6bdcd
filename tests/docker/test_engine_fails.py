"""An engine that is absent, refuses, or dies in the middle: never the candidate's fault, and a run goes on after it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from engine_daemon import EngineDaemon, daemon_of_tests
from waiting import wait_for

from regreen.errors import SandboxUnavailable
from regreen.types import Confinement, ContainerOptions, Limits
from regreen.verify.judge import open_judge
from regreen.verify.suites import read_suite

REGREEN = [sys.executable, "-m", "regreen"]
QUICK = "merge-settings,deal-hands,ancestors,invert-index,stock-check,nested-total,share-of-total,turn-order"
"""Cases of the bundled benchmark that are repaired at once."""
COMPARED = ("task_id", "outcome", "final_source", "passed", "stop")


@pytest.fixture
def daemon() -> EngineDaemon:
    """The daemon, which may be killed."""
    daemon = daemon_of_tests()
    if daemon is None:
        pytest.skip("the engine at DOCKER_HOST is not ours to kill: `make docker` starts one")
    return daemon


@pytest.mark.parametrize(
    ("address", "words"),
    [("unix:///nonexistent.sock", "cannot be asked"), ("tcp://127.0.0.1:1", "cannot be asked")],
)
def test_an_engine_that_is_not_there_is_said_with_what_to_do(address: str, words: str, tmp_path: Path) -> None:
    """Exit status 3, one line, the remedy."""
    given = {"DOCKER_HOST": address}
    done = run("eval", "bundled", "--limit", "1", "-o", str(tmp_path / "run"), environment=given)
    assert done.returncode == 3
    assert words in done.stderr
    assert "Start Docker or Podman" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_runtime_that_the_engine_does_not_know_is_said(image: str) -> None:
    """In the engine's own words."""
    options = ContainerOptions(image=image, runtime="no-such-runtime")
    suite = read_suite("assert f() == 1", program="def f():\n    return 1\n", module="program", entry_point="f")
    with (
        open_judge(Confinement("docker", container=options)) as judge,
        pytest.raises(SandboxUnavailable, match="runtime"),
    ):
        judge.judge("def f():\n    return 1\n", suite, Limits())


def test_a_run_whose_daemon_is_killed_twice_ends_with_the_same_records(
    daemon: EngineDaemon, image: str, tmp_path: Path
) -> None:
    """What was decided stays, what the engine kept from a decision is tried again, and no repair is lost or changed.

    A daemon that ends takes its containers along. One that is killed leaves them, and judging goes on in them until the
    next daemon ends them.
    """
    options = ("--ids", QUICK, "--workers", "1")
    whole = run("eval", "bundled", *options, "-o", str(tmp_path / "whole"), image=image)
    assert whole.returncode in (0, 1), whole.stderr
    folder = tmp_path / "killed"
    for decided, number, statuses in ((2, signal.SIGTERM, {3}), (4, signal.SIGKILL, {0, 1, 3})):
        more = ("--resume",) if folder.exists() else ()
        with subprocess.Popen(
            command("eval", "bundled", *options, "-o", str(folder), *more), env=environ(image)
        ) as process:
            wait_for(lambda decided=decided: len(decided_in(folder)) >= decided, 60, what="a few results")
            daemon.end(number)
            if number == signal.SIGKILL:
                daemon.start()
            assert process.wait(60) in statuses
        if not daemon.answers():
            daemon.start()
    rest = run("eval", "bundled", *options, "-o", str(folder), "--resume", image=image)
    assert rest.returncode == whole.returncode, rest.stderr
    assert decided_in(folder) == decided_in(tmp_path / "whole")


def command(*words: str) -> list[str]:
    return [*REGREEN, *words, "--sandbox", "docker"]


def environ(image: str) -> dict[str, str]:
    return {**os.environ, "REGREEN_DOCKER_IMAGE": image}


def run(*words: str, image: str = "x", environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    given = environ(image) | (environment or {})
    return subprocess.run(command(*words), env=given, capture_output=True, text=True, check=False)


def lines(folder: Path) -> list[dict[str, object]]:
    path = folder / "results.jsonl"
    text = path.read_text().splitlines(keepends=True) if path.exists() else []
    return [json.loads(line) for line in text if line.endswith("\n")]


def decided_in(folder: Path) -> dict[object, list[object]]:
    """What counts of each decided line, by its task; a later line of a task replaces what failed before."""
    return {line["task_id"]: [line[name] for name in COMPARED] for line in lines(folder) if line["outcome"] != "error"}
