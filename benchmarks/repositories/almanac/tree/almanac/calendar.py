"""The calendar: bookings by resource, conflicts, free slots."""

import copy
from collections import defaultdict
from datetime import datetime, time, timedelta

from .booking import Interval


class UnknownBooking(LookupError):
    pass


class Conflict(Exception):
    def __init__(self, booking, other, resource, interval):
        self.booking = booking
        self.other = other
        self.resource = resource
        self.interval = interval
        super().__init__(
            f"{booking.title!r} conflicts with {other.title!r}"
            f" over {resource} at {interval.start:%Y-%m-%d %H:%M}Z"
        )


class Calendar:
    #: how far ahead repeating bookings are checked for conflicts
    horizon = timedelta(days=366)

    def __init__(self, capacities=None):
        #: how many bookings a resource takes at a time, 1 unless given
        self.capacities = dict(capacities or {})
        self._bookings = {}
        self._by_resource = defaultdict(set)
        self._next = 1

    def __len__(self):
        return len(self._bookings)

    def __contains__(self, uid):
        return uid in self._bookings

    def __iter__(self):
        return iter(self._bookings.values())

    def get(self, uid):
        try:
            return self._bookings[uid]
        except KeyError:
            raise UnknownBooking(uid) from None

    def add(self, booking, force=False):
        """Add and return the booking's uid; Conflict unless ``force``."""
        if booking.uid and booking.uid in self._bookings:
            raise ValueError(f"uid {booking.uid!r} is taken")
        if not force:
            self.check(booking)
        if not booking.uid:
            booking.uid = self._new_uid()
        self._bookings[booking.uid] = booking
        for resource in booking.resources:
            self._by_resource[resource].add(booking.uid)
        return booking.uid

    def _new_uid(self):
        while f"b{self._next}" in self._bookings:
            self._next += 1
        uid = f"b{self._next}"
        self._next += 1
        return uid

    def remove(self, uid):
        booking = self.get(uid)
        del self._bookings[uid]
        for resource in booking.resources:
            self._by_resource[resource].discard(uid)
        return booking

    def update(self, uid, **changes):
        """Change attributes; nothing changes when that makes a conflict."""
        old = self.get(uid)
        new = copy.copy(old)
        new.cancelled = set(old.cancelled)
        new.moved = dict(old.moved)
        for name, value in changes.items():
            if not hasattr(old, name) or name == "uid":
                raise AttributeError(f"no attribute {name!r} to change")
            setattr(new, name, value)
        new.__post_init__()
        self.check(new)
        for resource in old.resources - new.resources:
            self._by_resource[resource].discard(uid)
        for resource in new.resources - old.resources:
            self._by_resource[resource].add(uid)
        self._bookings[uid] = new
        return new

    def reschedule(self, uid, wall, target):
        """Move one occurrence, if there is room for it."""
        booking = self.get(uid)
        moved = copy.copy(booking)
        moved.cancelled = set(booking.cancelled)
        moved.moved = dict(booking.moved)
        moved.move(wall, target)
        self.check(moved)
        self._bookings[uid] = moved
        return moved

    def bookings_of(self, resource):
        return [self._bookings[uid] for uid in sorted(self._by_resource.get(resource, ()))]

    def agenda(self, window, resource=None):
        """(interval, booking) pairs of the window in order of time."""
        bookings = self if resource is None else self.bookings_of(resource)
        found = [
            (interval, booking)
            for booking in bookings
            for interval in booking.occurrences(window)
        ]
        return sorted(found, key=lambda pair: (pair[0], pair[1].title))

    def _window(self, booking):
        first = booking._interval(min([booking.start, *booking.moved.values()])).start
        end = first + self.horizon
        for target in booking.moved.values():
            end = max(end, booking._interval(target).end)
        return Interval(first, end)

    def check(self, booking):
        window = self._window(booking)
        own = booking.occurrences(window)
        for resource in sorted(booking.resources):
            taken = [
                (interval, other)
                for interval, other in self.agenda(window, resource)
                if other.uid != booking.uid
            ]
            for interval in own:
                overlapping = [pair for pair in taken if pair[0].overlaps(interval)]
                if self._peak(overlapping, interval) >= self.capacities.get(resource, 1):
                    raise Conflict(booking, overlapping[0][1], resource, interval)

    @staticmethod
    def _peak(overlapping, interval):
        """The largest number of bookings at one time within the interval."""
        steps = []
        for other, _ in overlapping:
            steps.append((max(other.start, interval.start), 1))
            steps.append((min(other.end, interval.end), -1))
        level = peak = 0
        # ends sort before starts at the same time
        for _, step in sorted(steps):
            level += step
            peak = max(peak, level)
        return peak

    def free_slots(self, resource, window, length, zone, opening=(time(8), time(18))):
        """Gaps of at least ``length`` within the opening hours of the zone."""
        busy = [interval for interval, _ in self.agenda(window, resource)]
        slots = []
        day = window.start.astimezone(zone).date()
        last = window.end.astimezone(zone).date()
        while day <= last:
            opens = zone.localize(datetime.combine(day, opening[0]))
            closes = zone.localize(datetime.combine(day, opening[1]))
            open_hours = Interval(opens, closes)
            day += timedelta(days=1)
            if not open_hours.overlaps(window):
                continue
            cursor = max(open_hours.start, window.start)
            limit = min(open_hours.end, window.end)
            for interval in busy:
                if interval.end <= cursor:
                    continue
                if interval.start >= limit:
                    break
                if interval.start - cursor >= length:
                    slots.append(Interval(cursor, interval.start))
                cursor = max(cursor, interval.end)
            if limit - cursor >= length:
                slots.append(Interval(cursor, limit))
        return slots
