"""Read-only views of an inventory."""

from collections import OrderedDict
from datetime import datetime, time, timedelta, timezone

from .money import Money


def reorder_list(inventory):
    """``(product, available)`` of active products at or below their reorder point.

    Products without a reorder point are left out; the most urgent come first.
    """
    result = []
    for product in inventory.products():
        if not product.reorder_point:
            continue
        available = inventory.available(product.sku)
        if available <= product.reorder_point:
            result.append((product, available))
    result.sort(key=lambda item: (item[1] - item[0].reorder_point, item[0].sku))
    return result


def valuation(inventory, as_of=None):
    """Value by SKU, and the total; retired products count while they had stock."""
    lines = OrderedDict()
    for product in inventory.products(include_inactive=True):
        value = inventory.stock_value(product.sku, as_of)
        if value or product.active:
            lines[product.sku] = value
    return lines, sum(lines.values(), Money())


def day_bounds(day, tz=timezone.utc):
    """First and last moment of *day* in *tz*."""
    start = datetime.combine(day, time.min, tzinfo=tz)
    return start, start + timedelta(days=1) - timedelta(microseconds=1)


def daily_summary(inventory, day, tz=timezone.utc):
    """Quantities in and out by SKU on one day; transfers are not counted."""
    since, until = day_bounds(day, tz)
    summary = OrderedDict()
    for movement in inventory.movements(since=since, until=until):
        if movement.kind == "transfer":
            continue
        line = summary.setdefault(movement.sku, {"in": 0, "out": 0})
        if movement.quantity > 0:
            line["in"] += movement.quantity
        else:
            line["out"] -= movement.quantity
    return summary


def turnover(inventory, sku, since, until):
    """Cost of what was issued, by the average of the opening and closing value."""
    issued = Money()
    for movement in inventory.movements(sku, since, until):
        if movement.kind == "issue":
            issued -= movement.value
    opening = inventory.stock_value(sku, since - timedelta(microseconds=1))
    closing = inventory.stock_value(sku, until)
    average = (opening + closing) / 2
    if not average:
        return None
    return issued / average


def abc_classes(inventory, limits=(80, 95)):
    """Group SKUs into A, B and C by their share of the total value, in percent."""
    lines, total = valuation(inventory)
    classes = {"A": [], "B": [], "C": []}
    if not total:
        classes["C"] = list(lines)
        return classes
    running = Money()
    for sku, value in sorted(lines.items(), key=lambda item: (-item[1].units, item[0])):
        share = running / total * 100
        running += value
        if share < limits[0]:
            classes["A"].append(sku)
        elif share < limits[1]:
            classes["B"].append(sku)
        else:
            classes["C"].append(sku)
    return classes


def render_table(headers, rows):
    """Columns padded to their widest cell; numbers to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [
        max(len(str(header)), *(len(row[index]) for row in cells)) if cells else len(header)
        for index, header in enumerate(headers)
    ]
    lines = [
        "  ".join(header.ljust(width) for header, width in zip(headers, widths)).rstrip(),
        "  ".join("-" * width for width in widths),
    ]
    for row, shown in zip(rows, cells):
        parts = []
        for value, text, width in zip(row, shown, widths):
            number = isinstance(value, (int, Money))
            parts.append(text.rjust(width) if number else text.ljust(width))
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)
