from datetime import date

import pytest

from lodgebook import DateRange
from lodgebook.dates import merge_ranges

R = DateRange.parse


def test_parse():
    assert R("2024-05-01..2024-05-04") == R("2024-05-01+3")
    assert R("2024-05-01").nights == 1
    assert str(R("2024-02-28+2")) == "2024-02-28..2024-03-01"


def test_empty_range_is_refused():
    with pytest.raises(ValueError):
        R("2024-05-01..2024-05-01")


def test_days():
    stay = R("2024-05-30+3")
    assert list(stay) == [date(2024, 5, 30), date(2024, 5, 31), date(2024, 6, 1)]
    assert date(2024, 6, 1) in stay
    assert date(2024, 6, 2) not in stay


@pytest.mark.parametrize(
    "other, overlaps, touches",
    [
        ("2024-05-01+4", False, False),
        ("2024-05-08+2", False, True),
        ("2024-05-09+2", True, True),
        ("2024-05-11+1", True, True),
        ("2024-05-12+5", False, True),
        ("2024-05-13+5", False, False),
    ],
)
def test_overlap(other, overlaps, touches):
    stay = R("2024-05-10+2")
    assert stay.overlaps(R(other)) is overlaps
    assert R(other).touches(stay) is touches


def test_minus():
    week = R("2024-05-01+7")
    assert week.minus(R("2024-05-03+2")) == [R("2024-05-01+2"), R("2024-05-05+3")]
    assert week.minus(R("2024-04-20+30")) == []
    assert week.minus(R("2024-06-01")) == [week]


def test_merge():
    ranges = [R("2024-05-05+2"), R("2024-05-01+6"), R("2024-05-07+1"), R("2024-06-01")]
    assert merge_ranges(ranges) == [R("2024-05-01+7"), R("2024-06-01")]


def test_merge_keeps_enclosing_end():
    assert merge_ranges([R("2024-05-01+10"), R("2024-05-02+1")]) == [R("2024-05-01+10")]
