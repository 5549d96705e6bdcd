"""Least recently used and least frequently used."""

from __future__ import annotations

from collections import OrderedDict

from .base import BaseCache


class LRUCache(BaseCache):
    """The key whose last use is longest ago goes first."""

    def __init__(self, maxsize, **options):
        super().__init__(maxsize, **options)
        self._order: OrderedDict = OrderedDict()

    def _victim(self):
        return next(iter(self._order))

    def _touched(self, key):
        self._order.move_to_end(key)

    def _inserted(self, key):
        self._order[key] = None

    def _forgotten(self, key):
        del self._order[key]

    def __iter__(self):
        """From the least to the most recently used."""
        return iter(list(self._order))


class LFUCache(BaseCache):
    """The key with the fewest uses goes first, of several the oldest in that class."""

    def __init__(self, maxsize, **options):
        super().__init__(maxsize, **options)
        self._uses: dict = {}
        self._classes: dict[int, OrderedDict] = {}
        self._least = 0

    def uses(self, key) -> int:
        return self._uses.get(key, 0)

    def _victim(self):
        if self._least not in self._classes:
            self._least = min(self._classes)
        return next(iter(self._classes[self._least]))

    def _leave_class(self, key):
        uses = self._uses[key]
        members = self._classes[uses]
        del members[key]
        if not members:
            del self._classes[uses]
        return uses

    def _join_class(self, key, uses):
        self._uses[key] = uses
        self._classes.setdefault(uses, OrderedDict())[key] = None

    def _touched(self, key):
        self._join_class(key, self._leave_class(key) + 1)

    def _inserted(self, key):
        self._join_class(key, 1)
        self._least = 1

    def _forgotten(self, key):
        self._leave_class(key)
        del self._uses[key]

    def age(self) -> None:
        """Halve all counts, so that old favourites can go."""
        keys = [key for uses in sorted(self._classes) for key in self._classes[uses]]
        counts = {key: max(1, self._uses[key] // 2) for key in keys}
        self._classes.clear()
        for key in keys:
            self._join_class(key, counts[key])
        self._least = min(self._classes, default=0)
