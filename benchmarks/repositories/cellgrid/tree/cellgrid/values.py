"""Conversions between the kinds of values a cell may have."""
from .errors import VALUE, CellError


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def to_number(value):
    if isinstance(value, CellError):
        raise value
    if value is None or value == "":
        return 0
    if isinstance(value, (int, float)):
        return int(value) if isinstance(value, bool) else value
    if isinstance(value, str):
        try:
            return int(value)
        except ValueError:
            pass
        try:
            return float(value)
        except ValueError:
            pass
    raise CellError(VALUE)


def to_text(value):
    if isinstance(value, CellError):
        raise value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def to_bool(value):
    if isinstance(value, str):
        if value.upper() in ("TRUE", "FALSE"):
            return value.upper() == "TRUE"
        raise CellError(VALUE)
    return bool(to_number(value))


_RANK = {int: 0, float: 0, str: 1, bool: 2}


def compare(left, right):
    """-1, 0 or 1. Numbers come before text, text before booleans."""
    if left is None:
        left = "" if isinstance(right, str) else 0
    if right is None:
        right = "" if isinstance(left, str) else 0
    ranks = _RANK[type(left)], _RANK[type(right)]
    if ranks[0] != ranks[1]:
        left, right = ranks
    elif isinstance(left, str):
        left, right = left.casefold(), right.casefold()
    return (left > right) - (left < right)
