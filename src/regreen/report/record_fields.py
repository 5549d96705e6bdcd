"""Fields of records, possibly of another tool: a missing field, or one of the wrong type, becomes a default."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

_HUGE = 1e15
"""No count, time or price of a real run is as large; a greater number would not survive being shown."""


def text_field(values: Mapping[str, Any], name: str, default: str = "") -> str:
    """The field as text."""
    value = values.get(name)
    return value if isinstance(value, str) else default


def number_field(values: Mapping[str, Any], name: str) -> float | None:
    """The field as a number from 0; None where it has none."""
    value = values.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _HUGE:
        return None
    return float(value)


def count_field(values: Mapping[str, Any], name: str) -> int | None:
    """The field as a whole number from 0; None where it has none."""
    value = number_field(values, name)
    return None if value is None else math.floor(value)


def planned_samples(header: Mapping[str, Any]) -> int | None:
    """How many samples a run set out to decide, as its run.json says; None where that says nothing."""
    if (planned := count_field(header, "planned")) is not None:
        return planned
    cases, samples = count_field(header, "cases"), count_field(object_field(header, "settings"), "samples")
    return None if cases is None or samples is None else cases * samples


def truth_field(values: Mapping[str, Any], name: str) -> bool | None:
    """The field as a truth value; None where it has none."""
    value = values.get(name)
    return value if isinstance(value, bool) else None


def object_field(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The field as an object; an empty one where it has none."""
    value = values.get(name)
    return value if isinstance(value, dict) else {}


def object_list_field(values: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The objects that the field lists."""
    value = values.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_list_field(values: Mapping[str, Any], name: str) -> list[str]:
    """The texts that the field lists."""
    value = values.get(name)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def text_map_field(values: Mapping[str, Any], name: str) -> dict[str, str]:
    """The texts of an object, by name."""
    return {key: value for key, value in object_field(values, name).items() if isinstance(value, str)}


def number_map_field(values: Mapping[str, Any], name: str) -> dict[str, float]:
    """The numbers from 0 of an object, by name."""
    found = object_field(values, name)
    return {key: value for key in found if (value := number_field(found, key)) is not None}
