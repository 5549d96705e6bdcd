import asyncio
from unittest import mock

import pytest

from ebbcache import LRUCache, TTLCache, memoize
from ebbcache.memo import make_key


@pytest.fixture
def cache():
    return LRUCache(10)


def test_called_once(cache):
    calls = []

    @memoize(cache)
    def double(x):
        """Twice x."""
        calls.append(x)
        return 2 * x

    assert [double(2), double(2), double(3)] == [4, 4, 6]
    assert calls == [2, 3]
    assert double.__doc__ == "Twice x."
    assert double.bypass(2) == 4
    assert len(calls) == 3


def test_ways_to_pass_arguments(cache):
    body = mock.Mock(return_value=1)

    @memoize(cache)
    def f(a, b=2, *, c=3):
        return body(a, b, c)

    f(1), f(1, 2), f(a=1), f(b=2, a=1), f(1, c=3)
    body.assert_called_once_with(1, 2, 3)


def test_shared_cache(cache):
    @memoize(cache)
    def up(x):
        return x + 1

    @memoize(cache)
    def down(x):
        return x - 1

    assert (up(1), down(1)) == (2, 0)


def test_ignore(cache):
    calls = []

    @memoize(cache, ignore=["log"])
    def f(x, log=None):
        calls.append(log)
        return x

    f(1, log="a"), f(1, log="b")
    assert calls == ["a"]


def test_typed(cache):
    f = memoize(cache, typed=True)(lambda x: type(x).__name__)
    assert (f(1), f(1.0), f(True)) == ("int", "float", "bool")


def test_exceptions_are_not_kept(cache):
    body = mock.Mock(side_effect=[ValueError("x"), 5])
    f = memoize(cache)(lambda: body())
    with pytest.raises(ValueError):
        f()
    assert f() == 5


def test_cache_if(cache):
    results = iter([None, 3, 4])
    f = memoize(cache, cache_if=lambda r: r is not None)(lambda: next(results))
    assert [f(), f(), f()] == [None, 3, 3]


def test_invalidate(cache):
    results = iter([1, 2])
    f = memoize(cache)(lambda x, y=0: next(results))
    assert f(1) == 1
    assert f.invalidate(1, y=0)
    assert not f.invalidate(1)
    assert f(1) == 2


def test_expiry(clock):
    results = iter([1, 2])
    f = memoize(TTLCache(5, 10, clock))(lambda: next(results))
    assert [f(), f()] == [1, 1]
    clock.advance(10)
    assert f() == 2


def test_make_key():
    assert make_key((1,), {"a": 1, "b": 2}) == make_key((1,), {"b": 2, "a": 1})
    assert make_key((1, "a", 2), {}) != make_key((1,), {"a": 2})


class TestAsync:
    def test_result_is_kept(self, cache):
        calls = []

        @memoize(cache)
        async def f(x):
            calls.append(x)
            await asyncio.sleep(0)
            return x * 2

        async def main():
            return [await f(1), await f(1), await f(2)]

        assert asyncio.run(main()) == [2, 2, 4]
        assert calls == [1, 2]

    def test_concurrent_calls_share(self, cache):
        calls = []

        @memoize(cache)
        async def f(x):
            calls.append(x)
            await asyncio.sleep(0)
            return x

        async def main():
            return await asyncio.gather(f(1), f(1), f(2))

        assert asyncio.run(main()) == [1, 1, 2]
        assert calls == [1, 2]
        assert f.running == {}

    def test_failure_is_not_kept(self, cache):
        outcomes = iter([ValueError("x"), 7])

        @memoize(cache)
        async def f():
            outcome = next(outcomes)
            await asyncio.sleep(0)
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        async def main():
            first = await asyncio.gather(f(), f(), return_exceptions=True)
            return first, await f()

        first, second = asyncio.run(main())
        assert [type(e) for e in first] == [ValueError, ValueError]
        assert second == 7

    def test_cancelling_one_caller(self, cache):
        @memoize(cache)
        async def f():
            await asyncio.sleep(0.01)
            return 1

        async def main():
            first = asyncio.ensure_future(f())
            second = asyncio.ensure_future(f())
            await asyncio.sleep(0)
            first.cancel()
            return await second

        assert asyncio.run(main()) == 1
