"""Plain values in the interpreter's own fast formats, where those lose nothing.

Most calls take and return a few numbers and strings. For those the codec would do more than is needed: requests, which
come from the judge, travel as marshal; answers, which come from hostile code, as JSON, whose parser is safe.

A call with scalars alone can change none of its arguments: they travel as they are. A request is *flat* where every
argument is a scalar, or a list, dict or tuple of scalars that no other argument is. It travels in marshal's oldest
form, in which equal values are equal bytes: whether a call changed its arguments is seen by packing them once more.
"""

from __future__ import annotations

from json.encoder import encode_basestring_ascii
from marshal import dumps
from typing import Any

JSON_SCALARS = frozenset({type(None), bool, int, float, str})
_NESTED = 8
"""The deepest nesting that is packed here; the codec takes the rest."""
LONGEST_FLAT = 1_000
"""The longest list that is packed here; the codec takes the rest."""
BIGGEST_FLAT, _INFINITE = 1 << 63, float("inf")
_FLAT_VERSION = 2
"""The version of marshal without references: equal values are equal bytes."""


def fits_marshal(value: Any, depth: int = 0) -> bool:
    """Whether a value is built of exact plain types alone; identity inside it is kept by marshal."""
    kind = type(value)
    if kind in JSON_SCALARS or kind is bytes:
        return True
    if depth == _NESTED or kind not in (list, tuple, dict) or len(value) > LONGEST_FLAT:
        return False
    if kind is dict:
        return all(type(k) in JSON_SCALARS and fits_marshal(v, depth + 1) for k, v in value.items())
    return all(fits_marshal(item, depth + 1) for item in value)


def are_scalars(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether no argument of a call can be changed by it, or be held on to as one object."""
    return JSON_SCALARS.issuperset(map(type, args)) and JSON_SCALARS.issuperset(map(type, kwargs.values()))


def is_flat(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether the arguments of a call make a flat request."""
    held = [value for value in (*args, *kwargs.values()) if type(value) not in JSON_SCALARS]
    return all(map(_is_flat, held)) and (len(held) < 2 or len({*map(id, held)}) == len(held))


def _is_flat(value: Any) -> bool:
    kind = type(value)
    if kind is dict:
        return len(value) <= LONGEST_FLAT and JSON_SCALARS.issuperset(map(type, value)) and _is_flat([*value.values()])
    return (kind is list or kind is tuple) and len(value) <= LONGEST_FLAT and JSON_SCALARS.issuperset(map(type, value))


def plain_request(kind: str, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes | None:
    """The message that asks the guest, in the plainest form that carries it; None when the codec has to."""
    if kind == "call" and are_scalars(args, kwargs):
        request = b"A" + dumps((name, args, kwargs))
    elif kind == "call" and is_flat(args, kwargs):
        request = b"F" + dumps((name, flat_image(args, kwargs)))
    elif fits_marshal(args) and fits_marshal(kwargs):
        request = b"M" + dumps((kind, name, args, kwargs))
    else:
        return None
    # A nan is more than its bytes: the codec knows whether it may cross. Other bytes that look like one do no harm.
    return None if b"\xf8\x7f" in request or b"\xf8\xff" in request else request


def flat_image(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes:
    """The arguments of a flat request as bytes; after the call, any others where it changed them."""
    try:
        return dumps((args, kwargs), _FLAT_VERSION)
    except ValueError:
        # A live object is among them now, or one of them holds itself.
        return b""


def as_json(value: Any) -> str:
    """A scalar, or a flat list of them, as JSON from which it comes back as it was; nothing for any other value.

    It is written by hand: the library's encoder would touch many more pages of memory.
    """
    kind = type(value)
    if kind is int:
        return f"{value!r}" if -BIGGEST_FLAT < value < BIGGEST_FLAT else ""
    if kind is str:
        return encode_basestring_ascii(value)
    if kind is list:
        return _list_as_json(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is float:
        return f"{value!r}" if -_INFINITE < value < _INFINITE else _NOT_FINITE.get(f"{value!r}", "")
    return "null" if value is None else ""


def _list_as_json(values: list[Any]) -> str:
    if len(values) > LONGEST_FLAT or not JSON_SCALARS.issuperset(map(type, values)):
        return ""
    parts = [as_json(value) for value in values]
    return "[" + ", ".join(parts) + "]" if all(parts) else ""


_NOT_FINITE = {"inf": "Infinity", "-inf": "-Infinity"}
"""How Python's JSON writes and reads them; a nan goes another way, since it may be one that is known."""
