"""Named units, and compound units made of them."""

from dataclasses import dataclass, field
from fractions import Fraction

from .dimension import DIMENSIONLESS, Dimension
from .errors import OffsetUnitError


@dataclass(frozen=True)
class NamedUnit:
    """One entry of a registry.

    ``scale`` and ``offset`` lead to base units: ``base = value * scale + offset``.
    """

    name: str
    symbol: str
    dimension: Dimension
    scale: float = 1.0
    offset: float = 0.0
    prefixable: bool = False
    aliases: tuple = field(default=(), compare=False)

    @property
    def has_offset(self):
        return self.offset != 0.0

    def prefixed(self, prefix_name, prefix_symbol, factor):
        return NamedUnit(
            name=prefix_name + self.name,
            symbol=prefix_symbol + self.symbol,
            dimension=self.dimension,
            scale=self.scale * factor,
        )


class CompoundUnit:
    """A product of powers of named units, in the order they were written."""

    __slots__ = ("_terms",)

    def __init__(self, terms=()):
        merged = {}
        for unit, power in terms:
            merged[unit] = merged.get(unit, Fraction(0)) + Fraction(power)
        self._terms = tuple((u, p) for u, p in merged.items() if p)

    @classmethod
    def of(cls, unit):
        return cls([(unit, 1)])

    @property
    def terms(self):
        return self._terms

    @property
    def dimension(self):
        result = DIMENSIONLESS
        for unit, power in self._terms:
            result = result * unit.dimension ** power
        return result

    @property
    def scale(self):
        result = 1.0
        for unit, power in self._terms:
            result *= unit.scale ** (int(power) if power.denominator == 1 else float(power))
        return result

    @property
    def offset_unit(self):
        """The offset unit this consists of, or None.

        An offset makes sense only for a unit standing alone; anything else
        raises OffsetUnitError.
        """
        offsets = [u for u, _ in self._terms if u.has_offset]
        if not offsets:
            return None
        if len(self._terms) > 1 or self._terms[0][1] != 1:
            raise OffsetUnitError(f"{offsets[0].name} cannot be part of a compound unit")
        return offsets[0]

    def to_base(self, value):
        unit = self.offset_unit
        if unit is not None:
            return value * unit.scale + unit.offset
        return value * self.scale

    def from_base(self, value):
        unit = self.offset_unit
        if unit is not None:
            return (value - unit.offset) / unit.scale
        return value / self.scale

    def __mul__(self, other):
        return CompoundUnit(self._terms + other._terms)

    def __truediv__(self, other):
        return CompoundUnit(self._terms + tuple((u, -p) for u, p in other._terms))

    def __pow__(self, exponent):
        exponent = Fraction(exponent).limit_denominator(64)
        return CompoundUnit((u, p * exponent) for u, p in self._terms)

    def __eq__(self, other):
        if not isinstance(other, CompoundUnit):
            return NotImplemented
        return dict(self._terms) == dict(other._terms)

    def __hash__(self):
        return hash(frozenset(self._terms))

    def __bool__(self):
        return bool(self._terms)

    def __repr__(self):
        return f"<unit {' '.join(f'{u.name}^{p}' for u, p in self._terms) or '1'}>"
