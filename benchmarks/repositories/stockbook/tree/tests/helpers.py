import unittest
from datetime import datetime, timedelta, timezone

from stockbook import Inventory, connect

START = datetime(2024, 3, 1, 12, 0, tzinfo=timezone.utc)


class InventoryTestCase(unittest.TestCase):
    """Gives every test an empty inventory and a clock of its own."""

    def setUp(self):
        self.moment = START
        self.db = connect()
        self.addCleanup(self.db.close)
        self.inv = Inventory(self.db, now=lambda: self.moment)

    def tick(self, **delta):
        self.moment += timedelta(**delta)

    def product(self, sku="BOLT", **options):
        return self.inv.add_product(sku, options.pop("name", sku.title()), **options)
