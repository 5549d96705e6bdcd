from datetime import datetime
from itertools import islice

import pytest

from almanac import Rule, RuleError


def days(rule, start, limit=5):
    return [f"{t:%m-%d}" for t in islice(rule.times(start), limit)]


def test_daily_interval():
    assert days(Rule("daily", 3), datetime(2024, 2, 27), 3) == ["02-27", "03-01", "03-04"]


class TestWeekly:
    def test_same_weekday(self):
        assert days(Rule("weekly"), datetime(2024, 3, 6), 3) == ["03-06", "03-13", "03-20"]

    def test_days_before_start_are_left_out(self):
        rule = Rule("weekly", days=[4, 0])
        assert days(rule, datetime(2024, 3, 6), 3) == ["03-08", "03-11", "03-15"]

    def test_interval_counts_weeks_from_monday(self):
        rule = Rule("weekly", 2, days=[0, 6])
        assert days(rule, datetime(2024, 3, 6), 3) == ["03-10", "03-18", "03-24"]


class TestMonthly:
    def test_short_months_are_left_out(self):
        assert days(Rule("monthly"), datetime(2024, 1, 31), 4) == ["01-31", "03-31", "05-31", "07-31"]

    def test_over_new_year(self):
        assert days(Rule("monthly", 2), datetime(2023, 11, 5), 3) == ["11-05", "01-05", "03-05"]

    def test_nth_weekday(self):
        rule = Rule("monthly", nth=(2, 1))
        assert days(rule, datetime(2024, 1, 1), 3) == ["01-09", "02-13", "03-12"]

    def test_nth_before_start(self):
        rule = Rule("monthly", nth=(1, 0))
        assert days(rule, datetime(2024, 1, 15), 2) == ["02-05", "03-04"]

    def test_nth_keeps_the_time_of_day(self):
        first = next(Rule("monthly", nth=(-1, 4)).times(datetime(2024, 1, 1, 15, 30)))
        assert first == datetime(2024, 1, 26, 15, 30)


def test_leap_day():
    times = list(islice(Rule("yearly").times(datetime(2024, 2, 29)), 2))
    assert [t.year for t in times] == [2024, 2028]


def test_count():
    assert days(Rule("daily", count=2), datetime(2024, 3, 1)) == ["03-01", "03-02"]


def test_count_starts_at_the_start():
    rule = Rule("weekly", days=[0, 4], count=2)
    assert days(rule, datetime(2024, 3, 6)) == ["03-08", "03-11"]


def test_until_is_inclusive():
    rule = Rule("daily", until=datetime(2024, 3, 3, 9))
    assert days(rule, datetime(2024, 3, 1, 9)) == ["03-01", "03-02", "03-03"]


@pytest.mark.parametrize(
    "arguments",
    [
        dict(frequency="hourly"),
        dict(frequency="daily", interval=0),
        dict(frequency="daily", count=1, until=datetime(2024, 1, 1)),
        dict(frequency="daily", days=[1]),
        dict(frequency="weekly", nth=(1, 1)),
    ],
)
def test_bad_rules(arguments):
    with pytest.raises(RuleError):
        Rule(**arguments)


@pytest.mark.parametrize(
    "text",
    [
        "FREQ=DAILY",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;COUNT=5",
        "FREQ=MONTHLY;BYDAY=-1FR",
        "FREQ=YEARLY;UNTIL=20300101T120000",
    ],
)
def test_text_round_trip(text):
    assert Rule.from_text(text).to_text() == text


def test_until_date_includes_the_day():
    rule = Rule.from_text("FREQ=DAILY;UNTIL=20240302")
    assert days(rule, datetime(2024, 3, 1, 15)) == ["03-01", "03-02"]


@pytest.mark.parametrize("text", ["", "FREQ", "FREQ=DAILY;COUNT=x", "FREQ=WEEKLY;BYDAY=XX", "FREQ=DAILY;BYHOUR=3"])
def test_bad_text(text):
    with pytest.raises(RuleError):
        Rule.from_text(text)
