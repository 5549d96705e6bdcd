"""Turns a value into bytes without running any code of the value's own.

What a value is gets decided by `type(value)` alone, and subclasses are read through their base type's own slots, so an
overridden `__iter__`, `__eq__`, `__hash__` or `__class__` is never called.
"""

from __future__ import annotations

import math
import struct
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from struct import Struct
from typing import Any

from regreen.sandbox.guest.wire import codec_format as form
from regreen.sandbox.guest.wire.codec_format import LONG_SIZE, SIZE32, CodecError, TooLarge, Unplain
from regreen.sandbox.guest.wire.codec_types import COMPOSITE_TYPES, code_of
from regreen.sandbox.guest.wire.set_order import doubt, table_size
from regreen.sandbox.guest.wire.true_types import (
    OWN_NAMED_TUPLES,
    fields_of,
    is_bare,
    is_made_at_run_time,
    mro_of,
    name_of,
)

_SLAB = 1024
"""Items between two looks at the length of the message."""
_PACKED_FROM = 4
"""The shortest list for which a packed form pays."""
_FEW_KEYS = 128
_MOST_NAMED = 256
"""Classes of named tuples that are remembered."""

_STR_HEADS = tuple(bytes((form.STR, size)) for size in range(LONG_SIZE))
_LIST_HEADS = tuple(bytes((form.LIST, size)) for size in range(LONG_SIZE))
_TUPLE_HEADS = tuple(bytes((form.TUPLE, size)) for size in range(LONG_SIZE))
_TAGS = {type(constant): tag for tag, constant in reversed([*enumerate(form.CONSTANTS)])}
_TAGGED_INT = Struct("<Bq").pack
_TAGGED_FLOAT = Struct("<Bd").pack
_PACKED = frozenset({int, float, str})


class ValueWriter:
    """One message as it grows. `held` are the numbered objects, kept alive so that no id is used twice."""

    __slots__ = ("answering", "held", "limit", "numbers", "out")

    def __init__(self, limit: int, *, answering: bool = True) -> None:
        self.out = bytearray()
        self.answering = answering
        """Whether the program's process writes: what is one object in a check has to stay one in its program."""
        self.limit = limit
        self.numbers: dict[int, int] = {}
        self.held: list[Any] = []

    def message(self, value: Any) -> bytes:
        """The whole message, which is this value. Raises Unplain or TooLarge where there can be none."""
        try:
            self.items((value,), 0)
        except (CodecError, MemoryError):
            raise
        except Exception as error:  # a finaliser that edits the value, a metaclass with a __hash__, a stack nearly full
            raise Unplain(f"value whose reading raised {type(error).__name__}") from error
        if len(self.out) > self.limit:
            raise TooLarge(f"more than {self.limit:,} bytes")
        return bytes(self.out)

    def items(self, values: Sequence[Any], depth: int) -> None:
        """Write the values one after the other; a call for each of the common types would double the cost."""
        if depth > form.DEPTH_LIMIT:
            raise Unplain(f"value nested more than {form.DEPTH_LIMIT} deep")
        out = self.out
        self.reserve(len(values))
        if len(values) > _SLAB:
            for start in range(0, len(values), _SLAB):
                self.items(values[start : start + _SLAB], depth)
            return
        for value in values:
            kind = type(value)
            if kind is int:
                if -16 <= value <= 111:
                    out.append(value + 144)
                else:
                    self.integer(value)
            elif kind is str:
                raw = value.encode("utf-8", "surrogatepass")
                if len(raw) < LONG_SIZE:
                    out += _STR_HEADS[len(raw)]
                    out += raw
                else:
                    self.long(form.STR, value, raw)
            elif kind is float:
                if value == value:
                    out += _TAGGED_FLOAT(form.FLOAT, value)
                else:
                    self.nan(value)
            elif kind in _TAGS:
                out.append(_TAGS[kind] if kind is not bool or value else form.FALSE)
            elif (number := self.numbers.get(id(value))) is not None:
                self.reference(number)
            else:
                _WRITERS.get(kind, _write_other)(self, value, depth + 1)

    @staticmethod
    def all_numbers(values: list[float]) -> bool:
        """Whether none of these is nan: the sum of some with one is nan, too."""
        total = sum(values)
        return total == total or all(value == value for value in values)

    def reserve(self, size: int) -> None:
        """Refuse what cannot fit before any memory is spent on it."""
        if len(self.out) + size > self.limit:
            raise TooLarge(f"more than {self.limit:,} bytes")

    def head(self, tag: int, size: int) -> None:
        """Write a tag and a size."""
        out = self.out
        out.append(tag)
        if size < LONG_SIZE:
            out.append(size)
        else:
            out.append(LONG_SIZE)
            out += SIZE32.pack(size)

    def number(self, value: Any) -> None:
        """Give the object the next number."""
        self.numbers[id(value)] = len(self.held)
        self.held.append(value)

    def reference(self, number: int) -> None:
        """Write a second mention of an object."""
        self.out.append(form.REFERENCE)
        self.out += SIZE32.pack(number)

    def long(self, tag: int, value: Any, raw: bytes) -> None:
        """Write a string of any length; a long one once, however often it occurs."""
        if (number := self.numbers.get(id(value))) is not None:
            self.reference(number)
            return
        self.reserve(len(raw))
        self.head(tag, len(raw))
        self.out += raw
        if len(raw) >= LONG_SIZE:
            self.number(value)

    def nan(self, value: float) -> None:
        """Write a nan, which equals itself where it is the same object."""
        if value is math.nan:
            self.out.append(form.MATH_NAN)
        elif (number := self.numbers.get(id(value))) is not None:
            self.reference(number)
        elif self.answering:
            self.out += _TAGGED_FLOAT(form.NAN, value)
            self.number(value)
        else:
            raise Unplain("nan, which equals nothing but itself")

    def live(self, value: Any, depth: int) -> None:
        """Write what is not plain data, if that may cross."""
        raise Unplain(name_of(type(value)))

    def integer(self, value: int) -> None:
        """Write an integer of any size; the time is linear, unlike that of decimal text."""
        try:
            self.out += _TAGGED_INT(form.INT, value)
        except struct.error:
            size = value.bit_length() // 8 + 1
            self.reserve(size)
            self.head(form.BIG_INT, size)
            self.out += value.to_bytes(size, "little", signed=True)


def _write_other(writer: ValueWriter, value: Any, depth: int) -> None:
    """Write what crosses in parts, or a subclass of a plain type as a value of that type."""
    kind = type(value)
    if (code := code_of(kind)) is not None:
        writer.out += bytes((form.RARE, code))
        writer.items((COMPOSITE_TYPES[code].split(value),), depth)
        return
    base = next((b for b in mro_of(kind) if b in form.BASES), None)
    if base is None:
        writer.live(value, depth)
        return
    fields = fields_of(value, kind) if base is tuple else ()
    in_c = base in _SCALAR_COPIES and not is_made_at_run_time(kind)
    if kind not in form.BASES and not in_c and not (fields and is_bare(kind, fields)):
        raise Unplain(name_of(kind))
    if fields:
        names = (name_of(kind), *fields)
        if names in OWN_NAMED_TUPLES or len(OWN_NAMED_TUPLES) < _MOST_NAMED:
            OWN_NAMED_TUPLES[names] = kind
        _write_named_tuple(writer, value, names, depth)
    elif base in _WRITERS:
        # The object itself is numbered, not a copy, so that aliases and cycles are kept.
        _WRITERS[base](writer, value, depth)
    else:
        writer.items((_SCALAR_COPIES[base](value),), depth)


def _write_list(writer: ValueWriter, value: list[Any], depth: int) -> None:
    writer.number(value)
    items = value if type(value) is list else list.__getitem__(value, slice(None))
    size = len(items)
    if size >= _PACKED_FROM and _write_packed(writer, items, size):
        return
    if size < LONG_SIZE:
        writer.out += _LIST_HEADS[size]
    else:
        writer.head(form.LIST, size)
    writer.items(items, depth)


def _write_packed(writer: ValueWriter, value: list[Any], size: int) -> bool:
    """Write a list of one common type in one go; False when it is not one."""
    kind = type(value[0])
    if kind not in _PACKED or type(value[-1]) is not kind or {*map(type, value)} != {kind}:
        return False
    if kind is str:
        return _write_strings(writer, value, size)
    writer.reserve(8 * size)
    if kind is float and not writer.all_numbers(value):
        return False
    try:
        packed = struct.pack(f"<{size}{'q' if kind is int else 'd'}", *value)
    except struct.error:
        return False
    writer.head(form.INTS if kind is int else form.FLOATS, size)
    writer.out += packed
    return True


def _write_strings(writer: ValueWriter, value: list[str], size: int) -> bool:
    """Write a list of short strings as their lengths and one text; False when one is long."""
    try:
        lengths = bytes(map(len, value))
    except ValueError:
        return False
    writer.reserve(size + sum(lengths))
    text = "".join(value).encode("utf-8", "surrogatepass")
    writer.head(form.STRINGS, size)
    writer.out += lengths
    writer.head(form.STR, len(text))
    writer.out += text
    return True


def _write_tuple(writer: ValueWriter, value: tuple[Any, ...], depth: int) -> None:
    items = value if type(value) is tuple else tuple.__getitem__(value, slice(None))
    size = len(items)
    if size < LONG_SIZE:
        writer.out += _TUPLE_HEADS[size]
    else:
        writer.head(form.TUPLE, size)
    writer.items(items, depth)
    if size:
        writer.number(value)


def _write_named_tuple(writer: ValueWriter, value: tuple[Any, ...], names: tuple[str, ...], depth: int) -> None:
    writer.out.append(form.NAMED_TUPLE)
    writer.items((names, tuple.__getitem__(value, slice(None))), depth)
    writer.number(value)


def _write_set(writer: ValueWriter, value: set[Any], depth: int) -> None:
    writer.number(value)
    writer.head(form.SET, set.__len__(value))
    _write_keys(writer, [*set.__iter__(value)], table_size(value), depth)


def _write_frozenset(writer: ValueWriter, value: frozenset[Any], depth: int) -> None:
    writer.head(form.FROZENSET, frozenset.__len__(value))
    _write_keys(writer, [*frozenset.__iter__(value)], table_size(value), depth)
    writer.number(value)


def _write_dict(writer: ValueWriter, value: dict[Any, Any], depth: int) -> None:
    writer.number(value)
    writer.head(form.DICT, dict.__len__(value))
    _write_pairs(writer, value, dict.items, depth)


def _write_counter(writer: ValueWriter, value: Counter[Any], depth: int) -> None:
    writer.number(value)
    writer.head(form.COUNTER, dict.__len__(value))
    _write_pairs(writer, value, dict.items, depth)


def _write_ordered_dict(writer: ValueWriter, value: OrderedDict[Any, Any], depth: int) -> None:
    writer.number(value)
    writer.head(form.ORDERED_DICT, dict.__len__(value))
    _write_pairs(writer, value, OrderedDict.items, depth)


def _write_default_dict(writer: ValueWriter, value: defaultdict[Any, Any], depth: int) -> None:
    factory = _default_factory(value)
    place = next((place for place, known in enumerate(form.FACTORIES) if factory is known), None)
    if place is None:
        if not writer.answering:
            raise Unplain("defaultdict with a factory of its own")
        place = form.LIVE_FACTORY
    writer.number(value)
    writer.head(form.DEFAULT_DICT, dict.__len__(value))
    writer.out.append(place)
    _write_pairs(writer, value, dict.items, depth)


def _write_pairs(
    writer: ValueWriter, value: Any, items: Callable[[Any], Iterable[tuple[Any, Any]]], depth: int
) -> None:
    size = dict.__len__(value)
    if size:
        writer.reserve(2 * size)
        pairs = [*chain.from_iterable(items(value))]
        writer.items(pairs, depth)
        _refuse_colliding(pairs[::2])


def _write_keys(writer: ValueWriter, keys: list[Any], size: int, depth: int) -> None:
    writer.out.append(size.bit_length() - 1)
    writer.items(keys, depth)
    doubt.note(keys, size)
    _refuse_colliding(keys)


def _refuse_colliding(keys: list[Any]) -> None:
    """Refuse keys that the other side would refuse; they have been written, so hashing them runs no code of theirs."""
    if len(keys) > _FEW_KEYS and form.collide(keys):
        raise Unplain("collection with keys that collide")


_default_factory: Callable[[Any], Any] = defaultdict.__dict__["default_factory"].__get__
_maxlen: Callable[[Any], int | None] = deque.__dict__["maxlen"].__get__


def _write_deque(writer: ValueWriter, value: deque[Any], depth: int) -> None:
    writer.number(value)
    writer.head(form.DEQUE, deque.__len__(value))
    writer.items([_maxlen(value), *deque.__iter__(value)], depth)


def _write_bytes(writer: ValueWriter, value: bytes, depth: int) -> None:
    writer.long(form.BYTES, value, value if type(value) is bytes else bytes.__getitem__(value, slice(None)))


def _write_bytearray(writer: ValueWriter, value: bytearray, depth: int) -> None:
    size = bytearray.__len__(value)
    writer.reserve(size)
    writer.head(form.BYTEARRAY, size)
    writer.out += bytearray.__getitem__(value, slice(None))
    writer.number(value)


_WRITERS: dict[type, Callable[[ValueWriter, Any, int], None]] = {
    list: _write_list,
    tuple: _write_tuple,
    dict: _write_dict,
    set: _write_set,
    frozenset: _write_frozenset,
    bytes: _write_bytes,
    bytearray: _write_bytearray,
    deque: _write_deque,
    Counter: _write_counter,
    OrderedDict: _write_ordered_dict,
    defaultdict: _write_default_dict,
}

_SCALAR_COPIES: dict[type, Callable[[Any], Any]] = {
    int: int.__int__,
    float: float.__float__,
    complex: complex.__pos__,
    str: str.__str__,
}
"""How to get the exact value of the base type out of a subclass's object."""
