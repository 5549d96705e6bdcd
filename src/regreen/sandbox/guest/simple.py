"""Values so plain that the interpreter's own fast formats carry them without loss.

Most calls take and return a few numbers and strings. For those the codec would do more than is needed: requests, which
come from the judge, travel as marshal; answers, which come from hostile code, as JSON, whose parser is safe.
"""

from __future__ import annotations

from typing import Any

SCALARS = frozenset({type(None), bool, int, float, str})
NESTED = 8
"""The deepest nesting that is looked at here."""
LONGEST = 1_000
"""The longest list that is looked at here."""
BIGGEST = 1 << 63


def fits_marshal(value: Any, depth: int = 0) -> bool:
    """Whether a value is built of exact plain types alone; identity inside it is kept by marshal."""
    kind = type(value)
    if kind in SCALARS or kind is bytes:
        return True
    if depth == NESTED or kind not in (list, tuple, dict) or len(value) > LONGEST:
        return False
    if kind is dict:
        return all(type(k) in SCALARS and fits_marshal(v, depth + 1) for k, v in value.items())
    return all(fits_marshal(item, depth + 1) for item in value)


def fits_json(value: Any) -> bool:
    """Whether a value is one scalar or a flat list of them, and so comes back from JSON as it was."""
    kind = type(value)
    if kind is list:
        return len(value) <= LONGEST and all(type(item) is not list and fits_json(item) for item in value)
    return kind in SCALARS and (kind is not int or -BIGGEST < value < BIGGEST)
