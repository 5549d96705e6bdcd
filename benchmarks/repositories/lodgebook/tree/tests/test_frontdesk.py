from datetime import date
from unittest.mock import Mock

import pytest

from lodgebook import BookingError, DateRange, Status, Unavailable, UnknownBooking

R = DateRange.parse


def numbers(rooms):
    return [room.number for room in rooms]


class TestAvailable:
    def test_order_and_filters(self, desk, stay):
        assert numbers(desk.available(stay)) == ["1", "2", "3"]
        assert numbers(desk.available(stay, guests=3)) == ["3"]
        assert numbers(desk.available(stay, kind="suite")) == ["3"]
        assert numbers(desk.available(stay, features=["balcony"])) == ["2", "3"]

    def test_taken_rooms_are_left_out(self, desk, stay):
        desk.hold("Ann", "1", stay)
        assert numbers(desk.available(stay)) == ["2", "3"]
        assert numbers(desk.available(R("2024-06-05+1"))) == ["1", "2", "3"]

    def test_expired_hold_is_available_again(self, desk, stay, clock):
        desk.hold("Ann", "1", stay)
        clock.forward(hours=24)
        assert numbers(desk.available(stay)) == ["1", "2", "3"]


class TestHold:
    def test_hold(self, desk, stay):
        booking = desk.hold("Ann", "1", stay, guests=2)
        assert booking.status is Status.HELD
        assert booking.price == 160
        assert desk.get(booking.id) is booking

    def test_refusals(self, desk, stay):
        with pytest.raises(BookingError, match="no room"):
            desk.hold("Ann", "9", stay)
        with pytest.raises(BookingError, match="too small"):
            desk.hold("Ann", "1", stay, guests=3)
        with pytest.raises(BookingError, match="past"):
            desk.hold("Ann", "1", R("2024-04-30+5"))

    def test_today_is_fine(self, desk):
        assert desk.hold("Ann", "1", R("2024-05-01+1")).id == 1

    def test_taken(self, desk, stay):
        desk.hold("Ann", "1", stay)
        with pytest.raises(Unavailable):
            desk.hold("Bob", "1", stay)

    def test_notes_are_not_shared(self, desk, stay):
        desk.hold("Ann", "1", stay).notes.append("late")
        assert desk.hold("Bob", "2", stay).notes == []


class TestConfirm:
    def test_confirmed_never_expires(self, desk, stay, clock):
        booking = desk.confirm(desk.hold("Ann", "1", stay).id)
        clock.forward(days=3)
        assert desk.expire_holds() == 0
        assert booking.status is Status.CONFIRMED

    def test_too_late(self, desk, stay, clock):
        booking = desk.hold("Ann", "1", stay)
        clock.forward(days=2)
        with pytest.raises(BookingError, match="cancelled"):
            desk.confirm(booking.id)

    def test_second_time_is_quiet(self, desk, stay):
        listener = Mock()
        desk.on("confirmed", listener)
        booking = desk.hold("Ann", "1", stay)
        desk.confirm(booking.id)
        desk.confirm(booking.id)
        listener.assert_called_once_with(booking)

    def test_unknown(self, desk):
        with pytest.raises(UnknownBooking, match="no booking 5"):
            desk.confirm(5)


class TestCancel:
    def test_refunds(self, desk, stay, clock):
        first = desk.confirm(desk.hold("Ann", "1", stay).id)
        second = desk.confirm(desk.hold("Bob", "2", stay).id)
        assert desk.cancel(first.id) == 160
        clock.forward(days=30)
        assert desk.cancel(second.id) == 80

    def test_a_hold_was_not_paid(self, desk, stay):
        assert desk.cancel(desk.hold("Ann", "1", stay).id) == 0

    def test_twice(self, desk, stay):
        booking = desk.hold("Ann", "1", stay)
        desk.cancel(booking.id)
        with pytest.raises(BookingError, match="is cancelled"):
            desk.cancel(booking.id)

    def test_waitlist_is_served(self, desk):
        stay = R("2024-06-03+2")
        booking = desk.hold("Ann", "3", stay, guests=4)
        desk.wait("Bob", stay, guests=4)
        desk.wait("Vic", stay, guests=3, vip=True)
        desk.cancel(booking.id)
        assert [b.guest for b in desk.bookings()] == ["Vic"]
        assert [w.guest for w in desk.waitlist] == ["Bob"]

    def test_past_wishes_are_dropped(self, desk, stay, clock):
        booking = desk.hold("Ann", "3", stay, guests=4)
        desk.confirm(booking.id)
        for _ in range(3):
            desk.wait("Old", R("2024-05-02+1"), guests=9)
        clock.forward(days=5)
        desk.cancel(booking.id)
        assert len(desk.waitlist) == 0


class TestChange:
    def test_price_follows(self, desk, stay):
        booking = desk.hold("Ann", "1", stay)
        desk.change(booking.id, room="3")
        assert (booking.room, booking.price) == ("3", 300)
        desk.extend(booking.id, 1)
        assert (booking.nights.nights, booking.price) == (3, 450)
        assert numbers(desk.available(stay)) == ["1", "2"]

    def test_conflict_keeps_booking(self, desk, stay):
        booking = desk.hold("Ann", "1", stay)
        desk.hold("Bob", "1", R("2024-06-05+1"))
        with pytest.raises(Unavailable):
            desk.extend(booking.id, 1)
        assert booking.nights == stay
        assert booking.price == 160

    def test_room_too_small(self, desk, stay):
        booking = desk.hold("Ann", "3", stay, guests=4)
        with pytest.raises(BookingError, match="too small for 4"):
            desk.change(booking.id, room="1")

    def test_cancelled_stays_cancelled(self, desk, stay):
        booking = desk.hold("Ann", "1", stay)
        desk.cancel(booking.id)
        with pytest.raises(BookingError, match="is cancelled"):
            desk.change(booking.id, room="2")


def test_lists(desk, stay):
    ann = desk.confirm(desk.hold("Ann", "2", stay).id)
    desk.hold("Bob", "1", stay)
    gone = desk.hold("ANN", "3", R("2024-05-05+1"))
    desk.cancel(gone.id)
    assert [b.room for b in desk.bookings()] == ["1", "2"]
    assert desk.bookings(guest="ann") == [ann]
    assert desk.bookings(guest="ann", active=False) == [gone, ann]
    assert desk.arrivals(date(2024, 6, 3)) == [ann]
    assert desk.departures(date(2024, 6, 5)) == [ann]
    assert desk.departures(date(2024, 6, 4)) == []


def test_listener_may_register_others(desk, stay):
    seen = []

    def listener(booking):
        seen.append(booking.id)
        desk.on("held", lambda b: None)

    desk.on("held", listener)
    desk.hold("Ann", "1", stay)
    assert seen == [1]
