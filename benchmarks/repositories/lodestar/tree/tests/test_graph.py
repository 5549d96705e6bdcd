import unittest

from lodestar import CycleError, Graph
from lodestar.render import dot, table, tree


class GraphTest(unittest.TestCase):
    def setUp(self):
        self.graph = Graph([("app", "web"), ("app", "db"), ("web", "log"), ("db", "log"), ("db", "fs")])

    def test_order(self):
        self.assertEqual(self.graph.order(), ["fs", "log", "db", "web", "app"])

    def test_levels(self):
        self.assertEqual(self.graph.levels(), [["fs", "log"], ["db", "web"], ["app"]])
        self.assertEqual(Graph().levels(), [])

    def test_diamond_is_no_cycle(self):
        self.assertIsNone(self.graph.find_cycle())

    def test_cycle(self):
        self.graph.add_edge("log", "db")
        self.assertEqual(self.graph.find_cycle(), ["db", "log", "db"])
        with self.assertRaises(CycleError) as info:
            self.graph.order()
        self.assertEqual(str(info.exception), "cycle: db -> log -> db")

    def test_self_loop(self):
        self.assertEqual(Graph([("a", "a")]).find_cycle(), ["a", "a"])

    def test_cycle_behind_a_tail(self):
        graph = Graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "b")])
        self.assertEqual(graph.find_cycle(), ["b", "c", "d", "b"])

    def test_edge_twice(self):
        self.graph.add_edge("app", "web")
        self.assertEqual(len(self.graph.edges()), 5)
        self.assertEqual(self.graph.order()[-1], "app")

    def test_roots_and_leaves(self):
        self.assertEqual(self.graph.roots(), ["app"])
        self.assertEqual(self.graph.leaves(), ["fs", "log"])

    def test_reachable(self):
        self.assertEqual(self.graph.reachable("db"), {"log", "fs"})
        self.graph.add_edge("log", "db")
        self.assertEqual(self.graph.reachable("db"), {"log", "fs"})

    def test_remove_node(self):
        self.graph.remove_node("db")
        self.assertEqual(self.graph.needs("app"), ["web"])
        self.assertEqual(self.graph.needed_by("log"), ["web"])
        self.assertEqual(self.graph.roots(), ["app", "fs"])
        self.assertEqual(self.graph.order(), ["fs", "log", "web", "app"])

    def test_remove_node_with_loop(self):
        graph = Graph([("a", "a"), ("a", "b")])
        graph.remove_node("a")
        self.assertEqual(list(graph), ["b"])

    def test_remove_edge(self):
        self.graph.remove_edge("db", "log")
        self.assertEqual(self.graph.needed_by("log"), ["web"])
        with self.assertRaises(KeyError):
            self.graph.remove_edge("db", "log")

    def test_copy(self):
        twin = self.graph.copy()
        twin.add_edge("fs", "os")
        twin.remove_edge("app", "db")
        self.assertNotIn("os", self.graph)
        self.assertEqual(self.graph.needs("app"), ["db", "web"])

    def test_copy_keeps_lonely_nodes(self):
        self.graph.add_node("alone")
        self.assertIn("alone", self.graph.copy())

    def test_path(self):
        self.assertEqual(self.graph.path("app", "log"), ["app", "db", "log"])
        self.graph.add_edge("app", "log")
        self.assertEqual(self.graph.path("app", "log"), ["app", "log"])
        self.assertIsNone(self.graph.path("log", "app"))
        self.assertEqual(self.graph.path("log", "log"), ["log"])

    def test_prune(self):
        self.graph.add_edge("old", "older")
        self.assertEqual(self.graph.prune(["web"]), ["app", "db", "fs", "old", "older"])
        self.assertEqual(list(self.graph), ["log", "web"])
        self.assertEqual(self.graph.roots(), ["web"])


class RenderTest(unittest.TestCase):
    def test_tree(self):
        graph = Graph([("a", "b"), ("a", "c"), ("b", "d"), ("c", "b"), ("c", "d")])
        self.assertEqual(
            tree(graph, "a"),
            "a\n"
            "|-- b\n"
            "|   `-- d\n"
            "`-- c\n"
            "    |-- b (*)\n"
            "    `-- d",
        )

    def test_tree_with_cycle(self):
        self.assertEqual(tree(Graph([("a", "b"), ("b", "a")]), "a"), "a\n`-- b\n    `-- a (*)")

    def test_dot(self):
        graph = Graph([("a", 'b"c')])
        graph.add_node("z")
        self.assertEqual(dot(graph), 'digraph "deps" {\n  "z";\n  "a" -> "b\\"c";\n}')

    def test_table(self):
        self.assertEqual(table([("a", 1), ("long", 22)]), "a     1\nlong  22")
        self.assertEqual(table([]), "")
