"""Values that expire."""

from __future__ import annotations

import heapq
import itertools

from . import clock as clocks
from .lru import LRUCache


class TTLCache(LRUCache):
    """An LRU cache whose values live ``ttl`` seconds.

    With ``sliding`` each access starts the time anew. ``set()`` takes a ttl of
    its own for one value; None means for ever.
    """

    def __init__(self, maxsize, ttl, clock=clocks.DEFAULT, sliding=False, on_expire=None, **options):
        super().__init__(maxsize, **options)
        if ttl is not None and ttl <= 0:
            raise ValueError("ttl must be positive")
        self.ttl = ttl
        self.clock = clock
        self.sliding = sliding
        self.on_expire = on_expire
        self._deadlines: dict = {}
        self._ttls: dict = {}
        # (deadline, number, key); entries that were overtaken stay behind
        self._heap: list = []
        self._numbers = itertools.count()

    def _schedule(self, key, ttl):
        self._ttls[key] = ttl
        if ttl is None:
            self._deadlines[key] = None
            return
        deadline = self.clock.now() + ttl
        self._deadlines[key] = deadline
        heapq.heappush(self._heap, (deadline, next(self._numbers), key))
        if len(self._heap) > 64 and len(self._heap) > 4 * len(self._data):
            self._rebuild_heap()

    def _rebuild_heap(self):
        self._heap = [
            (deadline, next(self._numbers), key)
            for key, deadline in self._deadlines.items()
            if deadline is not None
        ]
        heapq.heapify(self._heap)

    def expire(self) -> int:
        """Remove what is due; says how many."""
        now = self.clock.now()
        removed = 0
        while self._heap and self._heap[0][0] <= now:
            deadline, _, key = heapq.heappop(self._heap)
            if self._deadlines.get(key) != deadline:
                continue
            value = self._remove(key)
            self.stats.expirations += 1
            removed += 1
            if self.on_expire is not None:
                self.on_expire(key, value)
        return removed

    def set(self, key, value, ttl):
        if ttl is not None and ttl <= 0:
            raise ValueError("ttl must be positive")
        self[key] = value
        if key in self._data:
            self._schedule(key, ttl)

    def remaining(self, key):
        """Seconds left; None for ever. KeyError if not there."""
        self.expire()
        deadline = self._deadlines[key]
        return None if deadline is None else deadline - self.clock.now()

    def touch(self, key) -> bool:
        """Start the value's time anew; says whether it was there."""
        self.expire()
        if key not in self._data:
            return False
        self._schedule(key, self._ttls[key])
        return True

    def _forgotten(self, key):
        super()._forgotten(key)
        self._deadlines.pop(key, None)
        self._ttls.pop(key, None)

    def __getitem__(self, key):
        self.expire()
        value = super().__getitem__(key)
        if self.sliding:
            self._schedule(key, self._ttls[key])
        return value

    def __setitem__(self, key, value):
        # what is due must not push out what is not
        self.expire()
        super().__setitem__(key, value)
        if key in self._data:
            self._schedule(key, self.ttl)

    def __delitem__(self, key):
        self.expire()
        super().__delitem__(key)

    def __contains__(self, key):
        self.expire()
        return super().__contains__(key)

    def __len__(self):
        self.expire()
        return super().__len__()

    def __iter__(self):
        self.expire()
        return super().__iter__()

    def peek(self, key, default=None):
        self.expire()
        return super().peek(key, default)

    def clear(self):
        super().clear()
        self._heap.clear()
