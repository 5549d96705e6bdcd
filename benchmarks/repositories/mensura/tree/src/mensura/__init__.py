"""Quantities with units."""

from .aggregate import clamp, maximum, mean, minimum, total
from .dimension import DIMENSIONLESS, Dimension
from .errors import (
    DimensionError,
    MensuraError,
    OffsetUnitError,
    RedefinitionError,
    UndefinedUnitError,
    UnitSyntaxError,
)
from .quantity import Quantity
from .registry import UnitRegistry, default_registry

__version__ = "0.6.2"


def Q(value, unit=None):
    """Shorthand: ``Q("3 km")`` or ``Q(3, "km")``."""
    if isinstance(value, str):
        return Quantity.parse(value)
    return Quantity(value, unit if unit is not None else "")


__all__ = [
    "Q",
    "Quantity",
    "Dimension",
    "DIMENSIONLESS",
    "UnitRegistry",
    "default_registry",
    "MensuraError",
    "DimensionError",
    "OffsetUnitError",
    "RedefinitionError",
    "UndefinedUnitError",
    "UnitSyntaxError",
    "total",
    "mean",
    "minimum",
    "maximum",
    "clamp",
]
