"""Dates as people write them."""

import re
from calendar import monthrange
from datetime import date, timedelta

from .errors import DateError

WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_RELATIVE = re.compile(r"(?:in )?(\d+) ?(d|day|days|w|week|weeks|m|month|months)$")


def add_months(day, months, anchor=None):
    """The same day *months* later, or the last of that month when it is shorter.

    *anchor* is the day of the month to aim for, by default that of *day*.
    """
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    month += 1
    last = monthrange(year, month)[1]
    return date(year, month, min(anchor or day.day, last))


def _weekday(text):
    if len(text) < 3:
        return None
    for number, name in enumerate(WEEKDAYS):
        if name.startswith(text):
            return number
    return None


def parse_date(text, today):
    """
    >>> parse_date("in 2 weeks", date(2024, 1, 1))
    datetime.date(2024, 1, 15)
    """
    text = " ".join(text.lower().split())
    if text == "today":
        return today
    if text == "tomorrow":
        return today + timedelta(days=1)
    match = _RELATIVE.match(text)
    if match:
        count, unit = int(match.group(1)), match.group(2)[0]
        if unit == "m":
            return add_months(today, count)
        return today + timedelta(days=count * (7 if unit == "w" else 1))
    name = text[len("next ") :] if text.startswith("next ") else text
    number = _weekday(name)
    if number is not None:
        # a weekday is never today: on a Friday "friday" is in a week
        ahead = (number - today.weekday() - 1) % 7 + 1
        return today + timedelta(days=ahead)
    if text.startswith("next ") and name in ("week", "month"):
        return add_months(today, 1) if name == "month" else today + timedelta(days=7)
    return parse_exact(text, today)


def parse_exact(text, today):
    match = re.fullmatch(r"(?:(\d{4})-)?(\d{1,2})-(\d{1,2})", text)
    if match is None:
        raise DateError(f"cannot understand the date {text!r}")
    year, month, day = match.groups()
    try:
        if year is not None:
            return date(int(year), int(month), int(day))
        result = date(today.year, int(month), int(day))
        if result < today:  # without a year, the next time it comes round
            result = date(today.year + 1, int(month), int(day))
        return result
    except ValueError:
        raise DateError(f"there is no day {text}") from None


def describe(day, today):
    delta = (day - today).days
    if delta == 0:
        return "today"
    if delta == 1:
        return "tomorrow"
    if delta == -1:
        return "yesterday"
    if 1 < delta < 7:
        return WEEKDAYS[day.weekday()][:3]
    if delta < 0:
        return f"{-delta} days ago"
    if day.year == today.year:
        return f"{day:%m-%d}"
    return day.isoformat()
