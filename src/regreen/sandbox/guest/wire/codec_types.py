"""Plain types that cross as a tuple of simpler values: how each is taken apart, and rebuilt from unproven parts.

Most programs use none of them: a row names its type, and its module is imported only where a value is rebuilt. Taking
values apart needs no import: where the module was never loaded, no such value exists.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING, Any, NamedTuple

from regreen.sandbox.guest.wire.codec_format import BadMessage, Unplain
from regreen.sandbox.guest.wire.true_types import name_of

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction
    from uuid import UUID
    from zoneinfo import ZoneInfo

_RATIO_BITS = 1 << 18
"""The longest numerator or denominator, because reducing a fraction takes quadratic time."""
_ZONE_KEY = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,3}", re.ASCII)


class CompositeType(NamedTuple):
    """One type that crosses in parts, by its module and its name there; `join` raises where the parts do not fit."""

    module: str
    name: str
    split: Callable[[Any], tuple[Any, ...]]
    join: Callable[..., Any]


def _require(kind: type, *values: Any) -> None:
    """Check the types first, since C constructors take more than they document (a date accepts a pickled state)."""
    if any(type(value) is not kind for value in values):
        raise BadMessage(f"a part is not {kind.__name__}")


def _require_equal_to_itself(value: object) -> None:
    """A value that is not is never sent: a message that makes one was forged."""
    if value != value:
        raise BadMessage("a value that does not equal itself")


def _split_complex(value: complex) -> tuple[Any, ...]:
    if value != value:
        raise Unplain("complex nan, which equals nothing but itself")
    return value.real, value.imag


def _split_decimal(value: Decimal) -> tuple[Any, ...]:
    if value.is_nan():
        raise Unplain("decimal NaN, which equals nothing but itself")
    return (str(value),)


def _join_complex(real: Any, imaginary: Any) -> complex:
    _require(float, real, imaginary)
    value = complex(real, imaginary)
    _require_equal_to_itself(value)
    return value


def _join_decimal(text: Any) -> Decimal:
    from decimal import Decimal

    _require(str, text)
    value = Decimal(text)
    _require_equal_to_itself(value)
    return value


def _split_fraction(value: Fraction) -> tuple[Any, ...]:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _RATIO_BITS:
        raise Unplain("Fraction of enormous numbers")
    return value.numerator, value.denominator


def _join_fraction(numerator: Any, denominator: Any) -> Fraction:
    _require(int, numerator, denominator)
    if max(numerator.bit_length(), denominator.bit_length()) > _RATIO_BITS:
        raise BadMessage("a fraction of enormous numbers")
    from fractions import Fraction

    return Fraction(numerator, denominator)


def _join_date(*parts: Any) -> date:
    _require(int, *parts)
    return date(*parts)


def _is_plain_zone(zone: Any) -> bool:
    return zone is None or type(zone) is timezone or type(zone) is loaded_type("zoneinfo", "ZoneInfo")


def _plain_zone(zone: tzinfo | None) -> tzinfo | None:
    if not _is_plain_zone(zone):
        raise Unplain(type(zone).__name__)
    return zone


def _join_zone(zone: Any) -> tzinfo | None:
    if not _is_plain_zone(zone):
        raise BadMessage("a time zone of another type")
    return zone  # type: ignore[no-any-return]


def _split_datetime(value: datetime) -> tuple[Any, ...]:
    day = (value.year, value.month, value.day)
    return _plain_zone(value.tzinfo), value.fold, *day, value.hour, value.minute, value.second, value.microsecond


def _join_datetime(zone: Any, fold: Any, year: Any, month: Any, day: Any, *clock: Any) -> datetime:
    _require(int, fold, year, month, day, *clock)
    hour, minute, second, microsecond = clock
    return datetime(year, month, day, hour, minute, second, microsecond, _join_zone(zone), fold=fold)


def _split_time(value: time) -> tuple[Any, ...]:
    return _plain_zone(value.tzinfo), value.fold, value.hour, value.minute, value.second, value.microsecond


def _join_time(zone: Any, fold: Any, *parts: Any) -> time:
    _require(int, fold, *parts)
    hour, minute, second, microsecond = parts
    return time(hour, minute, second, microsecond, _join_zone(zone), fold=fold)


def _join_timedelta(*parts: Any) -> timedelta:
    _require(int, *parts)
    return timedelta(*parts)


def _split_timezone(value: timezone) -> tuple[Any, ...]:
    return value.__getinitargs__()  # type: ignore[attr-defined, no-any-return]


def _join_timezone(offset: Any, *name: Any) -> timezone:
    _require(timedelta, offset)
    return timezone(offset, *name)


def _split_zone_info(value: ZoneInfo) -> tuple[Any, ...]:
    if value.key is None:
        raise Unplain("ZoneInfo without a key")
    return (value.key,)


def _join_zone_info(key: Any) -> ZoneInfo:
    _require(str, key)
    if len(key) > 100 or not _ZONE_KEY.fullmatch(key):
        raise BadMessage("no name of a time zone")
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(key)
    except OSError as error:
        raise BadMessage("a time zone that cannot be read") from error


def _join_uuid(raw: Any) -> UUID:
    from uuid import UUID

    _require(bytes, raw)
    return UUID(bytes=raw)


def _path_kind(name: str) -> CompositeType:
    def join(text: Any) -> Any:
        import pathlib

        _require(str, text)
        return getattr(pathlib, name)(text)

    return CompositeType("pathlib", name, lambda value: (str(value),), join)


def _number_kind(name: str, kind: type) -> CompositeType:
    """A number or a text of numpy's: by the plain value that it was made from, and makes again."""

    def split(value: Any) -> tuple[Any, ...]:
        plain = value.item()
        if plain != plain:
            raise Unplain(f"{name} nan, which equals nothing but itself")
        return (plain,)

    def join(plain: Any) -> Any:
        _require(kind, plain)
        _require_equal_to_itself(plain)
        try:
            import numpy

            return getattr(numpy, name)(plain)
        except (ImportError, OverflowError) as error:
            raise BadMessage(f"no {name}") from error

    return CompositeType("numpy", name, split, join)


def _references_of(view: Any) -> int:
    (behind,) = gc.get_referents(view)
    return sys.getrefcount(behind)


_ONE_REFERENCE = _references_of({}.keys())


def _split_view(view: Any, copied: Callable[[Any], dict[Any, Any]]) -> tuple[Any, ...]:
    if _references_of(view) > _ONE_REFERENCE:
        raise Unplain(f"{type(view).__name__} of a dict that somebody holds")
    return (copied(view),)


def _join_view(method: str) -> Callable[..., Any]:
    def join(behind: Any) -> Any:
        _require(dict, behind)
        return getattr(behind, method)()

    return join


def _range_parts(value: Any) -> tuple[Any, ...]:
    return value.start, value.stop, value.step


COMPOSITE_TYPES: tuple[CompositeType, ...] = (
    CompositeType("builtins", "complex", _split_complex, _join_complex),
    CompositeType("builtins", "range", _range_parts, range),
    CompositeType("builtins", "slice", _range_parts, slice),
    CompositeType("decimal", "Decimal", _split_decimal, _join_decimal),
    CompositeType("fractions", "Fraction", _split_fraction, _join_fraction),
    CompositeType("datetime", "date", lambda value: (value.year, value.month, value.day), _join_date),
    CompositeType("datetime", "datetime", _split_datetime, _join_datetime),
    CompositeType("datetime", "time", _split_time, _join_time),
    CompositeType(
        "datetime", "timedelta", lambda value: (value.days, value.seconds, value.microseconds), _join_timedelta
    ),
    CompositeType("datetime", "timezone", _split_timezone, _join_timezone),
    CompositeType("zoneinfo", "ZoneInfo", _split_zone_info, _join_zone_info),
    CompositeType("uuid", "UUID", lambda value: (value.bytes,), _join_uuid),
    _path_kind("PurePosixPath"),
    _path_kind("PureWindowsPath"),
    _path_kind("WindowsPath" if os.name == "nt" else "PosixPath"),
    CompositeType("builtins", "dict_keys", lambda view: _split_view(view, dict.fromkeys), _join_view("keys")),
    CompositeType("builtins", "dict_items", lambda view: _split_view(view, dict), _join_view("items")),
    _number_kind("bool_", bool),
    *(_number_kind(name, int) for name in "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()),
    *(_number_kind(name, float) for name in ("float16", "float32", "float64")),
    *(_number_kind(name, complex) for name in ("complex64", "complex128")),
    _number_kind("str_", str),
    _number_kind("bytes_", bytes),
)
"""The place of a row is its code in a message: add rows at the end."""

_EMPTY: dict[Any, Any] = {}
_codes: dict[type, int] = {
    type(view): place
    for place, row in enumerate(COMPOSITE_TYPES)
    for view in (_EMPTY.keys(), _EMPTY.items())
    if row.name == type(view).__name__
}
"""The codes of the types met so far."""
_NAMES = frozenset(name for row in COMPOSITE_TYPES for name in (row.name, row.name.rstrip("_")))
"""What a type of the table may call itself: numpy's `bool_` says "bool"."""


def code_of(kind: type) -> int | None:
    """The place of a type in the table; None where it is not there."""
    code = _codes.get(kind)
    # The name first: to look at all the types of the table would copy as many pages in a process just forked.
    if code is None and name_of(kind) in _NAMES:
        rows = enumerate(COMPOSITE_TYPES)
        code = next((place for place, row in rows if loaded_type(row.module, row.name) is kind), None)
        if code is not None:
            _codes[kind] = code
    return code


def loaded_type(module: str, name: str) -> Any:
    """A type by its name, if its module is loaded; else None."""
    return getattr(sys.modules.get(module), name, None)
