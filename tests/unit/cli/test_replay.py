"""`regreen replay`: which folders it takes, and why it refuses the others before anything runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from regreen.evaluate.provenance import header_with, write_header
from regreen.evaluate.result_log import RESULTS

Regreen = Callable[..., Any]


@pytest.fixture
def recorded(tmp_path: Path) -> Callable[..., Path]:
    """Writes a run's folder with these settings and this results file."""

    def write(results: str, **settings: Any) -> Path:
        header = header_with({"dataset": "bundled", **settings}, [], protocol=None, started="2020-01-01")
        write_header(tmp_path, header)
        (tmp_path / RESULTS).write_text(results)
        return tmp_path

    return write


def test_programs_that_were_only_judged_have_nothing_to_replay(regreen: Regreen, recorded: Callable[..., Path]) -> None:
    """The command that made the folder is named."""
    ran = regreen("replay", recorded("", command="judge"))
    assert ran.status == 2
    assert "holds a run of `regreen judge`, and not of `regreen eval`" in ran.err


@pytest.mark.parametrize("results", ["", '{"schema":1,"task_id":"bundled/hex'])
def test_a_run_without_a_decided_sample_is_not_said_to_agree(
    regreen: Regreen, recorded: Callable[..., Path], results: str
) -> None:
    """One that was killed during its first line, for one."""
    ran = regreen("replay", recorded(results))
    assert (ran.status, ran.out) == (2, "")
    assert "holds no decided sample to compare with. Let the run come to an end" in ran.err


def test_a_folder_of_another_kind_is_refused(regreen: Regreen, tmp_path: Path) -> None:
    """With what its run.json lacks."""
    assert "holds no run: there is no run.json" in regreen("replay", tmp_path).err
    (tmp_path / "run.json").write_text(json.dumps({"name": "another tool's"}))
    ran = regreen("replay", tmp_path)
    assert (ran.status, "cannot be read: it has no 'started'" in ran.err) == (2, True)
