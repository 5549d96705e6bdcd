"""Counting windows."""
from collections import deque

from .base import Limiter


class FixedWindow(Limiter):
    """At most ``limit`` per period, periods starting at multiples of it."""

    def __init__(self, limit, period, clock=None):
        super().__init__(clock)
        if limit < 1 or period <= 0:
            raise ValueError("limit and period must be positive")
        self.limit_per_period = limit
        self.period = period
        self._index = None
        self._count = 0

    def _roll(self):
        index = int(self.clock.now() // self.period)
        if index != self._index:
            self._index = index
            self._count = 0

    @property
    def remaining(self):
        self._roll()
        return self.limit_per_period - self._count

    def wait_time(self, n=1):
        if n > self.limit_per_period:
            raise ValueError("%d is more than the limit" % n)
        if n <= self.remaining:
            return 0.0
        return (self._index + 1) * self.period - self.clock.now()

    def _take(self, n):
        self._roll()
        self._count += n


class SlidingWindow(Limiter):
    """At most ``limit`` in any ``period`` seconds."""

    def __init__(self, limit, period, clock=None):
        super().__init__(clock)
        if limit < 1 or period <= 0:
            raise ValueError("limit and period must be positive")
        self.limit_per_period = limit
        self.period = period
        self._taken = deque()
        self._total = 0

    def _prune(self):
        now = self.clock.now()
        while self._taken and self._taken[0][0] + self.period <= now:
            _, n = self._taken.popleft()
            self._total -= n

    @property
    def remaining(self):
        self._prune()
        return self.limit_per_period - self._total

    def wait_time(self, n=1):
        if n > self.limit_per_period:
            raise ValueError("%d is more than the limit" % n)
        missing = n - self.remaining
        if missing <= 0:
            return 0.0
        for at, count in self._taken:
            missing -= count
            if missing <= 0:
                return at + self.period - self.clock.now()
        raise AssertionError("unreachable")

    def _take(self, n):
        self._taken.append((self.clock.now(), n))
        self._total += n

    def reset(self):
        self._taken.clear()
        self._total = 0
