"""Time zones given by a standard offset and a rule for summer time."""

from datetime import datetime, timedelta, timezone, tzinfo

UTC = timezone.utc
HOUR = timedelta(hours=1)


def nth_weekday(year, month, weekday, n):
    """The n-th weekday (0 is Monday) of a month; n = -1 is the last.

    Gives None if the month has no such day.
    """
    if n > 0:
        first = datetime(year, month, 1)
        day = 1 + (weekday - first.weekday()) % 7 + 7 * (n - 1)
        return datetime(year, month, day) if day <= days_in_month(year, month) else None
    last = datetime(year, month, days_in_month(year, month))
    day = last.day - (last.weekday() - weekday) % 7 + 7 * (n + 1)
    return datetime(year, month, day) if day >= 1 else None


def days_in_month(year, month):
    if month == 12:
        return 31
    return (datetime(year, month + 1, 1) - datetime(year, month, 1)).days


class Zone(tzinfo):
    """A zone whose summer time starts and ends at a moment of UTC.

    ``start`` and ``end`` are (month, n, weekday, hour of UTC); both None means
    no summer time.
    """

    def __init__(self, name, offset_minutes, abbreviations, start=None, end=None):
        self.name = name
        self.offset = timedelta(minutes=offset_minutes)
        self.abbreviations = abbreviations
        self.start = start
        self.end = end

    def _moment(self, year, rule):
        month, n, weekday, hour = rule
        return nth_weekday(year, month, weekday, n) + timedelta(hours=hour)

    def _is_summer(self, moment):
        """Whether summer time holds at a naive moment of UTC."""
        if self.start is None:
            return False
        start = self._moment(moment.year, self.start)
        end = self._moment(moment.year, self.end)
        if start < end:
            return start <= moment < end
        # the southern half: summer goes over the new year
        return moment >= start or moment < end

    def fromutc(self, moment):
        naive = moment.replace(tzinfo=None)
        summer = self._is_summer(naive)
        local = naive + self.offset + (HOUR if summer else timedelta(0))
        # the hour after the end of summer time is the second of its name
        fold = int(not summer and self._is_summer(naive - HOUR))
        return local.replace(tzinfo=self, fold=fold)

    def dst(self, local):
        naive = local.replace(tzinfo=None, fold=0)
        as_summer = self._is_summer(naive - self.offset - HOUR)
        as_winter = self._is_summer(naive - self.offset)
        if as_summer and not as_winter:
            # the hour that comes twice
            return timedelta(0) if local.fold else HOUR
        if as_winter and not as_summer:
            # the hour that is left out: fold 0 counts with the offset before
            return HOUR if local.fold else timedelta(0)
        return HOUR if as_summer else timedelta(0)

    def utcoffset(self, local):
        return self.offset + self.dst(local)

    def tzname(self, local):
        return self.abbreviations[1 if self.dst(local) else 0]

    def exists(self, naive):
        """False for times in the hour left out when summer time starts."""
        local = naive.replace(tzinfo=self)
        return local.astimezone(UTC).astimezone(self).replace(tzinfo=None, fold=0) == naive

    def localize(self, naive):
        """Attach the zone; a time left out moves on by an hour."""
        if not self.exists(naive):
            naive = naive + HOUR
        return naive.replace(tzinfo=self)

    def __repr__(self):
        return f"Zone({self.name!r})"


_EU = {"start": (3, -1, 6, 1), "end": (10, -1, 6, 1)}
ZONES = {
    zone.name: zone
    for zone in (
        Zone("UTC", 0, ("UTC", "UTC")),
        Zone("London", 0, ("GMT", "BST"), **_EU),
        Zone("Berlin", 60, ("CET", "CEST"), **_EU),
        Zone("NewYork", -300, ("EST", "EDT"), (3, 2, 6, 7), (11, 1, 6, 6)),
        Zone("Kolkata", 330, ("IST", "IST")),
        Zone("Sydney", 600, ("AEST", "AEDT"), (10, 1, 5, 16), (4, 1, 5, 16)),
    )
}


def get_zone(name):
    try:
        return ZONES[name]
    except KeyError:
        raise LookupError(f"unknown zone {name!r}") from None
