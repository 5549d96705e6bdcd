"""Replies as models write them, saved: each folder is named for what must come of the replies in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from regreen.propose.reply import ReplyFault, ReplyFaultKind, ReplyProgram, read_reply
from regreen.types import Suite, SuiteKind, Task

SAVED = Path(__file__).parent / "saved"
PROGRAM = (SAVED / "program.txt").read_text(encoding="utf-8")
REPAIRS = {"fixed": "total", "method_fixed": "take"}


def replies(*folders: str) -> list[str]:
    """The saved replies in some folders, as "folder/name"."""
    return sorted(path.relative_to(SAVED).as_posix() for folder in folders for path in (SAVED / folder).glob("*.md"))


def read(name: str) -> ReplyProgram | ReplyFault:
    """What comes of a saved reply."""
    entry_point = REPAIRS.get(name.partition("/")[0], "total")
    task = Task("shop", PROGRAM, entry_point, Suite(SuiteKind.SCRIPT, "", ()), module="shop")
    return read_reply((SAVED / name).read_text(encoding="utf-8"), task)


@pytest.mark.parametrize("name", replies(*REPAIRS))
def test_a_repair_is_taken_however_it_is_written(name: str) -> None:
    """The program with one line changed comes out, byte for byte, whatever the function was dressed in."""
    found = read(name)
    assert isinstance(found, ReplyProgram), found
    assert found.source == (SAVED / f"{name.partition('/')[0]}.txt").read_text(encoding="utf-8")
    assert found.names == (("total",) if name.startswith("fixed") else ("Till.take",))


@pytest.mark.parametrize("name", replies(*(kind.value for kind in ReplyFaultKind)))
def test_a_reply_without_a_program_is_refused_by_name(name: str) -> None:
    """The fault is that of the folder, and says something that a model can act on."""
    found = read(name)
    assert isinstance(found, ReplyFault), found
    assert found.kind == name.partition("/")[0]
    assert len(found.detail.split()) > 3


def test_every_saved_reply_is_read() -> None:
    """No folder is forgotten, and most kinds of faults have a reply of their own."""
    folders = {path.name for path in SAVED.iterdir() if path.is_dir()}
    assert folders <= {*REPAIRS, *ReplyFaultKind}
    assert set(ReplyFaultKind) - folders == {ReplyFaultKind.TOO_LONG, ReplyFaultKind.AMBIGUOUS}
