from datetime import datetime, timedelta

import pytest

from almanac.zones import UTC, get_zone, nth_weekday


@pytest.mark.parametrize(
    "zone, moment, hours",
    [
        ("Berlin", datetime(2024, 1, 15), 1),
        ("Berlin", datetime(2024, 7, 15), 2),
        ("Sydney", datetime(2024, 1, 15), 11),
        ("Sydney", datetime(2024, 7, 15), 10),
        ("NewYork", datetime(2024, 3, 20), -4),
        ("Kolkata", datetime(2024, 3, 20), 5.5),
    ],
)
def test_offsets(zone, moment, hours):
    assert moment.replace(tzinfo=get_zone(zone)).utcoffset() == timedelta(hours=hours)


def test_change_to_summer_time(berlin):
    before = datetime(2024, 3, 31, 0, 59, tzinfo=UTC).astimezone(berlin)
    after = datetime(2024, 3, 31, 1, 0, tzinfo=UTC).astimezone(berlin)
    assert (before.hour, before.minute) == (1, 59)
    assert (after.hour, after.tzname()) == (3, "CEST")


def test_hour_that_comes_twice(berlin):
    first = datetime(2024, 10, 27, 0, 30, tzinfo=UTC).astimezone(berlin)
    second = datetime(2024, 10, 27, 1, 30, tzinfo=UTC).astimezone(berlin)
    assert (first.hour, first.fold, first.tzname()) == (2, 0, "CEST")
    assert (second.hour, second.fold, second.tzname()) == (2, 1, "CET")


def test_round_trip_over_both_changes(berlin):
    for start in (datetime(2024, 3, 30, 20), datetime(2024, 10, 26, 20)):
        for step in range(24):
            moment = start.replace(tzinfo=UTC) + timedelta(minutes=30 * step)
            assert moment.astimezone(berlin).astimezone(UTC) == moment


def test_missing_hour(berlin):
    assert not berlin.exists(datetime(2024, 3, 31, 2, 30))
    assert berlin.exists(datetime(2024, 3, 31, 3, 0))
    assert berlin.localize(datetime(2024, 3, 31, 2, 30)).hour == 3


@pytest.mark.parametrize(
    "n, weekday, day", [(1, 4, 1), (2, 1, 12), (5, 4, 29), (5, 0, None), (-1, 6, 31), (-5, 4, 1)]
)
def test_nth_weekday(n, weekday, day):
    found = nth_weekday(2024, 3, weekday, n)
    assert (found.day if found else None) == day
