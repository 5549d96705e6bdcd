"""Tasks of the user's own in one file: JSON lines or parquet, a row a task; docs/datasets.md has the schema."""

from __future__ import annotations

import difflib
import keyword
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from regreen.errors import TaskError
from regreen.tasks.broken_statements import broken_statements
from regreen.tasks.dataset import SuiteReader
from regreen.tasks.entry_point import may_define
from regreen.tasks.rows import DatasetRow, read_rows
from regreen.types import Case, Suite, SuiteKind, Task

_MAX_FAULTS_NAMED = 10
"""Faults that one message lists."""
_CLOSE_ENOUGH = 0.8
_CHECK_FIELDS = ("visible_checks", "hidden_checks", "extra_checks")

_FilledText = Annotated[str, Field(pattern=r"\S")]
"""Text that is not blank."""
_ChecksText = Annotated[
    str | list[str],
    Field(description="Python: asserts, functions `test_...`, a unittest class, or pytest tests; or a list of such."),
]


def _as_pairs(value: Any) -> Any:
    """Labels from parquet as an object: its maps arrive as pairs, and its records with None for each missing label."""
    if isinstance(value, list) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in value):
        return dict(value)
    return {name: text for name, text in value.items() if text is not None} if isinstance(value, dict) else value


class TaskRow(BaseModel):
    """One task: a program with a bug, and the checks that tell when it is fixed."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", title="A task for samples:FILE")

    task_id: _FilledText = Field(description="What the task is called; no two tasks of a file share it.")
    program: _FilledText = Field(description="The whole buggy module.")
    hidden_checks: _ChecksText = Field(description="What decides.")
    statement: str = Field("", description="What the program should do, in words.")
    visible_checks: _ChecksText = Field("", description="What may be seen under --feedback examples.")
    extra_checks: _ChecksText = Field("", description="What tells robust from overfitted.")
    reference: str = Field("", description="A whole module that is right.")
    entry_point: _FilledText | None = Field(None, description="The function to repair.")
    module: _FilledText = Field("program", description="The name by which the checks import the program.")
    labels: Annotated[dict[str, str], BeforeValidator(_as_pairs)] = Field(
        default_factory=dict, description="What tasks are chosen and counted by, e.g. {'bug_type': 'off by one'}."
    )


def task_row_schema() -> dict[str, Any]:
    """The JSON Schema of a row."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **TaskRow.model_json_schema()}


def load(path: Path, reader: SuiteReader, *, only: Collection[str] | None = None) -> tuple[Case, ...]:
    """The cases of the file, in its order; with `only`, those with these ids.

    Raises TaskError naming every row and field that cannot be used, up to ten of them.
    """
    faults: list[TaskError] = []
    rows = list(_valid_rows(path, faults))
    faults += _repeated(rows)
    cases = [_case(valid, reader, faults) for valid in rows if only is None or valid.values.task_id in only]
    if faults:
        raise _joined_fault(path, faults)
    if not rows:
        raise TaskError(f"the data set {path} holds no rows.", remedy="Write a JSON object a line, one for each task.")
    return tuple(case for case in cases if case is not None)


@dataclass(frozen=True, slots=True)
class _ValidRow:
    """A row whose fields are valid; its checks have not been read."""

    row: DatasetRow
    values: TaskRow

    def error(self, what: str) -> TaskError:
        return self.row.error(what)


def _valid_rows(path: Path, faults: list[TaskError]) -> Iterator[_ValidRow]:
    for row in read_rows(path):
        given = {name: value for name, value in row.fields.items() if value is not None}
        faults += [row.error(f"the field {name!r} is not known; {close!r} is") for name, close in _misspelt(given)]
        try:
            yield _ValidRow(row, TaskRow.model_validate(given))
        except ValidationError as error:
            faults += [row.error(_fault_in_words(fault)) for fault in error.errors()]


def _misspelt(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Unknown fields with nearly the name of a known one; other unknown fields are allowed."""
    for name in given.keys() - TaskRow.model_fields.keys():
        if close := difflib.get_close_matches(name, TaskRow.model_fields, 1, _CLOSE_ENOUGH):
            yield name, close[0]


def _fault_in_words(fault: Mapping[str, Any]) -> str:
    name = ".".join(str(part) for part in fault["loc"][:1])
    if fault["type"] == "missing":
        return f"the field {name!r} is missing"
    if fault["type"] == "string_pattern_mismatch":
        return f"the field {name!r} is blank"
    what = "an object of text" if name == "labels" else "text or a list of texts" if name in _CHECK_FIELDS else "text"
    return f"the field {name!r} is not {what}"


def _repeated(rows: list[_ValidRow]) -> list[TaskError]:
    count = Counter(valid.values.task_id for valid in rows)
    return [valid.error("its task_id is that of another row") for valid in rows if count[valid.values.task_id] > 1]


def _case(valid: _ValidRow, reader: SuiteReader, faults: list[TaskError]) -> Case | None:
    values, before = valid.values, len(faults)
    suites = {name: _suite(valid, name, reader, faults) for name in _CHECK_FIELDS}
    if not suites["hidden_checks"].source.strip():
        faults.append(valid.error("the field 'hidden_checks' is blank"))
    if values.entry_point and not any(may_define(text, values.entry_point) for text in _programs(values)):
        faults.append(valid.error(f"the field 'entry_point': nothing in the program is called {values.entry_point!r}"))
    if not all(part.isidentifier() and not keyword.iskeyword(part) for part in values.module.split(".")):
        faults.append(valid.error(f"the field 'module': nothing can be imported by the name {values.module!r}"))
    if len(faults) > before:
        return None
    task = Task(
        id=values.task_id,
        source=values.program,
        entry_point=values.entry_point,
        suite=suites["visible_checks"],
        statement=values.statement,
        module=values.module,
    )
    extra = suites["extra_checks"] if suites["extra_checks"].source.strip() else None
    return Case(task, suites["hidden_checks"], values.reference, extra, labels=dict(values.labels))


def _programs(values: TaskRow) -> list[str]:
    """The program and the reference: the bug may be that the program lacks the entry point."""
    return [text for text in (values.program, values.reference) if text]


def _suite(valid: _ValidRow, name: str, reader: SuiteReader, faults: list[TaskError]) -> Suite:
    """The suite of one field; statements that are cut off or no Python become faults."""
    values = valid.values
    given: str | list[str] = getattr(values, name)
    texts = [given] if isinstance(given, str) else given
    text = "\n".join(texts)
    origin = f"{values.task_id} ({name})"
    if not text.strip():
        return Suite(SuiteKind.SCRIPT, "", (), origin=origin)
    if broken := [
        f"{_item(given, place)}{part}" for place, item in enumerate(texts) for part in broken_statements(item)
    ]:
        faults.extend(valid.error(f"the field {name!r}: {part}") for part in broken)
        return Suite(SuiteKind.SCRIPT, text, (), origin=origin)
    try:
        asked = {"program": values.program, "module": values.module, "entry_point": values.entry_point}
        return reader(text, **asked, origin=origin)  # type: ignore[arg-type]
    except TaskError as error:
        faults.append(valid.error(f"the field {name!r} cannot be read as checks: {str(error).rstrip('.')}"))
        return Suite(SuiteKind.SCRIPT, text, (), origin=origin)


def _item(given: str | list[str], place: int) -> str:
    return "" if isinstance(given, str) else f"item {place + 1}, "


def _joined_fault(path: Path, faults: list[TaskError]) -> TaskError:
    if len(faults) == 1:
        return faults[0]
    shown = "\n".join(f"  {fault}" for fault in faults[:_MAX_FAULTS_NAMED])
    more = f"\n  and {len(faults) - _MAX_FAULTS_NAMED} more" if len(faults) > _MAX_FAULTS_NAMED else ""
    return TaskError(
        f"{path} has {len(faults)} faults:\n{shown}{more}\n",
        remedy="Mend these rows; `regreen datasets schema` prints what a row may hold.",
    )
