from datetime import date

import pytest

from lodgebook import Calendar, DateRange, Unavailable

R = DateRange.parse


@pytest.fixture
def calendar():
    cal = Calendar()
    cal.take("1", R("2024-05-10+3"))
    cal.take("1", R("2024-05-01+2"))
    cal.take("1", R("2024-05-20+2"))
    return cal


def test_sorted(calendar):
    assert [r.start.day for r in calendar.taken("1")] == [1, 10, 20]


@pytest.mark.parametrize("text, free", [
    ("2024-05-03+7", True),
    ("2024-05-03+8", False),
    ("2024-05-12+2", False),
    ("2024-05-13+7", True),
    ("2024-05-10+1", False),
    ("2024-04-01+60", False),
])
def test_is_free(calendar, text, free):
    assert calendar.is_free("1", R(text)) is free
    assert calendar.is_free("2", R(text))


def test_take_twice(calendar):
    with pytest.raises(Unavailable) as info:
        calendar.take("1", R("2024-05-11"))
    assert info.value.room == "1"


def test_release(calendar):
    calendar.release("1", R("2024-05-10+3"))
    assert calendar.is_free("1", R("2024-05-10+3"))
    with pytest.raises(KeyError):
        calendar.release("1", R("2024-05-10+3"))


def test_failed_move_changes_nothing(calendar):
    before = calendar.taken("1")
    with pytest.raises(Unavailable):
        calendar.move("1", R("2024-05-10+3"), "1", R("2024-05-21+3"))
    assert calendar.taken("1") == before


def test_move_over_itself(calendar):
    calendar.move("1", R("2024-05-10+3"), "1", R("2024-05-11+3"))
    assert R("2024-05-11+3") in calendar.taken("1")


def test_taken_is_a_copy(calendar):
    calendar.taken("1").clear()
    assert len(calendar.taken("1")) == 3


def test_gaps(calendar):
    assert calendar.gaps("1", R("2024-05-02..2024-05-21")) == [
        R("2024-05-03..2024-05-10"), R("2024-05-13..2024-05-20"),
    ]


def test_occupancy(calendar):
    assert calendar.occupancy(["1", "2"], R("2024-05-12..2024-05-22")) == 3 / 20
    assert calendar.occupancy([], R("2024-05-01")) == 0.0


def test_next_free(calendar):
    assert calendar.next_free("1", 7, date(2024, 5, 1)) == R("2024-05-03+7")
    assert calendar.next_free("1", 8, date(2024, 5, 1)) == R("2024-05-22+8")
