"""The restricted sandbox: plain Python's verdicts where it runs a program, nothing said of one where it does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from corpus import CLASHES, corpus
from verdicts import plain_verdicts, suite_of

from regreen.errors import SandboxRefusal
from regreen.report.gather import gather
from regreen.report.page import write_page
from regreen.sandbox.attacks import ATTACKS, run_attacks
from regreen.sandbox.restricted_text import NO_WALL
from regreen.types import Confinement, Isolation, Limits, Outcome, Suite
from regreen.verify.baseline import judge_given
from regreen.verify.judge import SandboxJudge, open_judge
from regreen.verify.suites import read_suite

pytestmark = pytest.mark.sandbox

GIVEN = "def f(x):\n    return x\n"
LIMITS = Limits(seconds=1.0, total_seconds=10.0, output_bytes=1 << 20)
BUGGY = "def total(items):\n    s = 0\n    for i in range(1, len(items)):\n        s += items[i]\n    return s\n"
TESTS = "from sums import total\n\ndef test_sum():\n    assert total([1, 2, 3]) == 6\n"


@pytest.fixture(scope="module")
def limited_judge() -> Iterator[SandboxJudge]:
    """A judge without a wall."""
    with open_judge(Confinement("restricted")) as judge:
        yield judge


def suite_for(checks: str, program: str = GIVEN) -> Suite:
    return read_suite(checks, program=program, module="program", entry_point="f")


@pytest.mark.parametrize(
    ("program", "outcome"),
    [
        ("def f(x):\n    return x + 1\n", Outcome.PASSED),
        ("def f(x):\n    return x\n", Outcome.FAILED),
        ("def f(x):\n    raise KeyError(x)\n", Outcome.RAISED),
        ("def f(x)\n", Outcome.RAISED),
        ("def f(x):\n    while True:\n        pass\n", Outcome.TIMED_OUT),
        ("def f(x):\n    return [0] * (1 << 40)\n", Outcome.OUT_OF_MEMORY),
        ("def f(x):\n    while True:\n        print('x' * 999)\n", Outcome.OUTPUT_FLOOD),
        ("def f(x):\n    raise SystemExit(0)\n", Outcome.RAISED),
        ("import os\n\ndef f(x):\n    return x + 1\n", Outcome.UNJUDGEABLE),
    ],
)
def test_each_end_of_a_program_is_told(limited_judge: SandboxJudge, program: str, outcome: Outcome) -> None:
    """As behind a wall; what is not run is no failure, and every verdict says that there was no wall."""
    verdict = limited_judge.judge(program, suite_for("assert f(1) == 2"), LIMITS)
    assert {result.outcome for result in verdict.results.values()} == {outcome}
    assert bool(verdict.refused) == (outcome is Outcome.UNJUDGEABLE)
    assert verdict.no_wall == NO_WALL


def test_verdicts_are_plain_pythons(limited_judge: SandboxJudge) -> None:
    """Of honest programs of every kind that it runs."""
    honest = [program for program in corpus() if program.name not in CLASHES][5::300]
    judged, wrong = 0, []
    for program, expected in zip(honest, plain_verdicts(honest), strict=True):
        try:
            found, _ = judge_given(limited_judge, program.program, suite_of(program), Limits(), {})
        except SandboxRefusal:
            continue
        judged += 1
        wrong += [program.name] * (found.passed != expected)
    assert wrong == []
    assert judged >= len(honest) // 2


def test_live_objects_and_shared_mode_are_judged(limited_judge: SandboxJudge) -> None:
    """By the same ways as behind a wall."""
    box = (
        "class Box:\n    def __init__(self, v):\n        self._v = v\n    def two(self):\n        return self._v * 2\n"
    )
    verdict, suite = judge_given(limited_judge, box, suite_for("assert Box(2).two() == 4", box), LIMITS, {})
    assert (verdict.passed, suite.isolation) == (True, Isolation.SEPARATE)
    identity = suite_for("a = f([])\nassert a is f(a) and id(a) == id(f(a))")
    shared, used = judge_given(limited_judge, GIVEN, identity, LIMITS, {})
    assert (shared.passed, used.isolation) == (True, Isolation.SHARED)


def test_a_given_program_that_is_not_run_is_no_verdict(limited_judge: SandboxJudge) -> None:
    """The reason, the line and what to do."""
    with pytest.raises(SandboxRefusal, match=r"Line 2: import shutil.*--sandbox jail or docker"):
        judge_given(limited_judge, "\nimport shutil\n\ndef f(x):\n    return x\n", suite_for("assert f(1)"), LIMITS, {})


def test_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file, and no process: nor of a program that hangs."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with open_judge(Confinement("restricted")) as judge:
        hangs = "def f(x):\n    while True:\n        pass\n"
        judge.judge(hangs, suite_for("assert f(1) == 2"), Limits(seconds=0.1, total_seconds=1.0))
        assert judge.judge(GIVEN, suite_for("assert f(1) == 1"), LIMITS).passed
        pids = [server.child.pid for pair in judge.pool._pairs for server in pair.servers if server.child]
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
    assert list(tmp_path.iterdir()) == []


KILLED = """
import os, signal, sys
from regreen.types import Confinement
from regreen.sandbox.pool import open_pool

with open_pool(Confinement("restricted")) as pool, pool.borrow() as pair:
    pair.guests.ensure_imported(["json"])
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder; one whose owner is not known to be gone stays."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    subprocess.run([sys.executable, "-c", KILLED], check=False)
    assert len([*tmp_path.iterdir()]) == 1
    strangers = tmp_path / "regreen-limited-1"
    strangers.mkdir()
    (strangers / "owner").write_text("elsewhere|1|1")
    with open_judge(Confinement("restricted")):
        assert [*tmp_path.iterdir()] == [strangers]


def regreen(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "regreen", *words, "--sandbox", "restricted"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ})


def test_every_result_says_that_there_was_no_wall(tmp_path: Path) -> None:
    """Text and record of `fix`, record, report and page of `eval`."""
    (tmp_path / "sums.py").write_text(BUGGY)
    (tmp_path / "test_sums.py").write_text(TESTS)
    told = regreen("fix", "sums.py", "--tests", "test_sums.py", "--max-candidates", "300", folder=tmp_path)
    assert told.returncode == 0, told.stderr
    assert NO_WALL in " ".join(told.stdout.split())
    run = regreen(
        "eval", "bundled", "--ids", "merge-settings", "--workers", "1", "-o", "run", "--json", folder=tmp_path
    )
    assert run.returncode == 0, run.stderr
    assert NO_WALL in run.stdout
    line = json.loads((tmp_path / "run" / "results.jsonl").read_text())
    assert line["no_wall"] == NO_WALL
    assert NO_WALL in line["explanation"]
    page = write_page(gather([tmp_path / "run"]), tmp_path / "report.html")
    assert NO_WALL.partition(":")[0] in page.read_text()


def test_a_program_that_is_not_run_is_never_a_failed_repair(tmp_path: Path) -> None:
    """`fix` ends with status 3 and what to do."""
    (tmp_path / "sums.py").write_text(f"import os\n\n{BUGGY}")
    (tmp_path / "test_sums.py").write_text(TESTS)
    told = regreen("fix", "sums.py", "--tests", "test_sums.py", folder=tmp_path)
    assert told.returncode == 3
    assert "Line 1: import os" in told.stderr
    assert "--sandbox jail or docker" in told.stderr
    assert "Traceback" not in told.stderr


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_attacks_do_what_the_page_says(limited_judge: SandboxJudge) -> None:
    """One gets out, by a way that no list of words can close; most are refused by theirs."""

    def read(program: str, checks: str) -> Suite:
        return read_suite(checks, program=program, module="program", entry_point="answer")

    found = list(run_attacks(limited_judge, read, ATTACKS))
    out = {result.attack.name: result.complaints for result in found if not result.contained}
    assert list(out) == ["a file read by way of a module that only computes"]
    assert sum(result.refused for result in found) > len(found) // 2
