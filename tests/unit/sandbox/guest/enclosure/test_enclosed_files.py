"""The parts of the enclosure that deal with paths."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.sandbox.guest.enclosure.mounts import outermost
from regreen.sandbox.guest.enclosure.scratch import clear_folder
from regreen.sandbox.guest.enclosure.system_calls import EnclosureError

paths = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts))


@given(st.lists(paths, max_size=8))
def test_every_path_stays_visible_and_none_is_shown_twice(wanted: list[str]) -> None:
    """What is dropped lies below what is kept."""
    kept = outermost(wanted)
    assert set(kept) <= set(wanted)
    for path in wanted:
        assert sum(path == outer or path.startswith(f"{outer}/") for outer in kept) == 1


@pytest.mark.parametrize("path", ["/", "/proc", "/sys", "/dev", "/run", "a/b", "/a/../b", "/a//b", "/a/", ""])
def test_paths_that_would_let_the_host_in_are_refused(path: str) -> None:
    """And those that are not written plainly, which could mean anything."""
    with pytest.raises(EnclosureError, match="cannot be made readable"):
        outermost([path])


def test_a_folder_is_emptied_whatever_was_left_in_it(tmp_path: Path) -> None:
    """Depth, missing rights, links and pipes do not stop it."""
    scratch, outside = tmp_path / "scratch", tmp_path / "outside"
    scratch.mkdir()
    outside.mkdir()
    (outside / "kept").write_text("x")
    (scratch / "door").symlink_to(outside)
    (scratch / "pin").symlink_to(outside / "kept")
    (scratch / "dangling").symlink_to("nowhere")
    os.mkfifo(scratch / "pipe")
    locked = scratch / "locked"
    (locked / "below" / "more").mkdir(parents=True)
    (locked / "below" / "file").write_text("x")
    (locked / "below").chmod(0)
    locked.chmod(0)
    here = Path.cwd()
    try:
        os.chdir(scratch)
        for _ in range(400):
            Path("deeper-and-deeper").mkdir()
            os.chdir("deeper-and-deeper")
    finally:
        os.chdir(here)
    clear_folder(str(scratch))
    assert list(scratch.iterdir()) == []
    assert (outside / "kept").read_text() == "x"
