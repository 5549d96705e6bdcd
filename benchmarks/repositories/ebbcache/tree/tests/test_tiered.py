import pytest

from ebbcache import LRUCache, TieredCache


@pytest.fixture
def front():
    return LRUCache(2)


@pytest.fixture
def back():
    return LRUCache(10)


def test_promotion(front, back):
    back["a"] = 1
    cache = TieredCache(front, back)
    assert cache["a"] == 1
    assert "a" in front
    assert cache.get("x", 5) == 5
    with pytest.raises(KeyError):
        cache["x"]


def test_write_through(front, back):
    cache = TieredCache(front, back)
    cache["a"] = 1
    assert back["a"] == front["a"] == 1


def test_write_back_on_eviction(front, back):
    cache = TieredCache(front, back, write="back")
    for key in "abc":
        cache[key] = key
    assert dict(back) == {"a": "a"}
    assert cache["a"] == "a"


def test_flush(front, back):
    cache = TieredCache(front, back, write="back")
    cache["a"] = 1
    cache["b"] = 2
    assert cache.flush() == 2
    assert cache.flush() == 0
    assert dict(back) == {"a": 1, "b": 2}


def test_clean_eviction_writes_nothing(front, back):
    cache = TieredCache(front, back, write="back")
    cache["a"] = 1
    cache.flush()
    back["a"] = "newer"
    cache["b"] = cache["c"] = 0
    assert back["a"] == "newer"


def test_too_large_for_the_front(back):
    cache = TieredCache(LRUCache(2, weigh=len), back, write="back")
    cache["a"] = "long text"
    assert cache["a"] == "long text"
    assert cache.flush() == 0


def test_invalidate(front, back):
    cache = TieredCache(front, back, write="back")
    cache["a"] = 1
    cache.flush()
    cache["a"] = 2
    del cache["a"]
    assert "a" not in cache
    assert cache.flush() == 0
    assert "a" not in back
    with pytest.raises(KeyError):
        del cache["a"]


def test_stats(front, back):
    cache = TieredCache(front, back)
    back["a"] = 1
    for key in "aax":
        cache.get(key)
    assert (cache.stats.hits, cache.stats.misses) == (2, 1)
