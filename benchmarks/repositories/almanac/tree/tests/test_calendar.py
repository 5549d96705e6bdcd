from datetime import datetime, time, timedelta

import pytest

from almanac import Calendar, Conflict, Rule, UnknownBooking, get_zone


class TestAdd:
    def test_uids(self, calendar, make):
        calendar.add(make(uid="b1"))
        assert calendar.add(make(start=datetime(2024, 3, 5, 9))) == "b2"
        with pytest.raises(ValueError):
            calendar.add(make(uid="b1", resources=()))

    def test_conflict(self, calendar, make):
        calendar.add(make("first"))
        with pytest.raises(Conflict, match="'second' conflicts with 'first' over room") as info:
            calendar.add(make("second", start=datetime(2024, 3, 4, 9, 30)))
        assert info.value.resource == "room"
        assert len(calendar) == 1

    def test_back_to_back(self, calendar, make):
        calendar.add(make())
        calendar.add(make(start=datetime(2024, 3, 4, 10)))
        assert len(calendar) == 2

    def test_other_zone(self, calendar, make):
        calendar.add(make())
        with pytest.raises(Conflict):
            calendar.add(make(start=datetime(2024, 3, 4, 8), zone=get_zone("London")))

    def test_other_resource(self, calendar, make):
        calendar.add(make())
        calendar.add(make(resources={"lab"}))
        assert len(calendar) == 2

    def test_later_occurrence_conflicts(self, calendar, make):
        calendar.add(make(start=datetime(2024, 5, 6, 9)))
        with pytest.raises(Conflict):
            calendar.add(make(rule=Rule("weekly")))

class TestCapacity:
    def test_two_at_a_time(self, make):
        calendar = Calendar({"room": 2})
        calendar.add(make())
        calendar.add(make())
        with pytest.raises(Conflict):
            calendar.add(make())

    def test_one_after_the_other_counts_once(self, make):
        calendar = Calendar({"room": 2})
        calendar.add(make(start=datetime(2024, 3, 4, 9)))
        calendar.add(make(start=datetime(2024, 3, 4, 10)))
        calendar.add(make(start=datetime(2024, 3, 4, 9), minutes=120))
        assert len(calendar) == 3


class TestChange:
    def test_remove_frees_the_room(self, calendar, make):
        uid = calendar.add(make())
        calendar.remove(uid)
        calendar.add(make())
        assert uid not in calendar
        with pytest.raises(UnknownBooking):
            calendar.get(uid)

    def test_update_checks_against_others_only(self, calendar, make):
        uid = calendar.add(make())
        calendar.update(uid, duration=timedelta(minutes=90))
        assert calendar.get(uid).duration == timedelta(minutes=90)

    def test_failed_update_changes_nothing(self, calendar, make):
        calendar.add(make())
        uid = calendar.add(make(start=datetime(2024, 3, 4, 12)))
        with pytest.raises(Conflict):
            calendar.update(uid, start=datetime(2024, 3, 4, 9, 30))
        assert calendar.get(uid).start.hour == 12

    def test_update_of_resources(self, calendar, make):
        uid = calendar.add(make())
        calendar.update(uid, resources=["lab"])
        assert calendar.bookings_of("room") == []
        assert [b.uid for b in calendar.bookings_of("lab")] == [uid]
        calendar.add(make())
        with pytest.raises(Conflict):
            calendar.add(make(resources={"lab"}))

    def test_update_of_unknown_attribute(self, calendar, make):
        uid = calendar.add(make())
        with pytest.raises(AttributeError):
            calendar.update(uid, colour="red")

    def test_reschedule(self, calendar, make):
        uid = calendar.add(make(rule=Rule("daily", count=3)))
        calendar.add(make(start=datetime(2024, 3, 20, 9)))
        with pytest.raises(Conflict):
            calendar.reschedule(uid, datetime(2024, 3, 5, 9), datetime(2024, 3, 20, 9))
        assert calendar.get(uid).moved == {}
        calendar.reschedule(uid, datetime(2024, 3, 5, 9), datetime(2024, 3, 20, 10))
        assert len(calendar.get(uid).moved) == 1

    def test_reschedule_to_before_the_start(self, calendar, make):
        calendar.add(make("early", start=datetime(2024, 2, 1, 9)))
        uid = calendar.add(make(rule=Rule("daily", count=3)))
        with pytest.raises(Conflict):
            calendar.reschedule(uid, datetime(2024, 3, 5, 9), datetime(2024, 2, 1, 9))


def test_agenda(calendar, make, window):
    calendar.add(make("weekly", rule=Rule("weekly")))
    calendar.add(make("b", start=datetime(2024, 3, 6, 9)))
    calendar.add(make("a", start=datetime(2024, 3, 6, 9), resources={"lab"}))
    week = window("2024-03-04", "2024-03-12")
    assert [b.title for _, b in calendar.agenda(week)] == ["weekly", "a", "b", "weekly"]
    assert [b.title for _, b in calendar.agenda(week, "lab")] == ["a"]
    assert calendar.agenda(week, "nowhere") == []
    assert list(calendar._by_resource) == ["room", "lab"]


class TestFreeSlots:
    def slots(self, calendar, window, zone, minutes=60, **options):
        found = calendar.free_slots("room", window, timedelta(minutes=minutes), zone, **options)
        return [
            f"{s.start.astimezone(zone):%d %H:%M}-{s.end.astimezone(zone):%H:%M}" for s in found
        ]

    def test_around_bookings(self, calendar, make, window, berlin):
        calendar.add(make(start=datetime(2024, 3, 4, 9)))
        calendar.add(make(start=datetime(2024, 3, 4, 10, 30)))
        day = window("2024-03-04", "2024-03-04T23:00")
        assert self.slots(calendar, day, berlin) == ["04 08:00-09:00", "04 11:30-18:00"]
        assert "04 10:00-10:30" in self.slots(calendar, day, berlin, minutes=30)

    def test_long_booking_within_short_one(self, calendar, make, window, berlin):
        calendar.add(make(start=datetime(2024, 3, 4, 8), minutes=540))
        calendar.add(make(start=datetime(2024, 3, 4, 9), minutes=30), force=True)
        day = window("2024-03-04", "2024-03-04T23:00")
        assert self.slots(calendar, day, berlin) == ["04 17:00-18:00"]

    def test_two_days_and_partial_window(self, calendar, window, berlin):
        days = window("2024-03-04T16:00", "2024-03-05T08:30")
        assert self.slots(calendar, days, berlin) == ["04 17:00-18:00", "05 08:00-09:30"]

    def test_opening_hours_follow_the_zone(self, calendar, window, berlin):
        days = window("2024-03-30T12:00", "2024-03-31T20:00")
        opening = (time(9), time(14))
        assert self.slots(calendar, days, berlin, opening=opening) == [
            "30 13:00-14:00",
            "31 09:00-14:00",
        ]
