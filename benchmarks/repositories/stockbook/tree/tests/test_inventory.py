from datetime import timedelta, timezone

from stockbook import DuplicateProduct, InsufficientStock, Money, StockError, UnknownProduct

from .helpers import START, InventoryTestCase


class ProductTests(InventoryTestCase):
    def test_add_and_get(self):
        added = self.product("BOLT", name="Bolt M8", unit="kg")
        self.assertEqual(self.inv.product("BOLT"), added)
        self.assertEqual((added.name, added.unit, added.active), ("Bolt M8", "kg", True))

    def test_sku_ignores_case_and_space(self):
        self.product("Bolt")
        self.assertEqual(self.inv.product(" bolt ").sku, "Bolt")

    def test_duplicate(self):
        self.product("BOLT")
        with self.assertRaises(DuplicateProduct):
            self.product("bolt")

    def test_unknown(self):
        with self.assertRaisesRegex(UnknownProduct, "'X'"):
            self.inv.on_hand("X")

    def test_search(self):
        self.product("BOLT-8", name="Hex bolt")
        self.product("NUT-8", name="Nut for bolt")
        self.product("WASHER")
        self.assertEqual([p.sku for p in self.inv.search("bolt")], ["BOLT-8", "NUT-8"])

    def test_search_takes_wildcards_literally(self):
        self.product("A_1", name="plain")
        self.product("AB1", name="100% wool")
        self.assertEqual([p.sku for p in self.inv.search("a_1")], ["A_1"])
        self.assertEqual([p.sku for p in self.inv.search("%")], ["AB1"])

    def test_retire(self):
        self.product("BOLT")
        self.inv.retire("BOLT")
        self.assertEqual(self.inv.products(), [])
        self.assertEqual(len(self.inv.products(include_inactive=True)), 1)
        self.assertEqual(self.inv.search("bolt"), [])

    def test_retire_with_stock(self):
        self.product("BOLT")
        self.inv.receive("BOLT", 1, "1")
        with self.assertRaisesRegex(StockError, "still has stock"):
            self.inv.retire("BOLT")

    def test_retired_product_cannot_be_received(self):
        self.product("BOLT")
        self.inv.retire("BOLT")
        with self.assertRaisesRegex(StockError, "retired"):
            self.inv.receive("BOLT", 1, "1")


class MovementTests(InventoryTestCase):
    def setUp(self):
        super().setUp()
        self.product("BOLT")

    def test_receive_and_issue(self):
        self.inv.receive("BOLT", 10, "0.5")
        self.inv.issue("BOLT", 4)
        self.assertEqual(self.inv.on_hand("BOLT"), 6)

    def test_bad_quantities(self):
        for bad in (0, -1, 1.5, True, "3"):
            with self.subTest(bad=bad), self.assertRaises(StockError):
                self.inv.receive("BOLT", bad, "1")

    def test_issue_too_much(self):
        self.inv.receive("BOLT", 3, "1")
        with self.assertRaises(InsufficientStock) as caught:
            self.inv.issue("BOLT", 4)
        self.assertEqual((caught.exception.wanted, caught.exception.available), (4, 3))

    def test_issue_looks_at_its_location(self):
        self.inv.receive("BOLT", 3, "1", location="shop")
        with self.assertRaises(InsufficientStock):
            self.inv.issue("BOLT", 1)
        self.inv.issue("BOLT", 3, location="shop")
        self.assertEqual(self.inv.locations("BOLT"), {})

    def test_as_of(self):
        self.inv.receive("BOLT", 5, "1")
        self.tick(days=1)
        self.inv.receive("BOLT", 7, "1")
        self.assertEqual(self.inv.on_hand("BOLT", as_of=START), 5)
        self.assertEqual(self.inv.on_hand("BOLT", as_of=START - timedelta(seconds=1)), 0)

    def test_times_of_other_zones(self):
        tokyo = timezone(timedelta(hours=9))
        at = START.astimezone(tokyo)
        self.inv.receive("BOLT", 5, "1", at=at)
        self.assertEqual(self.inv.on_hand("BOLT", as_of=START), 5)
        (movement,) = self.inv.movements("BOLT")
        self.assertEqual(movement.moved_at, START)

    def test_transfer(self):
        self.inv.receive("BOLT", 5, "1")
        self.inv.transfer("BOLT", 2, "main", "shop")
        self.assertEqual(self.inv.locations("BOLT"), {"main": 3, "shop": 2})

    def test_transfer_too_much_changes_nothing(self):
        self.inv.receive("BOLT", 5, "1", location="shop")
        with self.assertRaises(InsufficientStock):
            self.inv.transfer("BOLT", 2, "main", "shop")
        self.assertEqual(len(self.inv.movements("BOLT")), 1)

    def test_count(self):
        self.inv.receive("BOLT", 5, "1")
        self.assertEqual(self.inv.count("BOLT", 3), -2)
        self.assertEqual(self.inv.count("BOLT", 3), 0)
        self.assertEqual([m.kind for m in self.inv.movements("BOLT")], ["receipt", "count"])


class CostTests(InventoryTestCase):
    def setUp(self):
        super().setUp()
        self.product("BOLT")

    def test_average(self):
        self.inv.receive("BOLT", 10, "1")
        self.inv.receive("BOLT", 30, "2")
        self.assertEqual(self.inv.average_cost("BOLT"), Money("1.75"))
        self.assertEqual(self.inv.stock_value("BOLT"), Money("70"))

    def test_issue_does_not_change_average(self):
        self.inv.receive("BOLT", 10, "1")
        self.inv.receive("BOLT", 10, "2")
        self.inv.issue("BOLT", 15)
        self.assertEqual(self.inv.average_cost("BOLT"), Money("1.5"))

    def test_average_starts_afresh_after_stock_out(self):
        self.inv.receive("BOLT", 3, "0.3333")
        self.inv.issue("BOLT", 3)
        self.inv.receive("BOLT", 2, "5")
        self.assertEqual(self.inv.average_cost("BOLT"), Money("5"))

    def test_rounding_rest_is_dropped_at_stock_out(self):
        self.inv.receive("BOLT", 1, "0.0001")
        self.inv.receive("BOLT", 2, "0.0002")
        self.inv.issue("BOLT", 3)
        self.inv.receive("BOLT", 1, "1")
        self.assertEqual(self.inv.average_cost("BOLT"), Money("1"))

    def test_without_stock(self):
        self.assertEqual(self.inv.average_cost("BOLT"), Money())

    def test_transfer_back_in_time_keeps_average(self):
        self.inv.receive("BOLT", 10, "1")
        self.inv.transfer("BOLT", 10, "main", "shop")
        self.inv.receive("BOLT", 10, "3")
        self.assertEqual(self.inv.average_cost("BOLT"), Money("2"))


class ReservationTests(InventoryTestCase):
    def setUp(self):
        super().setUp()
        self.product("BOLT")
        self.inv.receive("BOLT", 10, "1")

    def test_reserved_stock_is_not_available(self):
        self.inv.reserve("BOLT", 6, "order-1")
        self.assertEqual((self.inv.on_hand("BOLT"), self.inv.available("BOLT")), (10, 4))
        with self.assertRaises(InsufficientStock):
            self.inv.issue("BOLT", 5)

    def test_issue_for_reservation(self):
        self.inv.reserve("BOLT", 8, "order-1")
        self.inv.issue("BOLT", 8, reference="order-1")
        self.assertEqual((self.inv.on_hand("BOLT"), self.inv.reserved("BOLT")), (2, 0))

    def test_failed_issue_keeps_reservation(self):
        self.inv.reserve("BOLT", 8, "order-1")
        with self.assertRaises(InsufficientStock):
            self.inv.issue("BOLT", 11, reference="order-1")
        self.assertEqual(self.inv.reserved("BOLT"), 8)

    def test_reserving_again_adds(self):
        self.inv.reserve("BOLT", 2, "order-1")
        self.inv.reserve("BOLT", 3, "order-1")
        self.assertEqual(self.inv.reserved("BOLT"), 5)

    def test_reference_can_be_used_again_after_release(self):
        self.inv.reserve("BOLT", 2, "order-1")
        self.inv.release("BOLT", "order-1")
        self.inv.reserve("BOLT", 3, "order-1")
        self.assertEqual(self.inv.reserved("BOLT"), 3)

    def test_release_unknown(self):
        with self.assertRaisesRegex(StockError, "no reservation"):
            self.inv.release("BOLT", "order-9")
