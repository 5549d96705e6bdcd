"""Counts, histograms and percentiles."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Any, Iterable, Iterator

from .record import LogRecord

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def parse_duration(text: str) -> timedelta:
    """``90s``, ``5m``, ``1h30m``, ``1d``."""
    parts = re.findall(r"(\d+)([smhd])", text)
    if not parts or "".join(n + u for n, u in parts) != text:
        raise ValueError(f"not a duration: {text!r}")
    return timedelta(seconds=sum(int(n) * _UNITS[u] for n, u in parts))


class TopCounter:
    """Counts the values of a field."""

    def __init__(self, field: str):
        self.field = field
        self.counts: Counter = Counter()
        self.missing = 0

    def add(self, record: LogRecord) -> None:
        value = record.get(self.field)
        if value is None:
            self.missing += 1
        else:
            self.counts[value] += 1

    def top(self, limit: int | None = None) -> list[tuple[Any, int]]:
        """Most frequent first, equally frequent ones by value."""
        ordered = sorted(self.counts.items(), key=lambda item: (-item[1], str(item[0])))
        return ordered[:limit]


class Histogram:
    """Records per step of time, split by level; steps start at local midnight."""

    def __init__(self, step: timedelta, tz: tzinfo = timezone.utc):
        if step <= timedelta(0):
            raise ValueError("the step must be positive")
        self.step = step
        self.tz = tz
        self.buckets: dict[datetime, Counter] = defaultdict(Counter)

    def floor(self, moment: datetime) -> datetime:
        local = moment.astimezone(self.tz)
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight + (local - midnight) // self.step * self.step

    def add(self, record: LogRecord) -> None:
        if record.time is not None:
            self.buckets[self.floor(record.time)][record.level] += 1

    def rows(self) -> Iterator[tuple[datetime, Counter]]:
        """All steps from the first to the last, empty ones too."""
        if not self.buckets:
            return
        current, last = min(self.buckets), max(self.buckets)
        while current <= last:
            yield current, self.buckets.get(current, Counter())
            current = self.floor(current + self.step)


class Summary:
    """Count, extent and percentiles of a numeric field."""

    def __init__(self, field: str):
        self.field = field
        self.values: list[float] = []

    def add(self, record: LogRecord) -> None:
        value = record.get(self.field)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            self.values.append(value)

    def percentile(self, percent: float) -> float:
        """Nearest rank."""
        if not self.values:
            raise ValueError("no values")
        ordered = sorted(self.values)
        rank = max(1, math.ceil(percent / 100 * len(ordered)))
        return ordered[rank - 1]

    def as_dict(self) -> dict[str, float]:
        if not self.values:
            return {"count": 0}
        return {
            "count": len(self.values),
            "min": min(self.values),
            "max": max(self.values),
            "mean": sum(self.values) / len(self.values),
            "p50": self.percentile(50),
            "p95": self.percentile(95),
        }


def sessions(
    records: Iterable[LogRecord], field: str, gap: timedelta
) -> list[tuple[Any, datetime, datetime, int]]:
    """Group by a field; a pause longer than the gap starts a new session."""
    open_ones: dict[Any, list] = {}
    done = []
    for record in records:
        key = record.get(field)
        if key is None or record.time is None:
            continue
        session = open_ones.get(key)
        if session is not None and record.time - session[2] > gap:
            done.append(tuple(session))
            session = None
        if session is None:
            open_ones[key] = [key, record.time, record.time, 1]
        else:
            session[2] = record.time
            session[3] += 1
    done.extend(tuple(session) for session in open_ones.values())
    return sorted(done, key=lambda session: session[1])
