"""Exact amounts of money, kept as an integer number of 1/10000 units."""

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import total_ordering

SCALE = 10000


@total_ordering
class Money:
    __slots__ = ("units",)

    def __init__(self, amount=0):
        if isinstance(amount, Money):
            self.units = amount.units
            return
        if isinstance(amount, float):
            amount = repr(amount)
        try:
            value = Decimal(amount) * SCALE
        except InvalidOperation:
            raise ValueError(f"not an amount: {amount!r}") from None
        self.units = int(value.to_integral_value(ROUND_HALF_UP))

    @classmethod
    def from_units(cls, units):
        money = cls()
        money.units = units
        return money

    @property
    def amount(self):
        return Decimal(self.units) / SCALE

    def __add__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return Money.from_units(self.units + other.units)

    def __radd__(self, other):
        if other == 0:  # so that sum() works
            return self
        return NotImplemented

    def __sub__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return Money.from_units(self.units - other.units)

    def __neg__(self):
        return Money.from_units(-self.units)

    def __mul__(self, factor):
        if isinstance(factor, Money):
            return NotImplemented
        product = self.units * Decimal(str(factor))
        return Money.from_units(int(product.to_integral_value(ROUND_HALF_UP)))

    __rmul__ = __mul__

    def __truediv__(self, divisor):
        if isinstance(divisor, Money):
            return Decimal(self.units) / divisor.units
        quotient = Decimal(self.units) / Decimal(str(divisor))
        return Money.from_units(int(quotient.to_integral_value(ROUND_HALF_UP)))

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return self.units == other.units

    def __lt__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return self.units < other.units

    def __hash__(self):
        return hash(self.units)

    def __bool__(self):
        return self.units != 0

    def __str__(self):
        rounded = self.amount.quantize(Decimal("0.01"), ROUND_HALF_UP)
        return f"{rounded:,}"

    def __repr__(self):
        return f"Money({str(self.amount)!r})"

    def allocate(self, weights):
        """Split into parts in the ratio of *weights* without losing a unit."""
        total = sum(weights)
        if total <= 0:
            raise ValueError("weights must have a positive sum")
        parts = [self.units * weight // total for weight in weights]
        rest = self.units - sum(parts)
        for index in range(rest):
            parts[index] += 1
        return [Money.from_units(part) for part in parts]
