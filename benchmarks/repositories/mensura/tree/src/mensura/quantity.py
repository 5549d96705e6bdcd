"""The Quantity type and its operators."""

import math
from numbers import Number

from . import formatting
from .errors import DimensionError, OffsetUnitError
from .parser import parse_quantity, parse_unit
from .registry import default_registry
from .units import CompoundUnit


class Quantity:
    """A number and a unit."""

    __slots__ = ("magnitude", "unit", "registry")

    def __init__(self, magnitude, unit="", registry=None):
        self.registry = registry or default_registry()
        if isinstance(unit, str):
            unit = parse_unit(unit, self.registry)
        self.magnitude = magnitude
        self.unit = unit

    @classmethod
    def parse(cls, text, registry=None):
        registry = registry or default_registry()
        magnitude, unit = parse_quantity(text, registry)
        return cls(magnitude, unit, registry)

    def _new(self, magnitude, unit):
        return Quantity(magnitude, unit, self.registry)

    @property
    def dimension(self):
        return self.unit.dimension

    @property
    def base_magnitude(self):
        return self.unit.to_base(self.magnitude)

    @property
    def is_dimensionless(self):
        return self.dimension.is_dimensionless

    def to(self, unit):
        if isinstance(unit, Quantity):
            unit = unit.unit
        elif isinstance(unit, str):
            unit = parse_unit(unit, self.registry)
        if unit == self.unit:
            return self._new(self.magnitude, unit)
        if unit.dimension != self.dimension:
            raise DimensionError(self.dimension, unit.dimension, "convert between")
        return self._new(unit.from_base(self.base_magnitude), unit)

    def magnitude_in(self, unit):
        return self.to(unit).magnitude

    def _coerce(self, other):
        """Make a Quantity of a plain number; None if it is neither."""
        if isinstance(other, Quantity):
            return other
        if isinstance(other, Number) and not isinstance(other, bool):
            return self._new(other, CompoundUnit())
        return None

    def _delta_unit(self):
        """The unit of differences: degC gives delta_degC."""
        offset = self.unit.offset_unit
        if offset is None:
            return self.unit
        return parse_unit("delta_" + offset.name, self.registry)

    def __add__(self, other):
        other = self._coerce(other)
        if other is None:
            return NotImplemented
        if self.dimension != other.dimension:
            raise DimensionError(self.dimension, other.dimension, "add")
        mine, theirs = self.unit.offset_unit, other.unit.offset_unit
        if mine is not None and theirs is not None:
            raise OffsetUnitError(f"cannot add {mine.name} and {theirs.name}")
        if theirs is not None:
            return other + self
        return self._new(self.magnitude + other.to(self._delta_unit()).magnitude, self.unit)

    def __radd__(self, other):
        if isinstance(other, Number) and other == 0:
            # the start value of sum()
            return self
        return self + other

    def __sub__(self, other):
        other = self._coerce(other)
        if other is None:
            return NotImplemented
        if self.dimension != other.dimension:
            raise DimensionError(self.dimension, other.dimension, "subtract")
        mine, theirs = self.unit.offset_unit, other.unit.offset_unit
        if mine is None and theirs is not None:
            raise OffsetUnitError(f"cannot subtract {theirs.name} from a difference")
        if theirs is not None:
            value = self.magnitude - other.to(self.unit).magnitude
            return self._new(value, self._delta_unit())
        return self._new(self.magnitude - other.to(self._delta_unit()).magnitude, self.unit)

    def __rsub__(self, other):
        other = self._coerce(other)
        if other is None:
            return NotImplemented
        return other - self

    def _check_multiplicative(self):
        if self.unit.offset_unit is not None:
            raise OffsetUnitError(f"{self.unit.offset_unit.name} cannot be multiplied")

    def __mul__(self, other):
        other = self._coerce(other)
        if other is None:
            return NotImplemented
        self._check_multiplicative()
        other._check_multiplicative()
        return self._new(self.magnitude * other.magnitude, self.unit * other.unit)

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = self._coerce(other)
        if other is None:
            return NotImplemented
        self._check_multiplicative()
        other._check_multiplicative()
        return self._new(self.magnitude / other.magnitude, self.unit / other.unit)

    def __rtruediv__(self, other):
        other = self._coerce(other)
        if other is None:
            return NotImplemented
        return other / self

    def __divmod__(self, other):
        other = self._coerce(other)
        if other is None:
            return NotImplemented
        if self.dimension != other.dimension:
            raise DimensionError(self.dimension, other.dimension, "divide")
        whole, rest = divmod(self.magnitude, other.to(self.unit).magnitude)
        return int(whole), self._new(rest, self.unit)

    def __floordiv__(self, other):
        result = self.__divmod__(other)
        return result if result is NotImplemented else result[0]

    def __mod__(self, other):
        result = self.__divmod__(other)
        return result if result is NotImplemented else result[1]

    def __pow__(self, exponent):
        if isinstance(exponent, Quantity):
            if not exponent.is_dimensionless:
                raise DimensionError(exponent.dimension, "[dimensionless]", "raise to a power of")
            exponent = exponent.base_magnitude
        self._check_multiplicative()
        return self._new(self.magnitude ** exponent, self.unit ** exponent)

    def sqrt(self):
        return self._new(math.sqrt(self.magnitude), self.unit ** 0.5)

    def __neg__(self):
        return self._new(-self.magnitude, self.unit)

    def __pos__(self):
        return self

    def __abs__(self):
        return self._new(abs(self.magnitude), self.unit)

    def __round__(self, digits=None):
        return self._new(round(self.magnitude, digits), self.unit)

    def __float__(self):
        if not self.is_dimensionless:
            raise DimensionError(self.dimension, "[dimensionless]", "convert between")
        return float(self.base_magnitude)

    def __bool__(self):
        return bool(self.magnitude)

    def _compare_key(self):
        # twelve digits hide the noise of the scale factors
        return float(f"{self.base_magnitude:.12g}")

    def __eq__(self, other):
        other = self._coerce(other)
        if other is None:
            return NotImplemented
        return self.dimension == other.dimension and self._compare_key() == other._compare_key()

    def __hash__(self):
        if self.is_dimensionless:
            return hash(self._compare_key())
        return hash((self.dimension, self._compare_key()))

    def _ordered(self, other, action):
        other = self._coerce(other)
        if other is None:
            return NotImplemented
        if self.dimension != other.dimension:
            raise DimensionError(self.dimension, other.dimension, "compare")
        return action(self._compare_key(), other._compare_key())

    def __lt__(self, other):
        return self._ordered(other, lambda a, b: a < b)

    def __le__(self, other):
        return self._ordered(other, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._ordered(other, lambda a, b: a > b)

    def __ge__(self, other):
        return self._ordered(other, lambda a, b: a >= b)

    def __format__(self, spec):
        return formatting.format_quantity(self, spec)

    def __str__(self):
        return formatting.format_quantity(self, "")

    def __repr__(self):
        return f"<Quantity {self.magnitude!r} {formatting.format_unit(self.unit)!r}>"
