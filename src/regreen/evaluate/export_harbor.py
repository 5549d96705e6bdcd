"""A run as the folder of a Harbor job: a `result.json` for all of it, and a folder for each trial.

A trial's folder holds `config.json`, `result.json`, `verifier/reward.txt`, among `artifacts` the program itself, and in
`agent/trajectory.json` what was asked and answered, in the Agent Trajectory Interchange Format (ATIF).
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from regreen.evaluate.finished_run import FinishedRun, judged_program
from regreen.evaluate.records import ResultLine, TurnLine
from regreen.evaluate.transcript import messages_of
from regreen.types import Candidate

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_MAX_NAME_CHARS = 100
_AGENT = "regreen"
_SOURCES = {"system": "system", "user": "user", "tool": "user"}
"""Who a message is from, in ATIF, by its role; an assistant's is the agent's."""


def write_job(finished: FinishedRun, folder: Path) -> None:
    """Write a new folder for the job, with a folder for each sample."""
    folder.mkdir(parents=True)
    job = uuid.uuid5(uuid.NAMESPACE_OID, f"{finished.header.dataset_hash} {finished.header.started}")
    # Harbor's count of what is completed has the errors in it.
    ended = len(finished.places) + len(finished.faults)
    pending = finished.planned - ended
    evals: dict[str, dict[str, Any]] = {}
    for line in finished.lines(faults=True):
        _write_trial(line, finished, folder, job)
        _count_trial(evals, line, finished.header.dataset)
    for of in evals.values():
        rewards = {reward: len(names) for reward, names in of["reward_stats"]["reward"].items()}
        # Trials that end quickly come first: of an unfinished run there is no mean.
        mean = sum(float(reward) * count for reward, count in rewards.items()) / max(1, sum(rewards.values()))
        of["metrics"] = [] if pending or not rewards else [{"mean": mean}]
    stats = {"n_completed_trials": ended, "n_errored_trials": len(finished.faults), "evals": evals}
    started = finished.header.started
    _write(
        folder / "config.json",
        {"job_name": folder.name, "jobs_dir": ".", "agents": [{"name": _AGENT}], "tasks": [], "datasets": []},
    )
    _write(
        folder / "result.json",
        {
            "id": str(job),
            "started_at": started,
            "finished_at": None if pending else started,
            "n_total_trials": finished.planned,
            "stats": stats | {"n_pending_trials": pending},
        },
    )


def _count_trial(evals: dict[str, dict[str, Any]], line: ResultLine, dataset: str) -> None:
    """Count a sample among those of its model and data set, under the key by which Harbor's viewer lists them."""
    model = dict(_model(line.model))["name"] if line.model else None
    key = "__".join(part for part in (_AGENT, model, dataset) if part)
    fresh: dict[str, Any] = {"n_trials": 0, "n_errors": 0, "reward_stats": {"reward": {}}, "exception_stats": {}}
    of = evals.setdefault(key, fresh)
    if line.error is None:
        of["n_trials"] += 1
        of["reward_stats"]["reward"].setdefault(str(int(line.passed)), []).append(trial_name(line))
    else:
        of["n_errors"] += 1
        of["exception_stats"].setdefault(line.error.kind, []).append(trial_name(line))


def trial_name(line: ResultLine) -> str:
    """The name of a sample's folder: safe as a file name, and unique in the job."""
    plain = _UNSAFE.sub("-", line.task_id).strip("-.")[:_MAX_NAME_CHARS]
    return f"{plain}__{Candidate(line.task_id, 'id').id[:7]}-{line.sample}"


def _write_trial(line: ResultLine, finished: FinishedRun, folder: Path, job: uuid.UUID) -> None:
    name = trial_name(line)
    trial = folder / name
    for part in ("agent", "verifier", "artifacts"):
        (trial / part).mkdir(parents=True)
    config = {
        "task": {"path": line.task_id},
        "trial_name": name,
        "trials_dir": ".",
        "agent": {"name": _AGENT, "model_name": line.model},
        "job_id": str(job),
    }
    _write(trial / "config.json", config)
    _write(trial / "result.json", _result(line, finished, name, config, job))
    _write(trial / "agent" / "trajectory.json", _trajectory(line, finished, job))
    if line.error is None:
        (trial / "verifier" / "reward.txt").write_text(f"{int(line.passed)}\n", encoding="ascii")
        program = judged_program(line).encode("utf-8", "surrogatepass")
        (trial / "artifacts" / "program.py").write_bytes(program)


def _result(
    line: ResultLine, finished: FinishedRun, name: str, config: dict[str, Any], job: uuid.UUID
) -> dict[str, Any]:
    header = finished.header
    usage = line.token_usage
    result = {
        "id": str(uuid.uuid5(job, name)),
        "task_name": line.task_id,
        "trial_name": name,
        "trial_uri": name,
        "task_id": {"path": line.task_id},
        "source": header.dataset,
        "task_checksum": Candidate(line.buggy_source, "given").id,
        "config": config,
        "agent_info": {
            "name": _AGENT,
            "version": header.versions.get("regreen", "unknown"),
            "model_info": None if line.model is None else dict(_model(line.model)),
        },
        "agent_result": {
            "n_input_tokens": usage.prompt,
            "n_output_tokens": usage.completion,
            "cost_usd": line.cost_usd,
            "metadata": {"strategy": line.strategy, "outcome": line.outcome.value, "protocol": line.feedback.value},
        },
        "verifier_result": {"rewards": {"reward": int(line.passed)}} if line.error is None else None,
        "started_at": header.started,
        "finished_at": _later(header.started, line.runtime_sec),
    }
    if line.error is not None:
        result["exception_info"] = {
            "exception_type": line.error.kind,
            "exception_message": line.error.message,
            "exception_traceback": "",
            "occurred_at": header.started,
        }
    return result


def _trajectory(line: ResultLine, finished: FinishedRun, job: uuid.UUID) -> dict[str, Any]:
    """What was asked and answered; of a search, what it was given and what it says of the outcome."""
    steps = [step for turn in line.turns for step in _turn_steps(turn, line.model)]
    if not steps:
        told = line.explanation or (line.error.message if line.error else "Nothing was handed over.")
        steps = [
            {"source": "user", "message": f"Repair this program:\n\n{line.buggy_source}"},
            {"source": "agent", "message": told, "llm_call_count": 0},
        ]
    usage = line.token_usage
    totals = {"prompt": usage.prompt, "completion": usage.completion}
    return {
        "schema_version": "ATIF-v1.7",
        "session_id": f"{job}:{trial_name(line)}",
        "agent": {
            "name": _AGENT,
            "version": finished.header.versions.get("regreen", "unknown"),
            "model_name": line.model,
            "extra": {"strategy": line.strategy, "protocol": line.feedback.value},
        },
        "steps": [{"step_id": number, **step} for number, step in enumerate(steps, start=1)],
        "final_metrics": {
            **{f"total_{name}_tokens": count for name, count in totals.items()},
            "total_cost_usd": line.cost_usd,
            "total_steps": len(steps),
        },
    }


def _turn_steps(turn: TurnLine, model: str | None) -> Iterator[dict[str, Any]]:
    for message in messages_of(turn.prompt):
        source = _SOURCES.get(message.role, "agent")
        yield {"source": source, "message": message.text, **({"is_copied_context": True} if source == "agent" else {})}
    yield {
        "source": "agent",
        "model_name": model,
        "message": turn.reply,
        "reasoning_content": turn.reasoning or None,
        "metrics": {
            "prompt_tokens": turn.prompt_tokens,
            "completion_tokens": turn.completion_tokens,
            "cost_usd": turn.usd,
        },
        "extra": {"node": turn.node, "iteration": turn.iteration, "fault": turn.fault},
    }


def _model(name: str) -> Iterator[tuple[str, str | None]]:
    provider, colon, model = name.partition(":")
    yield "name", model if colon else name
    yield "provider", provider if colon else None


def _later(started: str, seconds: float) -> str:
    """`started` plus `seconds`: records hold how long a sample took, and not when it began."""
    try:
        return (datetime.fromisoformat(started) + timedelta(seconds=seconds)).isoformat()
    except (ValueError, OverflowError):
        return started


def _write(path: Path, values: dict[str, Any]) -> None:
    path.write_text(json.dumps(values, indent=2) + "\n", encoding="ascii")
