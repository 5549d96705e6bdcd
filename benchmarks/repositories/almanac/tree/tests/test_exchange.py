from datetime import datetime, timedelta

import pytest

from almanac import Calendar, Rule, ical, storage


@pytest.fixture
def full(make):
    booking = make(
        "Planning; part 1, with \\ and ünicode",
        rule=Rule("weekly", days=[0, 2], count=8),
        uid="plan-1",
        notes="first line\nnew line, \\n is no new line",
        resources={"room", "beamer, large"},
    )
    booking.cancel(datetime(2024, 3, 6, 9))
    booking.move(datetime(2024, 3, 11, 9), datetime(2024, 3, 12, 14))
    return booking


class TestICal:
    def test_round_trip(self, full):
        (copy,) = ical.load(ical.dump([full]))
        assert copy == full

    def test_lines_are_folded_by_bytes(self, make):
        text = ical.dump([make("ü" * 80, uid="x")])
        assert max(len(line.encode()) for line in text.split("\r\n")) <= 75
        assert ical.load(text)[0].title == "ü" * 80

    @pytest.mark.parametrize(
        "text, minutes", [("PT1H30M", 90), ("P1D", 1440), ("P1W", 10080), ("P1DT1M", 1441)]
    )
    def test_duration(self, text, minutes):
        assert ical.parse_duration(text) == timedelta(minutes=minutes)

    @pytest.mark.parametrize("text", ["P", "PT", "1H", "PT1X"])
    def test_bad_duration(self, text):
        with pytest.raises(ical.ICalError):
            ical.parse_duration(text)

    def test_duration_text(self):
        assert ical.duration_text(timedelta(days=1, minutes=5)) == "P1DT5M"
        assert ical.duration_text(timedelta(days=2)) == "P2D"

    def test_missing_property(self):
        with pytest.raises(ical.ICalError, match="duration, title"):
            ical.load("BEGIN:VEVENT\nDTSTART:20240301T090000\nEND:VEVENT\n")

    def test_unclosed(self):
        with pytest.raises(ical.ICalError, match="closed"):
            ical.load("BEGIN:VEVENT\nSUMMARY:x\n")

    def test_several_exdates_in_a_line(self):
        text = (
            "BEGIN:VEVENT\nSUMMARY:x\nDTSTART;TZID=Berlin:20240301T090000\nDURATION:PT1H\n"
            "RRULE:FREQ=DAILY\nEXDATE:20240302T090000,20240303T090000\nEND:VEVENT\n"
        )
        (booking,) = ical.load(text)
        assert len(booking.cancelled) == 2


class TestStorage:
    def test_round_trip(self, full, make, tmp_path):
        calendar = Calendar({"room": 2})
        calendar.add(full)
        calendar.add(make(minutes=45))
        path = tmp_path / "calendar.json"
        storage.save(calendar, path)
        copy = storage.load(path)
        assert list(copy) == list(calendar)
        assert copy.capacities == {"room": 2}
        assert len(copy.bookings_of("room")) == 2

    def test_new_uids_after_loading(self, make, tmp_path):
        calendar = Calendar()
        calendar.add(make())
        storage.save(calendar, tmp_path / "c.json")
        copy = storage.load(tmp_path / "c.json")
        assert copy.add(make(start=datetime(2024, 3, 5, 9))) == "b2"

    def test_failed_save_keeps_the_file(self, make, tmp_path, monkeypatch):
        path = tmp_path / "c.json"
        storage.save(Calendar(), path)
        before = path.read_text()
        calendar = Calendar({"room": object()})
        with pytest.raises(TypeError):
            storage.save(calendar, path)
        assert path.read_text() == before

    def test_version(self, tmp_path):
        path = tmp_path / "c.json"
        path.write_text('{"version": 1}')
        with pytest.raises(ValueError, match="version 1"):
            storage.load(path)
