"""Clocks. All times are seconds as a float."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time


class MonotonicClock:
    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    async def sleep_async(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class FakeClock:
    """A clock that moves only when told to, and calls what was scheduled on its way."""

    def __init__(self, start: float = 0.0):
        self._now = float(start)
        self._order = itertools.count()
        self._scheduled: list = []
        self.sleeps: list[float] = []

    def now(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError("time does not run backwards")
        target = self._now + seconds
        while self._scheduled and self._scheduled[0][0] <= target:
            moment, _, action = heapq.heappop(self._scheduled)
            self._now = moment
            action()
        self._now = target

    def call_at(self, moment: float, action) -> None:
        heapq.heappush(self._scheduled, (max(moment, self._now), next(self._order), action))

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.advance(seconds)

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)
        await asyncio.sleep(0)


DEFAULT = MonotonicClock()
