"""What all caches have in common."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any, Callable, Hashable

from .stats import Stats

_MISSING = object()


def one(value: Any) -> int:
    return 1


class BaseCache(MutableMapping):
    """A mapping that keeps the weight of its values within ``maxsize``.

    Subclasses say which key has to go (``_victim``), and are told of each
    access (``_touched``), of each new key (``_inserted``) and of each key
    that went (``_forgotten``).
    """

    def __init__(
        self,
        maxsize: float,
        weigh: Callable[[Any], float] = one,
        on_evict: Callable[[Hashable, Any], None] | None = None,
    ):
        if maxsize <= 0:
            raise ValueError("maxsize must be positive")
        self.maxsize = maxsize
        self.weigh = weigh
        self.on_evict = on_evict
        self.stats = Stats()
        self._data: dict[Hashable, Any] = {}
        self._weights: dict[Hashable, float] = {}
        self.weight = 0

    def _victim(self) -> Hashable:
        raise NotImplementedError

    def _touched(self, key: Hashable) -> None:
        pass

    def _inserted(self, key: Hashable) -> None:
        pass

    def _forgotten(self, key: Hashable) -> None:
        pass

    def __getitem__(self, key):
        try:
            value = self._data[key]
        except KeyError:
            self.stats.misses += 1
            return self.__missing__(key)
        self.stats.hits += 1
        self._touched(key)
        return value

    def __missing__(self, key):
        raise KeyError(key)

    def __setitem__(self, key, value):
        weight = self.weigh(value)
        if weight > self.maxsize:
            # too large to keep, and the old value is no longer right
            self.discard(key)
            return
        if key in self._data:
            self.weight += weight - self._weights[key]
            self._data[key] = value
            self._weights[key] = weight
            self._touched(key)
        else:
            while self._data and self.weight + weight > self.maxsize:
                self.evict()
            self._data[key] = value
            self._weights[key] = weight
            self.weight += weight
            self._inserted(key)
        while self.weight > self.maxsize:
            self.evict()

    def __delitem__(self, key):
        if key not in self._data:
            raise KeyError(key)
        self._remove(key)

    def __contains__(self, key):
        return key in self._data

    def __iter__(self):
        return iter(list(self._data))

    def __len__(self):
        return len(self._data)

    def _remove(self, key):
        value = self._data.pop(key)
        self.weight -= self._weights.pop(key)
        self._forgotten(key)
        return value

    def discard(self, key) -> bool:
        """Remove if there; says whether it was."""
        if key not in self._data:
            return False
        self._remove(key)
        return True

    def evict(self) -> Hashable:
        """Remove the key that has to go next, and return it."""
        key = self._victim()
        value = self._remove(key)
        self.stats.evictions += 1
        if self.on_evict is not None:
            self.on_evict(key, value)
        return key

    def peek(self, key, default=None):
        """The value without counting as an access."""
        return self._data.get(key, default)

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def get_or_set(self, key, factory: Callable[[], Any]):
        """The value, made and stored by the factory if there is none."""
        value = self.get(key, _MISSING)
        if value is _MISSING:
            value = factory()
            self[key] = value
        return value

    def pop(self, key, default=_MISSING):
        if key in self:
            return self._remove(key)
        if default is _MISSING:
            raise KeyError(key)
        return default

    def clear(self):
        for key in list(self._data):
            self._remove(key)

    def resize(self, maxsize: float) -> None:
        if maxsize <= 0:
            raise ValueError("maxsize must be positive")
        self.maxsize = maxsize
        while self.weight > self.maxsize:
            self.evict()

    def __repr__(self):
        return f"{type(self).__name__}({len(self)} items, weight {self.weight}/{self.maxsize})"
