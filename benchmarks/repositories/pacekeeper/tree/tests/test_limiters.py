import asyncio

import pytest

from pacekeeper import FixedWindow, KeyedLimiter, LimitExceeded, SlidingWindow, TokenBucket


class TestBucket:
    def test_burst_then_wait(self, clock):
        bucket = TokenBucket(2, 3, clock=clock)
        assert [bucket.try_acquire() for _ in range(4)] == [True, True, True, False]
        assert bucket.wait_time() == 0.5
        clock.advance(0.5)
        assert bucket.try_acquire()
        assert not bucket.try_acquire()

    def test_never_above_capacity(self, clock):
        bucket = TokenBucket(2, 3, clock=clock)
        bucket.try_acquire(3)
        clock.advance(1000)
        assert bucket.tokens == 3
        bucket.give_back(2)
        assert bucket.tokens == 3

    def test_starts_empty(self, clock):
        bucket = TokenBucket(1, 5, initial=0, clock=clock)
        assert not bucket.try_acquire()
        clock.advance(2)
        assert bucket.tokens == 2

    def test_acquire_sleeps(self, clock):
        bucket = TokenBucket(4, 1, clock=clock)
        for _ in range(3):
            assert bucket.acquire()
        assert clock.sleeps == [0.25, 0.25]

    def test_timeout(self, clock):
        bucket = TokenBucket(1, 1, clock=clock)
        bucket.acquire()
        assert not bucket.acquire(timeout=0.5)
        assert clock.now() == 100
        assert bucket.acquire(timeout=1)
        bucket.try_acquire()
        assert not bucket.acquire(timeout=0)

    def test_too_many(self, clock):
        with pytest.raises(ValueError):
            TokenBucket(1, 2, clock=clock).acquire(3)

    def test_set_rate_counts_time_at_old_rate(self, clock):
        bucket = TokenBucket(1, 100, initial=0, clock=clock)
        clock.advance(10)
        bucket.set_rate(5)
        assert bucket.tokens == 10
        clock.advance(2)
        assert bucket.tokens == 20

    def test_slow_rate_has_room_for_one(self, clock):
        assert TokenBucket(0.1, clock=clock).try_acquire()

    def test_check(self, clock):
        bucket = TokenBucket(1, 1, clock=clock)
        bucket.check()
        with pytest.raises(LimitExceeded) as info:
            bucket.check()
        assert info.value.retry_after == 1


class TestFixedWindow:
    def test_resets_at_boundary(self, clock):
        window = FixedWindow(2, 30, clock=clock)
        assert window.try_acquire(2)
        assert window.wait_time() == 20
        clock.advance(20)
        assert window.remaining == 2

    def test_remaining(self, clock):
        window = FixedWindow(5, 10, clock=clock)
        window.try_acquire(3)
        assert window.remaining == 2
        assert not window.try_acquire(3)
        assert window.remaining == 2


class TestSlidingWindow:
    def test_slides(self, clock):
        window = SlidingWindow(2, 10, clock=clock)
        assert window.try_acquire()
        clock.advance(6)
        assert window.try_acquire()
        assert window.wait_time() == 4
        clock.advance(4)
        assert window.try_acquire()
        assert window.wait_time() == 6

    def test_wait_for_several(self, clock):
        window = SlidingWindow(4, 10, clock=clock)
        for n in (1, 1, 2):
            window.try_acquire(n)
            clock.advance(1)
        assert window.wait_time(1) == 7
        assert window.wait_time(2) == 8
        assert window.wait_time(4) == 9

    def test_reset(self, clock):
        window = SlidingWindow(2, 10, clock=clock)
        window.try_acquire(2)
        window.reset()
        assert window.remaining == 2
        clock.advance(10)
        assert window.remaining == 2

    @pytest.mark.parametrize("limit, period", [(0, 1), (1, 0), (1, -5)])
    @pytest.mark.parametrize("kind", [SlidingWindow, FixedWindow])
    def test_bad_arguments(self, kind, limit, period):
        with pytest.raises(ValueError):
            kind(limit, period)


class TestDecorator:
    def test_sync(self, clock):
        bucket = TokenBucket(1, 1, clock=clock)

        @bucket.limit
        def double(x):
            """Twice."""
            return 2 * x

        assert [double(1), double(x=2)] == [2, 4]
        assert clock.now() == 101
        assert double.__doc__ == "Twice."

    def test_async(self, clock):
        bucket = TokenBucket(1, 1, clock=clock)

        @bucket.limit
        async def double(x):
            return 2 * x

        async def main():
            return await asyncio.gather(double(1), double(2), double(3))

        assert asyncio.run(main()) == [2, 4, 6]
        assert clock.now() == 102

    def test_async_timeout(self, clock):
        bucket = TokenBucket(1, 1, clock=clock)

        async def main():
            return await bucket.aacquire(), await bucket.aacquire(timeout=0.5)

        assert asyncio.run(main()) == (True, False)


def one_a_second(clock):
    return TokenBucket(1, 1, clock=clock)


class TestKeyed:
    def test_keys_do_not_share(self, clock):
        keyed = KeyedLimiter(one_a_second, clock)
        assert keyed.try_acquire("a")
        assert keyed.try_acquire("b")
        assert not keyed.try_acquire("a")

    def test_override(self, clock):
        keyed = KeyedLimiter(one_a_second, clock)
        keyed.try_acquire("vip")
        keyed.override("vip", lambda clock: TokenBucket(10, 10, clock=clock))
        assert keyed.try_acquire("vip", 10)
        keyed.check("other")

    def test_idle_keys_go(self, clock):
        keyed = KeyedLimiter(one_a_second, clock, idle=60)
        for key in "abc":
            keyed.try_acquire(key)
        clock.advance(50)
        keyed.try_acquire("b")
        clock.advance(20)
        assert keyed.sweep() == 2
        assert "b" in keyed and len(keyed) == 1

    def test_idle_keys_go_on_use(self, clock):
        keyed = KeyedLimiter(one_a_second, clock, idle=60)
        keyed.try_acquire("a")
        clock.advance(61)
        keyed.try_acquire("z")
        assert "a" not in keyed

    def test_least_recently_used_goes(self, clock):
        keyed = KeyedLimiter(one_a_second, clock, max_keys=2)
        keyed.get("a")
        keyed.get("b")
        keyed.get("a")
        keyed.get("c")
        assert "a" in keyed and "c" in keyed
        assert "b" not in keyed

    def test_acquire_waits(self, clock):
        keyed = KeyedLimiter(one_a_second, clock)
        keyed.acquire("a")
        assert not keyed.acquire("a", timeout=0.1)
        assert keyed.acquire("a")
        assert clock.now() == 101
