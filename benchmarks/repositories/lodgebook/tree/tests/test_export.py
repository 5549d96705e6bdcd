from datetime import timezone, datetime

import pytest

from lodgebook import Booking, DateRange, Status
from lodgebook.export import dump, fold, load, to_ical


@pytest.fixture
def booking():
    return Booking(7, "1", "Ann; Böb", DateRange.parse("2024-06-03+2"), status=Status.CONFIRMED)


def test_ical(booking):
    text = to_ical([booking])
    assert "DTSTART;VALUE=DATE:20240603\r\nDTEND;VALUE=DATE:20240605\r\n" in text
    assert "SUMMARY:Ann\\; Böb (1)\r\n" in text
    assert "TENTATIVE" not in text
    assert text.endswith("END:VCALENDAR\r\n")


def test_ical_escapes_notes(booking):
    booking.notes += ["a\\b, c", "d"]
    assert "DESCRIPTION:a\\\\b\\, c\\nd\r\n" in to_ical([booking])


def test_held_is_tentative(booking):
    booking.status = Status.HELD
    assert "STATUS:TENTATIVE" in to_ical([booking])


def test_fold_counts_octets():
    folded = fold("é" * 60)
    assert all(len(line.encode()) <= 75 for line in folded.split("\r\n"))
    assert folded.replace("\r\n ", "") == "é" * 60
    assert fold("short") == "short"


def test_json_round_trip(booking):
    booking.expires = datetime(2024, 5, 2, 12, tzinfo=timezone.utc)
    booking.notes.append("late")
    text = dump([booking])
    assert "Böb" in text
    assert load(text) == [booking]
