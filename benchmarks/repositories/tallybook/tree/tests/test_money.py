import pytest

from tallybook import CurrencyMismatch, Money
from tallybook.errors import InvalidAmount


@pytest.mark.parametrize(
    "text, minor, currency",
    [
        ("12.50 EUR", 1250, "EUR"),
        ("USD 1,200", 120000, "USD"),
        ("-0.05 GBP", -5, "GBP"),
        ("300 JPY", 300, "JPY"),
        ("1.5 KWD", 1500, "KWD"),
    ],
)
def test_parse(text, minor, currency):
    assert Money.parse(text) == Money(minor, currency)


@pytest.mark.parametrize("text", ["12", "x EUR", "1.005 EUR", "1.5 JPY", "1 XXX", "NaN EUR", ""])
def test_parse_errors(text):
    with pytest.raises(InvalidAmount):
        Money.parse(text)


@pytest.mark.parametrize(
    "money, text",
    [
        (Money(123456, "EUR"), "1,234.56 EUR"),
        (Money(-5, "EUR"), "-0.05 EUR"),
        (Money(1234, "JPY"), "1,234 JPY"),
        (Money(1, "KWD"), "0.001 KWD"),
    ],
)
def test_str(money, text):
    assert str(money) == text


def test_arithmetic():
    a, b = Money(100, "EUR"), Money(30, "EUR")
    assert a - b == Money(70, "EUR")
    assert sum([a, b]) == Money(130, "EUR")
    assert -a < b <= a
    assert not Money(0, "EUR")


def test_currencies_do_not_mix():
    with pytest.raises(CurrencyMismatch):
        Money(1, "EUR") + Money(1, "USD")
    with pytest.raises(CurrencyMismatch):
        Money(1, "EUR") < Money(1, "USD")
    assert Money(1, "EUR") != Money(1, "USD")
    assert len({Money(1, "EUR"), Money(1, "USD"), Money(1, "EUR")}) == 2


@pytest.mark.parametrize("minor, factor, result", [(5, "0.5", 2), (15, "0.1", 2), (25, "0.1", 2), (-15, "0.1", -2)])
def test_times_rounds_half_to_even(minor, factor, result):
    assert Money(minor, "EUR").times(factor).minor == result


@pytest.mark.parametrize(
    "minor, weights, shares",
    [
        (100, [1, 1, 1], [34, 33, 33]),
        (-100, [1, 1, 1], [-34, -33, -33]),
        (5, [0, 1, 1], [0, 3, 2]),
        (7, [3, 7], [3, 4]),
    ],
)
def test_allocate(minor, weights, shares):
    assert [m.minor for m in Money(minor, "EUR").allocate(weights)] == shares


@pytest.mark.parametrize("weights", [[], [0, 0], [2, -1]])
def test_allocate_bad_weights(weights):
    with pytest.raises(InvalidAmount):
        Money(1, "EUR").allocate(weights)


def test_immutable():
    with pytest.raises(AttributeError):
        Money(1, "EUR").minor = 2
