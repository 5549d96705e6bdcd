import unittest

from stratum.errors import MissingKey
from stratum.merge import assign, flatten, lookup, merge


class MergeTest(unittest.TestCase):
    def test_tables_merge(self):
        self.assertEqual(
            merge({"a": {"x": 1, "y": 2}}, {"a": {"y": 3}, "b": 4}),
            {"a": {"x": 1, "y": 3}, "b": 4},
        )

    def test_inputs_stay_as_they_are(self):
        base = {"a": {"x": 1}, "l": [1]}
        over = {"a": {"y": {"z": []}}, "m": [2]}
        result = merge(base, over)
        result["a"]["y"]["z"].append(1)
        result["l"].append(2)
        result["m"].append(3)
        self.assertEqual(base, {"a": {"x": 1}, "l": [1]})
        self.assertEqual(over, {"a": {"y": {"z": []}}, "m": [2]})

    def test_table_replaces_value(self):
        self.assertEqual(merge({"a": 1}, {"a": {"x": 1}}), {"a": {"x": 1}})
        self.assertEqual(merge({"a": {"x": 1}}, {"a": 1}), {"a": 1})

    def test_append(self):
        self.assertEqual(merge({"l": [1]}, {"l+": [2, 3]}), {"l": [1, 2, 3]})
        self.assertEqual(merge({"l": 1}, {"l +": 2}), {"l": [1, 2]})

    def test_append_to_nothing(self):
        self.assertEqual(merge({}, {"l+": ["x"]}), {"l": ["x"]})

    def test_nested_append(self):
        self.assertEqual(merge({}, {"t": {"l+": [1]}}), {"t": {"l": [1]}})


class KeysTest(unittest.TestCase):
    def test_lookup(self):
        tree = {"a": {"b": None}}
        self.assertIsNone(lookup(tree, "a.b"))
        for key in ("a.c", "a.b.c", "x", "a..b", ""):
            with self.assertRaises(MissingKey):
                lookup(tree, key)

    def test_assign(self):
        tree = {"a": 1}
        assign(tree, "a.b.c", 2)
        self.assertEqual(tree, {"a": {"b": {"c": 2}}})

    def test_flatten(self):
        tree = {"a": {"b": 1, "c": {"d": 2}}, "e": {}}
        self.assertEqual(flatten(tree), {"a.b": 1, "a.c.d": 2, "e": {}})
