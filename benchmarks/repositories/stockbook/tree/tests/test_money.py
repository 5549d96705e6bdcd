import pytest

from stockbook import Money


@pytest.mark.parametrize(
    "value, units",
    [("1.25", 12500), (3, 30000), (0.1, 1000), ("0.00005", 1), ("-2", -20000), (Money("7"), 70000)],
)
def test_construct(value, units):
    assert Money(value).units == units


def test_bad_amount():
    with pytest.raises(ValueError, match="not an amount"):
        Money("ten")


def test_arithmetic():
    assert Money("1.5") + Money("2") == Money("3.5")
    assert Money("1.5") - Money("2") == Money("-0.5")
    assert -Money("1") == Money("-1")
    assert Money("0.1") * 3 == Money("0.3") == 3 * Money("0.1")
    assert Money("1") / 3 == Money("0.3333")
    assert Money("3") / Money("2") == 1.5


def test_sum():
    assert sum([Money("1"), Money("2")]) == Money("3")


def test_mixing_with_numbers_fails():
    with pytest.raises(TypeError):
        Money("1") + 1
    with pytest.raises(TypeError):
        Money("1") * Money("1")


def test_order_and_hash():
    assert sorted([Money("2"), Money("1")]) == [Money("1"), Money("2")]
    assert Money("1") >= Money("1.0")
    assert len({Money("1"), Money("1.0")}) == 1


@pytest.mark.parametrize("amount, text", [("1234.5", "1,234.50"), ("0.005", "0.01"), ("-3", "-3.00")])
def test_str(amount, text):
    assert str(Money(amount)) == text


def test_allocate_loses_nothing():
    parts = Money("0.0100").allocate([1, 1, 1])
    assert [part.units for part in parts] == [34, 33, 33]


def test_allocate_by_weight():
    assert Money("10").allocate([3, 1]) == [Money("7.5"), Money("2.5")]
