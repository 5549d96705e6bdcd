"""pytest's temporary folder is as empty for a program as a session of its own would have it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from regreen.sandbox.guest.runner.pytest_sessions.pytest_runner import empty_scratch


def config_of(folder: Path | None) -> SimpleNamespace:
    """A configuration with as much as is asked of it."""
    return SimpleNamespace(_tmp_path_factory=SimpleNamespace(_basetemp=folder))


def test_what_earlier_runs_left_is_gone_and_what_they_point_to_is_not(tmp_path: Path) -> None:
    """Folders and links; the lock is pytest's own."""
    folder, elsewhere = tmp_path / "pytest-0", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    (folder / "test_a0").mkdir(parents=True)
    (folder / "test_a0" / "file").touch()
    (folder / "test_acurrent").symlink_to(elsewhere)
    (folder / ".lock").touch()
    empty_scratch(config_of(folder))
    assert [entry.name for entry in folder.iterdir()] == [".lock"]
    assert (elsewhere / "kept").exists()


def test_a_folder_that_an_earlier_program_removed_is_there_again(tmp_path: Path) -> None:
    """Nothing of one candidate reaches the next."""
    empty_scratch(config_of(tmp_path / "pytest-0"))
    assert (tmp_path / "pytest-0").is_dir()


def test_where_no_test_wanted_a_folder_none_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pytest makes it when it is first asked for; without its plugin there is not even a factory."""
    monkeypatch.chdir(tmp_path)
    empty_scratch(config_of(None))
    empty_scratch(SimpleNamespace())
    assert [*tmp_path.iterdir()] == []
