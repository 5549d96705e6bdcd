"""Bookings as iCalendar and as JSON."""
import json
from datetime import date, datetime
from decimal import Decimal

from .dates import DateRange
from .models import Booking, Status


def _escape(text):
    text = text.replace("\\", "\\\\")
    for char in ",;":
        text = text.replace(char, "\\" + char)
    return text.replace("\n", "\\n")


def fold(line, limit=75):
    """Lines of iCalendar have at most 75 octets; the rest is indented."""
    out, current = [], ""
    for char in line:
        if len((current + char).encode("utf-8")) > limit:
            out.append(current)
            current = " "
        current += char
    out.append(current)
    return "\r\n".join(out)


def _day(day: date):
    return day.strftime("%Y%m%d")


def to_ical(bookings):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//lodgebook//EN"]
    for booking in bookings:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{booking.id}@lodgebook",
            f"DTSTART;VALUE=DATE:{_day(booking.nights.start)}",
            f"DTEND;VALUE=DATE:{_day(booking.nights.end)}",
            f"SUMMARY:{_escape(booking.guest)} ({booking.room})",
        ]
        if booking.notes:
            lines.append("DESCRIPTION:" + _escape("\n".join(booking.notes)))
        if booking.status is Status.HELD:
            lines.append("STATUS:TENTATIVE")
        lines.append("END:VEVENT")
    lines.append("END:VCALENDAR")
    return "\r\n".join(fold(line) for line in lines) + "\r\n"


def dump(bookings):
    return json.dumps([b.to_dict() for b in bookings], indent=2, ensure_ascii=False)


def load(text):
    bookings = []
    for item in json.loads(text):
        expires = item.get("expires")
        bookings.append(
            Booking(
                id=item["id"],
                room=item["room"],
                guest=item["guest"],
                nights=DateRange.parse(item["nights"]),
                guests=item.get("guests", 1),
                price=Decimal(item["price"]),
                status=Status(item["status"]),
                expires=datetime.fromisoformat(expires) if expires else None,
                notes=item.get("notes", []),
            )
        )
    return bookings
