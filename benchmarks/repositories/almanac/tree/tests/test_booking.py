from datetime import datetime, timedelta

import pytest

from almanac import UTC, Interval, Rule


def utc(*args):
    return datetime(*args, tzinfo=UTC)


class TestInterval:
    def test_touching_do_not_overlap(self):
        morning = Interval(utc(2024, 3, 1, 9), utc(2024, 3, 1, 10))
        later = Interval(utc(2024, 3, 1, 10), utc(2024, 3, 1, 11))
        assert not morning.overlaps(later)
        assert not later.overlaps(morning)

    def test_inside_overlaps(self):
        day = Interval(utc(2024, 3, 1), utc(2024, 3, 2))
        hour = Interval(utc(2024, 3, 1, 9), utc(2024, 3, 1, 10))
        assert day.overlaps(hour) and hour.overlaps(day)
        assert day.contains(hour) and not hour.contains(day)

    def test_naive_is_refused(self):
        with pytest.raises(ValueError, match="aware"):
            Interval(datetime(2024, 3, 1), datetime(2024, 3, 2))

    def test_night_of_the_change(self, berlin):
        night = Interval(
            datetime(2024, 3, 31, 1, tzinfo=berlin), datetime(2024, 3, 31, 4, tzinfo=berlin)
        )
        assert night.duration == timedelta(hours=2)


def test_wall_clock_stays_over_summer_time(make, window):
    booking = make(start=datetime(2024, 3, 25, 9), rule=Rule("weekly", count=2))
    found = booking.occurrences(window("2024-03-20", "2024-04-10"))
    assert [i.start for i in found] == [utc(2024, 3, 25, 8), utc(2024, 4, 1, 7)]


def test_duration_is_elapsed_time(make, window):
    booking = make(start=datetime(2024, 3, 31, 1), minutes=120)
    (interval,) = booking.occurrences(window("2024-03-30", "2024-04-02"))
    assert interval.end == utc(2024, 3, 31, 2)


def test_aware_start_is_taken_to_the_zone(make):
    booking = make(start=utc(2024, 7, 1, 10))
    assert booking.start == datetime(2024, 7, 1, 12)


def test_window_cuts_into_occurrence(make, window):
    booking = make(start=datetime(2024, 3, 4, 9), minutes=180)
    assert len(booking.occurrences(window("2024-03-04T10:00", "2024-03-04T10:30"))) == 1
    assert booking.occurrences(window("2024-03-04T11:00", "2024-03-04T12:00")) == []


def test_cancel(make, window):
    booking = make(rule=Rule("daily", count=3))
    booking.cancel(datetime(2024, 3, 5, 9))
    found = booking.occurrences(window("2024-03-01", "2024-03-31"))
    assert [i.start.day for i in found] == [4, 6]


def test_cancel_unknown_time(make):
    booking = make(rule=Rule("daily"))
    with pytest.raises(ValueError):
        booking.cancel(datetime(2024, 3, 5, 10))
    with pytest.raises(ValueError):
        booking.cancel(datetime(2024, 3, 3, 9))


def test_move(make, window):
    booking = make(rule=Rule("daily", count=3))
    booking.move(datetime(2024, 3, 4, 9), datetime(2024, 3, 10, 15))
    found = booking.occurrences(window("2024-03-01", "2024-03-31"))
    assert [(i.start.day, i.start.hour) for i in found] == [(5, 8), (6, 8), (10, 14)]


def test_move_into_the_window(make, window):
    booking = make(rule=Rule("daily", count=3))
    booking.move(datetime(2024, 3, 6, 9), datetime(2024, 2, 1, 9))
    assert len(booking.occurrences(window("2024-02-01", "2024-02-02"))) == 1


def test_cancel_after_move(make, window):
    booking = make(rule=Rule("daily", count=2))
    booking.move(datetime(2024, 3, 5, 9), datetime(2024, 3, 20, 9))
    booking.cancel(datetime(2024, 3, 5, 9))
    assert len(booking.occurrences(window("2024-03-01", "2024-03-31"))) == 1


def test_duration_must_be_positive(make):
    with pytest.raises(ValueError):
        make(minutes=0)
