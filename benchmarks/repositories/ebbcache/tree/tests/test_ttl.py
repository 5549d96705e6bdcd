import pytest

from ebbcache import TTLCache


@pytest.fixture
def cache(clock):
    return TTLCache(3, ttl=10, clock=clock)


def test_expires(cache, clock):
    cache["a"] = 1
    clock.advance(9)
    assert cache["a"] == 1
    clock.advance(1)
    assert "a" not in cache
    with pytest.raises(KeyError):
        cache["a"]
    assert cache.stats.expirations == 1


def test_writing_starts_anew(cache, clock):
    cache["a"] = 1
    clock.advance(6)
    cache["a"] = 2
    clock.advance(6)
    assert cache["a"] == 2
    assert cache.remaining("a") == 4


def test_reading_does_not_start_anew(cache, clock):
    cache["a"] = 1
    clock.advance(6)
    cache["a"]
    assert cache.remaining("a") == 4


def test_sliding(clock):
    cache = TTLCache(3, ttl=10, clock=clock, sliding=True)
    cache.set("a", 1, ttl=20)
    for _ in range(3):
        clock.advance(15)
        assert cache.get("a") == 1
    assert cache.remaining("a") == 20


def test_own_ttl(cache, clock):
    cache.set("short", 1, ttl=1)
    cache.set("ever", 2, ttl=None)
    clock.advance(5)
    assert list(cache) == ["ever"]
    clock.advance(1e6)
    assert cache.remaining("ever") is None
    with pytest.raises(ValueError):
        cache.set("x", 1, ttl=0)


def test_set_longer_than_default(cache, clock):
    cache.set("a", 1, ttl=60)
    clock.advance(30)
    assert cache.get("a") == 1


def test_touch(cache, clock):
    cache.set("a", 1, ttl=4)
    clock.advance(3)
    assert cache.touch("a")
    assert cache.remaining("a") == 4
    assert not cache.touch("b")


def test_expired_go_before_the_living(cache, clock):
    cache["old"] = 1
    cache.set("live", 2, ttl=100)
    cache.set("live2", 3, ttl=100)
    cache["live"], cache["old"]
    clock.advance(20)
    cache["new"] = 4
    assert set(cache) == {"live", "live2", "new"}
    assert cache.stats.evictions == 0


def test_deleted_and_set_again(cache, clock):
    cache["a"] = 1
    clock.advance(5)
    del cache["a"]
    cache["a"] = 2
    clock.advance(6)
    assert cache.get("a") == 2


def test_on_expire(clock):
    seen = []
    cache = TTLCache(3, 10, clock, on_expire=lambda *pair: seen.append(pair))
    cache["a"] = 1
    clock.advance(1)
    cache["b"] = 2
    clock.advance(10)
    assert cache.expire() == 2
    assert seen == [("a", 1), ("b", 2)]


def test_heap_does_not_grow(cache):
    for value in range(1000):
        cache["a"] = value
    assert len(cache._heap) <= 70


def test_too_large_value_leaves_no_deadline(clock):
    cache = TTLCache(3, 10, clock, weigh=len)
    cache["a"] = "xxxx"
    assert "a" not in cache
    clock.advance(20)
    assert cache.expire() == 0


@pytest.mark.parametrize("ttl", [0, -1])
def test_bad_ttl(ttl):
    with pytest.raises(ValueError):
        TTLCache(3, ttl)
