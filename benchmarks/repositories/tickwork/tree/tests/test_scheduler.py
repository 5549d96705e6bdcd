from datetime import timedelta, timezone
from unittest import mock

import pytest

from tickwork import JobState, ManualClock, Scheduler, UnknownJob


def test_submit_and_run(scheduler):
    job = scheduler.submit(lambda a, b=0: a + b, 1, kwargs={"b": 2})
    assert scheduler.run_pending() == 1
    assert (job.state, job.result) == (JobState.DONE, 3)


def test_unknown_option(scheduler):
    with pytest.raises(TypeError, match="prio"):
        scheduler.submit(print, prio=1)


def test_delay(scheduler, clock, calls):
    scheduler.submit(calls.append, 1, delay=30)
    assert scheduler.run_pending() == 0
    clock.advance(seconds=30)
    assert scheduler.run_pending() == 1


def test_order_by_due_then_priority_then_age(scheduler, clock, calls):
    scheduler.submit(calls.append, "late", delay=1, priority=99)
    scheduler.submit(calls.append, "first")
    scheduler.submit(calls.append, "second")
    scheduler.submit(calls.append, "urgent", priority=5)
    clock.advance(seconds=1)
    scheduler.run_pending()
    assert calls == ["urgent", "first", "second", "late"]


def test_limit(scheduler, calls):
    for n in range(3):
        scheduler.submit(calls.append, n)
    assert scheduler.run_pending(limit=2) == 2
    assert calls == [0, 1]


def test_get_unknown(scheduler):
    with pytest.raises(UnknownJob):
        scheduler.get(-1)


class TestRecurring:
    def test_every(self, scheduler, clock, calls):
        @scheduler.every(minutes=5, name="tick")
        def tick():
            calls.append(clock.now().minute)

        for _ in range(12):
            clock.advance(minutes=1)
            scheduler.run_pending()
        assert calls == [5, 10]

    def test_missed_runs_are_skipped(self, scheduler, clock, calls):
        scheduler.every(minutes=5, name="tick")(lambda: calls.append(1))
        clock.advance(minutes=17)
        scheduler.run_pending()
        assert calls == [1]
        assert scheduler.next_due() == clock.now() + timedelta(minutes=3)

    def test_late_run_keeps_the_grid(self, scheduler, clock, calls):
        scheduler.every(minutes=5)(lambda: calls.append(1))
        clock.advance(minutes=6)
        scheduler.run_pending()
        assert scheduler.idle_seconds() == 240

    def test_exactly_on_the_grid(self, scheduler, clock, calls):
        scheduler.every(minutes=5)(lambda: calls.append(1))
        clock.advance(minutes=10)
        scheduler.run_pending()
        assert scheduler.idle_seconds() == 300

    def test_cron_in_time_zone(self, scheduler, clock):
        tokyo = timezone(timedelta(hours=9))
        scheduler.cron("0 9 * * *", tz=tokyo, name="report")(lambda: None)
        clock.advance(minutes=1)
        (job,) = scheduler.find("report")
        assert job.due.astimezone(timezone.utc).isoformat() == "2024-01-02T00:00:00+00:00"

    def test_reschedule(self, scheduler, clock, calls):
        scheduler.every(hours=1, name="tick")(lambda: calls.append(1))
        (job,) = scheduler.find("tick")
        scheduler.reschedule(job.id, clock.now() + timedelta(minutes=10))
        clock.advance(minutes=10)
        assert scheduler.run_pending() == 1
        assert scheduler.idle_seconds() == 3600


class TestKeys:
    def test_same_key_is_coalesced(self, scheduler, calls):
        first = scheduler.submit(calls.append, 1, key="k")
        assert scheduler.submit(calls.append, 2, key="k") is first
        scheduler.run_pending()
        assert calls == [1]

    def test_key_is_free_after_run(self, scheduler, calls):
        first = scheduler.submit(calls.append, 1, key="k")
        scheduler.run_pending()
        assert scheduler.submit(calls.append, 2, key="k") is not first

    def test_key_is_free_after_cancel(self, scheduler, calls):
        first = scheduler.submit(calls.append, 1, key="k")
        scheduler.cancel(first.id)
        second = scheduler.submit(calls.append, 2, key="k")
        scheduler.run_pending()
        assert second.state is JobState.DONE
        assert calls == [2]


class TestCancel:
    def test_cancelled_job_does_not_run(self, scheduler, calls):
        job = scheduler.submit(calls.append, 1)
        assert scheduler.cancel(job.id) is True
        assert scheduler.run_pending() == 0
        assert len(scheduler) == 0

    def test_twice(self, scheduler, calls):
        job = scheduler.submit(calls.append, 1)
        scheduler.cancel(job.id)
        assert scheduler.cancel(job.id) is False

    def test_recurring_job_may_cancel_itself(self, scheduler, clock, calls):
        @scheduler.every(seconds=1, name="once")
        def once():
            calls.append(1)
            (job,) = scheduler.find("once")
            scheduler.cancel(job.id)

        for _ in range(3):
            clock.advance(seconds=1)
            scheduler.run_pending()
        assert calls == [1]


class TestDependencies:
    def test_waits_for_all(self, scheduler, clock, calls):
        a = scheduler.submit(calls.append, "a", delay=1)
        b = scheduler.submit(calls.append, "b", delay=2)
        c = scheduler.submit(calls.append, "c", after=[a, b])
        assert c.state is JobState.BLOCKED
        clock.advance(seconds=1)
        scheduler.run_pending()
        assert c.state is JobState.BLOCKED
        clock.advance(seconds=1)
        scheduler.run_pending()
        assert calls == ["a", "b", "c"]

    def test_failure_cancels_the_chain(self, scheduler, flaky, calls):
        a = scheduler.submit(flaky(1))
        b = scheduler.submit(calls.append, "b", after=[a])
        c = scheduler.submit(calls.append, "c", after=[b])
        scheduler.run_pending()
        assert [job.state.value for job in (a, b, c)] == ["failed", "cancelled", "cancelled"]

    def test_dependency_already_done(self, scheduler, calls):
        a = scheduler.submit(calls.append, "a")
        scheduler.run_pending()
        scheduler.submit(calls.append, "b", after=[a])
        scheduler.run_pending()
        assert calls == ["a", "b"]

    def test_dependency_already_failed(self, scheduler, flaky, calls):
        a = scheduler.submit(flaky(1))
        scheduler.run_pending()
        b = scheduler.submit(calls.append, "b", after=[a])
        assert b.state is JobState.CANCELLED


def test_history_is_trimmed(clock):
    scheduler = Scheduler(clock, history=2)
    jobs = [scheduler.submit(lambda: None) for _ in range(4)]
    scheduler.run_pending()
    with pytest.raises(UnknownJob):
        scheduler.get(jobs[1].id)
    assert scheduler.get(jobs[2].id) is jobs[2]


def test_clock_cannot_go_back():
    clock = ManualClock()
    with pytest.raises(ValueError):
        clock.set(clock.now() - timedelta(seconds=1))


class TestEvents:
    def test_listeners(self, scheduler, flaky):
        done, anything = mock.Mock(), mock.Mock()
        scheduler.events.on("done", done)
        scheduler.events.on("*", anything)
        job = scheduler.submit(lambda: 1)
        scheduler.run_pending()
        done.assert_called_once_with(job)
        assert anything.call_count == 2

    def test_failing_listener_is_logged(self, scheduler, caplog):
        scheduler.events.on("done", mock.Mock(side_effect=ZeroDivisionError))
        job = scheduler.submit(lambda: 1)
        scheduler.run_pending()
        assert job.state is JobState.DONE
        assert "listener for 'done' failed" in caplog.text

    def test_stopping_inside_a_listener(self, scheduler):
        seen = []
        stops = [
            scheduler.events.on("done", lambda job: (seen.append("a"), stops[0]())),
            scheduler.events.on("done", lambda job: seen.append("b")),
        ]
        scheduler.submit(lambda: 1)
        scheduler.submit(lambda: 1)
        scheduler.run_pending()
        assert seen == ["a", "b", "b"]
