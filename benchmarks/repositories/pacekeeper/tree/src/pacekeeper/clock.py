"""Clocks, real and not."""
import asyncio
import heapq
import itertools
import time


class SystemClock:
    def now(self):
        return time.monotonic()

    def sleep(self, seconds):
        if seconds > 0:
            time.sleep(seconds)

    async def asleep(self, seconds):
        await asyncio.sleep(max(0, seconds))


class FakeClock:
    """Moves only when told to, or when somebody sleeps."""

    def __init__(self, start=0.0):
        self._now = float(start)
        self._timers = []
        self._numbers = itertools.count()
        self.sleeps = []

    def now(self):
        return self._now

    def call_at(self, when, callback):
        """Run a callback once the time is reached."""
        timer = [when, next(self._numbers), callback]
        heapq.heappush(self._timers, timer)

        def cancel():
            timer[2] = None

        return cancel

    def call_later(self, delay, callback):
        return self.call_at(self._now + delay, callback)

    def advance(self, seconds):
        """Move on, running the timers that fall due, in order."""
        if seconds < 0:
            raise ValueError("time does not run backwards")
        target = self._now + seconds
        while self._timers and self._timers[0][0] <= target:
            when, _, callback = heapq.heappop(self._timers)
            self._now = max(self._now, when)
            if callback is not None:
                callback()
        self._now = max(self._now, target)

    def sleep(self, seconds):
        self.sleeps.append(seconds)
        if seconds > 0:
            self.advance(seconds)

    async def asleep(self, seconds):
        self.sleep(seconds)
        await asyncio.sleep(0)
