"""Reads a log of Inspect, in its JSON form or its own (`.eval`)."""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Iterator, Mapping
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
    turns_of_messages,
    usage_of,
)
from regreen.evaluate.records import Feedback, RepairOrigin, Result

LOG_SUFFIX = ".eval"
_ZSTANDARD = 93
"""The compression of newer logs, by its number in zip files; Python's own zipfile knows it from 3.14 on."""
_MAX_MEMBER = 256 << 20
_MAX_HEADER = 64 << 20
_WORDS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}
"""As Inspect itself makes numbers of scores."""
_OUR_SCORER = "regreen"


class _Dataset(Form):
    name: str | None = None
    samples: int | None = None
    sample_ids: list[str | int] | None = None


class _Config(Form):
    epochs: int | None = None


class _Spec(Form):
    task: str
    created: str = ""
    model: str = ""
    dataset: _Dataset = _Dataset()
    config: _Config = _Config()
    packages: dict[str, str] = Field(default_factory=dict)
    metadata: dict[str, Any] | None = None


class _Totals(Form):
    total_samples: int = 0


class _Solver(Form):
    solver: str


class _Plan(Form):
    steps: list[_Solver] = Field(default_factory=list)


class _Log(Form):
    status: str
    spec: _Spec = Field(alias="eval")
    plan: _Plan = _Plan()
    results: _Totals | None = None


class _Score(Form):
    value: Any
    explanation: str | None = None


class _Usage(Form):
    input_tokens: int = 0
    output_tokens: int = 0
    input_tokens_cache_read: int | None = None
    input_tokens_cache_write: int | None = None
    total_cost: float | None = None


class _Broken(Form):
    message: str = ""


class _Message(Form):
    role: str
    content: Any = ""
    tool_calls: list[dict[str, Any]] | None = None


class _Sample(Form):
    id: str | int
    epoch: int = 1
    scores: dict[str, _Score] | None = None
    error: _Broken | None = None
    model_usage: dict[str, _Usage] = Field(default_factory=dict)
    total_time: float | None = None
    working_time: float | None = None
    messages: list[_Message] = Field(default_factory=list)
    metadata: dict[str, Any] = Field(default_factory=dict)


def read_inspect(path: Path, score: str | None) -> ForeignResults:
    """The samples of a log; `score` names the one that decides, where there are several.

    Raises RunError for what is no log of Inspect's, and where it is not told which score decides.
    """
    if zipfile.is_zipfile(path):
        header, samples = _zipped(path)
    else:
        document = read_document(path)
        header, samples = document, iter(document.get("samples") or [])
    log = parsed(_Log, header, str(path))
    spec = log.spec
    protocol = str((spec.metadata or {}).get("protocol") or "") if "regreen" in spec.packages else ""
    tool = f"inspect_ai {spec.packages.get('inspect_ai', '')}".strip()
    return ForeignResults(
        tool if "regreen" not in spec.packages else f"regreen {spec.packages['regreen']}, as a log of inspect_ai",
        spec.dataset.name or spec.task,
        spec.created,
        _lines(log, samples, path, score),
        planned=_planned(log),
        protocol=protocol if protocol in set(Feedback) else "",
        notes=[] if log.status == "success" else [f"The log's status is {log.status!r}: it may not hold every sample."],
    )


def _planned(log: _Log) -> int | None:
    ids, epochs = log.spec.dataset.sample_ids, log.spec.config.epochs or 1
    if ids:
        return len(ids) * epochs
    return log.results.total_samples if log.results and log.results.total_samples else None


def _lines(log: _Log, samples: Iterator[Any], path: Path, score: str | None) -> Iterator[dict[str, Any]]:
    solvers = [step.solver for step in log.plan.steps]
    strategy = solvers[-1].removeprefix("regreen/") if solvers else "unknown"
    for values in samples:
        sample = parsed(_Sample, values, f"{path}, sample {values.get('id')!r}")
        usage = sample.model_usage.values()
        turns = turns_of_messages([(message.role, _said(message)) for message in sample.messages])
        outcome, told = _decision(sample, path, score)
        costs = [of.total_cost for of in usage if of.total_cost is not None]
        owed = {"origin": RepairOrigin.MODEL.value} if turns and outcome is Result.FIXED else {}
        yield foreign_line(
            str(sample.id),
            outcome,
            sample=sample.epoch - 1,
            strategy=strategy,
            model=None if log.spec.model.startswith("none/") else log.spec.model or None,
            token_usage=usage_of(
                sum(
                    of.input_tokens + (of.input_tokens_cache_read or 0) + (of.input_tokens_cache_write or 0)
                    for of in usage
                ),
                sum(of.output_tokens for of in usage),
            ),
            model_calls=len(turns),
            iters=len(turns),
            cost_usd=sum(costs) if costs else None,
            runtime_sec=sample.working_time if sample.working_time is not None else sample.total_time,
            turns=turns,
            **(owed | told),
        )


def _said(message: _Message) -> str:
    calls = [f"{call.get('function')}({json.dumps(call.get('arguments'))})" for call in message.tool_calls or []]
    return "\n".join(part for part in (message_content(message.content), *calls) if part)


def _decision(sample: _Sample, path: Path, score: str | None) -> tuple[Result, dict[str, Any]]:
    """How a sample ended, and what else its record says of that."""
    if sample.error is not None and not sample.scores:
        return Result.ERROR, {"error": {"kind": "inspect_ai", "message": sample.error.message}}
    if not sample.scores:
        return Result.ERROR, {"error": {"kind": "inspect_ai", "message": "the sample has no score"}}
    scores = dict(_flat(sample.scores))
    name = score or (next(iter(scores)) if len(scores) == 1 else None)
    if name not in scores:
        what = "several scores decide" if score is None else f"no score is named {score!r}"
        raise RunError(
            f"{path}: of sample {sample.id!r}, {what}.",
            remedy=f"Name the one that decides: --score {' or --score '.join(scores)}.",
        )
    value, explanation = scores[name]
    outcome = Result.FIXED if _number(value, path, sample) >= 1 else Result.UNFIXED
    if name == _OUR_SCORER and sample.metadata.get("outcome") in set(Result):
        ours = ("robust", "stop", "origin", "diff", "labels")
        known = {of: sample.metadata[of] for of in ours if sample.metadata.get(of) is not None}
        return Result(sample.metadata["outcome"]), known | {"explanation": explanation}
    return outcome, {"stop": f"{name}: {value}", "explanation": explanation}


def _flat(scores: Mapping[str, _Score]) -> Iterator[tuple[str, tuple[Any, str]]]:
    """Each score by its name; the parts of one that has several as NAME/PART."""
    for name, score in scores.items():
        if isinstance(score.value, dict):
            yield from ((f"{name}/{part}", (value, score.explanation or "")) for part, value in score.value.items())
        else:
            yield name, (score.value, score.explanation or "")


def _number(value: Any, path: Path, sample: _Sample) -> float:
    """A score as a share from 0 to 1. Raises RunError for what is none: what passes is then nobody's guess."""
    try:
        number = _WORDS[value] if value in _WORDS else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if 0 <= number <= 1:
        return number
    raise RunError(
        f"{path}: of sample {sample.id!r}, the score {str(value)[:80]!r} is neither pass or fail nor a share of 1.",
        remedy="Name another score with --score.",
    )


def _zipped(path: Path) -> tuple[Any, Iterator[Any]]:
    """The header of a log in Inspect's own form, and its samples as they are asked for."""
    with zipfile.ZipFile(path) as log:
        names = {info.filename: info for info in log.infolist()}
    if "header.json" not in names:
        raise RunError(
            f"{path} has no header.json: the run is not over, or it is no log of Inspect's.",
            remedy="Wait for its end, or give the JSON that `inspect log dump` writes.",
        )
    members = [info for name, info in names.items() if name.startswith("samples/") and name.endswith(".json")]
    header = json.loads(_member(path, names["header.json"], _MAX_HEADER))
    return header, (json.loads(_member(path, info, _MAX_MEMBER)) for info in members)


def _member(path: Path, info: zipfile.ZipInfo, most: int) -> bytes:
    """The content of one member, which may have `most` bytes."""
    if info.file_size > most:
        raise RunError(f"{path}: {info.filename} is larger than {most >> 20} MiB.", remedy="Give a smaller log.")
    try:
        with zipfile.ZipFile(path) as log:
            if info.compress_type == _ZSTANDARD:
                return _zstandard(path, info, most)
            return log.read(info)
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError) as error:
        raise RunError(f"{path}: {info.filename} cannot be read: {error}.", remedy="Check the file.") from error


def _zstandard(path: Path, info: zipfile.ZipInfo, most: int) -> bytes:
    """A member that Python's own zipfile, before 3.14, cannot unpack; its content stands behind a short header."""
    import zstandard

    with path.open("rb") as file:
        file.seek(info.header_offset)
        head = file.read(30)
        lengths = int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
        file.seek(lengths, 1)
        packed = file.read(info.compress_size)
    try:
        return zstandard.ZstdDecompressor().decompressobj().decompress(packed)[: most + 1]
    except zstandard.ZstdError as error:
        raise zipfile.BadZipFile(str(error)) from error
