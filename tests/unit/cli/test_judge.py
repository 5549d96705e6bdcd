"""`regreen judge`: what is judged, kept, printed and returned, with a judge that answers at once."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from regreen.errors import SandboxError
from regreen.types import CheckResult, Confinement, JudgeOptions, Limits, Outcome, Suite, Verdict


class FakeJudge:
    """Passes a program that says so, fails one that does not, and breaks on one that is told to."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.limits: Limits | None = None
        self.opened: dict[str, Any] = {}
        self.breaks = True

    def judge(
        self,
        source: str,
        suite: Suite,
        limits: Limits,
        *,
        companions: Mapping[str, str] | None = None,
        options: JudgeOptions = JudgeOptions(),
    ) -> Verdict:
        self.seen.append(source)
        self.limits = limits
        if self.breaks and "# breaks" in source:
            raise SandboxError("the jail \x1b[31mburns")
        outcome = Outcome.PASSED if "# passes" in source else Outcome.FAILED
        return Verdict({"check": CheckResult(outcome)})


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> FakeJudge:
    """The judge that the command finds in place of the real one."""
    fake = FakeJudge()

    @contextlib.contextmanager
    def opened(confinement: Confinement, **options: Any) -> Iterator[FakeJudge]:
        fake.opened = {"confinement": confinement, **options}
        yield fake

    monkeypatch.setattr("regreen.verify.judge.open_judge", opened)
    return fake


@pytest.fixture
def evalplus(tmp_path: Path) -> Path:
    """Two samples of one bundled task, one that passes."""
    return written(tmp_path, {"task_id": "median", "solution": "# passes"}, {"task_id": "median", "solution": ""})


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "samples.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def _a_small_data_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tasks, so that no test reads the whole benchmark."""
    from regreen.tasks import catalogue
    from regreen.types import Case, Check, SuiteKind, Task

    suite = Suite(SuiteKind.SCRIPT, "assert median([1]) == 1", (Check("check", ""),))
    cases = tuple(
        Case(Task(f"bundled/{name}", "def median(v):\n    return 0\n", "median", suite), suite, "")
        for name in ("median", "mode")
    )
    entry = replace(catalogue.DATASETS["bundled"], load=lambda path, reader, only: catalogue.LoadedDataset(cases))
    monkeypatch.setitem(catalogue.DATASETS, "bundled", entry)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _the_python_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs would run on this Python: nobody has to be asked where its parts are."""
    path = tuple(sys.path)
    monkeypatch.setattr("regreen.sandbox.interpreter.inspect_interpreter", lambda python: SimpleNamespace(path=path))


def test_a_table_tells_pass_at_k_and_nothing_is_written(
    regreen: Callable[..., Any], judge: FakeJudge, evalplus: Path
) -> None:
    """Without --out the table is all that there is."""
    ran = regreen("judge", "bundled", evalplus)
    assert ran.status == 0
    assert "pass@2" in ran.out
    assert "50.00 %" in ran.out
    assert "1 task without a sample, in no rate: bundled/mode." in ran.out
    assert [path.name for path in evalplus.parent.iterdir()] == ["samples.jsonl"]
    assert judge.seen == ["# passes", ""] or judge.seen == ["", "# passes"]


def test_a_run_is_kept_and_resumed(
    regreen: Callable[..., Any], judge: FakeJudge, evalplus: Path, tmp_path: Path
) -> None:
    """One line a sample; what is finished is not judged again."""
    args = ("judge", "bundled", evalplus, "-o", tmp_path / "run", "--json")
    told = json.loads(regreen(*args).out)
    assert (told["run"], told["samples"], told["resumed"]) == (str(tmp_path / "run"), 2, 0)
    assert told["scores"]["none"]["pass_at"]["1"]["value"] == 0.5
    again = json.loads(regreen(*args, "--resume").out)
    assert (again["resumed"], again["scores"], len(judge.seen)) == (2, told["scores"], 2)
    header = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (header["protocol"], header["settings"]["format"]) == (None, "evalplus")


def test_patches_and_replies_are_judged_as_the_programs_that_are_in_them(
    regreen: Callable[..., Any], judge: FakeJudge, tmp_path: Path
) -> None:
    """The record names the way; what holds no program has failed, and is told."""
    patch = "--- a/p\n+++ b/p\n@@ -1,2 +1,2 @@\n def median(v):\n-    return 0\n+    return 1  # passes\n"
    reply = "Here:\n```python\ndef median(v):\n    return 1  # passes\n```\n"
    files = {
        "preds": ({"instance_id": "median", "model_patch": patch}, {"instance_id": "median", "model_patch": "@@"}, ()),
        "raw": ({"task_id": "median", "solution": reply}, {"task_id": "median", "solution": "No."}, ("--raw",)),
    }
    for name, (good, bad, flags) in files.items():
        run = tmp_path / name
        told = json.loads(regreen("judge", "bundled", written(tmp_path, good, bad), "-o", run, "--json", *flags).out)
        assert (told["scores"]["none"]["judged"], told["scores"]["none"]["passed"]) == (2, 1)
        assert "from 1 no program could be taken, and they failed" in told["notes"][0]
        lines = [json.loads(line) for line in (run / "judged.jsonl").read_text().splitlines()]
        assert sorted((line["passed"], bool(line["fault"])) for line in lines) == [(False, True), (True, False)]
        assert json.loads((run / "run.json").read_text())["settings"]["extraction"] != "whole programs"
    assert [source.strip() for source in judge.seen] == ["def median(v):\n    return 1  # passes"] * 2


def test_a_fault_is_apart_and_the_run_can_be_resumed(
    regreen: Callable[..., Any], judge: FakeJudge, tmp_path: Path
) -> None:
    """Status 3, with the reason when asked for more."""
    file = written(tmp_path, {"task_id": "median", "solution": "# breaks # passes"})
    args = ("judge", "bundled", file, "-o", tmp_path / "run", "-v")
    ran = regreen(*args)
    assert ran.status == 3
    assert "SandboxError: the jail \\x1b[31mburns" in ran.err
    assert "--resume" in ran.err
    judge.breaks = False
    assert regreen(*args, "--resume").status == 0


@pytest.mark.parametrize(
    ("row", "flags", "preludes"),
    [
        ({"task_id": "median", "solution": ""}, (), ["none"]),
        ({"task_id": "median", "sample": 0, "code": ""}, (), ["official"]),
        ({"task_id": "median", "sample": 0, "code": ""}, ("--prelude", "none"), ["none"]),
        ({"task_id": "median", "solution": ""}, ("--prelude", "both"), ["official", "none"]),
    ],
)
def test_the_format_chooses_the_prelude_unless_it_is_named(
    regreen: Callable[..., Any],
    judge: FakeJudge,
    tmp_path: Path,
    row: dict[str, Any],
    flags: tuple[str, ...],
    preludes: list[str],
) -> None:
    """Formats of the official evaluation are judged as it does."""
    told = json.loads(regreen("judge", "bundled", written(tmp_path, row), *flags, "--json").out)
    assert list(told["scores"]) == preludes
    assert sorted("import math" in source for source in judge.seen) == sorted(name == "official" for name in preludes)


def test_settings_reach_the_judge(regreen: Callable[..., Any], judge: FakeJudge, evalplus: Path) -> None:
    """Limits, layers and workers; no more workers than there are samples."""
    regreen("judge", "bundled", evalplus, "--timeout", "7", "--layers", "landlock", "--workers", "9")
    assert judge.limits is not None
    assert judge.limits.seconds == 7
    assert (judge.opened["confinement"].layers, judge.opened["workers"]) == ("landlock", 2)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("bundeld", "samples.jsonl"), "Did you mean bundled?"),
        (("quixbugs", "samples.jsonl"), "--dataset-path"),
        (("bundled", "nothing.jsonl"), "does not exist"),
        (("bundled", "samples.jsonl", "--format", "odd"), "evalplus, rows, results, bigcode"),
        (("bundled", "samples.jsonl", "--format", "rows"), "row 1 (median)"),
        (("bundled", "samples.jsonl", "--prelude", "some"), "official, none or both"),
        (("bundled", "samples.jsonl", "--resume"), "--out"),
        (("bundled", "samples.jsonl", "--workers", "0"), "--workers is '0'"),
    ],
)
def test_unusable_input_is_refused_before_anything_runs(
    regreen: Callable[..., Any],
    judge: FakeJudge,
    evalplus: Path,
    monkeypatch: pytest.MonkeyPatch,
    args: tuple[str, ...],
    said: str,
) -> None:
    """Status 2, and what is wrong."""
    monkeypatch.chdir(evalplus.parent)
    ran = regreen("judge", *args)
    assert (ran.status, judge.seen) == (2, [])
    assert said in ran.err
