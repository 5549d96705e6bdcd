"""CSV import of receipts and export of the stock list."""

import csv
import io

from .db import transaction
from .errors import DuplicateProduct, ImportFailed, StockError

COLUMNS = ["sku", "name", "quantity", "unit_cost", "location"]
REQUIRED = {"sku", "quantity", "unit_cost"}


def _open_text(data):
    if isinstance(data, bytes):
        data = data.decode("utf-8-sig")
    return io.StringIO(data, newline="")


def _whole_number(text):
    try:
        return int(text.replace(",", ""))
    except ValueError:
        raise StockError(f"not a whole number: {text!r}") from None


def import_receipts(inventory, data, create_products=False):
    """Book every row as a receipt: all of them, or none when one is bad.

    Returns the number of rows booked.
    """
    reader = csv.DictReader(_open_text(data))
    fields = [name.strip().lower() for name in reader.fieldnames or []]
    missing = REQUIRED - set(fields)
    if missing:
        raise ImportFailed([(1, f"missing columns: {', '.join(sorted(missing))}")])
    reader.fieldnames = fields
    problems = []
    count = 0
    with transaction(inventory.db):
        for row in reader:
            row = {key: (value or "").strip() for key, value in row.items() if key}
            if not any(row.values()):
                continue
            try:
                _import_row(inventory, row, create_products)
                count += 1
            except (StockError, ValueError) as exc:
                problems.append((reader.line_num, str(exc)))
        if problems:
            raise ImportFailed(problems)
    return count


def _import_row(inventory, row, create_products):
    sku = row["sku"]
    if create_products:
        try:
            inventory.add_product(sku, row.get("name") or sku)
        except DuplicateProduct:
            pass
    options = {}
    if row.get("location"):
        options["location"] = row["location"]
    inventory.receive(sku, _whole_number(row["quantity"]), row["unit_cost"], **options)


def export_stock(inventory):
    """One line for each product and location with stock."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for product in inventory.products():
        cost = inventory.average_cost(product.sku)
        for location, quantity in inventory.locations(product.sku).items():
            writer.writerow(
                {
                    "sku": product.sku,
                    "name": product.name,
                    "quantity": quantity,
                    "unit_cost": cost.amount.normalize().to_eng_string(),
                    "location": location,
                }
            )
    return out.getvalue()
