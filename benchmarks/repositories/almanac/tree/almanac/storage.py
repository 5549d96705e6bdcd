"""Calendars as JSON files."""

import json
import os
from datetime import datetime, timedelta

from .booking import Booking
from .calendar import Calendar
from .recurrence import Rule
from .zones import get_zone

VERSION = 2


def booking_to_dict(booking):
    return {
        "uid": booking.uid,
        "title": booking.title,
        "start": booking.start.isoformat(),
        "minutes": booking.duration.total_seconds() / 60,
        "zone": booking.zone.name,
        "resources": sorted(booking.resources),
        "rule": booking.rule.to_text() if booking.rule else None,
        "notes": booking.notes,
        "cancelled": sorted(wall.isoformat() for wall in booking.cancelled),
        "moved": {w.isoformat(): t.isoformat() for w, t in sorted(booking.moved.items())},
    }


def booking_from_dict(data):
    parse = datetime.fromisoformat
    return Booking(
        uid=data["uid"],
        title=data["title"],
        start=parse(data["start"]),
        duration=timedelta(minutes=data["minutes"]),
        zone=get_zone(data["zone"]),
        resources=frozenset(data["resources"]),
        rule=Rule.from_text(data["rule"]) if data.get("rule") else None,
        notes=data.get("notes", ""),
        cancelled={parse(text) for text in data.get("cancelled", ())},
        moved={parse(w): parse(t) for w, t in data.get("moved", {}).items()},
    )


def save(calendar, path):
    """Write to a new file first, so that a failure leaves the old one."""
    data = {
        "version": VERSION,
        "capacities": calendar.capacities,
        "bookings": [booking_to_dict(b) for b in calendar],
    }
    text = json.dumps(data, indent=1, ensure_ascii=False)
    temporary = f"{path}.new"
    with open(temporary, "w", encoding="utf-8") as stream:
        stream.write(text)
    os.replace(temporary, path)


def load(path):
    with open(path, encoding="utf-8") as stream:
        data = json.load(stream)
    if data.get("version") != VERSION:
        raise ValueError(f"unsupported version {data.get('version')!r}")
    calendar = Calendar(data["capacities"])
    for item in data["bookings"]:
        # what is stored was accepted once
        calendar.add(booking_from_dict(item), force=True)
    return calendar
