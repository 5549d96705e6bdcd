from datetime import datetime, timedelta, timezone


class SystemClock:
    def now(self):
        return datetime.now(timezone.utc)


class ManualClock:
    """A clock that stands still until told otherwise."""

    def __init__(self, start=None):
        self._now = start or datetime(2024, 1, 1, tzinfo=timezone.utc)

    def now(self):
        return self._now

    def advance(self, **delta):
        self._now += timedelta(**delta)
        return self._now

    def set(self, moment):
        if moment < self._now:
            raise ValueError("time cannot go backwards")
        self._now = moment
