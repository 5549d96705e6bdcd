from memo import LRU, cached


def test_what_was_put_is_there():
    cache = LRU(2)
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b", 0) == 0


def test_the_oldest_goes():
    cache = LRU(2)
    for key in "abc":
        cache.put(key, key.upper())
    assert list(cache.entries) == ["b", "c"]


def test_use_keeps():
    cache = LRU(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.get("a") == 1
    assert cache.get("b") is None


def test_a_function_is_called_once():
    calls = []

    @cached(size=2)
    def double(n):
        calls.append(n)
        return 2 * n

    assert [double(n) for n in (1, 1, 2, 3, 3)] == [2, 2, 4, 6, 6]
    assert calls == [1, 2, 3]
