"""Functions every program has."""

import math

from .errors import PebbleRuntimeError


def type_name(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, list):
        return "list"
    if isinstance(value, dict):
        return "record"
    if callable(value):
        return "function"
    return type(value).__name__


def to_text(value, quoted=False):
    """A value as the language writes it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'" if quoted else value
    if isinstance(value, list):
        return "[" + ", ".join(to_text(item, True) for item in value) + "]"
    if isinstance(value, dict):
        inner = ", ".join(f"{key}: {to_text(item, True)}" for key, item in value.items())
        return "{" + inner + "}"
    if callable(value):
        return "<function>"
    return str(value)


def _need(value, kind, function):
    if type_name(value) != kind:
        raise PebbleRuntimeError(f"{function}() needs a {kind}, not {type_name(value)}")
    return value


def _length(value):
    if type_name(value) not in ("text", "list", "record"):
        raise PebbleRuntimeError(f"len() of {type_name(value)}")
    return len(value)


def _number(value):
    if isinstance(value, str):
        text = value.strip()
        for kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                pass
        raise PebbleRuntimeError(f"number() of {value!r}")
    if isinstance(value, bool):
        return int(value)
    return _need(value, "number", "number")


def _round(value, digits=0):
    """Half away from zero, as people expect of prices."""
    _need(value, "number", "round")
    factor = 10 ** digits
    result = math.floor(abs(value) * factor + 0.5) / factor
    result = math.copysign(result, value)
    return int(result) if digits <= 0 else result


def _sort(items, key=None, reverse=False):
    _need(items, "list", "sort")
    try:
        return sorted(items, key=key, reverse=reverse)
    except TypeError:
        raise PebbleRuntimeError("sort() of values that do not compare") from None


def _push(items, *values):
    return _need(items, "list", "push") + list(values)


def _fold(items, start, function):
    result = start
    for item in _need(items, "list", "fold"):
        result = function(result, item)
    return result


def _merge(*records):
    merged = {}
    for record in records:
        merged.update(_need(record, "record", "merge"))
    return merged


def _range(start, stop=None):
    if stop is None:
        start, stop = 0, start
    return list(range(start, stop))


def _join(items, separator=""):
    return separator.join(to_text(item) for item in _need(items, "list", "join"))


BUILTINS = {
    "type": type_name,
    "str": to_text,
    "number": _number,
    "len": _length,
    "abs": abs,
    "min": lambda *values: min(values[0] if len(values) == 1 else values),
    "max": lambda *values: max(values[0] if len(values) == 1 else values),
    "round": _round,
    "upper": lambda text: _need(text, "text", "upper").upper(),
    "lower": lambda text: _need(text, "text", "lower").lower(),
    "split": lambda text, by=None: _need(text, "text", "split").split(by),
    "join": _join,
    "sort": _sort,
    "reverse": lambda items: _need(items, "list", "reverse")[::-1],
    "push": _push,
    "map": lambda items, function: [function(i) for i in _need(items, "list", "map")],
    "filter": lambda items, test: [i for i in _need(items, "list", "filter") if test(i)],
    "fold": _fold,
    "keys": lambda record: list(_need(record, "record", "keys")),
    "merge": _merge,
    "range": _range,
}
