import pytest

from tickwork import RetryPolicy
from tickwork.report import counts, format_delta, overview


@pytest.mark.parametrize(
    "seconds, text",
    [(0, "0s"), (59.9, "59s"), (3600, "1h"), (90061, "1d 1h"), (-90, "-1m 30s")],
)
def test_format_delta(seconds, text):
    assert format_delta(seconds) == text


def test_overview(scheduler, flaky):
    scheduler.submit(flaky(1), retry=RetryPolicy(attempts=3, delay=90))
    scheduler.run_pending()
    scheduler.submit(print, name="later", delay=7200)
    scheduler.submit(print, name="soon")
    assert overview(scheduler).splitlines() == [
        "soon: now",
        "flaky: in 1m 30s (attempt 2/3)",
        "later: in 2h",
    ]


def test_counts(scheduler, flaky):
    scheduler.submit(flaky(1))
    scheduler.run_pending()
    scheduler.submit(print, delay=5)
    assert counts(scheduler) == {"failed": 1, "pending": 1}
