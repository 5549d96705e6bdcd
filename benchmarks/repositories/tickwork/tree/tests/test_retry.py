import random
from datetime import timedelta
from unittest import mock

import pytest

from tickwork import JobState, RetryPolicy


class RateLimited(Exception):
    def __init__(self, retry_after):
        self.retry_after = retry_after


class TestPolicy:
    def test_exponential(self):
        policy = RetryPolicy(delay=2, factor=3)
        assert [policy.delay_after(n).total_seconds() for n in (1, 2, 3)] == [2, 6, 18]

    def test_cap(self):
        assert RetryPolicy(max_delay=10).delay_after(30) == timedelta(seconds=10)

    def test_cap_holds_with_jitter(self):
        rng = mock.Mock(spec=random.Random)
        rng.uniform.return_value = 0.5
        policy = RetryPolicy(delay=9, max_delay=10, jitter=0.5)
        assert policy.delay_after(1, rng=rng) == timedelta(seconds=10)
        rng.uniform.assert_called_once_with(-0.5, 0.5)

    def test_retry_after_hint(self):
        policy = RetryPolicy(max_delay=60)
        assert policy.delay_after(1, RateLimited(7)) == timedelta(seconds=7)
        assert policy.delay_after(1, RateLimited(700)) == timedelta(seconds=60)

    def test_retry_after_zero(self):
        assert RetryPolicy(delay=5).delay_after(1, RateLimited(0)) == timedelta(0)

    def test_subclasses_count(self):
        policy = RetryPolicy(retry_on=(OSError,))
        assert policy.should_retry(1, ConnectionResetError())
        assert not policy.should_retry(1, ValueError())

    def test_give_up_on_wins(self):
        policy = RetryPolicy(retry_on=(OSError,), give_up_on=(FileNotFoundError,))
        assert not policy.should_retry(1, FileNotFoundError())

    @pytest.mark.parametrize("options", [{"attempts": 0}, {"delay": -1}, {"factor": 0.5}])
    def test_validation(self, options):
        with pytest.raises(ValueError):
            RetryPolicy(**options)


def test_retries_until_success(scheduler, clock, flaky):
    func = flaky(2)
    job = scheduler.submit(func, retry=RetryPolicy(attempts=3, delay=10))
    scheduler.run_pending()
    assert (job.state, scheduler.idle_seconds()) == (JobState.PENDING, 10)
    clock.advance(seconds=10)
    scheduler.run_pending()
    assert scheduler.idle_seconds() == 20
    clock.advance(seconds=20)
    scheduler.run_pending()
    assert (job.state, job.result, job.error) == (JobState.DONE, "ok", None)


def test_dead_after_last_attempt(scheduler, clock, flaky):
    job = scheduler.submit(flaky(9), retry=RetryPolicy(attempts=2))
    for _ in range(5):
        scheduler.run_pending()
        clock.advance(hours=1)
    assert job.state is JobState.FAILED
    assert job.runs == 2
    assert scheduler.dead == [job]
    assert str(job.error) == "boom"


def test_revive_grants_fresh_attempts(scheduler, clock, flaky):
    func = flaky(3)
    job = scheduler.submit(func, retry=RetryPolicy(attempts=2, delay=1))
    for _ in range(3):
        scheduler.run_pending()
        clock.advance(minutes=1)
    assert scheduler.revive(job.id) is job
    assert scheduler.dead == []
    scheduler.run_pending()
    assert job.state is JobState.PENDING
    clock.advance(minutes=1)
    scheduler.run_pending()
    assert job.state is JobState.DONE


def test_revive_unknown(scheduler):
    with pytest.raises(KeyError):
        scheduler.revive(12345)


def test_recurring_job_has_fresh_attempts_each_time(scheduler, clock, flaky):
    func = flaky(99)
    scheduler.every(hours=1, retry=RetryPolicy(attempts=2, delay=60))(func)
    clock.advance(hours=1)
    scheduler.run_pending()
    clock.advance(minutes=1)
    scheduler.run_pending()
    assert func.calls == 2
    clock.advance(minutes=59)
    scheduler.run_pending()
    clock.advance(minutes=1)
    scheduler.run_pending()
    assert func.calls == 4


def test_retry_does_not_shift_recurring_plan(scheduler, clock, flaky):
    scheduler.every(hours=1, name="sync", retry=RetryPolicy(attempts=2, delay=60))(flaky(1))
    clock.advance(hours=1)
    scheduler.run_pending()
    clock.advance(minutes=1)
    scheduler.run_pending()
    (job,) = scheduler.find("sync")
    assert job.due == clock.now() + timedelta(minutes=59)
