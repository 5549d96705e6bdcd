"""Cases that are written as Harbor tasks, and read back."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from shipped_cases import by_id

from regreen.errors import TaskError
from regreen.tasks import harbor
from regreen.tasks.harbor_tasks import write_harbor_tasks
from regreen.types import Case, SuiteKind
from regreen.verify.suites import read_suite


@pytest.fixture
def cases() -> list[Case]:
    return list(by_id().values())[:3]


def test_what_is_written_is_read_back(cases: list[Case], tmp_path: Path) -> None:
    """Program, checks, words and reference are the case's own."""
    names, skipped = write_harbor_tasks(cases, tmp_path / "tasks")
    read = harbor.load(tmp_path / "tasks", read_suite).cases
    assert (len(names), skipped) == (3, ())
    assert {case.task.source for case in read} == {case.task.source for case in cases}
    assert {case.reference for case in read} == {case.reference for case in cases}
    assert {len(case.hidden.checks) for case in read} == {len(case.hidden.checks) for case in cases}


def test_a_task_has_what_harbor_needs(cases: list[Case], tmp_path: Path) -> None:
    """A configuration that parses, a container that holds the program and its tests, scripts that are bash."""
    (name, *_), _ = write_harbor_tasks(cases, tmp_path / "tasks")
    folder = tmp_path / "tasks" / name
    assert tomllib.loads((folder / "task.toml").read_text())["metadata"]["dataset_task"] == cases[0].task.id
    assert "COPY program.py test_program.py pytest.ini /app/" in (folder / "environment/Dockerfile").read_text()
    assert "def test_all():\n    assert " in (folder / "environment/test_program.py").read_text()
    assert (folder / "tests/test.sh").read_text().startswith("#!/bin/bash\n")


def test_other_suites_are_skipped_and_no_folder_is_written_over(cases: list[Case], tmp_path: Path) -> None:
    """With the reason."""
    unfit = replace(cases[0], hidden=replace(cases[0].hidden, kind=SuiteKind.PYTEST))
    names, (skipped,) = write_harbor_tasks([unfit], tmp_path / "tasks")
    assert (names, skipped.name) == ((), cases[0].task.id)
    with pytest.raises(TaskError, match="cannot be written"):
        write_harbor_tasks(cases, tmp_path / "tasks")
