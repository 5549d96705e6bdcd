"""HumanEvalFix (OctoPack): buggy functions with their official tests, read from the published rows.

As upstream runs them, the tests follow the program in the same file, so they may use its helpers and its imports.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from regreen.errors import TaskError
from regreen.tasks.dataset import SuiteReader
from regreen.tasks.entry_point import may_define
from regreen.tasks.hub import HubFile
from regreen.tasks.rows import DatasetRow, rows_by_task
from regreen.types import Case, Suite, SuiteKind, Task

_ID_PREFIX = "humanevalfix/"
_MODULE = "program"
PUBLISHED = HubFile(
    "bigcode/humanevalpack", ("python/test-00000-of-00001.parquet", "data/python/data/humanevalpack.jsonl")
)


def load(path: Path, reader: SuiteReader, *, only: Collection[str] | None = None) -> tuple[Case, ...]:
    """The cases of the file, in its order; with `only`, those with these ids.

    Raises TaskError naming the row and field that cannot be used.
    """
    rows = rows_by_task(path)
    if not rows:
        raise TaskError(f"the data set {path} holds no rows.", remedy="Fetch it again.")
    return tuple(_case(row, reader) for name, row in rows.items() if only is None or _ID_PREFIX + name in only)


def _case(row: DatasetRow, reader: SuiteReader) -> Case:
    declaration = row.filled("declaration")
    program = declaration + row.filled("buggy_solution")
    reference = declaration + row.filled("canonical_solution")
    name = row.filled("entry_point")
    if not (may_define(program, name) or may_define(reference, name)):
        raise row.error(f"the field 'entry_point': nothing in the program is called {name!r}")
    task = Task(
        id=_ID_PREFIX + row.filled("task_id"),
        source=program,
        entry_point=name,
        module=_MODULE,
        suite=_suite(row, "example_test", _own_part(row.text("example_test", default="")), program, reader),
        statement=row.text("docstring", default="") or row.text("text", default=""),
    )
    return Case(
        task,
        hidden=_suite(row, "test", row.filled("test"), program, reader),
        reference=reference,
        labels={label: row.text(label) for label in ("bug_type", "failure_symptoms") if row.fields.get(label)},
    )


def _suite(row: DatasetRow, name: str, text: str, program: str, reader: SuiteReader) -> Suite:
    """The suite of one field with this text; a suite without checks where it is blank."""
    origin = f"{row.fields['task_id']} ({name})"
    if not text.strip():
        return Suite(SuiteKind.SCRIPT, text, (), origin=origin)
    try:
        return reader(text, program=program, module=_MODULE, entry_point=row.filled("entry_point"), origin=origin)
    except TaskError as error:
        raise row.error(f"the field {name!r} cannot be read as checks: {error}") from error


def _own_part(text: str) -> str:
    """The text without indented lines at its start, which continue the program's last block; lines keep their numbers.

    The published data has such an example: it parses only where it follows the program.
    """
    lines = text.split("\n")
    own = next((number for number, line in enumerate(lines) if line[:1].strip()), len(lines))
    return "\n" * own + "\n".join(lines[own:])
