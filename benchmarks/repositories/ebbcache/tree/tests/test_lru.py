import unittest
from unittest import mock

from ebbcache import LFUCache, LRUCache


class LRUTest(unittest.TestCase):
    def setUp(self):
        self.cache = LRUCache(3)
        for key in "abc":
            self.cache[key] = key.upper()

    def test_oldest_goes(self):
        self.cache["d"] = "D"
        self.assertEqual(list(self.cache), ["b", "c", "d"])

    def test_reading_keeps(self):
        self.assertEqual(self.cache["a"], "A")
        self.cache["d"] = "D"
        self.assertEqual(list(self.cache), ["c", "a", "d"])

    def test_writing_keeps(self):
        self.cache["a"] = "AA"
        self.assertEqual(list(self.cache), ["b", "c", "a"])

    def test_peek_does_not_keep(self):
        self.assertEqual(self.cache.peek("a"), "A")
        self.assertNotIn("x", self.cache)
        self.cache["d"] = "D"
        self.assertNotIn("a", self.cache)
        self.assertEqual(self.cache.stats.requests, 0)

    def test_stats(self):
        self.cache.get("a")
        self.cache.get("x")
        self.cache["d"] = 1
        stats = self.cache.stats
        self.assertEqual((stats.hits, stats.misses, stats.evictions), (1, 1, 1))
        self.assertEqual(stats.hit_rate, 0.5)

    def test_pop_and_delete(self):
        self.assertEqual(self.cache.pop("a"), "A")
        self.assertIsNone(self.cache.pop("a", None))
        with self.assertRaises(KeyError):
            self.cache.pop("a")
        with self.assertRaises(KeyError):
            del self.cache["a"]
        self.assertEqual(self.cache.weight, 2)

    def test_get_or_set_keeps_none(self):
        factory = mock.Mock(return_value=None)
        self.assertIsNone(self.cache.get_or_set("n", factory))
        self.assertIsNone(self.cache.get_or_set("n", factory))
        factory.assert_called_once_with()

    def test_deleting_while_iterating(self):
        for key in self.cache:
            del self.cache[key]
        self.assertEqual(len(self.cache), 0)

    def test_resize(self):
        self.cache.resize(1)
        self.assertEqual(list(self.cache), ["c"])
        with self.assertRaises(ValueError):
            self.cache.resize(0)

    def test_on_evict(self):
        seen = []
        cache = LRUCache(1, on_evict=lambda key, value: seen.append((key, value)))
        cache["a"] = 1
        cache["a"] = 2
        cache["b"] = 3
        del cache["b"]
        self.assertEqual(seen, [("a", 2)])

class WeightTest(unittest.TestCase):
    def setUp(self):
        self.cache = LRUCache(10, weigh=len)

    def test_several_go(self):
        self.cache.update(a="xxxx", b="xxxx", c="xx")
        self.cache["d"] = "xxxxxxx"
        self.assertEqual(list(self.cache), ["c", "d"])
        self.assertEqual(self.cache.weight, 9)

    def test_growing_value(self):
        self.cache.update(a="xx", b="xxxx")
        self.cache["a"] = "x" * 8
        self.assertEqual(list(self.cache), ["a"])
        self.assertEqual(self.cache.weight, 8)

    def test_too_large_removes_old_value(self):
        self.cache.update(a="x", b="y")
        self.cache["a"] = "x" * 11
        self.assertEqual(list(self.cache), ["b"])
        self.assertEqual(self.cache.weight, 1)


class LFUTest(unittest.TestCase):
    def setUp(self):
        self.cache = LFUCache(3)
        for key in "abc":
            self.cache[key] = key

    def test_least_used_goes(self):
        self.cache["a"], self.cache["b"]
        self.cache["d"] = "d"
        self.assertEqual(set(self.cache), {"a", "b", "d"})

    def test_after_deleting_the_least_used(self):
        for key in "aabb":
            self.cache[key]
        del self.cache["c"]
        self.assertEqual(self.cache.evict(), "a")

    def test_counts_start_anew(self):
        for _ in range(5):
            self.cache["a"]
        del self.cache["a"]
        self.cache["a"] = 1
        self.assertEqual(self.cache.uses("a"), 1)

    def test_age(self):
        for _ in range(6):
            self.cache["a"]
        self.cache["b"]
        self.cache.age()
        self.assertEqual([self.cache.uses(k) for k in "abc"], [3, 1, 1])
        self.assertEqual(self.cache.evict(), "c")
