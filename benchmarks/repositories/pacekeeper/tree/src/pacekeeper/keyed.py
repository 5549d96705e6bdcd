"""One limiter per key."""
from collections import OrderedDict

from .clock import SystemClock


class KeyedLimiter:
    """Makes limiters on demand; ``factory(clock)`` builds one.

    Keys unused for ``idle`` seconds are dropped, and the least recently
    used ones when there are more than ``max_keys``.
    """

    def __init__(self, factory, clock=None, idle=None, max_keys=None):
        self.factory = factory
        self.clock = SystemClock() if clock is None else clock
        self.idle = idle
        self.max_keys = max_keys
        self._limiters = OrderedDict()
        self._overrides = {}

    def override(self, key, factory):
        """Use another factory for one key."""
        self._overrides[key] = factory
        self._limiters.pop(key, None)

    def get(self, key):
        self.sweep()
        if key in self._limiters:
            limiter, _ = self._limiters[key]
        else:
            limiter = self._overrides.get(key, self.factory)(self.clock)
        self._limiters[key] = (limiter, self.clock.now())
        self._limiters.move_to_end(key)
        if self.max_keys is not None:
            while len(self._limiters) > self.max_keys:
                self._limiters.popitem(last=False)
        return limiter

    def sweep(self):
        """Drop idle keys, and say how many."""
        if self.idle is None:
            return 0
        limit = self.clock.now() - self.idle
        stale = [key for key, (_, used) in self._limiters.items() if used < limit]
        for key in stale:
            del self._limiters[key]
        return len(stale)

    def try_acquire(self, key, n=1):
        return self.get(key).try_acquire(n)

    def acquire(self, key, n=1, timeout=None):
        return self.get(key).acquire(n, timeout)

    def check(self, key, n=1):
        self.get(key).check(n)

    def __len__(self):
        return len(self._limiters)

    def __contains__(self, key):
        return key in self._limiters
