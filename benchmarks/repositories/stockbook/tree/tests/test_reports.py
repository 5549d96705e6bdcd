from datetime import date, timedelta, timezone

from stockbook import Money, reports

from .helpers import START, InventoryTestCase


class ReportTests(InventoryTestCase):
    def test_reorder_list(self):
        self.product("A", reorder_point=5)
        self.product("B", reorder_point=5)
        self.product("C", reorder_point=2)
        self.product("NONE")
        self.inv.receive("A", 5, "1")
        self.inv.receive("B", 6, "1")
        result = [(product.sku, available) for product, available in reports.reorder_list(self.inv)]
        self.assertEqual(result, [("C", 0), ("A", 5)])

    def test_reorder_list_counts_reservations(self):
        self.product("A", reorder_point=5)
        self.inv.receive("A", 8, "1")
        self.inv.reserve("A", 4, "order-1")
        self.assertEqual([available for _, available in reports.reorder_list(self.inv)], [4])

    def test_valuation(self):
        for sku, cost in (("A", "1.5"), ("B", "2")):
            self.product(sku)
            self.inv.receive(sku, 10, cost)
        self.product("EMPTY")
        lines, total = reports.valuation(self.inv)
        self.assertEqual(lines, {"A": Money("15"), "B": Money("20"), "EMPTY": Money()})
        self.assertEqual(total, Money("35"))

    def test_valuation_of_the_past_includes_retired(self):
        self.product("OLD")
        self.inv.receive("OLD", 2, "3")
        self.tick(days=1)
        self.inv.issue("OLD", 2)
        self.inv.retire("OLD")
        self.assertEqual(reports.valuation(self.inv)[0], {})
        self.assertEqual(reports.valuation(self.inv, as_of=START)[1], Money("6"))

    def test_daily_summary(self):
        self.product("A")
        self.inv.receive("A", 10, "1")
        self.inv.issue("A", 3)
        self.inv.issue("A", 2)
        self.inv.transfer("A", 1, "main", "shop")
        self.tick(days=1)
        self.inv.issue("A", 1)
        summary = reports.daily_summary(self.inv, date(2024, 3, 1))
        self.assertEqual(summary, {"A": {"in": 10, "out": 5}})

    def test_daily_summary_in_other_zone(self):
        self.product("A")
        self.inv.receive("A", 10, "1", at=START + timedelta(hours=5))
        tz = timezone(timedelta(hours=8))
        self.assertEqual(reports.daily_summary(self.inv, date(2024, 3, 1), tz), {})
        self.assertIn("A", reports.daily_summary(self.inv, date(2024, 3, 2), tz))

    def test_turnover(self):
        self.product("A")
        self.inv.receive("A", 10, "2", at=START)
        self.inv.issue("A", 5, at=START + timedelta(days=2))
        ratio = reports.turnover(self.inv, "A", START + timedelta(days=1), START + timedelta(days=3))
        self.assertAlmostEqual(float(ratio), 10 / 15)

    def test_turnover_without_stock(self):
        self.product("A")
        self.assertIsNone(reports.turnover(self.inv, "A", START, START))

    def test_abc(self):
        for sku, cost in (("X", "80"), ("Y", "15"), ("Z", "5")):
            self.product(sku)
            self.inv.receive(sku, 1, cost)
        self.assertEqual(reports.abc_classes(self.inv), {"A": ["X"], "B": ["Y"], "C": ["Z"]})


def test_render_table():
    table = reports.render_table(["sku", "qty", "value"], [("A", 5, Money("1.5")), ("LONGER", 120, Money("20"))])
    assert table.splitlines() == [
        "sku     qty  value",
        "------  ---  -----",
        "A         5   1.50",
        "LONGER  120  20.00",
    ]


def test_render_empty_table():
    assert reports.render_table(["a", "bb"], []) == "a  bb\n-  --"
