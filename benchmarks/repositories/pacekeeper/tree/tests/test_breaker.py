import pytest
from helpers import Flaky

from pacekeeper import CircuitBreaker, CircuitOpen


def fail(breaker, times=1):
    for _ in range(times):
        with pytest.raises(OSError):
            breaker.call(Flaky(OSError()))


@pytest.fixture
def breaker(clock):
    return CircuitBreaker(threshold=3, recovery=10, name="db", clock=clock)


def test_opens_after_threshold(breaker):
    fail(breaker, 2)
    assert breaker.state == "closed"
    fail(breaker)
    assert breaker.state == "open"
    flaky = Flaky("ok")
    with pytest.raises(CircuitOpen, match="circuit db is open"):
        breaker.call(flaky)
    assert flaky.calls == 0


def test_success_resets_count(breaker):
    fail(breaker, 2)
    breaker.call(Flaky("ok"))
    fail(breaker, 2)
    assert breaker.state == "closed"


def test_retry_after(breaker, clock):
    fail(breaker, 3)
    clock.advance(4)
    with pytest.raises(CircuitOpen) as info:
        breaker.call(Flaky("ok"))
    assert info.value.retry_after == 6


def test_recovers(breaker, clock):
    fail(breaker, 3)
    clock.advance(10)
    assert breaker.state == "half-open"
    assert breaker.call(Flaky("ok")) == "ok"
    assert breaker.state == "closed"


def test_closed_again_counts_from_zero(breaker, clock):
    fail(breaker, 3)
    clock.advance(10)
    breaker.call(Flaky("ok"))
    fail(breaker, 2)
    assert breaker.state == "closed"


def test_failed_trial_opens_for_full_time(breaker, clock):
    fail(breaker, 3)
    clock.advance(12)
    fail(breaker)
    assert breaker.state == "open"
    clock.advance(9)
    assert breaker.state == "open"
    clock.advance(1)
    assert breaker.state == "half-open"


def test_several_trials(clock):
    breaker = CircuitBreaker(1, 10, trials=2, clock=clock)
    fail(breaker)
    clock.advance(10)
    breaker.call(Flaky("ok"))
    assert breaker.state == "half-open"
    breaker.call(Flaky("ok"))
    assert breaker.state == "closed"


def test_trials_start_over(clock):
    breaker = CircuitBreaker(1, 10, trials=2, clock=clock)
    fail(breaker)
    clock.advance(10)
    breaker.call(Flaky("ok"))
    fail(breaker)
    clock.advance(10)
    breaker.call(Flaky("ok"))
    assert breaker.state == "half-open"


def test_one_trial_at_a_time(breaker, clock):
    fail(breaker, 3)
    clock.advance(10)

    def nested():
        with pytest.raises(CircuitOpen):
            breaker.call(Flaky("inner"))
        return "outer"

    assert breaker.call(nested) == "outer"


def test_unexpected_errors_do_not_count(clock):
    breaker = CircuitBreaker(1, 10, expected=(OSError,), clock=clock)
    with pytest.raises(KeyError):
        breaker.call(Flaky(KeyError()))
    assert breaker.state == "closed"


def test_unexpected_error_frees_the_trial(clock):
    breaker = CircuitBreaker(1, 10, expected=(OSError,), clock=clock)
    fail(breaker)
    clock.advance(10)
    with pytest.raises(KeyError):
        breaker.call(Flaky(KeyError()))
    assert breaker.call(Flaky("ok")) == "ok"


def test_listeners(breaker, clock):
    seen = []
    breaker.on_change(lambda before, after: seen.append((before, after)))
    fail(breaker, 3)
    clock.advance(10)
    breaker.call(Flaky("ok"))
    assert seen == [("closed", "open"), ("open", "half-open"), ("half-open", "closed")]


def test_decorator(breaker):
    @breaker
    def fetch(x, y=1):
        return x + y

    assert fetch(1, y=2) == 3
    assert fetch.__name__ == "fetch"
