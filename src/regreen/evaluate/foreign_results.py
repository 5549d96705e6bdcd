"""Results of other tools, as the import reads them: which tool wrote them, and a line for each sample."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from regreen.errors import RunError
from regreen.evaluate.records import Result

MAX_DOCUMENT = 2 << 30
"""Bytes of one JSON document that are read."""
FormT = TypeVar("FormT", bound="Form")


class Form(BaseModel):
    """A part of another tool's document: what is read of it; the rest is its own affair."""

    model_config = ConfigDict(frozen=True, extra="ignore")


@dataclass(frozen=True, slots=True)
class ForeignResults:
    """The results of one run of another tool."""

    tool: str
    """The tool and, where it is told, its version: "inspect_ai 0.3"."""
    dataset: str
    started: str
    """ISO 8601; "" where it is not told."""
    lines: Iterator[dict[str, Any]]
    """Result lines with what is known, in the fields of results.jsonl; the number of a sample is not among them."""
    planned: int | None = None
    """Samples that the run set out to decide; None where nothing says."""
    protocol: str = ""
    """The feedback protocol, where one of our own exports comes home."""
    notes: Sequence[str] = field(default_factory=list)


def foreign_line(task: str, outcome: Result, **known: Any) -> dict[str, Any]:
    """A result line; `known` holds what is told, and None where it is not."""
    told = {name: value for name, value in known.items() if value is not None}
    return {"task_id": task, "outcome": outcome.value, "passed": outcome in _PASSED, **told}


_PASSED = (Result.FIXED, Result.OVERFITTED)
"""What passes the checks that decide; an overfitted one fails further ones."""


def usage_of(prompt: int | None, completion: int | None) -> dict[str, int] | None:
    """Tokens; None where they are not known."""
    return None if prompt is None and completion is None else {"prompt": prompt or 0, "completion": completion or 0}


def seconds_between(started: str | None, ended: str | None) -> float | None:
    """Seconds from one time to another, never negative; None where one is not told."""
    from datetime import datetime

    try:
        return max(0.0, (datetime.fromisoformat(ended or "") - datetime.fromisoformat(started or "")).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def turns_of_messages(messages: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """A conversation (roles and texts) as turns: each reply with what was said since the one before."""
    turns: list[dict[str, Any]] = []
    since: list[str] = []
    for role, text in messages:
        if role == "assistant":
            number = len(turns)
            turns.append({"number": number, "iteration": number, "prompt": "\n\n".join(since), "reply": text})
            since = []
        else:
            since.append(f"[{role}]\n{text}")
    return turns


def read_document(path: Path) -> Any:
    """The JSON of a file. Raises RunError where it cannot be read, or holds none."""
    try:
        if path.stat().st_size > MAX_DOCUMENT:
            raise RunError(f"{path} is larger than {MAX_DOCUMENT >> 30} GiB.", remedy="Give a smaller one.")
        return json.loads(path.read_bytes())
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror or error}.", remedy="Check the path.") from error
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path} holds no JSON: {error}.", remedy="Give the tool's own results.") from None


def parsed(form: type[FormT], values: Any, where: str) -> FormT:
    """The part of a document. Raises RunError that names the field that is not as the tool writes it."""
    try:
        return form.model_validate(values)
    except ValidationError as error:
        fault = error.errors()[0]
        name = ".".join(str(part) for part in fault["loc"]) or "the whole"
        raise RunError(
            f"{where}: {name} is not as expected: {fault['msg']}.", remedy="Give the tool's own results."
        ) from None


def message_content(content: Any) -> str:
    """The text of a message: a text, or parts of which some are."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    told = [part.get("text") or part.get("reasoning") for part in parts if isinstance(part, Mapping)]
    return "\n".join(text for text in told if isinstance(text, str))
