"""Dimensions: products of powers of the base dimensions."""

from fractions import Fraction

_ORDER = ("length", "mass", "time", "current", "temperature", "amount", "luminosity", "information")


class Dimension:
    """An immutable mapping of base dimension to exponent.

    Zero exponents are dropped, so that equal dimensions compare equal.
    """

    __slots__ = ("_powers", "_hash")

    def __init__(self, **powers):
        clean = {}
        for name, power in powers.items():
            if name not in _ORDER:
                raise ValueError(f"unknown base dimension {name!r}")
            power = Fraction(power)
            if power:
                clean[name] = power
        self._powers = clean
        self._hash = None

    def __getitem__(self, name):
        return self._powers.get(name, Fraction(0))

    def __iter__(self):
        return iter(sorted(self._powers, key=_ORDER.index))

    def items(self):
        return [(name, self._powers[name]) for name in self]

    @property
    def is_dimensionless(self):
        return not self._powers

    def _combine(self, other, sign):
        merged = dict(self._powers)
        for name, power in other._powers.items():
            merged[name] = merged.get(name, 0) + sign * power
        return Dimension(**merged)

    def __mul__(self, other):
        if not isinstance(other, Dimension):
            return NotImplemented
        return self._combine(other, 1)

    def __truediv__(self, other):
        if not isinstance(other, Dimension):
            return NotImplemented
        return self._combine(other, -1)

    def __pow__(self, exponent):
        exponent = Fraction(exponent).limit_denominator(64)
        return Dimension(**{n: p * exponent for n, p in self._powers.items()})

    def __eq__(self, other):
        if not isinstance(other, Dimension):
            return NotImplemented
        return self._powers == other._powers

    def __hash__(self):
        if self._hash is None:
            self._hash = hash(frozenset(self._powers.items()))
        return self._hash

    def __str__(self):
        if not self._powers:
            return "[dimensionless]"
        parts = []
        for name, power in self.items():
            parts.append(f"[{name}]" if power == 1 else f"[{name}]^{power}")
        return " ".join(parts)

    def __repr__(self):
        inner = ", ".join(f"{n}={p}" for n, p in self.items())
        return f"Dimension({inner})"


DIMENSIONLESS = Dimension()
