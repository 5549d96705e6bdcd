import pytest

from rental.periods import parse, shifted
from rental.prices import price


def test_hours():
    assert parse("2024-05-01T10:00/2024-05-01T12:00").hours == 2


def test_begun_hours():
    assert parse("2024-05-01T10:00/2024-05-01T12:01").hours == 3


def test_days():
    assert parse("2024-05-01T10:00/2024-05-03T11:00").hours == 49


def test_price():
    assert price(parse("2024-05-01T10:00/2024-05-01T12:00")) == 16
    assert price(parse("2024-05-01T10:00/2024-05-01T23:00")) == 60


def test_price_of_days():
    assert price(parse("2024-05-01T10:00/2024-05-03T11:00")) == 128


def test_overlaps():
    one = parse("2024-05-01T10:00/2024-05-01T12:00")
    assert one.overlaps(one)
    assert not one.overlaps(shifted(one, 1))


def test_backwards():
    with pytest.raises(ValueError, match="ends before"):
        parse("2024-05-02T10:00/2024-05-01T12:00")
