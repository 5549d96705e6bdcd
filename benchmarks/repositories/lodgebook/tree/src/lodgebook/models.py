from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum

from .dates import DateRange


class Status(Enum):
    HELD = "held"
    CONFIRMED = "confirmed"
    CANCELLED = "cancelled"

    @property
    def blocks(self):
        """Does such a booking keep others out?"""
        return self is not Status.CANCELLED


@dataclass(frozen=True)
class Room:
    number: str
    beds: int
    kind: str = "standard"
    features: frozenset = frozenset()

    def suits(self, guests, kind=None, features=()):
        if guests > self.beds:
            return False
        if kind is not None and kind != self.kind:
            return False
        return set(features) <= self.features


@dataclass
class Booking:
    id: int
    room: str
    guest: str
    nights: DateRange
    guests: int = 1
    price: Decimal = Decimal("0")
    status: Status = Status.HELD
    expires: object = None
    notes: list = field(default_factory=list)

    def to_dict(self):
        return {
            "id": self.id,
            "room": self.room,
            "guest": self.guest,
            "nights": str(self.nights),
            "guests": self.guests,
            "price": str(self.price),
            "status": self.status.value,
            "expires": self.expires.isoformat() if self.expires else None,
            "notes": list(self.notes),
        }
