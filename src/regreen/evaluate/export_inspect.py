"""A run as a log of Inspect: its JSON form, version 2, which `inspect view` and `read_eval_log` open."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from regreen.evaluate.finished_run import FinishedRun, judged_program
from regreen.evaluate.records import ResultLine, TurnLine
from regreen.evaluate.scores import ks_up_to
from regreen.evaluate.transcript import messages_of

_LOG_VERSION = 2
_SCORER = "regreen"


def inspect_log(finished: FinishedRun) -> Iterator[bytes]:
    """The text of the log in parts, one for each sample, so that a run may be larger than memory."""
    head = _encoded(_head(finished))
    yield head[:-1] + b', "samples": ['
    for number, line in enumerate(finished.lines(faults=True)):
        yield (b",\n" if number else b"\n") + _encoded(_sample(line))
    yield b"\n]}\n"


def log_name(finished: FinishedRun) -> str:
    """The file name by which Inspect finds a log in a folder: time, task and id."""
    started = finished.header.started.replace(":", "-")
    task = re.sub(r"[^A-Za-z0-9-]+", "-", finished.header.dataset)
    return f"{started}_{task}_{_run_id(finished)}.json"


def _run_id(finished: FinishedRun) -> str:
    """An id of the run: of its settings, data set and start."""
    header = finished.header
    told = json.dumps([header.started, header.dataset_hash, header.settings], sort_keys=True)
    return hashlib.sha256(told.encode("ascii")).hexdigest()[:22]


def _usage(finished: FinishedRun) -> dict[str, dict[str, int]]:
    """Tokens by model, of all samples."""
    usage: dict[str, dict[str, int]] = {}
    for line in finished.lines(faults=True):
        of = usage.setdefault(_model(line), dict.fromkeys(("input_tokens", "output_tokens", "total_tokens"), 0))
        for name, count in _tokens(line).items():
            of[name] += count
    return usage


def _tokens(line: ResultLine) -> dict[str, int]:
    prompt, completion = line.token_usage.prompt, line.token_usage.completion
    return {"input_tokens": prompt, "output_tokens": completion, "total_tokens": prompt + completion}


def _model(line: ResultLine) -> str:
    return line.model or f"none/{line.strategy}"


def _encoded(values: Mapping[str, Any]) -> bytes:
    """JSON that strict readers take: a lone surrogate, which programs may hold, becomes a question mark."""
    return json.dumps(_readable(values), allow_nan=False).encode("ascii")


def _readable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {_readable(key): _readable(item) for key, item in value.items()}
    return [_readable(item) for item in value] if isinstance(value, list) else value


def _head(finished: FinishedRun) -> dict[str, Any]:
    header = finished.header
    first = next(finished.lines(faults=True))
    model = _model(first)
    decided, in_all = len(finished.places), len(finished.places) + len(finished.faults)
    epochs = max(place.sample for place in (*finished.places, *finished.faults)) + 1
    # Samples that end quickly come first: of an unfinished run there is no rate.
    is_over = in_all == finished.planned
    metric = {"accuracy": {"name": "accuracy", "value": finished.passed / decided}} if is_over and decided else {}
    score = {"name": _SCORER, "scorer": _SCORER, "scored_samples": decided, "metrics": metric}
    return {
        "version": _LOG_VERSION,
        "status": "success" if is_over else "cancelled",
        "eval": {
            "created": header.started,
            "task": header.dataset,
            "task_id": _run_id(finished),
            "run_id": _run_id(finished),
            "eval_id": _run_id(finished),
            "dataset": {"name": header.dataset, "samples": len(finished.tasks), "sample_ids": list(finished.tasks)},
            "model": model,
            "config": {"epochs": epochs},
            "packages": {"regreen": header.versions.get("regreen", "unknown")},
            "metadata": {
                "protocol": header.protocol,
                "dataset_hash": header.dataset_hash,
                "ks": list(ks_up_to(epochs)),
            },
        },
        "plan": {"name": "plan", "steps": [{"solver": f"regreen/{first.strategy}"}]},
        "results": {"total_samples": finished.planned, "completed_samples": decided, "scores": [score]},
        "stats": {"started_at": header.started, "completed_at": _ended(finished), "model_usage": _usage(finished)},
    }


def _ended(finished: FinishedRun) -> str:
    """When the last result was recorded."""
    return datetime.fromtimestamp(finished.path.stat().st_mtime, UTC).isoformat(timespec="seconds")


def _sample(line: ResultLine) -> dict[str, Any]:
    program = judged_program(line)
    model = _model(line)
    sample = {
        "id": line.task_id,
        "epoch": line.sample + 1,
        "input": line.buggy_source,
        "target": "",
        "messages": [message for turn in line.turns for message in _messages(turn)],
        "output": {
            "model": model,
            "choices": [{"message": {"role": "assistant", "content": program}, "stop_reason": "stop"}],
        },
        "scores": {_SCORER: {"value": "C" if line.passed else "I", "answer": program, "explanation": _why(line)}},
        "metadata": {
            **{
                name: value
                for name, value in line.values().items()
                if name in ("outcome", "robust", "stop", "origin", "diff")
            },
            "labels": dict(line.labels),
        },
        "model_usage": {model: _tokens(line)},
        "total_time": line.runtime_sec + line.timings_sec.get("wait", 0.0),
        "working_time": line.runtime_sec,
        "turn_count": len(line.turns),
    }
    if line.error is not None:
        message = f"{line.error.kind}: {line.error.message}"
        sample |= {"scores": None, "error": {"message": message, "traceback": message, "traceback_ansi": message}}
    return sample


def _messages(turn: TurnLine) -> Iterator[dict[str, str]]:
    for message in messages_of(turn.prompt):
        yield {"role": message.role, "content": message.text}
    yield {"role": "assistant", "content": turn.reply}


def _why(line: ResultLine) -> str:
    failed = next((check for check in line.checks if check.outcome != "passed"), None)
    if failed is None:
        return line.explanation or line.detail
    return f"{failed.id}: {failed.outcome.value}. {failed.detail}".strip()
