"""iCalendar export and import, as far as bookings need it."""

import re
from datetime import datetime, timedelta

from .booking import Booking
from .recurrence import Rule
from .zones import get_zone

_STAMP = "%Y%m%dT%H%M%S"


class ICalError(ValueError):
    pass


def escape(text):
    text = text.replace("\\", "\\\\")
    return text.replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def unescape(text):
    return re.sub(r"\\(.)", lambda m: "\n" if m.group(1) in "nN" else m.group(1), text)


def fold(line):
    """Lines have at most 75 bytes; more go to lines that start with a space."""
    pieces = []
    current = ""
    size = 0
    for char in line:
        width = len(char.encode("utf-8"))
        if size + width > 75:
            pieces.append(current)
            current, size = " ", 1
        current += char
        size += width
    pieces.append(current)
    return "\r\n".join(pieces)


def unfold(text):
    return re.sub(r"\r?\n[ \t]", "", text).splitlines()


def duration_text(duration):
    minutes, seconds = divmod(int(duration.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    text = "P"
    if days:
        text += f"{days}D"
    if hours or minutes or seconds:
        text += "T"
        for value, letter in ((hours, "H"), (minutes, "M"), (seconds, "S")):
            if value:
                text += f"{value}{letter}"
    return text


def parse_duration(text):
    match = re.fullmatch(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", text)
    if match is None or not any(match.groups()):
        raise ICalError(f"not a duration: {text!r}")
    weeks, days, hours, minutes, seconds = (int(g or 0) for g in match.groups())
    return timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)


def dump(bookings):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//almanac//EN"]
    for booking in bookings:
        zone = f"TZID={booking.zone.name}"
        lines += [
            "BEGIN:VEVENT",
            f"UID:{booking.uid}",
            f"SUMMARY:{escape(booking.title)}",
            f"DTSTART;{zone}:{booking.start.strftime(_STAMP)}",
            f"DURATION:{duration_text(booking.duration)}",
        ]
        if booking.notes:
            lines.append(f"DESCRIPTION:{escape(booking.notes)}")
        if booking.resources:
            names = ",".join(escape(name) for name in sorted(booking.resources))
            lines.append(f"RESOURCES:{names}")
        if booking.rule is not None:
            lines.append(f"RRULE:{booking.rule.to_text()}")
        for wall in sorted(booking.cancelled):
            lines.append(f"EXDATE;{zone}:{wall.strftime(_STAMP)}")
        for wall, target in sorted(booking.moved.items()):
            lines.append(f"X-MOVED:{wall.strftime(_STAMP)}/{target.strftime(_STAMP)}")
        lines.append("END:VEVENT")
    lines.append("END:VCALENDAR")
    return "".join(fold(line) + "\r\n" for line in lines)


def load(text):
    """The bookings of a text that dump() could have made."""
    bookings = []
    event = None
    for line in unfold(text):
        head, colon, value = line.partition(":")
        if not colon:
            continue
        name, *options = head.split(";")
        name = name.upper()
        if (name, value) == ("BEGIN", "VEVENT"):
            event = {"cancelled": set(), "moved": {}}
        elif (name, value) == ("END", "VEVENT"):
            bookings.append(_build(event))
            event = None
        elif event is not None:
            _read(event, name, options, value)
    if event is not None:
        raise ICalError("an event is not closed")
    return bookings


def _read(event, name, options, value):
    if name == "UID":
        event["uid"] = value
    elif name == "SUMMARY":
        event["title"] = unescape(value)
    elif name == "DESCRIPTION":
        event["notes"] = unescape(value)
    elif name == "RESOURCES":
        event["resources"] = frozenset(unescape(n) for n in re.split(r"(?<!\\),", value))
    elif name == "DTSTART":
        zone = dict(option.split("=", 1) for option in options).get("TZID", "UTC")
        event["zone"] = get_zone(zone)
        event["start"] = datetime.strptime(value.rstrip("Z"), _STAMP)
    elif name == "DURATION":
        event["duration"] = parse_duration(value)
    elif name == "RRULE":
        event["rule"] = Rule.from_text(value)
    elif name == "EXDATE":
        for stamp in value.split(","):
            event["cancelled"].add(datetime.strptime(stamp, _STAMP))
    elif name == "X-MOVED":
        wall, _, target = value.partition("/")
        event["moved"][datetime.strptime(wall, _STAMP)] = datetime.strptime(target, _STAMP)


def _build(event):
    missing = {"title", "start", "duration"} - set(event)
    if missing:
        raise ICalError(f"an event lacks its {', '.join(sorted(missing))}")
    return Booking(**event)
