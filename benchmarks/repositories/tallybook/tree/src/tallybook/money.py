"""Exact amounts of money, kept in minor units."""
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation
from functools import total_ordering

from .errors import CurrencyMismatch, InvalidAmount

EXPONENTS = {"EUR": 2, "USD": 2, "GBP": 2, "JPY": 0, "KWD": 3}


@total_ordering
class Money:
    __slots__ = ("minor", "currency")

    def __init__(self, minor, currency):
        if currency not in EXPONENTS:
            raise InvalidAmount("unknown currency %r" % currency)
        if isinstance(minor, bool) or not isinstance(minor, int):
            raise InvalidAmount("minor units must be an int, not %r" % (minor,))
        object.__setattr__(self, "minor", minor)
        object.__setattr__(self, "currency", currency)

    def __setattr__(self, name, value):
        raise AttributeError("Money is immutable")

    @classmethod
    def parse(cls, text):
        """Read ``"12.50 EUR"`` or ``"EUR 1,200"``."""
        parts = text.split()
        if len(parts) != 2:
            raise InvalidAmount("not an amount: %r" % text)
        number, currency = parts
        if number in EXPONENTS:
            number, currency = currency, number
        if currency not in EXPONENTS:
            raise InvalidAmount("unknown currency %r" % currency)
        try:
            value = Decimal(number.replace(",", ""))
        except InvalidOperation:
            raise InvalidAmount("not an amount: %r" % text) from None
        if not value.is_finite():
            raise InvalidAmount("not an amount: %r" % text)
        scaled = value.scaleb(EXPONENTS[currency])
        if scaled != scaled.to_integral_value():
            raise InvalidAmount("too many decimals for %s: %r" % (currency, text))
        return cls(int(scaled), currency)

    @classmethod
    def zero(cls, currency):
        return cls(0, currency)

    def _other(self, other):
        if self.currency != other.currency:
            raise CurrencyMismatch("%s and %s" % (self.currency, other.currency))
        return other.minor

    def __add__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return Money(self.minor + self._other(other), self.currency)

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __sub__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return Money(self.minor - self._other(other), self.currency)

    def __neg__(self):
        return Money(-self.minor, self.currency)

    def times(self, factor):
        """Multiply by a Decimal, int or string, rounding half to even."""
        product = Decimal(self.minor) * Decimal(factor)
        return Money(int(product.quantize(Decimal(1), rounding=ROUND_HALF_EVEN)), self.currency)

    def allocate(self, weights):
        """Split without losing a cent; the first shares get the rest."""
        weights = list(weights)
        total = sum(weights)
        if not weights or total <= 0 or min(weights) < 0:
            raise InvalidAmount("bad weights: %r" % (weights,))
        sign = -1 if self.minor < 0 else 1
        whole = abs(self.minor)
        shares = [whole * weight // total for weight in weights]
        rest = whole - sum(shares)
        for index, weight in enumerate(weights):
            if rest and weight:
                shares[index] += 1
                rest -= 1
        return [Money(sign * share, self.currency) for share in shares]

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return (self.minor, self.currency) == (other.minor, other.currency)

    def __lt__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return self.minor < self._other(other)

    def __hash__(self):
        return hash((self.minor, self.currency))

    def __bool__(self):
        return self.minor != 0

    def __str__(self):
        exponent = EXPONENTS[self.currency]
        amount = Decimal(self.minor).scaleb(-exponent)
        return "{:,.{}f} {}".format(amount, exponent, self.currency)

    def __repr__(self):
        return "Money(%d, %r)" % (self.minor, self.currency)
