"""Does a search ever wait for a second screener that is only being started?"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, cast

from regreen.verify.screener import Screener
from regreen.verify.screener_pool import ScreenerPool
from regreen.verify.screening import Edits, ScreeningLimits, ScreeningResult

_MUTATIONS = cast("list[Edits]", list(range(200)))
_LIMITS = ScreeningLimits(seconds=1.0, ticks=1, late_seconds=1.0, late_ticks=1)
_SECONDS = 30.0


class _Screener:
    """Answers at once, and is ready when it is let."""

    def __init__(self, *, is_ready: bool, fails: bool = False) -> None:
        self.may_start = threading.Event()
        self.asked: list[Any] = []
        self.fails = fails
        if is_ready:
            self.may_start.set()

    def prepare(self) -> None:
        assert self.may_start.wait(_SECONDS)
        if self.fails:
            raise RuntimeError("no server could be started")

    def screen(self, mutations: Sequence[Any], *_: object) -> list[ScreeningResult]:
        self.asked += mutations
        return [ScreeningResult("failed", distance=mutation) for mutation in mutations]


def _team(screeners: Sequence[_Screener], threads: ThreadPoolExecutor) -> ScreenerPool:
    pool = SimpleNamespace(has_idle_server=True)
    return ScreenerPool(cast("Any", pool), cast("Sequence[Screener]", screeners), threads)


def _screened(team: ScreenerPool) -> list[float]:
    return [result.distance for result in team.screen(_MUTATIONS, frozenset(), _LIMITS)]


def test_the_first_screener_takes_all_until_the_others_are_ready() -> None:
    """None of its answers waits, and afterwards they share."""
    first, other = _Screener(is_ready=True), _Screener(is_ready=False)
    with ThreadPoolExecutor(2) as threads:
        team = _team([first, other], threads)
        assert _screened(team) == _MUTATIONS
        assert not other.asked
        other.may_start.set()
        for preparing in team._preparing:
            preparing.result(_SECONDS)
        first.asked.clear()
        assert _screened(team) == _MUTATIONS
    assert sorted(first.asked + other.asked) == _MUTATIONS
    assert first.asked
    assert other.asked


def test_a_screener_that_could_not_be_prepared_is_asked_all_the_same() -> None:
    """It is where it works that its fault is told."""
    first, other = _Screener(is_ready=True), _Screener(is_ready=True, fails=True)
    with ThreadPoolExecutor(2) as threads:
        team = _team([first, other], threads)
        _screened(team)
        for preparing in team._preparing:
            preparing.exception(_SECONDS)
        assert _screened(team) == _MUTATIONS
    assert other.asked
