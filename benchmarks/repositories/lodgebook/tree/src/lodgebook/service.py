"""The front desk: everything a booking goes through."""
from datetime import datetime, timedelta, timezone
from itertools import count

from .calendar import Calendar
from .dates import DateRange
from .errors import BookingError, Unavailable, UnknownBooking
from .models import Booking, Status
from .pricing import refund
from .waitlist import WaitList


def utcnow():
    return datetime.now(timezone.utc)


class FrontDesk:
    def __init__(self, rooms, prices, hold_for=timedelta(hours=24), clock=utcnow):
        self.rooms = {room.number: room for room in rooms}
        self.prices = prices
        self.hold_for = hold_for
        self.clock = clock
        self.calendar = Calendar()
        self.waitlist = WaitList()
        self._bookings = {}
        self._ids = count(1)
        self._listeners = {}

    # -- events ------------------------------------------------------------
    def on(self, event, listener):
        self._listeners.setdefault(event, []).append(listener)

    def _tell(self, event, booking):
        for listener in list(self._listeners.get(event, ())):
            listener(booking)

    # -- looking -----------------------------------------------------------
    def get(self, booking_id):
        try:
            return self._bookings[booking_id]
        except KeyError:
            raise UnknownBooking(booking_id) from None

    def bookings(self, guest=None, active=True):
        found = [
            b for b in self._bookings.values()
            if (guest is None or b.guest.casefold() == guest.casefold())
            and (b.status.blocks or not active)
        ]
        return sorted(found, key=lambda b: (b.nights, b.room))

    def available(self, nights, guests=1, kind=None, features=()):
        """Free rooms that suit, the tightest fit first."""
        self.expire_holds()
        fitting = [
            room for room in self.rooms.values()
            if room.suits(guests, kind, features)
            and self.calendar.is_free(room.number, nights)
        ]
        return sorted(fitting, key=lambda r: (r.beds, self.prices.base[r.kind], r.number))

    def arrivals(self, day):
        return [b for b in self.bookings() if b.nights.start == day and b.status is Status.CONFIRMED]

    def departures(self, day):
        return [b for b in self.bookings() if b.nights.end == day and b.status is Status.CONFIRMED]

    # -- changing ------------------------------------------------------------
    def hold(self, guest, room, nights, guests=1):
        """Keep a room for a while."""
        self.expire_holds()
        if room not in self.rooms:
            raise BookingError(f"there is no room {room}")
        if not self.rooms[room].suits(guests):
            raise BookingError(f"room {room} is too small for {guests}")
        if nights.start < self.clock().date():
            raise BookingError("the stay starts in the past")
        price = self.prices.quote(self.rooms[room].kind, nights)
        self.calendar.take(room, nights)
        booking = Booking(
            next(self._ids), room, guest, nights, guests, price,
            expires=self.clock() + self.hold_for,
        )
        self._bookings[booking.id] = booking
        self._tell("held", booking)
        return booking

    def confirm(self, booking_id):
        self.expire_holds()
        booking = self.get(booking_id)
        if booking.status is Status.CANCELLED:
            raise BookingError(f"booking {booking_id} is cancelled")
        if booking.status is Status.HELD:
            booking.status = Status.CONFIRMED
            booking.expires = None
            self._tell("confirmed", booking)
        return booking

    def cancel(self, booking_id):
        """Cancel and return the money to give back."""
        booking = self.get(booking_id)
        if booking.status is Status.CANCELLED:
            raise BookingError(f"booking {booking_id} is cancelled")
        paid = booking.status is Status.CONFIRMED
        self._free(booking)
        self._tell("cancelled", booking)
        self._serve_waitlist()
        if not paid:
            return refund(booking.price * 0, 0)
        days = (booking.nights.start - self.clock().date()).days
        return refund(booking.price, days)

    def _free(self, booking):
        booking.status = Status.CANCELLED
        booking.expires = None
        self.calendar.release(booking.room, booking.nights)

    def change(self, booking_id, nights=None, room=None):
        """Other nights, another room, or both; the price follows."""
        booking = self.get(booking_id)
        if booking.status is Status.CANCELLED:
            raise BookingError(f"booking {booking_id} is cancelled")
        nights = nights or booking.nights
        room = room or booking.room
        if room not in self.rooms:
            raise BookingError(f"there is no room {room}")
        if not self.rooms[room].suits(booking.guests):
            raise BookingError(f"room {room} is too small for {booking.guests}")
        self.calendar.move(booking.room, booking.nights, room, nights)
        booking.nights, booking.room = nights, room
        booking.price = self.prices.quote(self.rooms[room].kind, nights)
        self._tell("changed", booking)
        self._serve_waitlist()
        return booking

    def extend(self, booking_id, days):
        booking = self.get(booking_id)
        end = booking.nights.end + timedelta(days=days)
        return self.change(booking_id, DateRange(booking.nights.start, end))

    def expire_holds(self):
        now = self.clock()
        expired = [
            b for b in self._bookings.values()
            if b.status is Status.HELD and b.expires <= now
        ]
        for booking in expired:
            self._free(booking)
            self._tell("expired", booking)
        return len(expired)

    def wait(self, guest, nights, **wish):
        return self.waitlist.add(guest, nights, **wish)

    def _serve_waitlist(self):
        self.waitlist.drop_past(self.clock().date())
        for wish in self.waitlist:
            rooms = self.available(wish.nights, wish.guests, wish.kind)
            if not rooms:
                continue
            try:
                self.hold(wish.guest, rooms[0].number, wish.nights, wish.guests)
            except Unavailable:
                continue
            self.waitlist.remove(wish)
