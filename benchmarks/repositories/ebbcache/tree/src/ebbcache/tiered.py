"""A small fast cache in front of a large slow one."""

from __future__ import annotations

from .base import _MISSING


class TieredCache:
    """Values found in the back are promoted to the front.

    Writes go to both ("through") or reach the back when the front evicts them
    or on ``flush()`` ("back").
    """

    def __init__(self, front, back, write="through"):
        if write not in ("through", "back"):
            raise ValueError(f"unknown write mode {write!r}")
        self.front = front
        self.back = back
        self.write = write
        self._dirty: set = set()
        self._next_hook = front.on_evict
        front.on_evict = self._evicted

    def _evicted(self, key, value):
        if key in self._dirty:
            self._dirty.discard(key)
            self.back[key] = value
        if self._next_hook is not None:
            self._next_hook(key, value)

    def get(self, key, default=None):
        value = self.front.get(key, _MISSING)
        if value is not _MISSING:
            return value
        value = self.back.get(key, _MISSING)
        if value is _MISSING:
            return default
        self.front[key] = value
        return value

    def __getitem__(self, key):
        value = self.get(key, _MISSING)
        if value is _MISSING:
            raise KeyError(key)
        return value

    def __setitem__(self, key, value):
        if self.write == "back":
            self._dirty.add(key)
            self.front[key] = value
            if key not in self.front:
                # the front would not take it
                self._dirty.discard(key)
                self.back[key] = value
        else:
            self.back[key] = value
            self.front[key] = value

    def __delitem__(self, key):
        if key not in self:
            raise KeyError(key)
        self.invalidate(key)

    def __contains__(self, key):
        return key in self.front or key in self.back

    def invalidate(self, key) -> None:
        self._dirty.discard(key)
        self.front.pop(key, None)
        self.back.pop(key, None)

    def flush(self) -> int:
        """Write what is only in the front to the back; says how many."""
        count = 0
        for key in list(self._dirty):
            value = self.front.peek(key, _MISSING)
            if value is not _MISSING:
                self.back[key] = value
                count += 1
        self._dirty.clear()
        return count

    @property
    def stats(self):
        """Hits in either; a miss is a miss in both."""
        total = self.front.stats + self.back.stats
        total.misses = self.back.stats.misses
        return total
