"""A change of a project's files is noticed, once it has ended; what tests may not see is no change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from regreen.tasks.file_stamps import file_stamps, stamp_of, wait_for_change


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two files, one of them hidden."""
    folder = tmp_path / "desk"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git/index").write_text("1", encoding="utf-8")
    (folder / "a.py").write_text("x = 1\n", encoding="utf-8")
    return folder


def changes(*steps: Callable[[], object]) -> Callable[[float], None]:
    """A pause in which the next step is taken, the last of which has to come."""
    left = list(steps)

    def pause(seconds: float) -> None:
        assert seconds > 0
        if left:
            left.pop(0)()

    return pause


def test_a_change_is_waited_for_until_it_has_ended(project: Path) -> None:
    """An editor's steps are one change, and what is returned is what they lead to."""
    file = project / "a.py"
    steps = [
        lambda: (project / ".git/index").write_text("22", encoding="utf-8"),
        lambda: file.write_text("x = 12\n", encoding="utf-8"),
        lambda: file.write_text("x = 123\n", encoding="utf-8"),
        lambda: (project / "b.py").write_text("", encoding="utf-8"),
    ]
    found = wait_for_change(project, file_stamps(project), pause=changes(*steps))
    assert found == file_stamps(project)
    assert set(found) == {file, project / "b.py"}


@pytest.mark.parametrize("act", [Path.unlink, Path.touch, lambda path: path.rename(path.with_name("c.py"))])
def test_files_that_go_or_are_written_anew_are_changes(project: Path, act: Callable[[Path], object]) -> None:
    """The content does not have to differ."""
    before = file_stamps(project)
    found = wait_for_change(project, before, pause=changes(lambda: act(project / "a.py")))
    assert found != before


def test_a_file_that_is_gone_has_no_stamp(project: Path) -> None:
    """It may go between being listed and being looked at."""
    assert stamp_of(project / "none.py") is None
    assert stamp_of(project / "a.py") is not None
