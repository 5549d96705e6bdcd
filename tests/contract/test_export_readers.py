"""What is exported is opened by the tools it is meant for, where they are installed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import regreen
from regreen.evaluate import provenance
from regreen.evaluate.export_formats import ExportFormat, export_run
from regreen.evaluate.records import Feedback, RunConfiguration
from regreen.evaluate.result_lines import error_line, result_line
from regreen.evaluate.result_log import RESULTS, ResultLog

NOTHING = regreen.Suite(regreen.SuiteKind.SCRIPT, "", ())
PROMPT = "[system]\nRepair it.\n\n[user]\nThe program.\n\n[assistant]\nA thought.\n\n[tool]\n1 of 2 checks pass."
WHY = "is not installed here: what it says of an export was not asked"


@pytest.fixture
def exported(tmp_path: Path) -> Callable[[ExportFormat, Path], Path]:
    """Writes a run of two tasks of HumanEvalFix, one repaired by a model and one a fault, in a format."""
    configuration = RunConfiguration("humanevalfix", "reflect", Feedback.ALL, model="openai:made-up")
    cases = [
        regreen.Case(regreen.Task(f"humanevalfix/Python/{n}", "def f():\n    return 0\n", "f", NOTHING), NOTHING, "")
        for n in (0, 1)
    ]
    run = tmp_path / "run"
    run.mkdir()
    provenance.write_header(run, provenance.header_of(configuration, cases, started="2026-01-02T03:04:05+00:00"))
    turn = regreen.Turn(
        0, "draft", 0, 0.0, PROMPT, "The repair.", prompt_tokens=10, completion_tokens=5, usd=0.01, seconds=2.0
    )
    chosen = regreen.Attempt(regreen.Candidate("def f():\n    return 1\n", "model:draft"), regreen.Verdict({}), 0)
    repair = regreen.Repair(
        cases[0].task.id,
        chosen,
        regreen.Verdict({}),
        (chosen,),
        regreen.Cost(seconds=2.0, usd=0.01),
        regreen.Stop.FIXED,
        turns=(turn,),
    )
    log = ResultLog(run / RESULTS)
    log.add(result_line(cases[0], repair, regreen.Verdict({}), None, configuration))
    log.add(error_line(cases[1], "ModelUnavailable", "the service was busy", configuration))

    def write(form: ExportFormat, out: Path) -> Path:
        export_run(run, form, out, ids=lambda name: [case.task.id for case in cases])
        return out

    return write


def test_inspect_lists_and_reads_a_log(exported: Callable[..., Path], tmp_path: Path) -> None:
    """By its file's name, with times, tokens, ids and who said what."""
    log = pytest.importorskip("inspect_ai.log", reason=f"inspect-ai {WHY}")
    folder = tmp_path / "logs"
    folder.mkdir()
    exported(ExportFormat.INSPECT, folder)
    (found,) = log.list_eval_logs(str(folder))
    assert found.task == "humanevalfix"
    read = log.read_eval_log(found)
    assert (read.status, read.eval.run_id, read.results.total_samples) == ("success", found.task_id, 2)
    assert read.stats.model_usage["openai:made-up"].total_tokens == 15
    assert read.stats.completed_at > read.stats.started_at
    done, fault = read.samples
    assert [message.role for message in done.messages] == ["system", "user", "assistant", "tool", "assistant"]
    assert (done.working_time, fault.error.message) == (2.0, "ModelUnavailable: the service was busy")


def test_evalplus_reads_the_programs_under_its_own_ids(exported: Callable[..., Path], tmp_path: Path) -> None:
    """HumanEvalFix has HumanEval's tasks."""
    data = pytest.importorskip("evalplus.data", reason=f"evalplus {WHY}")
    (solution,) = data.load_solutions(str(exported(ExportFormat.EVALPLUS, tmp_path / "samples.jsonl")))
    assert (solution["task_id"], solution["solution"]) == ("HumanEval/0", "def f():\n    return 1\n")


def test_harbor_reads_job_trials_and_trajectories(exported: Callable[..., Path], tmp_path: Path) -> None:
    """As its viewer does, which leaves out without a word what it cannot read."""
    results = pytest.importorskip("harbor.models.trial.result", reason=f"harbor {WHY}")
    jobs = pytest.importorskip("harbor.models.job.result", reason=f"harbor {WHY}")
    configurations = pytest.importorskip("harbor.models.job.config", reason=f"harbor {WHY}")
    trajectories = pytest.importorskip("harbor.models.trajectories", reason=f"harbor {WHY}")
    folder = exported(ExportFormat.HARBOR, tmp_path / "job")
    configurations.JobConfig.model_validate_json((folder / "config.json").read_text())
    job = jobs.JobResult.model_validate_json((folder / "result.json").read_text())
    assert (job.n_total_trials, job.stats.n_completed_trials, job.stats.n_errored_trials) == (2, 2, 1)
    ((key, of),) = job.stats.evals.items()
    assert (key, of.n_trials, of.n_errors) == ("regreen__made-up__humanevalfix", 1, 1)
    trials = sorted(path for path in folder.iterdir() if path.is_dir())
    done, fault = (results.TrialResult.model_validate_json((trial / "result.json").read_text()) for trial in trials)
    assert (done.agent_result.n_input_tokens, done.reward_valid) == (10, True)
    assert fault.exception_info.exception_type == "ModelUnavailable"
    steps = trajectories.Trajectory.model_validate_json((trials[0] / "agent" / "trajectory.json").read_text()).steps
    assert [step.source for step in steps] == ["system", "user", "agent", "user", "agent"]


def test_a_trajectory_is_there_for_every_trial(exported: Callable[..., Path], tmp_path: Path) -> None:
    """Whoever is to read it."""
    folder = exported(ExportFormat.HARBOR, tmp_path / "job")
    read: list[Any] = [json.loads(path.read_bytes()) for path in sorted(folder.glob("*/agent/trajectory.json"))]
    assert [[step["message"] for step in of["steps"]][-1] for of in read] == ["The repair.", "the service was busy"]
    assert [step["step_id"] for step in read[0]["steps"]] == [1, 2, 3, 4, 5]
