from datetime import datetime

import pytest

from tickwork import CronError, CronExpression


def nxt(expression, text):
    return CronExpression(expression).next_after(datetime.fromisoformat(text)).isoformat(" ", "minutes")


@pytest.mark.parametrize(
    "expression, start, expected",
    [
        ("* * * * *", "2024-01-01 00:00", "2024-01-01 00:01"),
        ("*/15 * * * *", "2024-01-01 00:16", "2024-01-01 00:30"),
        ("30 9 * * *", "2024-01-01 09:30", "2024-01-02 09:30"),
        ("0 9 * * mon-fri", "2024-01-05 10:00", "2024-01-08 09:00"),
        ("0 0 1 * *", "2024-01-31 12:00", "2024-02-01 00:00"),
        ("0 0 29 feb *", "2024-03-01 00:00", "2028-02-29 00:00"),
        ("5/20 * * * *", "2024-01-01 00:26", "2024-01-01 00:45"),
        ("0 12 * * 7", "2024-01-01 00:00", "2024-01-07 12:00"),
        ("@hourly", "2024-01-01 23:30", "2024-01-02 00:00"),
    ],
)
def test_next_after(expression, start, expected):
    assert nxt(expression, start) == expected


def test_day_and_weekday_are_alternatives():
    # the 13th, or any Friday
    assert nxt("0 0 13 * fri", "2024-02-01 00:00") == "2024-02-02 00:00"
    assert nxt("0 0 13 * fri", "2024-02-10 00:00") == "2024-02-13 00:00"


def test_seconds_are_dropped():
    start = datetime(2024, 1, 1, 0, 0, 59, 5)
    assert CronExpression("* * * * *").next_after(start) == datetime(2024, 1, 1, 0, 1)


@pytest.mark.parametrize(
    "expression", ["* * * *", "60 * * * *", "* * 0 * *", "*/0 * * * *", "9-5 * * * *", "x * * * *"]
)
def test_errors(expression):
    with pytest.raises(CronError):
        CronExpression(expression)


def test_never():
    with pytest.raises(CronError, match="never fires"):
        nxt("0 0 30 feb *", "2024-01-01 00:00")
