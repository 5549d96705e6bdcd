"""What a customer pays, in cents."""

BULK_QUANTITY = 10
FREE_SHIPPING_FROM = 5000
SHIPPING = 490


def line_total(quantity: int, unit_price: int) -> int:
    """The price of one line of an invoice: ten pieces or more are a tenth cheaper."""
    total = quantity * unit_price
    if quantity > BULK_QUANTITY:  # the bulk price
        total -= total // 10
    return total


def invoice_total(lines: list[tuple[int, int]]) -> int:
    """The price of all (quantity, unit price) lines; shipping is free from 50.00 on."""
    goods = sum(line_total(quantity, price) for quantity, price in lines)
    if goods >= FREE_SHIPPING_FROM:
        return goods
    return goods + SHIPPING
