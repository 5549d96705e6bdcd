"""Rate limiters. try_acquire() never waits, acquire() does, wait_time() only tells."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections import OrderedDict, deque

from . import clock as clocks


class RateLimited(Exception):
    def __init__(self, retry_after: float):
        self.retry_after = retry_after
        super().__init__(f"rate limited, retry after {retry_after:g} s")


class Limiter:
    """Base: subclasses have ``limit``, ``_take`` and ``wait_time``."""

    limit: float

    def __init__(self, clock=clocks.DEFAULT):
        self.clock = clock

    def wait_time(self, amount=1) -> float:
        raise NotImplementedError

    def _take(self, amount) -> None:
        raise NotImplementedError

    def _check(self, amount):
        if amount <= 0:
            raise ValueError("the amount must be positive")
        if amount > self.limit:
            raise ValueError(f"{amount} can never be had, the limit is {self.limit}")

    def try_acquire(self, amount=1) -> bool:
        self._check(amount)
        if self.wait_time(amount) > 0:
            return False
        self._take(amount)
        return True

    def acquire(self, amount=1, timeout=None) -> bool:
        self._check(amount)
        deadline = None if timeout is None else self.clock.now() + timeout
        while not self.try_acquire(amount):
            wait = self.wait_time(amount)
            if deadline is not None and self.clock.now() + wait > deadline:
                return False
            self.clock.sleep(wait)
        return True

    async def acquire_async(self, amount=1) -> None:
        self._check(amount)
        while not self.try_acquire(amount):
            await self.clock.sleep_async(self.wait_time(amount))

    def require(self, amount=1) -> None:
        """Like try_acquire, but RateLimited where that says False."""
        if not self.try_acquire(amount):
            raise RateLimited(self.wait_time(amount))

    def limits(self, function):
        """Decorator: each call takes one."""
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def async_wrapper(*args, **kwargs):
                await self.acquire_async()
                return await function(*args, **kwargs)

            return async_wrapper

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            self.acquire()
            return function(*args, **kwargs)

        return wrapper


class TokenBucket(Limiter):
    """``rate`` tokens a second come in, up to ``capacity``."""

    def __init__(self, rate, capacity, clock=clocks.DEFAULT, initial=None):
        super().__init__(clock)
        if rate <= 0 or capacity <= 0:
            raise ValueError("rate and capacity must be positive")
        self.rate = rate
        self.limit = capacity
        self._tokens = float(capacity if initial is None else initial)
        self._updated = clock.now()

    def _refill(self):
        now = self.clock.now()
        self._tokens = min(self.limit, self._tokens + (now - self._updated) * self.rate)
        self._updated = now

    @property
    def tokens(self) -> float:
        self._refill()
        return self._tokens

    def wait_time(self, amount=1):
        missing = amount - self.tokens
        # rounding must not leave a wait of 1e-16
        return missing / self.rate if missing > 1e-9 else 0.0

    def _take(self, amount):
        self._refill()
        self._tokens = max(0.0, self._tokens - amount)

    def set_rate(self, rate):
        """Change the rate from now on; what came in before stays."""
        if rate <= 0:
            raise ValueError("rate must be positive")
        self._refill()
        self.rate = rate


class SlidingWindow(Limiter):
    """At most ``limit`` within any ``period`` seconds."""

    def __init__(self, limit, period, clock=clocks.DEFAULT):
        super().__init__(clock)
        self.limit = limit
        self.period = period
        self._taken: deque = deque()
        self._sum = 0

    def _drop_old(self):
        horizon = self.clock.now() - self.period
        while self._taken and self._taken[0][0] <= horizon:
            self._sum -= self._taken.popleft()[1]

    @property
    def used(self):
        self._drop_old()
        return self._sum

    def wait_time(self, amount=1):
        missing = amount - (self.limit - self.used)
        if missing <= 0:
            return 0.0
        for moment, taken in self._taken:
            missing -= taken
            if missing <= 0:
                return moment + self.period - self.clock.now()
        raise ValueError(f"{amount} can never be had, the limit is {self.limit}")

    def _take(self, amount):
        self._taken.append((self.clock.now(), amount))
        self._sum += amount


class FixedWindow(Limiter):
    """At most ``limit`` in each period; periods start at multiples of it."""

    def __init__(self, limit, period, clock=clocks.DEFAULT):
        super().__init__(clock)
        self.limit = limit
        self.period = period
        self._window = self._current()
        self._used = 0

    def _current(self):
        return int(self.clock.now() // self.period)

    @property
    def used(self):
        current = self._current()
        if current != self._window:
            self._window = current
            self._used = 0
        return self._used

    def wait_time(self, amount=1):
        if self.used + amount <= self.limit:
            return 0.0
        return (self._current() + 1) * self.period - self.clock.now()

    def _take(self, amount):
        self._used = self.used + amount


class KeyedLimiter:
    """One limiter a key, made when first needed; the idlest are forgotten."""

    def __init__(self, factory, max_keys=1000):
        self.factory = factory
        self.max_keys = max_keys
        self._limiters: OrderedDict = OrderedDict()

    def __len__(self):
        return len(self._limiters)

    def limiter(self, key) -> Limiter:
        if key in self._limiters:
            self._limiters.move_to_end(key)
            return self._limiters[key]
        limiter = self._limiters[key] = self.factory()
        while len(self._limiters) > self.max_keys:
            self._limiters.popitem(last=False)
        return limiter

    def try_acquire(self, key, amount=1) -> bool:
        return self.limiter(key).try_acquire(amount)

    def require(self, key, amount=1) -> None:
        self.limiter(key).require(amount)

    def try_acquire_all(self, keys, amount=1) -> bool:
        """From all keys or from none."""
        limiters = [self.limiter(key) for key in dict.fromkeys(keys)]
        for limiter in limiters:
            limiter._check(amount)
        if any(limiter.wait_time(amount) > 0 for limiter in limiters):
            return False
        for limiter in limiters:
            limiter._take(amount)
        return True

    def reset(self, key=None) -> None:
        if key is None:
            self._limiters.clear()
        else:
            self._limiters.pop(key, None)
