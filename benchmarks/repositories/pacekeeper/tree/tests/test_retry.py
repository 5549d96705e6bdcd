import asyncio
import itertools
from unittest import mock

import pytest
from helpers import Flaky

from pacekeeper import (
    LimitExceeded,
    Retry,
    RetryError,
    constant,
    exponential,
    fibonacci,
    jittered,
    linear,
    retrying,
)
from pacekeeper.backoff import chain


def first(backoff, n):
    return list(itertools.islice(backoff(), n))


class TestBackoff:
    @pytest.mark.parametrize(
        "backoff, expected",
        [
            (constant(2), [2, 2, 2, 2]),
            (linear(3), [3, 6, 9, 12]),
            (linear(3, cap=7), [3, 6, 7, 7]),
            (exponential(1), [1, 2, 4, 8]),
            (exponential(1, 3, cap=5), [1, 3, 5, 5]),
            (fibonacci(), [1, 1, 2, 3]),
            (chain((2, constant(1)), (1, linear(5))), [1, 1, 5, 10]),
        ],
    )
    def test_delays(self, backoff, expected):
        assert first(backoff, 4) == expected
        assert first(backoff, 4) == expected

    def test_long_exponential_stays_small(self):
        assert first(exponential(1.0, 10, cap=60), 2000)[-1] == 60

    def test_jitter(self):
        rng = mock.Mock()
        rng.random.side_effect = [0.0, 0.5, 1.0]
        assert first(jittered(constant(8), 0.5, rng), 3) == [8, 6, 4]

    def test_jitter_ratio(self):
        with pytest.raises(ValueError):
            jittered(constant(1), 1.5)


class TestRetry:
    def test_until_success(self, clock):
        flaky = Flaky(OSError(), OSError(), "ok")
        assert Retry(3, exponential(1), clock=clock).call(flaky) == "ok"
        assert clock.sleeps == [1, 2]

    def test_gives_up(self, clock):
        error = OSError("down")
        flaky = Flaky(error)
        with pytest.raises(RetryError) as info:
            Retry(3, constant(1), clock=clock).call(flaky)
        assert flaky.calls == info.value.attempts == 3
        assert info.value.__cause__ is info.value.last is error
        assert clock.sleeps == [1, 1]

    def test_other_errors_pass(self, clock):
        flaky = Flaky(KeyError("x"))
        with pytest.raises(KeyError):
            Retry(3, on=OSError, clock=clock).call(flaky)
        assert flaky.calls == 1

    def test_predicate(self, clock):
        flaky = Flaky(OSError(11, "again"), OSError(2, "gone"))
        with pytest.raises(OSError, match="gone"):
            Retry(5, constant(1), on=lambda e: e.errno == 11, clock=clock).call(flaky)
        assert flaky.calls == 2

    def test_backoff_starts_over_for_each_call(self, clock):
        retry = Retry(2, linear(1), clock=clock)
        for _ in range(2):
            retry.call(Flaky(OSError(), "ok"))
        assert clock.sleeps == [1, 1]

    def test_result(self, clock):
        flaky = Flaky(None, None, 5)
        assert Retry(3, constant(1), result_retry=lambda r: r is None, clock=clock).call(flaky) == 5

    def test_result_never_good(self, clock):
        with pytest.raises(RetryError, match="unwanted result: None"):
            Retry(2, constant(1), result_retry=lambda r: r is None, clock=clock).call(Flaky(None))

    def test_budget(self, clock):
        flaky = Flaky(OSError())
        with pytest.raises(RetryError):
            Retry(None, constant(2), budget=5, clock=clock).call(flaky)
        assert flaky.calls == 3
        assert clock.now() == 104

    def test_server_hint(self, clock):
        flaky = Flaky(LimitExceeded(7), LimitExceeded(0.5), "ok")
        assert Retry(3, constant(1), clock=clock).call(flaky) == "ok"
        assert clock.sleeps == [7, 1]

    def test_before_sleep(self, clock):
        hook = mock.Mock()
        error = OSError()
        Retry(3, linear(1), before_sleep=hook, clock=clock).call(Flaky(error, error, "ok"))
        assert hook.call_args_list == [mock.call(1, error, 1), mock.call(2, error, 2)]

    def test_keyboard_interrupt_passes(self, clock):
        flaky = Flaky(KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            Retry(3, clock=clock).call(flaky)
        assert flaky.calls == 1

    def test_bad_attempts(self):
        with pytest.raises(ValueError):
            Retry(0)


class TestDecorators:
    def test_with_options(self, clock):
        flaky = Flaky(OSError(), "ok")

        @retrying(attempts=2, backoff=constant(1), clock=clock)
        def fetch(url):
            return flaky() + url

        assert fetch("!") == "ok!"
        assert fetch.__name__ == "fetch"

    def test_bare(self):
        @retrying
        def fetch():
            return 1

        assert fetch() == 1

    def test_coroutine(self, clock):
        flaky = Flaky(OSError(), "ok")

        @retrying(backoff=constant(3), clock=clock)
        async def fetch():
            return flaky()

        assert asyncio.run(fetch()) == "ok"
        assert clock.sleeps == [3]

    def test_coroutine_gives_up(self, clock):
        @retrying(attempts=2, backoff=constant(3), clock=clock)
        async def fetch():
            raise OSError

        with pytest.raises(RetryError):
            asyncio.run(fetch())
        assert clock.now() == 103
