"""Half-open ranges of dates."""
from dataclasses import dataclass
from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, order=True)
class DateRange:
    start: date
    end: date

    def __post_init__(self):
        if self.end <= self.start:
            raise ValueError(f"{self.end} is not after {self.start}")

    @classmethod
    def parse(cls, text):
        """From ``2024-05-01..2024-05-04`` or ``2024-05-01+3`` (nights)."""
        if ".." in text:
            start, end = text.split("..", 1)
            return cls(date.fromisoformat(start.strip()), date.fromisoformat(end.strip()))
        start, plus, nights = text.partition("+")
        first = date.fromisoformat(start.strip())
        return cls(first, first + timedelta(days=int(nights) if plus else 1))

    @property
    def nights(self):
        return (self.end - self.start).days

    def __iter__(self):
        day = self.start
        while day < self.end:
            yield day
            day += ONE_DAY

    def __contains__(self, day):
        return self.start <= day < self.end

    def __str__(self):
        return f"{self.start}..{self.end}"

    def overlaps(self, other):
        return self.start < other.end and other.start < self.end

    def touches(self, other):
        """Overlapping, or one right after the other."""
        return self.start <= other.end and other.start <= self.end

    def intersection(self, other):
        if not self.overlaps(other):
            return None
        return DateRange(max(self.start, other.start), min(self.end, other.end))

    def minus(self, other):
        """What is left of this range without the other: 0 to 2 ranges."""
        common = self.intersection(other)
        if common is None:
            return [self]
        left = []
        if self.start < common.start:
            left.append(DateRange(self.start, common.start))
        if common.end < self.end:
            left.append(DateRange(common.end, self.end))
        return left

    def shifted(self, days):
        step = timedelta(days=days)
        return DateRange(self.start + step, self.end + step)


def merge_ranges(ranges):
    """Sorted ranges, with those that touch made into one."""
    merged = []
    for item in sorted(ranges):
        if merged and merged[-1].touches(item):
            last = merged[-1]
            merged[-1] = DateRange(last.start, max(last.end, item.end))
        else:
            merged.append(item)
    return merged
