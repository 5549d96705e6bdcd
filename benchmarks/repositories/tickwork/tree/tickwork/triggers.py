"""When a recurring job runs next."""

from datetime import timedelta


class Interval:
    """Every so often, counted from the planned time so that runs do not drift."""

    def __init__(self, delta):
        if delta <= timedelta(0):
            raise ValueError("interval must be positive")
        self.delta = delta

    def first(self, now):
        return now + self.delta

    def next(self, planned, now):
        following = planned + self.delta
        if following <= now:
            missed = (now - planned) // self.delta
            following = planned + self.delta * (missed + 1)
        return following


class Cron:
    def __init__(self, expression, tz=None):
        self.expression = expression
        self.tz = tz

    def _localized(self, moment):
        return moment.astimezone(self.tz) if self.tz is not None else moment

    def first(self, now):
        return self.expression.next_after(self._localized(now))

    def next(self, planned, now):
        return self.expression.next_after(self._localized(max(planned, now)))
