from datetime import datetime, timedelta


class Period:
    def __init__(self, start, end):
        if end < start:
            raise ValueError("it ends before it starts")
        self.start = start
        self.end = end

    @property
    def length(self):
        return self.end - self.start

    @property
    def hours(self):
        """Hours that are begun count as a whole."""
        whole, rest = divmod(self.length.seconds, 3600)
        return int(whole) + bool(rest)

    def overlaps(self, other):
        return self.start < other.end and other.start < self.end


def parse(text):
    start, end = text.split("/")
    return Period(datetime.fromisoformat(start), datetime.fromisoformat(end))


def shifted(period, days):
    return Period(period.start + timedelta(days), period.end + timedelta(days))
