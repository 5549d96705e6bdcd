"""Plain types that cross as a tuple of simpler values: how each is taken apart, and rebuilt from unproven parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from regreen.sandbox.guest.codec_form import BadMessage, Unplain

RATIO_BITS = 1 << 18
"""The longest numerator or denominator, because reducing a fraction takes quadratic time."""
ZONE_KEY = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,3}", re.ASCII)


class Kind(NamedTuple):
    """One type that crosses in parts; `join` raises where the parts do not fit."""

    type: type
    split: Callable[[Any], tuple[Any, ...]]
    join: Callable[..., Any]


def _require(kind: type, *values: Any) -> None:
    """Check the types first, since C constructors take more than they document (a date accepts a pickled state)."""
    if any(type(value) is not kind for value in values):
        raise BadMessage(f"a part is not {kind.__name__}")


def _join_complex(real: Any, imaginary: Any) -> complex:
    _require(float, real, imaginary)
    return complex(real, imaginary)


def _join_decimal(text: Any) -> Decimal:
    _require(str, text)
    return Decimal(text)


def _split_fraction(value: Fraction) -> tuple[Any, ...]:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > RATIO_BITS:
        raise Unplain("Fraction of enormous numbers")
    return value.numerator, value.denominator


def _join_fraction(numerator: Any, denominator: Any) -> Fraction:
    _require(int, numerator, denominator)
    if max(numerator.bit_length(), denominator.bit_length()) > RATIO_BITS:
        raise BadMessage("a fraction of enormous numbers")
    return Fraction(numerator, denominator)


def _join_date(*parts: Any) -> date:
    _require(int, *parts)
    return date(*parts)


def _plain_zone(zone: tzinfo | None) -> tzinfo | None:
    if zone is not None and type(zone) is not timezone and type(zone) is not ZoneInfo:
        raise Unplain(type(zone).__name__)
    return zone


def _join_zone(zone: Any) -> tzinfo | None:
    if zone is not None and type(zone) is not timezone and type(zone) is not ZoneInfo:
        raise BadMessage("a time zone of another type")
    return zone


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
    if len(key) > 100 or not ZONE_KEY.fullmatch(key):
        raise BadMessage("no name of a time zone")
    try:
        return ZoneInfo(key)
    except OSError as error:
        raise BadMessage("a time zone that cannot be read") from error


def _join_uuid(raw: Any) -> UUID:
    _require(bytes, raw)
    return UUID(bytes=raw)


def _path_kind(kind: type) -> Kind:
    def join(text: Any) -> Any:
        _require(str, text)
        return kind(text)

    return Kind(kind, lambda value: (str(value),), join)


KINDS: tuple[Kind, ...] = (
    Kind(complex, lambda value: (value.real, value.imag), _join_complex),
    Kind(range, lambda value: (value.start, value.stop, value.step), range),
    Kind(slice, lambda value: (value.start, value.stop, value.step), slice),
    Kind(Decimal, lambda value: (str(value),), _join_decimal),
    Kind(Fraction, _split_fraction, _join_fraction),
    Kind(date, lambda value: (value.year, value.month, value.day), _join_date),
    Kind(datetime, _split_datetime, _join_datetime),
    Kind(time, _split_time, _join_time),
    Kind(timedelta, lambda value: (value.days, value.seconds, value.microseconds), _join_timedelta),
    Kind(timezone, _split_timezone, _join_timezone),
    Kind(ZoneInfo, _split_zone_info, _join_zone_info),
    Kind(UUID, lambda value: (value.bytes,), _join_uuid),
    _path_kind(PurePosixPath),
    _path_kind(PureWindowsPath),
    _path_kind(type(Path())),
)
"""The place of a row is its code in a message: add rows at the end."""

CODES = {kind.type: code for code, kind in enumerate(KINDS)}
