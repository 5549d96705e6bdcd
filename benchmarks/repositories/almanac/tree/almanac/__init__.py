"""Bookings with time zones and recurrence."""

from .booking import Booking, Interval
from .calendar import Calendar, Conflict, UnknownBooking
from .recurrence import Rule, RuleError
from .zones import UTC, Zone, get_zone

__version__ = "2.1.0"
__all__ = [
    "Booking",
    "Calendar",
    "Conflict",
    "Interval",
    "Rule",
    "RuleError",
    "UTC",
    "UnknownBooking",
    "Zone",
    "get_zone",
]
