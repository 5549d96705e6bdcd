"""`regreen export`: what it writes and says; the formats themselves are tested where they are made."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from regreen.evaluate import provenance
from regreen.evaluate.records import Feedback, RunConfiguration
from regreen.evaluate.result_lines import error_line, result_line
from regreen.evaluate.result_log import RESULTS, ResultLog
from regreen.tasks.catalogue import load_dataset
from regreen.types import Cost, Repair, Stop, Suite, SuiteKind, Verdict


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    """A run of two bundled tasks, one of them a fault."""

    def unread(text: str, **asked: Any) -> Suite:
        return Suite(SuiteKind.SCRIPT, text, ())

    cases = load_dataset("bundled", unread)[:2]
    configuration = RunConfiguration("bundled", "search", Feedback.ALL)
    folder = tmp_path / "run"
    folder.mkdir()
    provenance.write_header(folder, provenance.header_of(configuration, cases, started="2026-01-02T03:04:05+00:00"))
    log = ResultLog(folder / RESULTS)
    repair = Repair(cases[0].task.id, None, Verdict({}), (), Cost(), Stop.EXHAUSTED)
    log.add(result_line(cases[0], repair, Verdict({}), None, configuration))
    log.add(error_line(cases[1], "SandboxError", "burns", configuration))
    return folder


@pytest.mark.parametrize("form", ["evalplus", "bigcode", "preds", "inspect", "harbor"])
def test_every_format_is_written(regreen: Callable[..., Any], run_dir: Path, tmp_path: Path, form: str) -> None:
    """And it is said how many samples, and what is left out."""
    ran = regreen("export", run_dir, "--format", form, "-o", tmp_path / form)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("1 of 2 planned samples written to ")
    assert ran.out.endswith("1 that were not decided have no program.\n")
    assert (tmp_path / form).exists()
    told = json.loads(regreen("export", run_dir, "--format", form, "-o", tmp_path / "again", "--json").out)
    assert (told["samples"], told["left_out"], told["format"]) == (1, 1, form)


def test_lists_hold_the_whole_data_set(regreen: Callable[..., Any], run_dir: Path, tmp_path: Path) -> None:
    """A list for each of its tasks."""
    regreen("export", run_dir, "--format", "bigcode", "-o", tmp_path / "lists")
    lists = json.loads((tmp_path / "lists").read_bytes())
    assert [len(programs) for programs in lists] == [1] + [0] * 99


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("run", "--format", "odd", "-o", "x"), "evalplus, bigcode, preds, inspect, harbor"),
        (("nowhere", "--format", "preds", "-o", "x"), "holds no run"),
        (("run", "--format", "preds", "-o", "run"), "is there already"),
        (("run", "--format", "preds"), "--out"),
        (("run", "-o", "x"), "--format"),
    ],
)
def test_unusable_input_is_refused(
    regreen: Callable[..., Any], run_dir: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], said: str
) -> None:
    """Status 2, and what is wrong."""
    monkeypatch.chdir(run_dir.parent)
    ran = regreen("export", *args)
    assert ran.status == 2
    assert said in ran.err
