from datetime import datetime, timedelta, timezone

import pytest

from tallybook import Bank, Money


class Clock:
    def __init__(self):
        self.now = datetime(2023, 3, 1, 12, 0, tzinfo=timezone.utc)

    def __call__(self):
        return self.now

    def advance(self, **delta):
        self.now += timedelta(**delta)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def bank(clock):
    bank = Bank(clock=clock, snapshot_every=4)
    bank.open("A1", "ann", "EUR")
    bank.open("B1", "bob", "EUR", overdraft=5000)
    return bank


def eur(text):
    return Money.parse(text + " EUR")
