"""What a server rehearses before it forks."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from regreen.sandbox.guest.forking import warm_up


@pytest.fixture(autouse=True)
def this_process_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is rehearsed takes the streams, and enters its program among the modules."""
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(sys, stream, getattr(sys, stream))
    monkeypatch.delitem(sys.modules, "program", raising=False)
    yield
    sys.modules.pop("program", None)


@pytest.mark.parametrize("source", warm_up._PROGRAMS)
def test_a_rehearsed_guest_answers_every_request(source: str) -> None:
    """One that ended early would leave what comes after it unrehearsed, and nobody would notice."""
    left, kinds = warm_up._rehearse_guest(source), []
    while left:
        end = 4 + int.from_bytes(left[:4], "little")
        kinds.append(left[4:5])
        left = left[end:]
    assert len(kinds) == 8
    assert kinds[:2] != [b"E", b"E"]
    assert kinds.count(b"J") >= 3


def test_the_rehearsed_checks_come_to_their_end() -> None:
    """A check that failed at its first line would rehearse nothing, and nobody would notice."""
    results = warm_up._rehearse_live_checks()
    assert {check: result["outcome"] for check, result in results.items()} == {"live": "passed"}
