"""Reads the folder of a Harbor job: a `result.json` for all of it, and a folder for each trial."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import Field

from regreen.errors import RunError
from regreen.evaluate.foreign_results import (
    ForeignResults,
    Form,
    foreign_line,
    message_content,
    parsed,
    read_document,
    seconds_between,
    turns_of_messages,
    usage_of,
)
from regreen.evaluate.records import Feedback, Result

RESULT_FILE = "result.json"
_REWARD = "reward"
_ROLES = {"agent": "assistant", "user": "user", "system": "system"}


class _Job(Form):
    started_at: str = ""
    n_total_trials: int


class _Timing(Form):
    started_at: str | None = None
    finished_at: str | None = None


class _ModelInfo(Form):
    name: str
    provider: str | None = None


class _AgentInfo(Form):
    name: str
    version: str = ""
    info: _ModelInfo | None = Field(default=None, alias="model_info")


class _AgentResult(Form):
    n_input_tokens: int | None = None
    n_output_tokens: int | None = None
    cost_usd: float | None = None
    metadata: dict[str, Any] | None = None


class _Verified(Form):
    rewards: dict[str, float] | None = None


class _Raised(Form):
    exception_type: str
    exception_message: str = ""


class _Trial(Form):
    task_name: str
    trial_name: str = ""
    source: str | None = None
    agent_info: _AgentInfo
    agent_result: _AgentResult | None = None
    verifier_result: _Verified | None = None
    exception_info: _Raised | None = None
    agent_execution: _Timing | None = None
    started_at: str | None = None
    finished_at: str | None = None


class _TrajectoryStep(Form):
    source: str
    message: Any = ""
    observation: dict[str, Any] | None = None


class _Trajectory(Form):
    steps: list[_TrajectoryStep] = Field(default_factory=list)


def is_job(folder: Path) -> bool:
    """Whether a folder is that of a Harbor job."""
    return (folder / RESULT_FILE).is_file() and any(folder.glob(f"*/{RESULT_FILE}"))


def read_harbor(folder: Path, score: str | None) -> ForeignResults:
    """The trials of a job; `score` names the reward that decides, where there are several.

    Raises RunError for a folder that is none of a job's, and where it is not told which reward decides.
    """
    job = parsed(_Job, read_document(folder / RESULT_FILE), str(folder / RESULT_FILE))
    paths = sorted(folder.glob(f"*/{RESULT_FILE}"))
    trials = [parsed(_Trial, read_document(path), str(path)) for path in paths]
    datasets = sorted({trial.source for trial in trials if trial.source})
    protocols = {((trial.agent_result and trial.agent_result.metadata) or {}).get("protocol") for trial in trials}
    protocol = next(iter(protocols)) if len(protocols) == 1 else None
    return ForeignResults(
        "harbor",
        " and ".join(datasets) or folder.absolute().name,
        job.started_at,
        (_line(trial, path.parent, score) for trial, path in zip(trials, paths, strict=True)),
        planned=job.n_total_trials,
        protocol=str(protocol) if protocol in set(Feedback) else "",
    )


def _line(trial: _Trial, folder: Path, score: str | None) -> dict[str, Any]:
    outcome, told = _decision(trial, folder, score)
    used = trial.agent_result or _AgentResult()
    timing = trial.agent_execution or _Timing(started_at=trial.started_at, finished_at=trial.finished_at)
    info = trial.agent_info.info
    turns = _turns(folder)
    program = folder / "artifacts" / "program.py"
    metadata = used.metadata or {}
    ours = trial.agent_info.name == "regreen"
    return foreign_line(
        trial.task_name,
        Result(metadata["outcome"]) if ours and metadata.get("outcome") in set(Result) else outcome,
        strategy=str(metadata.get("strategy") or "regreen") if ours else trial.agent_info.name,
        model=None if info is None else ":".join(part for part in (info.provider, info.name) if part),
        token_usage=usage_of(used.n_input_tokens, used.n_output_tokens),
        cost_usd=used.cost_usd,
        runtime_sec=seconds_between(timing.started_at, timing.finished_at),
        # Without a trajectory it is not known what was asked.
        model_calls=len(turns) or None,
        iters=len(turns) or None,
        turns=turns or None,
        final_source=program.read_text("utf-8", "replace") if ours and program.is_file() else None,
        **told,
    )


def _decision(trial: _Trial, folder: Path, score: str | None) -> tuple[Result, dict[str, Any]]:
    """How a trial ended. An agent whose time was over is verified all the same, and what it left decides."""
    raised = trial.exception_info
    rewards = (trial.verifier_result.rewards if trial.verifier_result else None) or {}
    if not rewards:
        kind, message = ("harbor", "the trial was not verified")
        if raised is not None:
            kind, message = raised.exception_type, raised.exception_message
        return Result.ERROR, {"error": {"kind": kind, "message": message}}
    name = score or (_REWARD if _REWARD in rewards else next(iter(rewards)) if len(rewards) == 1 else None)
    if name not in rewards:
        what = "several rewards decide" if score is None else f"no reward is named {score!r}"
        raise RunError(
            f"{folder}: {what}.", remedy=f"Name the one that decides: --score {' or --score '.join(rewards)}."
        )
    stop = raised.exception_type if raised else f"{name} {rewards[name]:g}"
    return (Result.FIXED if rewards[name] >= 1 else Result.UNFIXED), {"stop": stop}


def _turns(folder: Path) -> list[dict[str, Any]]:
    """What was asked and answered, where the agent left a trajectory."""
    path = folder / "agent" / "trajectory.json"
    if not path.is_file():
        return []
    steps = parsed(_Trajectory, read_document(path), str(path)).steps
    return turns_of_messages(list(_messages(steps)))


def _messages(steps: list[_TrajectoryStep]) -> Iterator[tuple[str, str]]:
    for step in steps:
        yield _ROLES.get(step.source, "user"), message_content(step.message)
        results = (step.observation or {}).get("results")
        for result in results if isinstance(results, list) else []:
            yield "tool", message_content(result.get("content")) if isinstance(result, dict) else ""
