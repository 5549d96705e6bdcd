from datetime import date, datetime

import pytest

from jot.dates import add_months, describe, parse_date
from jot.errors import DateError, JotError
from jot.models import Task
from jot.recurrence import canonical, next_due, step

TODAY = date(2024, 1, 31)  # a Wednesday


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Tomorrow", date(2024, 2, 1)),
        ("in 2w", date(2024, 2, 14)),
        ("fri", date(2024, 2, 2)),
        ("wednesday", date(2024, 2, 7)),
        ("next month", date(2024, 2, 29)),
        ("1-31", date(2024, 1, 31)),
        ("1-30", date(2025, 1, 30)),
    ],
)
def test_parse(text, expected):
    assert parse_date(text, TODAY) == expected


@pytest.mark.parametrize("text", ["someday", "2024-02-30"])
def test_bad_dates(text):
    with pytest.raises(DateError):
        parse_date(text, TODAY)


@pytest.mark.parametrize(
    "day, text",
    [
        (date(2024, 2, 6), "tue"),
        (date(2024, 2, 7), "02-07"),
        (date(2025, 2, 1), "2025-02-01"),
    ],
)
def test_describe(day, text):
    assert describe(day, TODAY) == text


def test_add_months_over_year_end():
    assert add_months(date(2024, 12, 15), 1) == date(2025, 1, 15)
    assert add_months(date(2024, 1, 15), 11) == date(2024, 12, 15)


class TestRecurrence:
    def task(self, due, every):
        return Task(1, "t", datetime(2024, 1, 1), due=due, every=every)

    def test_canonical(self):
        assert canonical("1  Week") == "week"
        assert canonical("3 day") == "3 days"

    @pytest.mark.parametrize("rule", ["0 days", "2 weekdays"])
    def test_bad_rules(self, rule):
        with pytest.raises(JotError):
            canonical(rule)

    def test_weekday_skips_weekend(self):
        assert step(date(2024, 2, 2), "weekday") == date(2024, 2, 5)

    def test_leap_day(self):
        assert step(date(2024, 2, 29), "year") == date(2025, 2, 28)

    def test_next_is_in_the_future(self):
        assert next_due(self.task(date(2024, 1, 3), "week"), TODAY) == date(2024, 2, 7)

    def test_done_early_still_moves_on(self):
        assert next_due(self.task(date(2024, 2, 10), "week"), TODAY) == date(2024, 2, 17)

    def test_end_of_month_when_catching_up(self):
        assert next_due(self.task(date(2024, 1, 31), "month"), date(2024, 3, 15)) == date(2024, 3, 31)
