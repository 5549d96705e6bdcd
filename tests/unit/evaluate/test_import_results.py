"""Results of other tools become runs that every report reads; the files in `foreign/` were written by those tools."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from regreen.errors import RunError
from regreen.evaluate.export_formats import ExportFormat, export_run
from regreen.evaluate.import_results import import_results
from regreen.report.gather import gather

FOREIGN = Path(__file__).parent / "foreign"
SEVERAL = {"a": {"value": 1}, "b": {"value": 0}}


def imported(source: Path, folder: Path, **asked: str) -> list[dict[str, Any]]:
    """The result lines of the run that is made of a source."""
    import_results(source, folder / "run", **asked)
    return [json.loads(line) for line in (folder / "run" / "results.jsonl").read_text().splitlines()]


def inspect_log(folder: Path, **changes: Any) -> Path:
    """A log of Inspect whose first sample differs so."""
    log = json.loads((FOREIGN / "sums.json").read_text())
    log["samples"][0] |= changes
    (folder / "log.json").write_text(json.dumps(log))
    return folder / "log.json"


@pytest.mark.parametrize("name", ["sums.json", "sums.eval"])
def test_a_log_of_inspect_in_both_its_forms(name: str, tmp_path: Path) -> None:
    """Scores, epochs, tokens with those of the cache, the conversation; a sample that broke is an error, no failure."""
    lines = imported(FOREIGN / name, tmp_path)
    told = {(line["task_id"], line["sample"]): line["outcome"] for line in lines}
    assert told == {
        ("first", 0): "fixed",
        ("second", 0): "unfixed",
        ("third", 0): "error",
        ("first", 1): "fixed",
        ("second", 1): "fixed",
        ("third", 1): "error",
    }
    first = lines[0]
    assert (first["model"], first["token_usage"]) == ("mockllm/model", {"prompt": 15, "completion": 3})
    assert [(turn["prompt"], turn["reply"]) for turn in first["turns"]] == [("[system]\nAdd.\n\n[user]\n1+1?", "2")]
    assert next(line for line in lines if line["outcome"] == "error")["error"]["message"]


def test_the_report_of_an_imported_log_says_what_inspect_says(tmp_path: Path) -> None:
    """Inspect's own accuracy is over the samples with a score, as pass@1 is over those that were decided."""
    import_results(FOREIGN / "sums.eval", tmp_path / "run")
    (of,) = gather([tmp_path / "run"]).statistics
    assert (of.planned, of.decided, of.rates["fixed"].value) == (6, 4, 0.75)


def test_programs_that_evalplus_judged(tmp_path: Path) -> None:
    """What passes the base tests alone is overfitted: pass@1 is that of the extended tests."""
    lines = imported(FOREIGN / "evalplus_eval_results.json", tmp_path)
    assert [line["outcome"] for line in lines] == ["fixed", "overfitted", "fixed", "unfixed", "unfixed", "unfixed"]
    assert [line["sample"] for line in lines] == [0, 1, 0, 1, 0, 1]
    assert lines[1]["detail"] == "fails on plus inputs [-3]"


def test_programs_that_humaneval_judged(tmp_path: Path) -> None:
    """With why each failed."""
    lines = imported(FOREIGN / "humaneval_results.jsonl", tmp_path)
    assert [(line["outcome"], line["stop"]) for line in lines] == [
        ("fixed", "passed"),
        ("unfixed", "failed"),
        ("fixed", "passed"),
        ("unfixed", "timed out"),
    ]


def test_the_trials_of_a_harbor_job(tmp_path: Path) -> None:
    """An agent whose time was over is decided by what it left; a trial that was not verified is an error."""
    lines = imported(FOREIGN / "job", tmp_path)
    told = [(line["task_id"], line["outcome"], line.get("stop")) for line in lines]
    assert told == [
        ("add", "fixed", "reward 1"),
        ("add", "unfixed", "reward 0"),
        ("sub", "fixed", "AgentTimeoutError"),
        ("sub", "error", None),
    ]
    assert (lines[0]["model"], lines[0]["strategy"], lines[0]["runtime_sec"]) == ("openai:made-up", "mini", 1.0)
    assert (lines[0]["token_usage"], lines[0]["cost_usd"]) == ({"prompt": 100, "completion": 7}, 0.01)
    assert json.loads((tmp_path / "run" / "run.json").read_text())["planned"] == 5


def test_tasks_of_humaneval_may_be_named_as_ours(tmp_path: Path) -> None:
    """So that they pair with a run of the same tasks."""
    lines = imported(FOREIGN / "humaneval_results.jsonl", tmp_path, dataset="humanevalfix")
    assert {line["task_id"] for line in lines} == {"humanevalfix/Python/0", "humanevalfix/Python/1"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scores": SEVERAL}, "--score a or --score b"),
        ({"scores": {"points": {"value": 7}}}, "neither pass or fail nor a share"),
        ({"id": None}, "sample None: id"),
    ],
)
def test_what_cannot_be_told_is_refused_and_leaves_nothing(changes: dict[str, Any], words: str, tmp_path: Path) -> None:
    """Which of several scores decides is the user's to say, and what passes is nobody's guess."""
    with pytest.raises(RunError) as refusal:
        import_results(inspect_log(tmp_path, **changes), tmp_path / "run")
    assert words in str(refusal.value)
    assert not (tmp_path / "run").exists()


def test_one_of_several_scores_decides(tmp_path: Path) -> None:
    """The parts of a score that has several are named SCORE/PART."""
    log = json.loads((FOREIGN / "sums.json").read_text())
    log["samples"] = [log["samples"][0] | {"scores": {"both": {"value": {"tests": 1, "style": 0}}, "b": {"value": 0}}}]
    (tmp_path / "log.json").write_text(json.dumps(log))
    (line,) = imported(tmp_path / "log.json", tmp_path, score="both/tests")
    assert line["outcome"] == "fixed"


@pytest.mark.parametrize(
    ("name", "text"), [("a.json", "{}"), ("a.json", "no JSON"), ("a.eval", "no zip"), ("a.jsonl", "")]
)
def test_a_file_of_no_tool_is_refused(name: str, text: str, tmp_path: Path) -> None:
    """With what could be given."""
    (tmp_path / name).write_text(text)
    with pytest.raises(RunError):
        import_results(tmp_path / name, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_an_imported_run_is_exported_by_nobody(tmp_path: Path) -> None:
    """It lacks the programs that were judged."""
    import_results(FOREIGN / "sums.json", tmp_path / "run")
    with pytest.raises(RunError, match="a run of `regreen import`"):
        export_run(tmp_path / "run", ExportFormat.EVALPLUS, tmp_path / "out.jsonl", ids=lambda name: ())


def test_a_trial_without_a_result_is_not_there_yet(tmp_path: Path) -> None:
    """A job that goes on is imported as far as it is."""
    job = tmp_path / "job"
    shutil.copytree(FOREIGN / "job", job)
    (job / "sub__4" / "result.json").unlink()
    assert len(imported(job, tmp_path)) == 3
