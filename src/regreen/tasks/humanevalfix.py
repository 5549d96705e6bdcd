"""HumanEvalFix (OctoPack): buggy functions with their official tests, read from the published JSON lines.

As upstream runs them, the tests follow the program in the same file, so they may use its helpers and its imports.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regreen.errors import TaskError
from regreen.tasks.reader import SuiteReader
from regreen.tasks.text_file import decode_utf8, read_bytes
from regreen.types import Case, Suite, SuiteKind, Task

PREFIX = "humanevalfix/"
MAX_BYTES = 256 << 20
MODULE = "program"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a data set, and where it stands."""

    path: Path
    number: int
    """From 1."""
    fields: Mapping[str, Any]

    def text(self, name: str, *, default: str | None = None) -> str:
        """A field that has to be text; raises TaskError naming row, field and what is wrong with it."""
        value = self.fields.get(name, default)
        if isinstance(value, str):
            return value
        wrong = f"is {type(value).__name__}, not text" if name in self.fields else "is missing"
        raise self.error(f"the field {name!r} {wrong}", "Is this the file that was published? Fetch it again.")

    def filled(self, name: str) -> str:
        """A field that has to be text with something in it."""
        value = self.text(name)
        if value.strip():
            return value
        raise self.error(f"the field {name!r} is {value!r}", "Is this the file that was published? Fetch it again.")

    def error(self, what: str, remedy: str = "") -> TaskError:
        """An error that says where in the file it is."""
        task = self.fields.get("task_id")
        name = f" ({task})" if isinstance(task, str) else ""
        return TaskError(f"row {self.number}{name} of {self.path}: {what}.", remedy=remedy)


def load(
    path: Path, reader: SuiteReader, *, extra: Path | None = None, only: Collection[str] | None = None
) -> tuple[Case, ...]:
    """The cases of the file, in its order; only those with the ids in `only` where that is given.

    `extra` holds further checks by task, which decide `robust`. Raises TaskError naming the row and field
    that cannot be used.
    """
    if path.suffix.lower() == ".parquet":
        raise TaskError(
            f"{path} is a parquet file, which is not read here.",
            remedy="Give the published JSON lines: data/python/data/humanevalpack.jsonl of bigcode/humanevalpack.",
        )
    further = _by_task(extra) if extra else {}
    rows = _by_task(path)
    if not rows:
        raise TaskError(f"the data set {path} holds no rows.", remedy="Fetch it again.")
    if extra and not rows.keys() & further.keys():
        raise TaskError(f"{extra} holds no checks for any task of {path}.", remedy="Give those that belong to it.")
    wanted = [name for name in rows if only is None or PREFIX + name in only]
    return tuple(_case(rows[name], reader, further.get(name)) for name in wanted)


def _case(row: Row, reader: SuiteReader, further: Row | None) -> Case:
    name = row.filled("task_id")
    declaration = row.filled("declaration")
    program = declaration + row.filled("buggy_solution")
    task = Task(
        id=PREFIX + name,
        source=program,
        entry_point=row.filled("entry_point"),
        module=MODULE,
        suite=_suite(row, "example_test", _own_part(row.text("example_test", default="")), program, reader),
        statement=row.text("docstring", default="") or row.text("text", default=""),
    )
    return Case(
        task,
        hidden=_suite(row, "test", row.filled("test"), program, reader),
        reference=declaration + row.filled("canonical_solution"),
        extra=_extra(row, further, program, reader) if further else None,
        labels={label: row.text(label) for label in ("bug_type", "failure_symptoms") if row.fields.get(label)},
    )


def _suite(row: Row, name: str, text: str, program: str, reader: SuiteReader) -> Suite:
    """The checks in one field, whose text is given; without any where it is blank."""
    origin = f"{row.fields['task_id']} ({name})"
    if not text.strip():
        return Suite(SuiteKind.SCRIPT, text, (), origin=origin)
    try:
        return reader(text, program=program, module=MODULE, entry_point=row.filled("entry_point"), origin=origin)
    except TaskError as error:
        raise row.error(f"the field {name!r} cannot be read as checks: {error}") from error


def _own_part(text: str) -> str:
    """The text without what it begins with as a continuation of the program's last block; its lines keep their numbers.

    The published data has an example like that: it parses only where it is appended.
    """
    lines = text.split("\n")
    own = next((number for number, line in enumerate(lines) if line[:1].strip()), len(lines))
    return "\n" * own + "\n".join(lines[own:])


def _extra(row: Row, further: Row, program: str, reader: SuiteReader) -> Suite:
    if further.filled("entry_point") != row.filled("entry_point"):
        raise further.error(f"its entry_point is not that of the data set, {row.filled('entry_point')!r}")
    return _suite(further, "extra_tests", further.filled("extra_tests"), program, reader)


def _by_task(path: Path) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for row in _rows(path):
        if rows.setdefault(row.filled("task_id"), row) is not row:
            raise row.error("the task_id occurs a second time", "Remove one of the two rows.")
    return rows


def _rows(path: Path) -> Iterator[Row]:
    """The rows of a file of JSON lines; blank lines are passed over."""
    text = decode_utf8(read_bytes(path, "the data set", limit=MAX_BYTES), path, "the data set")
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise Row(path, number, {}).error(f"it is no JSON ({error})", "One JSON object a line is needed.") from None
        if not isinstance(fields, dict):
            raise Row(path, number, {}).error("it is no JSON object", "One JSON object a line is needed.")
        yield Row(path, number, fields)
