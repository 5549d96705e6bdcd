"""Which room is taken when."""
import bisect

from .dates import DateRange, merge_ranges
from .errors import Unavailable


class Calendar:
    """Taken ranges per room, kept sorted and free of overlaps."""

    def __init__(self):
        self._taken = {}

    def _room(self, room):
        return self._taken.setdefault(room, [])

    def is_free(self, room, nights):
        taken = self._taken.get(room, [])
        at = bisect.bisect_left(taken, nights)
        near = taken[max(at - 1, 0):at + 1]
        return not any(other.overlaps(nights) for other in near)

    def take(self, room, nights):
        if not self.is_free(room, nights):
            raise Unavailable(room, nights)
        bisect.insort(self._room(room), nights)

    def release(self, room, nights):
        try:
            self._room(room).remove(nights)
        except ValueError:
            raise KeyError((room, nights)) from None

    def move(self, room, old, new_room, new):
        """Change a taken range; on failure nothing has changed."""
        self.release(room, old)
        try:
            self.take(new_room, new)
        except Unavailable:
            self.take(room, old)
            raise

    def taken(self, room):
        return list(self._taken.get(room, ()))

    def gaps(self, room, window):
        """Free ranges of a room inside a window."""
        free = [window]
        for busy in merge_ranges(self.taken(room)):
            free = [part for item in free for part in item.minus(busy)]
        return free

    def occupancy(self, rooms, window):
        """Share of room nights taken in a window."""
        rooms = list(rooms)
        total = len(rooms) * window.nights
        if not total:
            return 0.0
        used = 0
        for room in rooms:
            for busy in self.taken(room):
                common = busy.intersection(window)
                if common:
                    used += common.nights
        return used / total

    def next_free(self, room, nights, earliest):
        """First stay of so many nights from a date on."""
        stay = DateRange.parse(f"{earliest}+{nights}")
        for busy in self.taken(room):
            if busy.overlaps(stay):
                stay = stay.shifted((busy.end - stay.start).days)
        return stay
