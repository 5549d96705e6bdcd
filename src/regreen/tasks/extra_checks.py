"""Extra checks from a separate file, which tell a robust repair from one that only fits the tests."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from regreen.errors import TaskError
from regreen.tasks.dataset import SuiteReader
from regreen.tasks.rows import DatasetRow, rows_by_task
from regreen.types import Case

_FIELD = "extra_tests"


def add_extra_checks(
    cases: tuple[Case, ...], path: Path, reader: SuiteReader, *, dataset: str, known: Collection[str]
) -> tuple[Case, ...]:
    """The cases with the checks that a file of rows `{task_id, extra_tests}` holds for them.

    An id may be written with or without the data set's name before it; `known` are the ids of the whole data set.
    Raises TaskError naming the row that cannot be used, or when no row is for this data set.
    """
    further = {name if name in known else f"{dataset}/{name}": row for name, row in rows_by_task(path).items()}
    if not further.keys() & set(known):
        raise TaskError(f"{path} holds no checks for any task of {dataset}.", remedy="Give those that belong to it.")
    return tuple(
        _with_extra(case, further[case.task.id], reader) if case.task.id in further else case for case in cases
    )


def _with_extra(case: Case, row: DatasetRow, reader: SuiteReader) -> Case:
    task = case.task
    if "entry_point" in row.fields and row.filled("entry_point") != task.entry_point:
        raise row.error(f"its entry_point is not that of the data set, {task.entry_point!r}")
    text = row.filled(_FIELD)
    try:
        suite = reader(
            text,
            program=task.source,
            module=task.module,
            entry_point=task.entry_point,
            origin=f"{row.filled('task_id')} ({_FIELD})",
        )
    except TaskError as error:
        raise row.error(f"the field {_FIELD!r} cannot be read as checks: {error}") from error
    return replace(case, extra=suite)
