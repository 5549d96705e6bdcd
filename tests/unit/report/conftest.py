"""Runs to report on: made up, written to a folder of the test's own."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from regreen.report.run_reader import Run, read_run

MAKER = Path(__file__).parents[2] / "browser" / "made_runs.py"
FolderOf = Callable[..., Path]


@pytest.fixture(scope="session")
def made() -> SimpleNamespace:
    """The functions that make up runs."""
    return SimpleNamespace(**runpy.run_path(str(MAKER)))


@pytest.fixture
def folder_of(tmp_path: Path, made: SimpleNamespace) -> FolderOf:
    """Writes lines into a run folder of the name that is given."""

    def written(lines: Iterable[dict[str, Any]], name: str = "run", header: dict[str, Any] | None = None) -> Path:
        folder: Path = made.write_run(tmp_path / name, lines, header)
        return folder

    return written


@pytest.fixture
def run_of(folder_of: FolderOf) -> Callable[..., Run]:
    """Writes lines and reads them as a run."""

    def read(lines: Iterable[dict[str, Any]], name: str = "run", header: dict[str, Any] | None = None) -> Run:
        return read_run(folder_of(lines, name, header))

    return read


@pytest.fixture
def line_of() -> Callable[..., dict[str, Any]]:
    """The least that a line holds, and what is given."""

    def line(task: str = "a", outcome: str = "fixed", **fields: Any) -> dict[str, Any]:
        least = {"schema": 1, "task_id": task, "sample": 0, "outcome": outcome, "dataset": "shelf", "feedback": "all"}
        made: dict[str, Any] = json.loads(json.dumps(least | {"strategy": "reflect", "model": "m", **fields}))
        return made

    return line
