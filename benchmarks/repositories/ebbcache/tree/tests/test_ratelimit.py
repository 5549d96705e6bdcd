import asyncio

import pytest

from ebbcache import FixedWindow, KeyedLimiter, RateLimited, SlidingWindow, TokenBucket


class TestTokenBucket:
    @pytest.fixture
    def bucket(self, clock):
        return TokenBucket(rate=2, capacity=4, clock=clock)

    def test_burst_then_rate(self, bucket, clock):
        assert [bucket.try_acquire() for _ in range(5)] == [True] * 4 + [False]
        clock.advance(0.5)
        assert bucket.try_acquire()
        assert not bucket.try_acquire()

    def test_parts_of_tokens_add_up(self, bucket, clock):
        bucket.try_acquire(4)
        for _ in range(5):
            clock.advance(0.1)
            bucket.tokens
        assert bucket.try_acquire()

    def test_wait_time(self, bucket):
        bucket.try_acquire(3)
        assert bucket.wait_time(1) == 0
        assert bucket.wait_time(3) == 1

    def test_never(self, bucket):
        with pytest.raises(ValueError, match="never"):
            bucket.try_acquire(5)
        with pytest.raises(ValueError):
            bucket.try_acquire(0)

    def test_set_rate_keeps_what_came_before(self, bucket, clock):
        bucket.try_acquire(4)
        clock.advance(1)
        bucket.set_rate(0.5)
        clock.advance(2)
        assert bucket.tokens == 3

class TestSlidingWindow:
    def test_window_slides(self, clock):
        window = SlidingWindow(2, 10, clock)
        assert window.try_acquire()
        clock.advance(6)
        assert window.try_acquire()
        clock.advance(3)
        assert not window.try_acquire()
        assert window.wait_time() == 1
        clock.advance(1)
        assert window.try_acquire()
        assert not window.try_acquire()

    def test_amounts(self, clock):
        window = SlidingWindow(5, 10, clock)
        window.try_acquire(2)
        clock.advance(1)
        window.try_acquire(3)
        assert window.wait_time(2) == 9
        assert window.wait_time(3) == 10
        clock.advance(9)
        assert window.used == 3


class TestFixedWindow:
    def test_starts_at_multiples(self, clock):
        clock.advance(55)
        window = FixedWindow(2, 60, clock)
        window.try_acquire(2)
        assert window.wait_time() == 25
        clock.advance(25)
        assert window.try_acquire()

class TestAcquire:
    def test_sleeps_as_long_as_needed(self, clock):
        bucket = TokenBucket(2, 2, clock)
        for _ in range(4):
            assert bucket.acquire()
        assert clock.sleeps == [0.5, 0.5]

    def test_timeout(self, clock):
        bucket = TokenBucket(1, 1, clock)
        bucket.acquire()
        assert not bucket.acquire(timeout=0.5)
        assert clock.sleeps == []
        assert bucket.acquire(timeout=1)

    def test_require(self, clock):
        bucket = TokenBucket(0.5, 1, clock)
        bucket.require()
        with pytest.raises(RateLimited) as info:
            bucket.require()
        assert info.value.retry_after == 2
        assert "2 s" in str(info.value)

    def test_decorator(self, clock):
        bucket = TokenBucket(1, 1, clock)

        @bucket.limits
        def now(offset):
            return clock.now() + offset

        assert [now(0), now(offset=5)] == [1000, 1006]

    def test_async_decorator(self, clock):
        bucket = TokenBucket(1, 1, clock)

        @bucket.limits
        async def now():
            return clock.now()

        async def main():
            return await asyncio.gather(now(), now(), now())

        assert sorted(asyncio.run(main())) == [1000, 1001, 1002]


class TestKeyed:
    @pytest.fixture
    def keyed(self, clock):
        return KeyedLimiter(lambda: TokenBucket(1, 2, clock), max_keys=3)

    def test_keys_do_not_share(self, keyed):
        assert keyed.try_acquire("a", 2)
        assert keyed.try_acquire("b", 2)
        assert not keyed.try_acquire("a")

    def test_idlest_is_forgotten(self, keyed):
        for key in "abcad":
            keyed.try_acquire(key)
        assert len(keyed) == 3
        assert not keyed.try_acquire("a", 2)
        assert keyed.try_acquire("b", 2)

    def test_all_or_none(self, keyed):
        keyed.try_acquire("b", 2)
        assert not keyed.try_acquire_all(["a", "b"])
        assert keyed.limiter("a").tokens == 2
        assert keyed.try_acquire_all(["a", "a", "c"])
        assert keyed.limiter("a").tokens == 1
