"""Five-field cron expressions."""

from datetime import timedelta

MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

ALIASES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
}


class CronError(ValueError):
    pass


class Field:
    def __init__(self, name, low, high, names=(), offset=0):
        self.name = name
        self.low = low
        self.high = high
        self.names = {word: index + offset for index, word in enumerate(names)}

    def value(self, text):
        text = text.lower()
        if text in self.names:
            return self.names[text]
        if not text.isdigit():
            raise CronError(f"bad {self.name}: {text!r}")
        number = int(text)
        if not self.low <= number <= self.high:
            raise CronError(f"{self.name} out of range: {number}")
        return number

    def parse(self, text):
        result = set()
        for part in text.split(","):
            part, slash, step = part.partition("/")
            if slash and (not step.isdigit() or int(step) == 0):
                raise CronError(f"bad step in {self.name}: {step!r}")
            step = int(step) if slash else 1
            if part == "*":
                first, last = self.low, self.high
            elif "-" in part:
                left, _, right = part.partition("-")
                first, last = self.value(left), self.value(right)
                if last < first:
                    raise CronError(f"backwards range in {self.name}: {part}")
            else:
                first = self.value(part)
                last = self.high if slash else first
            result.update(range(first, last + 1, step))
        return result


FIELDS = [
    Field("minute", 0, 59),
    Field("hour", 0, 23),
    Field("day", 1, 31),
    Field("month", 1, 12, MONTHS, offset=1),
    Field("weekday", 0, 7, DAYS),
]


class CronExpression:
    """A parsed expression; :meth:`next_after` finds the next matching minute."""

    def __init__(self, text):
        self.text = text
        parts = ALIASES.get(text.strip().lower(), text).split()
        if len(parts) != 5:
            raise CronError(f"expected 5 fields, found {len(parts)}")
        self.minutes, self.hours, self.days, self.months, weekdays = (
            field.parse(part) for field, part in zip(FIELDS, parts)
        )
        self.weekdays = {day % 7 for day in weekdays}
        self._any_day = parts[2].startswith("*")
        self._any_weekday = parts[4].startswith("*")

    def __repr__(self):
        return f"CronExpression({self.text!r})"

    def _day_matches(self, moment):
        if moment.month not in self.months:
            return False
        by_day = moment.day in self.days
        by_weekday = moment.isoweekday() % 7 in self.weekdays
        if self._any_day or self._any_weekday:
            return by_day and by_weekday
        # When both are restricted, cron fires if either matches.
        return by_day or by_weekday

    def matches(self, moment):
        return (
            self._day_matches(moment)
            and moment.hour in self.hours
            and moment.minute in self.minutes
        )

    def next_after(self, moment):
        moment = moment.replace(second=0, microsecond=0) + timedelta(minutes=1)
        limit = moment + timedelta(days=366 * 5)
        while moment < limit:
            if not self._day_matches(moment):
                moment = (moment + timedelta(days=1)).replace(hour=0, minute=0)
            elif moment.hour not in self.hours:
                moment = (moment + timedelta(hours=1)).replace(minute=0)
            elif moment.minute not in self.minutes:
                moment += timedelta(minutes=1)
            else:
                return moment
        raise CronError(f"{self.text!r} never fires")
