"""A booking and its occurrences."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Dict, FrozenSet, List, Optional

from .recurrence import Rule
from .zones import UTC, Zone


@dataclass(frozen=True, order=True)
class Interval:
    """From start up to but not including end; both aware."""

    start: datetime
    end: datetime

    def __post_init__(self):
        if self.start.tzinfo is None or self.end.tzinfo is None:
            raise ValueError("an interval needs aware times")
        # times of one zone would be compared by their wall clocks
        object.__setattr__(self, "start", self.start.astimezone(UTC))
        object.__setattr__(self, "end", self.end.astimezone(UTC))
        if self.end <= self.start:
            raise ValueError("an interval must end after its start")

    @property
    def duration(self):
        return self.end - self.start

    def overlaps(self, other):
        return self.start < other.end and other.start < self.end

    def contains(self, other):
        return self.start <= other.start and other.end <= self.end


@dataclass
class Booking:
    """``start`` is a naive wall clock time in ``zone``."""

    title: str
    start: datetime
    duration: timedelta
    zone: Zone
    resources: FrozenSet[str] = frozenset()
    rule: Optional[Rule] = None
    uid: str = ""
    notes: str = ""
    #: wall clock times of occurrences that are cancelled
    cancelled: set = field(default_factory=set)
    #: wall clock time of an occurrence -> the time it was moved to
    moved: Dict[datetime, datetime] = field(default_factory=dict)

    def __post_init__(self):
        if self.start.tzinfo is not None:
            self.start = self.start.astimezone(self.zone).replace(tzinfo=None)
        if self.duration <= timedelta(0):
            raise ValueError("the duration must be positive")
        self.resources = frozenset(self.resources)

    def _interval(self, wall):
        start = self.zone.localize(wall)
        # the duration is elapsed time, so it is added in UTC
        begin = start.astimezone(UTC)
        return Interval(begin, begin + self.duration)

    def times(self):
        """Wall clock times of the occurrences before any were moved."""
        if self.rule is None:
            return iter([self.start])
        return self.rule.times(self.start)

    def has_time(self, wall):
        for time in self.times():
            if time >= wall:
                return time == wall
        return False

    def occurrences(self, window: Interval) -> List[Interval]:
        """Occurrences that overlap the window, in order of time."""
        found = []
        for wall in self.times():
            if wall in self.cancelled or wall in self.moved:
                continue
            interval = self._interval(wall)
            if interval.start >= window.end:
                break
            if interval.overlaps(window):
                found.append(interval)
        for target in self.moved.values():
            interval = self._interval(target)
            if interval.overlaps(window):
                found.append(interval)
        return sorted(found)

    def cancel(self, wall):
        if not self.has_time(wall):
            raise ValueError(f"{self.title!r} does not take place at {wall}")
        self.moved.pop(wall, None)
        self.cancelled.add(wall)

    def move(self, wall, target):
        if not self.has_time(wall):
            raise ValueError(f"{self.title!r} does not take place at {wall}")
        self.cancelled.discard(wall)
        self.moved[wall] = target
