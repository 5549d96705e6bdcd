"""Recurrence rules. They work on naive wall clock times."""

from datetime import datetime, timedelta
from itertools import count

from .zones import days_in_month, nth_weekday

DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
FREQUENCIES = ("daily", "weekly", "monthly", "yearly")


class RuleError(ValueError):
    pass


class Rule:
    """When a booking repeats.

    days     weekdays of a weekly rule (0 is Monday)
    nth      (n, weekday) of a monthly rule, else the start's day of the month
    count    number of occurrences, those excluded counted as well
    until    last wall clock time, inclusive
    """

    def __init__(self, frequency, interval=1, days=(), nth=None, count=None, until=None):
        if frequency not in FREQUENCIES:
            raise RuleError(f"unknown frequency {frequency!r}")
        if interval < 1:
            raise RuleError("the interval must be at least 1")
        if count is not None and until is not None:
            raise RuleError("count and until exclude each other")
        if days and frequency != "weekly":
            raise RuleError("days are for weekly rules")
        if nth is not None and frequency != "monthly":
            raise RuleError("nth is for monthly rules")
        self.frequency = frequency
        self.interval = interval
        self.days = tuple(sorted(set(days)))
        self.nth = nth
        self.count = count
        self.until = until

    def __eq__(self, other):
        if not isinstance(other, Rule):
            return NotImplemented
        return vars(self) == vars(other)

    def __repr__(self):
        return f"Rule({self.to_text()!r})"

    def times(self, start):
        """All times from the start on, without end if the rule has none."""
        given = 0
        for moment in self._candidates(start):
            if moment < start:
                continue
            if self.until is not None and moment > self.until:
                return
            if self.count is not None and given >= self.count:
                return
            given += 1
            yield moment

    def _candidates(self, start):
        return getattr(self, "_" + self.frequency)(start)

    def _daily(self, start):
        for step in count():
            yield start + timedelta(days=step * self.interval)

    def _weekly(self, start):
        days = self.days or (start.weekday(),)
        monday = start - timedelta(days=start.weekday())
        for step in count():
            week = monday + timedelta(weeks=step * self.interval)
            for day in days:
                yield week + timedelta(days=day)

    def _monthly(self, start):
        for step in count():
            months = start.year * 12 + start.month - 1 + step * self.interval
            year, month = divmod(months, 12)
            if year > 9999:
                return
            month += 1
            if self.nth is not None:
                n, weekday = self.nth
                day = nth_weekday(year, month, weekday, n)
                if day is not None:
                    yield datetime.combine(day.date(), start.time())
            elif start.day <= days_in_month(year, month):
                # months too short are left out
                yield start.replace(year=year, month=month)

    def _yearly(self, start):
        for step in count():
            year = start.year + step * self.interval
            if year > 9999:
                return
            if start.day <= days_in_month(year, start.month):
                yield start.replace(year=year)

    def to_text(self):
        """In the form of an iCalendar RRULE."""
        parts = [f"FREQ={self.frequency.upper()}"]
        if self.interval != 1:
            parts.append(f"INTERVAL={self.interval}")
        if self.days:
            parts.append("BYDAY=" + ",".join(DAYS[d] for d in self.days))
        if self.nth is not None:
            parts.append(f"BYDAY={self.nth[0]}{DAYS[self.nth[1]]}")
        if self.count is not None:
            parts.append(f"COUNT={self.count}")
        if self.until is not None:
            parts.append(f"UNTIL={self.until:%Y%m%dT%H%M%S}")
        return ";".join(parts)

    @classmethod
    def from_text(cls, text):
        options = {}
        for part in text.split(";"):
            key, equals, value = part.partition("=")
            if not equals:
                raise RuleError(f"cannot read {part!r}")
            options[key.strip().upper()] = value.strip()
        arguments = {"frequency": options.pop("FREQ", "").lower()}
        try:
            if "INTERVAL" in options:
                arguments["interval"] = int(options.pop("INTERVAL"))
            if "COUNT" in options:
                arguments["count"] = int(options.pop("COUNT"))
            if "UNTIL" in options:
                until = options.pop("UNTIL")
                if "T" in until:
                    arguments["until"] = datetime.strptime(until, "%Y%m%dT%H%M%S")
                else:
                    # a date alone includes the whole day
                    day = datetime.strptime(until, "%Y%m%d")
                    arguments["until"] = day.replace(hour=23, minute=59, second=59)
            if "BYDAY" in options:
                names = options.pop("BYDAY").split(",")
                if len(names[0]) > 2:
                    arguments["nth"] = (int(names[0][:-2]), DAYS.index(names[0][-2:]))
                else:
                    arguments["days"] = [DAYS.index(name) for name in names]
        except ValueError as error:
            raise RuleError(f"cannot read {text!r}: {error}") from error
        if options:
            raise RuleError(f"unsupported: {', '.join(sorted(options))}")
        return cls(**arguments)
