"""How far an answer is from the expected one: a slope for search where pass and fail give none."""

from __future__ import annotations

from typing import Any


def distance(actual: Any, expected: Any) -> float:
    """0 for equal values, below 1 for values of a kind, 1 for what cannot be compared."""
    if type(actual) is not type(expected):
        return 0.95
    return 0.0 if actual == expected else 0.5
