"""How judged samples are shown: rates with intervals, what is in no rate, and nothing that a terminal would act on."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress

from regreen.evaluate.judged_log import JudgedLine, JudgedState, JudgedStates
from regreen.evaluate.scores import prelude_disagreements, score
from regreen.report.judged_report import JudgedReport, JudgingProgress, judging_columns
from regreen.tasks.samples import read_samples
from regreen.types import Case, Suite, SuiteKind, Task

NOTHING = Suite(SuiteKind.SCRIPT, "", ())
CASES = tuple(
    Case(Task(f"shelf/{name}", "", None, NOTHING), NOTHING, "", labels={"bug_type": kind})
    for name, kind in (("a", "slip"), ("b", "[red]logic\x1b[2J"), ("c", "slip"))
)


@pytest.fixture
def tally(tmp_path: Path) -> JudgedStates:
    """Two tasks with two samples each under both preludes, one task with none, and a stranger."""
    file = tmp_path / "samples.jsonl"
    names = ("a", "b", "\x1b[31mz")
    rows: list[dict[str, Any]] = [
        {"task_id": name, "sample": n, "code": "", "recorded_passed": True} for name in names for n in (0, 1)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    made = JudgedStates(read_samples(file, "shelf", CASES), ("official", "none"))
    for prelude in made.preludes:
        for task, position, mark in (
            (0, 0, JudgedState.PASSED),
            (0, 1, JudgedState.PASSED),
            (1, 0, JudgedState.PASSED),
            (1, 1, JudgedState.FAILED),
        ):
            made.put(prelude, task, position, mark)
    return made


def report(tally: JudgedStates) -> JudgedReport:
    scores = tuple(score(tally, prelude, CASES) for prelude in tally.preludes)
    return JudgedReport("shelf", tally.samples, scores, prelude_disagreements(tally))


def shown(told: JudgedReport) -> str:
    stream = io.StringIO()
    Console(file=stream, width=150, markup=False, highlight=False).print(told.table())
    return stream.getvalue()


def test_the_table_tells_rates_and_what_is_in_none(tally: JudgedStates) -> None:
    """Preludes that come to the same are told once."""
    text = shown(report(tally))
    assert text.count("pass@1 (95 %, bootstrap over tasks)") == 1
    assert "75.00 % (50.00 to 100.00)" in text
    assert "the same with prelude official or none" in text
    assert "1 task without a sample, in no rate: shelf/c." in text
    assert "2 samples for tasks that shelf does not have: \\x1b[31mz." in text
    assert "1 of 4 recorded verdicts disagrees (prelude none): shelf/b sample 1 (now failed)." in text
    assert "[red]logic\\x1b[2J" in text
    assert "\x1b" not in text


def test_preludes_that_differ_are_told_apart(tally: JudgedStates) -> None:
    """Each with its own table, and the samples that make the difference."""
    tally.put("none", 0, 1, JudgedState.FAILED)
    text = shown(report(tally))
    assert text.count("pass@1 (95 %, bootstrap over tasks)") == 1
    assert text.count("pass@1 (95 %, Wilson over tasks)") == 1
    assert "1 sample with a verdict that depends on the prelude: shelf/a sample 1." in text


def test_errors_are_never_counted_as_failed(tally: JudgedStates) -> None:
    """They have a row and a sentence of their own."""
    tally.put("official", 1, 1, JudgedState.ERROR)
    told = report(tally)
    assert "1 sample could not be judged, because the sandbox failed (prelude official)." in list(told.remarks())
    official = told.values()["scores"]["official"]
    assert (official["judged"], official["passed"], official["errors"]) == (3, 3, 1)


def test_a_judging_that_is_not_over_has_no_rate(tally: JudgedStates) -> None:
    """It leads with what was planned, and says what the rate may still become."""
    tally.put("official", 1, 1, JudgedState.PENDING)
    text = shown(report(tally))
    assert "UNFINISHED: 3 of 4 planned" in text
    assert "75.0 to 100.0 %" in text
    official = report(tally).values()["scores"]["official"]
    assert (official["planned"], official["unfinished"], official["pass_at"]) == (4, True, {})
    assert official["pass_1_bounds"] == [0.75, 1.0]


def test_plain_data_holds_everything(tally: JudgedStates) -> None:
    """Every list in full, every rate with its interval."""
    told = report(tally).values()
    assert json.loads(json.dumps(told)) == told
    none = told["scores"]["none"]
    assert none["pass_at"]["1"] == {"value": 0.75, "low": 0.5, "high": 1.0, "interval": "bootstrap"}
    assert none["disagreements"] == [{"task_id": "shelf/b", "sample": 1, "before": True, "passed": False}]
    assert none["by_label"]["bug_type"]["slip"]["passed"] == 2
    assert told["tasks_without_samples"] == ["shelf/c"]


def test_the_bar_counts_what_passed_of_what_was_decided(tally: JudgedStates) -> None:
    """Verdicts that were given before are behind it from the start."""
    stream = io.StringIO()
    with Progress(*judging_columns(), console=Console(file=stream, width=150, force_terminal=True)) as bar:
        progress = JudgingProgress(bar)
        progress.begin(
            tally.total + 1,
            {"passed": tally.count(JudgedState.PASSED), "failed": tally.count(JudgedState.FAILED)},
        )
        line = {"task_id": "shelf/b", "sample": 0, "dataset": "shelf", "prelude": "none", "passed": False}
        progress.finished(JudgedLine(**line, outcome="error"))
    assert "9/9" in stream.getvalue()
    assert "75 % passed, errors: 1" in stream.getvalue()
