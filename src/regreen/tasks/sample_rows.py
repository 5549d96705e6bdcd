"""The rows of files of samples, in each format that is understood."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from regreen.errors import TaskError

MAX_PROGRAM = 2 << 20
"""Characters of one program."""
MAX_ROW = 64 << 20
"""Bytes of one line."""
_MAX_SAMPLE_NUMBER = 1 << 31


class SampleFormat(StrEnum):
    """How a file holds programs that others generated."""

    EVALPLUS = "evalplus"
    """JSON lines `{task_id, solution}` or `{task_id, completion}`, a line a sample."""
    ROWS = "rows"
    """JSON lines `{task_id, sample, code}`, with `recorded_passed` where a verdict is known."""
    RESULTS = "results"
    """The `results.jsonl` of a Regreen run."""
    BIGCODE = "bigcode"
    """One JSON list with a list of whole programs for each task, in the order of the data set."""
    PREDS = "preds"
    """SWE-bench's predictions `{instance_id, model_patch}`: unified diffs, as one JSON document or as JSON lines."""
    REPLIES = "replies"
    """JSON lines `{task_id, reply}` or `{task_id, response}`: a model's reply, word for word."""


class SampleContent(StrEnum):
    """What the texts of a file of samples are."""

    PROGRAMS = "programs"
    PATCHES = "patches"
    """Unified diffs of the task's own program."""
    REPLIES = "replies"
    """Replies of a model, from which a program has to be taken."""


@dataclass(frozen=True, slots=True)
class SampleEntry:
    """One sample as its row gives it."""

    task_id: str
    number: int | None
    """Number of the sample from 0; None where the order of the rows numbers them."""
    text: str | None
    """None where the row holds no sample."""
    continues: bool = False
    """Whether the text continues the head of the task's function, and is no whole program."""
    recorded: bool | None = None
    """The recorded verdict of another judge; None where there is none."""


@dataclass(frozen=True, slots=True)
class SampleRow:
    """One line of a file of samples, and its place in the file."""

    path: Path
    number: int
    """Number of the row, from 1."""
    fields: Mapping[str, Any]

    def text(self, name: str) -> str:
        """A field that has to be text. Raises TaskError naming row, field and what is wrong with it."""
        value = self._field(name)
        if not isinstance(value, str):
            raise self.error(f"the field {name!r} is {_shown(value)}, not text")
        return value

    def program(self, name: str) -> str:
        """A field that holds a program of at most 2 Mi characters. Raises TaskError as `text` does."""
        value = self.text(name)
        if len(value) > MAX_PROGRAM:
            raise self.error(f"the field {name!r} has {len(value):,} characters, and at most {MAX_PROGRAM:,} are read")
        return value

    def sample(self) -> int:
        """The number of the sample, from 0. Raises TaskError where it is none."""
        value = self._field("sample")
        if type(value) is not int or not 0 <= value < _MAX_SAMPLE_NUMBER:
            raise self.error(f"the field 'sample' is {_shown(value)}, not a whole number from 0")
        return value

    def verdict(self, name: str) -> bool | None:
        """A field that holds a verdict; None where it is missing or null. Raises TaskError where it is none."""
        value = self.fields.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.error(f"the field {name!r} is {_shown(value)}, not true or false")
        return value

    def error(self, what: str, remedy: str = "Mend or remove that row.") -> TaskError:
        """A TaskError that names the file, the row and its task."""
        task = self.fields.get("task_id", self.fields.get("instance_id"))
        name = f" ({task})" if isinstance(task, str) else ""
        return TaskError(f"row {self.number}{name} of {self.path}: {what}.", remedy=remedy)

    def _field(self, name: str) -> Any:
        if name not in self.fields:
            raise self.error(f"the field {name!r} is missing")
        return self.fields[name]


def decode_row(line: bytes, number: int, path: Path) -> SampleRow:
    """One line as a row. Raises TaskError where it is no JSON object."""
    empty = SampleRow(path, number, {})
    try:
        fields = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise empty.error(f"it is not UTF-8 (byte {error.start} of the row)", "Save the file as UTF-8.") from None
    except (ValueError, RecursionError) as error:
        raise empty.error(f"it is no JSON ({error})", "One JSON object a line is needed.") from None
    if not isinstance(fields, dict):
        raise empty.error(f"it is {_shown(fields)}, not a JSON object", "One JSON object a line is needed.")
    return SampleRow(path, number, fields)


def format_of(row: SampleRow) -> SampleFormat:
    """The format of a file, by the fields of its first row. Raises TaskError where they fit none, or several."""
    shown = [form for form, fields in _FORMAT_FIELDS.items() if any(field in row.fields for field in fields)]
    if len(shown) == 1:
        return shown[0]
    if shown:
        raise row.error(
            f"it may be {' or '.join(shown)}: it holds several of {', '.join(_field_names())}",
            "Say which with --format.",
        )
    raise row.error(
        f"it holds no program: none of the fields {', '.join(_field_names())}",
        f"Known formats are: {', '.join(SampleFormat)}.",
    )


def _field_names() -> list[str]:
    return [repr(field) for fields in _FORMAT_FIELDS.values() for field in fields]


def _evalplus(row: SampleRow) -> SampleEntry:
    name = "solution" if "solution" in row.fields or "completion" not in row.fields else "completion"
    return SampleEntry(row.text("task_id"), None, row.program(name), continues=name == "completion")


def _rows(row: SampleRow) -> SampleEntry:
    return SampleEntry(row.text("task_id"), row.sample(), row.program("code"), recorded=row.verdict("recorded_passed"))


def _results(row: SampleRow) -> SampleEntry:
    """The chosen patch's program; without one the buggy program stayed as it was, and was judged as such."""
    if row.text("outcome") == "error":
        return SampleEntry(row.text("task_id"), row.sample(), None)
    name = "buggy_source" if row.fields.get("final_source") is None else "final_source"
    return SampleEntry(row.text("task_id"), row.sample(), row.program(name), recorded=row.verdict("passed"))


def _preds(row: SampleRow) -> SampleEntry:
    """A patch; null, which SWE-bench writes for no patch, is an empty one."""
    patch = "" if row.fields.get("model_patch", 0) is None else row.program("model_patch")
    return SampleEntry(row.text("instance_id"), None, patch)


def _replies(row: SampleRow) -> SampleEntry:
    name = "reply" if "reply" in row.fields or "response" not in row.fields else "response"
    number = row.sample() if "sample" in row.fields else None
    return SampleEntry(row.text("task_id"), number, row.program(name))


_FORMAT_FIELDS: Mapping[SampleFormat, tuple[str, ...]] = {
    SampleFormat.EVALPLUS: ("solution", "completion"),
    SampleFormat.ROWS: ("code",),
    SampleFormat.RESULTS: ("final_source",),
    SampleFormat.PREDS: ("model_patch",),
    SampleFormat.REPLIES: ("reply", "response"),
}
"""Fields by which a format of JSON lines is recognised."""

ROW_READERS: Mapping[SampleFormat, Callable[[SampleRow], SampleEntry]] = {
    SampleFormat.EVALPLUS: _evalplus,
    SampleFormat.ROWS: _rows,
    SampleFormat.RESULTS: _results,
    SampleFormat.PREDS: _preds,
    SampleFormat.REPLIES: _replies,
}


def _shown(value: object) -> str:
    """A JSON value in words, short enough for a message."""
    if value is None:
        return "null"
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return repr(value)[:40]
