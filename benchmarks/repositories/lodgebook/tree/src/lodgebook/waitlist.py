"""Guests that wait for a room."""
from dataclasses import dataclass
from itertools import count

from .dates import DateRange


@dataclass(frozen=True)
class Wish:
    number: int
    guest: str
    nights: DateRange
    guests: int = 1
    kind: str = None
    vip: bool = False


class WaitList:
    def __init__(self):
        self._numbers = count(1)
        self._wishes = []

    def add(self, guest, nights, guests=1, kind=None, vip=False):
        wish = Wish(next(self._numbers), guest, nights, guests, kind, vip)
        self._wishes.append(wish)
        return wish

    def __len__(self):
        return len(self._wishes)

    def __iter__(self):
        """VIPs first, then by order of arrival."""
        return iter(sorted(self._wishes, key=lambda w: (not w.vip, w.number)))

    def remove(self, wish):
        self._wishes.remove(wish)

    def forget(self, guest):
        """Drop all wishes of a guest; returns how many."""
        before = len(self._wishes)
        self._wishes = [w for w in self._wishes if w.guest != guest]
        return before - len(self._wishes)

    def drop_past(self, today):
        for wish in list(self._wishes):
            if wish.nights.start < today:
                self._wishes.remove(wish)
