"""What a server rehearses before it forks."""

from __future__ import annotations

import sys

import pytest

from regreen.sandbox.guest.forking import warm_up


def test_the_rehearsed_checks_come_to_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that failed at its first line would rehearse nothing, and nobody would notice."""
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(sys, stream, getattr(sys, stream))
    monkeypatch.delitem(sys.modules, "program", raising=False)
    results = warm_up._rehearse_live_checks()
    sys.modules.pop("program", None)
    assert {check: result["outcome"] for check, result in results.items()} == {"live": "passed"}
