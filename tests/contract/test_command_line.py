"""`regreen` and `import regreen` as processes: what they load, how quick they are, and readers that go away."""

from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import regreen
from regreen.cli import run

NOT_FOR_HELP = (
    "pydantic",
    "rich.progress",
    "libcst",
    "regreen.strategies.search",
    "regreen.sandbox.pool",
    "multiprocessing",
)
NOT_FOR_IMPORT = {
    "libcst",
    "pydantic",
    "rich",
    "typer",
    "click",
    "jinja2",
    "coverage",
    "asyncio",
    "subprocess",
    "multiprocessing",
    "langgraph",
    "langchain",
    "langchain_core",
    "langchain_openai",
    "torch",
    "numpy",
    "sqlite3",
    "ssl",
}


def python(code: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, **options)


def test_help_loads_nothing_heavy() -> None:
    """What makes `regreen --help` quick: rooms are imported by the command that needs them."""
    ran = python(
        "import sys; from regreen.cli import run; run(['--help']);"
        f"print([name for name in {NOT_FOR_HELP!r} if name in sys.modules], file=sys.stderr)"
    )
    assert ran.stderr == "[]\n"


def test_help_is_quick() -> None:
    """It takes at most three times the processor time that the libraries which draw it need to be imported."""

    def seconds(*args: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *args], capture_output=True, check=True, timeout=60)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    pairs = [(seconds("-m", "regreen", "--help"), seconds("-c", "import typer, rich.table")) for _ in range(3)]
    assert min(ours / theirs for ours, theirs in pairs) < 3


@pytest.mark.parametrize("args", [["--help"], ["fix", "--help"]])
def test_a_reader_that_goes_away_is_no_error(args: list[str]) -> None:
    """`regreen ... | head -0` is quiet."""
    command = [sys.executable, "-m", "regreen", *args]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "1>&- 2>&-"])
def test_a_closed_stream_is_no_fault(closed: str) -> None:
    """`>&-` means that nobody wants to read it."""
    command = f"{sys.executable} -m regreen doctor --json {closed}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, 3)
    assert done.stderr == ""


def test_importing_does_no_work() -> None:
    """Under 0.1 s of processor time, Python's own start and all, at the best of three."""

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", "import regreen"], check=True, timeout=60)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(3)) < 0.1


@pytest.mark.sandbox
def test_judge_says_what_each_check_showed() -> None:
    """One call, one verdict, from the real sandbox."""
    verdict = regreen.judge("def f(x):\n    return x\n", "assert f(1) == 1\nassert f(1) == 2\n")
    assert [result.outcome for result in verdict.results.values()] == [
        regreen.Outcome.PASSED,
        regreen.Outcome.FAILED,
    ]


@pytest.mark.sandbox
def test_repair_hands_over_a_proven_program() -> None:
    """One call, one repair, from the real search."""
    repair = regreen.repair("def f(x):\n    return x - 1\n", "assert f(1) == 2\nassert f(5) == 6\n")
    assert repair.chosen is not None
    assert repair.chosen.verdict.passed
    assert replace(repair.chosen.candidate, note="").source == "def f(x):\n    return x + 1\n"


def test_importing_the_package_loads_nothing_heavy():
    """`import regreen` does no work: what a command does not need is not paid for."""
    script = "import sys; before = set(sys.modules); import regreen; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=True)
    loaded = done.stdout.split()
    assert not {name.partition(".")[0] for name in loaded} & NOT_FOR_IMPORT
    assert [name for name in loaded if name.startswith("regreen")] == ["regreen"]


def test_a_picture_that_cannot_be_saved_is_unusable_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Named, with what to do."""
    assert run(["graph", "single", "--svg", str(tmp_path / "missing" / "graph.svg")]) == 2
    assert "Give --svg another file." in capsys.readouterr().err
    assert run(["graph", "single", "--svg", str(tmp_path / "graph.svg")]) == 0
    assert (tmp_path / "graph.svg").read_text(encoding="utf-8").startswith("<svg")
