"""The operations on stock."""

import sqlite3
from datetime import datetime, timezone

from . import models
from .db import transaction
from .errors import DuplicateProduct, InsufficientStock, StockError, UnknownProduct
from .models import Movement, Product, format_time
from .money import Money

DEFAULT_LOCATION = "main"


def _utcnow():
    return datetime.now(timezone.utc)


class Inventory:
    def __init__(self, connection, now=_utcnow):
        self.db = connection
        self.now = now

    # -- products --------------------------------------------------------
    def add_product(self, sku, name, unit="pc", reorder_point=0):
        sku = sku.strip()
        if not sku:
            raise StockError("a product needs a SKU")
        try:
            self.db.execute(
                "INSERT INTO product (sku, name, unit, reorder_point) VALUES (?, ?, ?, ?)",
                (sku, name, unit, reorder_point),
            )
        except sqlite3.IntegrityError:
            raise DuplicateProduct(sku) from None
        return self.product(sku)

    def product(self, sku):
        row = self.db.execute("SELECT * FROM product WHERE sku = ?", (sku.strip(),)).fetchone()
        if row is None:
            raise UnknownProduct(sku)
        return Product.from_row(row)

    def products(self, include_inactive=False):
        rows = self.db.execute(
            "SELECT * FROM product WHERE active OR ? ORDER BY sku", (include_inactive,)
        )
        return [Product.from_row(row) for row in rows]

    def search(self, text):
        """Active products whose SKU or name contains *text*."""
        escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        pattern = f"%{escaped}%"
        rows = self.db.execute(
            "SELECT * FROM product WHERE active"
            " AND (sku LIKE ? ESCAPE '\\' OR name LIKE ? ESCAPE '\\') ORDER BY sku",
            (pattern, pattern),
        )
        return [Product.from_row(row) for row in rows]

    def retire(self, sku):
        """Hide a product; it must have no stock left."""
        if self.on_hand(sku):
            raise StockError(f"{sku} still has stock")
        self.db.execute("UPDATE product SET active = 0 WHERE id = ?", (self.product(sku).id,))

    # -- quantities ------------------------------------------------------
    def on_hand(self, sku, location=None, as_of=None):
        query = "SELECT COALESCE(SUM(quantity), 0) FROM movement WHERE product_id = ?"
        args = [self.product(sku).id]
        if location is not None:
            query += " AND location = ?"
            args.append(location)
        if as_of is not None:
            query += " AND moved_at <= ?"
            args.append(format_time(as_of))
        return self.db.execute(query, args).fetchone()[0]

    def reserved(self, sku):
        row = self.db.execute(
            "SELECT COALESCE(SUM(quantity), 0) FROM reservation"
            " WHERE product_id = ? AND NOT released",
            (self.product(sku).id,),
        ).fetchone()
        return row[0]

    def available(self, sku):
        return self.on_hand(sku) - self.reserved(sku)

    def locations(self, sku):
        """Quantity by location, empty locations left out."""
        rows = self.db.execute(
            "SELECT location, SUM(quantity) AS total FROM movement WHERE product_id = ?"
            " GROUP BY location HAVING total <> 0 ORDER BY location",
            (self.product(sku).id,),
        )
        return {row["location"]: row["total"] for row in rows}

    # -- cost ------------------------------------------------------------
    def average_cost(self, sku, as_of=None):
        """Moving average: receipts change it, issues and transfers do not."""
        quantity = 0
        value = Money()
        for movement in self.movements(sku, until=as_of):
            if movement.kind == models.TRANSFER:
                continue
            quantity += movement.quantity
            value += movement.value
            if quantity <= 0:
                value = Money()
        return value / quantity if quantity > 0 else Money()

    def stock_value(self, sku, as_of=None):
        return self.average_cost(sku, as_of) * self.on_hand(sku, as_of=as_of)

    # -- movements -------------------------------------------------------
    def _record(self, product, location, kind, quantity, unit_cost, note="", at=None):
        cursor = self.db.execute(
            "INSERT INTO movement"
            " (product_id, location, kind, quantity, unit_cost, note, moved_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                product.id,
                location,
                kind,
                quantity,
                unit_cost.units,
                note,
                format_time(at or self.now()),
            ),
        )
        return cursor.lastrowid

    def receive(self, sku, quantity, unit_cost, location=DEFAULT_LOCATION, note="", at=None):
        self._check_quantity(quantity)
        product = self.product(sku)
        if not product.active:
            raise StockError(f"{product.sku} is retired")
        return self._record(
            product, location, models.RECEIPT, quantity, Money(unit_cost), note, at
        )

    def issue(self, sku, quantity, location=DEFAULT_LOCATION, note="", at=None, reference=None):
        """Take stock out; *reference* names a reservation that this fulfils."""
        self._check_quantity(quantity)
        product = self.product(sku)
        with transaction(self.db):
            if reference is not None:
                self.release(sku, reference)
            available = min(self.on_hand(sku, location), self.available(sku))
            if quantity > available:
                raise InsufficientStock(product.sku, quantity, available)
            cost = self.average_cost(sku)
            return self._record(product, location, models.ISSUE, -quantity, cost, note, at)

    def transfer(self, sku, quantity, source, target, note=""):
        self._check_quantity(quantity)
        if source == target:
            raise StockError("source and target are the same location")
        product = self.product(sku)
        with transaction(self.db):
            present = self.on_hand(sku, source)
            if quantity > present:
                raise InsufficientStock(product.sku, quantity, present)
            cost = self.average_cost(sku)
            at = self.now()
            self._record(product, source, models.TRANSFER, -quantity, cost, note, at)
            self._record(product, target, models.TRANSFER, quantity, cost, note, at)

    def count(self, sku, counted, location=DEFAULT_LOCATION, note=""):
        """Enter the result of counting; returns the difference that was booked."""
        if counted < 0:
            raise StockError("a count cannot be negative")
        product = self.product(sku)
        with transaction(self.db):
            difference = counted - self.on_hand(sku, location)
            if difference:
                cost = self.average_cost(sku)
                self._record(product, location, models.COUNT, difference, cost, note)
        return difference

    def movements(self, sku=None, since=None, until=None):
        query = (
            "SELECT movement.*, product.sku FROM movement"
            " JOIN product ON product.id = movement.product_id WHERE 1"
        )
        args = []
        if sku is not None:
            query += " AND product_id = ?"
            args.append(self.product(sku).id)
        if since is not None:
            query += " AND moved_at >= ?"
            args.append(format_time(since))
        if until is not None:
            query += " AND moved_at <= ?"
            args.append(format_time(until))
        rows = self.db.execute(query + " ORDER BY moved_at, movement.id", args)
        return [Movement.from_row(row) for row in rows]

    @staticmethod
    def _check_quantity(quantity):
        if isinstance(quantity, bool) or not isinstance(quantity, int) or quantity <= 0:
            raise StockError(f"quantity must be a positive whole number, not {quantity!r}")

    # -- reservations ----------------------------------------------------
    def reserve(self, sku, quantity, reference):
        """Hold stock for *reference*; reserving again for it adds to the held quantity."""
        self._check_quantity(quantity)
        product = self.product(sku)
        with transaction(self.db):
            available = self.available(sku)
            if quantity > available:
                raise InsufficientStock(product.sku, quantity, available)
            self.db.execute(
                "INSERT INTO reservation (product_id, quantity, reference) VALUES (?, ?, ?)"
                " ON CONFLICT (product_id, reference) DO UPDATE SET"
                " quantity = CASE WHEN released THEN 0 ELSE quantity END + excluded.quantity,"
                " released = 0",
                (product.id, quantity, reference),
            )

    def release(self, sku, reference):
        cursor = self.db.execute(
            "UPDATE reservation SET released = 1"
            " WHERE product_id = ? AND reference = ? AND NOT released",
            (self.product(sku).id, reference),
        )
        if cursor.rowcount == 0:
            raise StockError(f"no reservation {reference!r} for {sku}")
