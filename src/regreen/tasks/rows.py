"""Rows of a data set's file, JSON lines or parquet; errors name the row and field."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from regreen.errors import TaskError
from regreen.tasks.dataset import required_library
from regreen.tasks.text_file import decode_utf8, read_bytes

_MAX_DATASET_BYTES = 256 << 20
_ROLE = "the data set"
_PARQUET = ".parquet"
_BATCH_ROWS = 64
"""Rows of a parquet file that are unpacked together."""
_REMEDY = "Is this the file that was published? Fetch it again."


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """One row of a data set, and its place in the file."""

    path: Path
    number: int
    """Number of the row, from 1."""
    fields: Mapping[str, Any]

    def text(self, name: str, *, default: str | None = None) -> str:
        """A field that has to be text. Raises TaskError naming row, field and what is wrong with it."""
        value = self.fields.get(name, default)
        if isinstance(value, str):
            return value
        wrong = f"is {type(value).__name__}, not text" if name in self.fields else "is missing"
        raise self.error(f"the field {name!r} {wrong}", _REMEDY)

    def filled(self, name: str) -> str:
        """A field that has to be text and not blank. Raises TaskError as `text` does."""
        value = self.text(name)
        if value.strip():
            return value
        raise self.error(f"the field {name!r} is {value!r}", _REMEDY)

    def error(self, what: str, remedy: str = "") -> TaskError:
        """A TaskError that names the file, the row and its task."""
        task = self.fields.get("task_id")
        name = f" ({task[:80]})" if isinstance(task, str) else ""
        return TaskError(f"row {self.number}{name} of {self.path}: {what}.", remedy=remedy)


def read_rows(path: Path) -> Iterator[DatasetRow]:
    """The rows of a `.parquet` file or of a file of JSON lines; blank lines are skipped.

    Raises TaskError where the file or one of its rows cannot be read, or where a library for it is missing.
    """
    content = read_bytes(path, _ROLE, limit=_MAX_DATASET_BYTES)
    is_parquet = path.suffix.lower() == _PARQUET
    return _from_parquet(content, path) if is_parquet else _from_lines(content, path)


def rows_by_task(path: Path) -> dict[str, DatasetRow]:
    """The rows of a file by their `task_id`, in its order. Raises TaskError where one is missing or repeated."""
    rows: dict[str, DatasetRow] = {}
    for row in read_rows(path):
        if rows.setdefault(row.filled("task_id"), row) is not row:
            raise row.error("the task_id occurs a second time", "Remove one of the two rows.")
    return rows


def _from_lines(content: bytes, path: Path) -> Iterator[DatasetRow]:
    for number, line in enumerate(decode_utf8(content, path, _ROLE).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DatasetRow(path, number, {}).error(
                f"it is no JSON ({error})", "One JSON object a line is needed."
            ) from None
        if not isinstance(fields, dict):
            raise DatasetRow(path, number, {}).error("it is no JSON object", "One JSON object a line is needed.")
        yield DatasetRow(path, number, fields)


def _from_parquet(content: bytes, path: Path) -> Iterator[DatasetRow]:
    arrow = required_library("pyarrow", "reading parquet files")
    parquet = required_library("pyarrow.parquet", "reading parquet files")
    try:
        batches = parquet.ParquetFile(arrow.BufferReader(content)).iter_batches(batch_size=_BATCH_ROWS)
        for number, fields in enumerate(chain.from_iterable(batch.to_pylist() for batch in batches), start=1):
            yield DatasetRow(path, number, fields)
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise TaskError(
            f"{path} cannot be read as parquet: {str(error)[:200].rstrip('. ')}.",
            remedy="Fetch it again, or give JSON lines.",
        ) from None
