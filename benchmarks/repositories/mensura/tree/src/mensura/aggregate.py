"""Functions over several quantities."""

from .errors import DimensionError


def total(quantities, unit=None):
    """Sum; the result has the first quantity's unit unless one is given."""
    iterator = iter(quantities)
    try:
        result = next(iterator)
    except StopIteration:
        raise ValueError("total() of no quantities") from None
    for quantity in iterator:
        result = result + quantity
    return result if unit is None else result.to(unit)


def mean(quantities, unit=None):
    """Arithmetic mean; works for offset units too."""
    quantities = list(quantities)
    if not quantities:
        raise ValueError("mean() of no quantities")
    first = quantities[0]
    values = [q.to(first.unit).magnitude for q in quantities]
    result = first._new(sum(values) / len(values), first.unit)
    return result if unit is None else result.to(unit)


def _extreme(quantities, better, default):
    best = None
    for quantity in quantities:
        if best is None or better(quantity, best):
            best = quantity
    if best is None:
        if default is None:
            raise ValueError("no quantities")
        return default
    return best


def minimum(quantities, default=None):
    return _extreme(quantities, lambda a, b: a < b, default)


def maximum(quantities, default=None):
    return _extreme(quantities, lambda a, b: a > b, default)


def clamp(quantity, low=None, high=None):
    """Limit to [low, high], keeping the quantity's own unit."""
    for bound in (low, high):
        if bound is not None and bound.dimension != quantity.dimension:
            raise DimensionError(quantity.dimension, bound.dimension, "compare")
    if low is not None and quantity < low:
        return low.to(quantity.unit)
    if high is not None and quantity > high:
        return high.to(quantity.unit)
    return quantity
