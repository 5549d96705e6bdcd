from datetime import datetime, timedelta, timezone

import pytest

from logsift.aggregate import Histogram, Summary, TopCounter, parse_duration, sessions


@pytest.mark.parametrize(
    "text, seconds", [("90s", 90), ("5m", 300), ("1h30m", 5400), ("1d", 86400)]
)
def test_duration(text, seconds):
    assert parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "5", "5x", "m5", "1h x"])
def test_bad_duration(text):
    with pytest.raises(ValueError):
        parse_duration(text)


class TestTop:
    def test_ties_by_value(self, rec):
        counter = TopCounter("path")
        for path in ["/c", "/b", "/a", "/b", "/c", "/d"]:
            counter.add(rec(path=path))
        assert counter.top() == [("/b", 2), ("/c", 2), ("/a", 1), ("/d", 1)]
        assert counter.top(1) == [("/b", 2)]

    def test_missing(self, rec):
        counter = TopCounter("path")
        counter.add(rec())
        counter.add(rec(path=""))
        assert counter.missing == 1
        assert counter.top() == [("", 1)]


class TestHistogram:
    def test_gaps_are_filled(self, rec):
        histogram = Histogram(timedelta(hours=1))
        for hour in (10, 10, 12):
            histogram.add(rec(hour=hour, minute=30))
        rows = [(moment.hour, sum(counts.values())) for moment, counts in histogram.rows()]
        assert rows == [(10, 2), (11, 0), (12, 1)]

    def test_rows_twice_adds_no_buckets(self, rec):
        histogram = Histogram(timedelta(minutes=30))
        histogram.add(rec(hour=10))
        histogram.add(rec(hour=12))
        list(histogram.rows())
        assert len(histogram.buckets) == 2

    def test_days_start_at_local_midnight(self, rec):
        zone = timezone(timedelta(hours=2))
        histogram = Histogram(timedelta(days=1), zone)
        histogram.add(rec(hour=23))
        ((moment, _),) = histogram.rows()
        assert moment == datetime(2024, 3, 2, tzinfo=zone)

    def test_by_level(self, rec):
        histogram = Histogram(timedelta(hours=1))
        histogram.add(rec(level="error"))
        histogram.add(rec(level="info"))
        ((_, counts),) = histogram.rows()
        assert counts == {"error": 1, "info": 1}

    def test_step_must_be_positive(self):
        with pytest.raises(ValueError):
            Histogram(timedelta(0))

    def test_empty(self):
        assert list(Histogram(timedelta(hours=1)).rows()) == []


class TestSummary:
    def make(self, rec, values):
        summary = Summary("ms")
        for value in values:
            summary.add(rec(ms=value))
        return summary

    def test_percentiles(self, rec):
        summary = self.make(rec, range(1, 21))
        assert summary.percentile(50) == 10
        assert summary.percentile(95) == 19
        assert summary.percentile(100) == 20
        assert summary.percentile(0) == 1

    def test_text_and_flags_are_ignored(self, rec):
        assert self.make(rec, ["x", True, None, 4]).as_dict()["count"] == 1

    def test_empty(self, rec):
        assert self.make(rec, []).as_dict() == {"count": 0}


def test_sessions(rec):
    records = [
        rec(minute=0, user="ann"),
        rec(minute=4, user="bob"),
        rec(minute=8, user="ann"),
        rec(minute=16, user="ann"),
        rec(minute=40, user="ann"),
        rec(minute=41),
    ]
    result = sessions(records, "user", timedelta(minutes=10))
    assert [(key, count) for key, _, _, count in result] == [("ann", 3), ("bob", 1), ("ann", 1)]
    assert result[0][2].minute == 16
