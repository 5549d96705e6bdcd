import pytest

from inventory import Stock
from inventory.rules import batches


def test_taking_more_than_there_is():
    stock = Stock()
    stock.receive("nail", 3)
    with pytest.raises(ValueError, match="only 3"):
        stock.take("nail", 4)


def test_taking_all():
    stock = Stock()
    stock.receive("nail", 3)
    stock.take("nail", 3)
    assert stock.levels == {"nail": 0}


@pytest.mark.parametrize(("count", "expected"), [(10, 1), (20, 2)])
def test_full_batches(count, expected):
    assert batches(count) == expected


@pytest.mark.parametrize(("count", "expected"), [(1, 1), (15, 2)])
def test_a_batch_that_is_begun_counts(count, expected):
    assert batches(count) == expected


def test_orders():
    stock = Stock(minimum=5)
    stock.receive("bolt", 50)
    stock.receive("nail", 2)
    assert stock.orders() == {"nail": 10}
