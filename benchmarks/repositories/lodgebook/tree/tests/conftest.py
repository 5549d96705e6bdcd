from datetime import datetime, timedelta, timezone

import pytest

from lodgebook import DateRange, FrontDesk, PriceList, Room


class Clock:
    def __init__(self):
        self.now = datetime(2024, 5, 1, 12, tzinfo=timezone.utc)

    def __call__(self):
        return self.now

    def forward(self, **delta):
        self.now += timedelta(**delta)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def rooms():
    return [
        Room("1", 2),
        Room("2", 2, features=frozenset({"balcony"})),
        Room("3", 4, kind="suite", features=frozenset({"balcony", "bath"})),
    ]


@pytest.fixture
def desk(rooms, clock):
    return FrontDesk(rooms, PriceList({"standard": "80", "suite": "150"}), clock=clock)


@pytest.fixture
def stay():
    return DateRange.parse("2024-06-03+2")
