"""Writing a run's programs for others: every format reads back to the same programs, sample by sample."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from regreen.errors import RunError
from regreen.evaluate import provenance
from regreen.evaluate.export_formats import ExportFormat, ExportSummary, export_run
from regreen.evaluate.export_harbor import trial_name
from regreen.evaluate.extract import extraction_of
from regreen.evaluate.finished_run import judged_program, read_finished
from regreen.evaluate.records import RunConfiguration
from regreen.evaluate.result_lines import error_line, result_line
from regreen.evaluate.result_log import RESULTS, ResultLog
from regreen.tasks.samples import read_samples
from regreen.types import Case, Repair, Verdict

FIXED = 'def f():\n    return "\u00e9 \\ud83d\\ude00"\n\n\n# end'
IDS = ("shelf/a", "shelf/none", "shelf/b")


@pytest.fixture
def cases(make_case: Callable[..., Case]) -> tuple[Case, ...]:
    """Three tasks; the run knows nothing of the second."""
    made = (make_case(name) for name in IDS)
    return tuple(replace(case, task=replace(case.task, source="def f():\n    return 0\n\n\n# end")) for case in made)


@pytest.fixture
def run_dir(
    tmp_path: Path, cases: tuple[Case, ...], configuration: RunConfiguration, repair_with: Callable[..., Repair]
) -> Path:
    """A run of two tasks with two samples each, ended in another order; one sample of them is a fault."""
    folder = tmp_path / "run"
    folder.mkdir()
    chosen = (cases[2], cases[0])
    provenance.write_header(folder, provenance.header_of(configuration, chosen, started="2026-01-02T03:04:05+00:00"))
    log = ResultLog(folder / RESULTS)
    for case, sample, source in ((cases[2], 1, FIXED), (cases[0], 1, None), (cases[2], 0, "x = 1\n")):
        verdict = Verdict({})
        repair = repair_with(case.task, source)
        log.add(result_line(case, repair, verdict, None, configuration, sample=sample))
    log.add(error_line(cases[0], "SandboxError", "the jail burns", configuration, sample=0))
    return folder


def written(run_dir: Path, form: ExportFormat) -> Path:
    out = run_dir.parent / f"out-{form}"
    assert export_run(run_dir, form, out, ids=lambda name: IDS) == ExportSummary(3, 1, 4)
    return out


@pytest.mark.parametrize("form", [ExportFormat.EVALPLUS, ExportFormat.BIGCODE, ExportFormat.PREDS])
def test_what_is_written_reads_back_to_the_same_programs(
    run_dir: Path, cases: tuple[Case, ...], form: ExportFormat
) -> None:
    """By task and in the order of the samples; without a hand-over it is the program as it was."""
    samples = read_samples(written(run_dir, form), "shelf", cases)
    assert samples.format.value == form.value
    take = extraction_of(samples.holds).take
    read = {
        case.task.id: [take(samples.text(place, n), case.task).source for n in range(len(samples.of_task[place]))]
        for place, case in enumerate(cases)
    }
    assert read == {"shelf/a": [cases[0].task.source], "shelf/none": [], "shelf/b": ["x = 1\n", FIXED]}


def test_lists_need_the_data_set_of_the_run(run_dir: Path) -> None:
    """Only the place in the list tells which task it is."""
    with pytest.raises(RunError, match="tasks that shelf does not have: shelf/a"):
        export_run(run_dir, ExportFormat.BIGCODE, run_dir.parent / "out", ids=lambda name: ("shelf/b", "shelf/none"))
    assert not (run_dir.parent / "out").exists()


def test_predictions_go_by_name_where_each_task_has_one_sample(run_dir: Path) -> None:
    """As SWE-bench has them; else they are a list."""
    assert isinstance(json.loads(written(run_dir, ExportFormat.PREDS).read_bytes()), list)
    path = run_dir / RESULTS
    kept = [line for line in path.read_bytes().splitlines(keepends=True) if json.loads(line)["sample"] == 1]
    path.write_bytes(b"".join(kept))
    export_run(run_dir, ExportFormat.PREDS, run_dir.parent / "single", ids=lambda name: IDS)
    told = json.loads((run_dir.parent / "single").read_bytes())
    assert list(told) == ["shelf/b", "shelf/a"]
    assert told["shelf/a"] == {"instance_id": "shelf/a", "model_name_or_path": "search", "model_patch": ""}


def test_a_log_of_inspect_tells_every_sample(run_dir: Path) -> None:
    """Decided ones with a score, faults with an error; what its reader cannot do without is there."""
    log = json.loads(written(run_dir, ExportFormat.INSPECT).read_bytes())
    assert {"version", "status", "eval", "plan", "results", "stats", "samples"} <= set(log)
    assert (log["version"], log["eval"]["task"], log["eval"]["config"]) == (2, "shelf", {"epochs": 2})
    assert log["results"]["scores"][0]["metrics"]["accuracy"]["value"] == 0
    told = [(sample["id"], sample["epoch"], sample["scores"] is None) for sample in log["samples"]]
    assert told == [("shelf/b", 1, False), ("shelf/b", 2, False), ("shelf/a", 2, False), ("shelf/a", 1, True)]
    assert (log["status"], log["results"]["total_samples"], log["results"]["completed_samples"]) == ("success", 4, 3)
    assert log["samples"][1]["output"]["choices"][0]["message"]["content"] == FIXED
    assert log["samples"][3]["error"]["message"] == "SandboxError: the jail burns"


def test_a_lone_surrogate_does_not_spoil_a_log(run_dir: Path, cases: tuple[Case, ...]) -> None:
    """Strict readers refuse one; ours keep it."""
    path = run_dir / RESULTS
    path.write_bytes(path.read_bytes().replace(b'"x = 1\\n"', b"\"x = '\\ud800'\\n\""))
    assert b"\\ud800" not in written(run_dir, ExportFormat.INSPECT).read_bytes()
    samples = read_samples(written(run_dir, ExportFormat.EVALPLUS), "shelf", cases)
    assert samples.text(2, 0) == "x = '\ud800'\n"


def test_a_harbor_job_has_a_folder_for_each_trial(run_dir: Path) -> None:
    """With its result, its reward and its program; a fault has no reward."""
    job = written(run_dir, ExportFormat.HARBOR)
    stats = json.loads((job / "result.json").read_bytes())["stats"]
    ((_, of),) = stats.pop("evals").items()
    assert stats == {"n_completed_trials": 4, "n_errored_trials": 1, "n_pending_trials": 0}
    named = [name for names in of["reward_stats"]["reward"].values() for name in names]
    assert (of["n_trials"], of["n_errors"], len(named)) == (3, 1, 3)
    assert [len(names) for names in of["exception_stats"].values()] == [1]
    trials = {path.parent.name: json.loads(path.read_bytes()) for path in sorted(job.glob("*/result.json"))}
    told = sorted((trial["task_name"], trial["trial_name"][-2:]) for trial in trials.values())
    assert told == [("shelf/a", "-0"), ("shelf/a", "-1"), ("shelf/b", "-0"), ("shelf/b", "-1")]
    for name, trial in trials.items():
        assert trial["trial_name"] == name
        is_fault = trial["verifier_result"] is None
        assert (job / name / "verifier" / "reward.txt").exists() is not is_fault
        assert ("exception_info" in trial) is is_fault
    (fixed,) = (name for name in trials if name.startswith("shelf-b") and name.endswith("-1"))
    assert (job / fixed / "artifacts" / "program.py").read_text(encoding="utf-8") == FIXED


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "a\\b", "\x1b[31m", "\ud800", "x" * 500, "..", ""])
def test_a_task_s_name_leads_nowhere_but_into_the_job(run_dir: Path, name: str) -> None:
    """Whatever it is; and two names never share a folder."""
    line = next(read_finished(run_dir).lines())
    folder = trial_name(line.model_copy(update={"task_id": name}))
    assert Path(folder).name == folder
    assert folder.isascii()
    assert len(folder) < 150
    assert folder != trial_name(line.model_copy(update={"task_id": name + "-"}))


def test_nothing_is_overwritten_and_no_run_is_said_so(run_dir: Path, tmp_path: Path) -> None:
    """Before anything is written."""
    out = tmp_path / "there"
    out.touch()
    with pytest.raises(RunError, match="is there already"):
        export_run(run_dir, ExportFormat.EVALPLUS, out, ids=lambda name: IDS)
    with pytest.raises(RunError, match="holds no run"):
        export_run(tmp_path, ExportFormat.EVALPLUS, tmp_path / "new", ids=lambda name: IDS)
    with pytest.raises(RunError, match="cannot be written"):
        export_run(run_dir, ExportFormat.EVALPLUS, tmp_path / "no" / "folder", ids=lambda name: IDS)
    path = run_dir / RESULTS
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[-1])
    with pytest.raises(RunError, match="no decided sample"):
        export_run(run_dir, ExportFormat.EVALPLUS, tmp_path / "new", ids=lambda name: IDS)


def test_an_unfinished_run_is_exported_as_one(run_dir: Path) -> None:
    """It says how many samples were planned, gives no rate, and is not told to be over."""
    path = run_dir / RESULTS
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    header = provenance.read_header(run_dir)
    provenance.write_header(run_dir, header.model_copy(update={"planned": 4}))
    out = run_dir.parent / "log"
    assert export_run(run_dir, ExportFormat.INSPECT, out, ids=lambda name: IDS) == ExportSummary(1, 0, 4)
    log = json.loads(out.read_bytes())
    assert (log["status"], log["results"]["total_samples"]) == ("cancelled", 4)
    assert log["results"]["scores"][0]["metrics"] == {}
    export_run(run_dir, ExportFormat.HARBOR, run_dir.parent / "job", ids=lambda name: IDS)
    job = json.loads((run_dir.parent / "job" / "result.json").read_bytes())
    assert (job["n_total_trials"], job["stats"]["n_pending_trials"], job["finished_at"]) == (4, 3, None)


def test_a_torn_last_line_is_left_out(run_dir: Path) -> None:
    """What a crash tore was never decided."""
    path = run_dir / RESULTS
    content = path.read_bytes()
    path.write_bytes(content + b'{"schema": 1, "task_')
    assert [judged_program(line) for line in read_finished(run_dir).lines()][:2] == ["x = 1\n", FIXED]
    path.unlink()
    with pytest.raises(RunError, match=r"holds no results\.jsonl"):
        read_finished(run_dir)


def test_the_order_is_not_that_of_ending(run_dir: Path) -> None:
    """Tasks as they first occur, samples by number."""
    finished = read_finished(run_dir)
    told: list[Any] = [(line.task_id, line.sample) for line in finished.lines(faults=True)]
    assert told == [("shelf/b", 0), ("shelf/b", 1), ("shelf/a", 1), ("shelf/a", 0)]
    assert not finished.single
