from datetime import datetime, timedelta

import pytest

from almanac import UTC, Booking, Calendar, Interval, get_zone


@pytest.fixture
def berlin():
    return get_zone("Berlin")


@pytest.fixture
def calendar():
    return Calendar()


@pytest.fixture
def make(berlin):
    def make(title="meeting", start=datetime(2024, 3, 4, 9), minutes=60, zone=berlin, **options):
        options.setdefault("resources", {"room"})
        return Booking(title, start, timedelta(minutes=minutes), zone, **options)

    return make


@pytest.fixture
def window():
    def window(start, end):
        return Interval(
            datetime.fromisoformat(start).replace(tzinfo=UTC),
            datetime.fromisoformat(end).replace(tzinfo=UTC),
        )

    return window
