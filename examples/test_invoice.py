"""The tests that examples/invoice.py should pass, and does not."""

from invoice import invoice_total, line_total


def test_a_few_pieces_cost_the_full_price():
    assert line_total(3, 250) == 750


def test_ten_pieces_are_a_tenth_cheaper():
    assert line_total(10, 250) == 2250


def test_more_than_ten_pieces_are_a_tenth_cheaper():
    assert line_total(20, 100) == 1800


def test_shipping_is_added():
    assert invoice_total([(1, 1000), (2, 500)]) == 2490


def test_shipping_is_free_from_fifty_on():
    assert invoice_total([(1, 5000)]) == 5000


def test_the_bulk_price_can_cost_free_shipping():
    assert invoice_total([(10, 550)]) == 5440
