"""What an assertion asks of a value, and whether two such demands leave no value for both."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_RELATIVE, _ABSOLUTE = 1e-6, 1e-12
"""The tolerances of `pytest.approx`."""


@dataclass(frozen=True, slots=True)
class Demand:
    """One demand: `relation` says of a value how it stands to `operand`.

    Relations are "==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in", and "near" (as `pytest.approx`, or
    `assertAlmostEqual`, has it), "true", "false" and "raises", of which the last three need no operand.
    """

    relation: str
    operand: Any
    """A literal."""
    words: str
    """E.g. "5", "a value above 3", "an exception"."""
    tolerance: float = 0.0
    """How far a value may be from the operand, where it has to be near it."""

    @property
    def _fixed(self) -> bool:
        return self.relation in ("==", "is")


def excludes(one: Demand, other: Demand) -> bool:
    """Whether no value can meet both demands; False where that cannot be told."""
    if "raises" in (one.relation, other.relation):
        return one.relation != other.relation
    try:
        return any(_denies(first, second) for first, second in ((one, other), (other, one))) or _apart(one, other)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False


def _denies(one: Demand, other: Demand) -> bool:
    """Whether the one value, or kind of value, that `one` allows does not meet `other`."""
    if one.relation == "true":
        return other.relation == "false"
    if not one._fixed:
        return False
    value, wanted = one.operand, other.operand
    match other.relation:
        case "==" | "is":
            return bool(value != wanted)
        case "!=":
            return bool(value == wanted)
        case "is not":
            return value is None and wanted is None
        case "in":
            return value not in wanted
        case "not in":
            return value in wanted
        case "true" | "false":
            return bool(value) is (other.relation == "false")
    return False


def _apart(one: Demand, other: Demand) -> bool:
    """Whether both allow ranges of numbers that do not meet."""
    first, second = _range(one), _range(other)
    if first is None or second is None:
        return False
    low, high = max(first[0], second[0]), min(first[1], second[1])
    if low == high:
        return not all(_ORDER[d.relation](low, d.operand) for d in (one, other) if d.relation in _ORDER)
    return low > high


def _range(demand: Demand) -> tuple[float, float] | None:
    """The least and the greatest number that may meet a demand; None where numbers are not what it is about."""
    number = demand.operand
    if not isinstance(number, int | float) or isinstance(number, bool) or math.isnan(number):
        return None
    match demand.relation:
        case "==":
            return number, number
        case "near":
            return number - demand.tolerance, number + demand.tolerance
        case "<" | "<=":
            return -math.inf, number
        case ">" | ">=":
            return number, math.inf
    return None


def near(number: float, *, relative: float = _RELATIVE, absolute: float = _ABSOLUTE) -> Demand:
    """A demand for a number near another, as `pytest.approx` means it."""
    # Twice as much, so that rounding at the border is never taken for a contradiction.
    return Demand("near", number, f"about {number!r}", 2 * max(relative * abs(number), absolute))
