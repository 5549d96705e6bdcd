"""Rebuilds a value from bytes that a hostile process may have made up.

Only this process's own exact types come out. A size is compared with the bytes that are there before anything is made
of it, references add up by what they unfold to, and keys may not be chosen to collide; so time and memory are bounded
by the message's length. What it does not cover: a cyclic value compares and prints like any cyclic value, so its user
needs limits against that.
"""

from __future__ import annotations

import math
import struct
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable
from functools import lru_cache
from struct import Struct
from typing import Any

from regreen.sandbox.guest.wire import codec_format as form
from regreen.sandbox.guest.wire.codec_format import LONG_SIZE, SIZE32, BadMessage
from regreen.sandbox.guest.wire.codec_types import COMPOSITE_TYPES
from regreen.sandbox.guest.wire.set_order import LARGEST_EXPONENT, fill, frozen
from regreen.sandbox.guest.wire.true_types import OWN_NAMED_TUPLES, plain_names

_INT64 = Struct("<q").unpack_from
_FLOAT64 = Struct("<d").unpack_from
_SHAPES_LIMIT = 50
"""Named tuple types that one message may bring, as each costs some 100 microseconds to make."""

_DAMAGE_ERRORS = (ArithmeticError, LookupError, MemoryError, RecursionError, TypeError, ValueError, struct.error)
"""What reading a malformed message may raise inside."""


class ValueReader:
    """One message as it is read. `held` are the numbered objects, `weights` the sizes that they unfold to."""

    __slots__ = ("data", "held", "place", "shapes", "spent", "weights")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0
        self.held: list[Any] = []
        self.weights: list[int] = []
        self.spent = 0
        self.shapes: set[tuple[str, ...]] = set()

    def message(self) -> Any:
        """The one value that the whole message stands for. Raises BadMessage, and nothing else, when there is none."""
        try:
            (value,) = self.values(1, 0, [])
        except _DAMAGE_ERRORS as error:
            raise BadMessage(f"malformed ({type(error).__name__})") from error
        if self.place != len(self.data):
            raise BadMessage("bytes are missing or left over")
        return value

    def values(self, count: int, depth: int, into: list[Any]) -> list[Any]:
        """Read the next `count` values to the end of `into`; the mirror of `ValueWriter.items`.

        A string cut short by the message's end is not looked for: the place then lies beyond the end, where
        the next read or the last comparison fails.
        """
        data, place = self.data, self.place
        if depth > form.DEPTH_LIMIT:
            raise BadMessage("nested too deeply")
        if count > len(data) - place:
            raise BadMessage("a size beyond the message's end")
        self.spend(count)
        append = into.append
        for _ in range(count):
            tag = data[place]
            place += 1
            if tag >= 128:
                append(tag - 144)
            elif tag == _STR and (size := data[place]) < LONG_SIZE:
                start = place + 1
                place = start + size
                append(str(data[start:place], "utf-8", "surrogatepass"))
            elif tag == _FLOAT:
                append(_FLOAT64(data, place)[0])
                place += 8
            elif tag == _INT:
                append(_INT64(data, place)[0])
                place += 8
            elif tag < _CONSTANTS_END:
                append(_CONSTANTS[tag])
            else:
                self.place = place
                append(_READERS[tag](self, depth + 1))
                place = self.place
        self.place = place
        return into

    def spend(self, weight: int) -> None:
        """Count what was made, and stop a message that unfolds to more than it should."""
        self.spent += weight
        if self.spent > form.WEIGHT_LIMIT:
            raise BadMessage("unfolds to too much")

    def size(self) -> int:
        """Read a size."""
        size = self.data[self.place]
        self.place += 1
        if size == LONG_SIZE:
            (size,) = SIZE32.unpack_from(self.data, self.place)
            self.place += 4
        return size

    def raw(self, size: int) -> bytes:
        """Read that many bytes."""
        start = self.place
        self.place = start + size
        if self.place > len(self.data):
            raise BadMessage("a size beyond the message's end")
        self.spend(size >> 5)
        return self.data[start : self.place]

    def live(self, tag: int, depth: int) -> Any:
        """What stands for a live object, if that may cross."""
        raise BadMessage("a live object")

    def number(self, value: Any, weight: int = 1) -> int:
        """Give the object the next number."""
        self.held.append(value)
        self.weights.append(weight)
        return len(self.held) - 1


def _read_reference(reader: ValueReader, depth: int) -> Any:
    (number,) = SIZE32.unpack_from(reader.data, reader.place)
    reader.place += 4
    reader.spend(reader.weights[number])
    return reader.held[number]


def _read_str(reader: ValueReader, depth: int) -> str:
    size = reader.size()
    value = str(reader.raw(size), "utf-8", "surrogatepass")
    if size >= LONG_SIZE:
        reader.number(value, 1 + (size >> 5))
    return value


def _read_bytes(reader: ValueReader, depth: int) -> bytes:
    size = reader.size()
    value = reader.raw(size)
    if size >= LONG_SIZE:
        reader.number(value, 1 + (size >> 5))
    return value


def _read_bytearray(reader: ValueReader, depth: int) -> bytearray:
    size = reader.size()
    value = bytearray(reader.raw(size))
    reader.number(value, 1 + (size >> 5))
    return value


def _read_big_int(reader: ValueReader, depth: int) -> int:
    return int.from_bytes(reader.raw(reader.size()), "little", signed=True)


def _read_list(reader: ValueReader, depth: int) -> list[Any]:
    value: list[Any] = []
    number, before = reader.number(value), reader.spent
    reader.spend(2)
    reader.values(reader.size(), depth, value)
    reader.weights[number] = reader.spent - before
    return value


def _read_numbers(code: str) -> Callable[[ValueReader, int], list[Any]]:
    def read(reader: ValueReader, depth: int) -> list[Any]:
        size = reader.size()
        reader.spend(2 * size)
        value = [*struct.unpack(f"<{size}{code}", reader.raw(8 * size))]
        reader.number(value, 1 + 2 * size)
        return value

    return read


def _read_strings(reader: ValueReader, depth: int) -> list[str]:
    value: list[str] = []
    number, before = reader.number(value), reader.spent
    size = reader.size()
    lengths = reader.raw(size)
    reader.spend(3 * size)
    if reader.raw(1)[0] != _STR:
        raise BadMessage("a list of strings without its text")
    text = str(reader.raw(reader.size()), "utf-8", "surrogatepass")
    start = 0
    for length in lengths:
        end = start + length
        value.append(text[start:end])
        start = end
    if start != len(text):
        raise BadMessage("a list of strings and its text differ in length")
    reader.weights[number] = reader.spent - before
    return value


def _read_tuple(reader: ValueReader, depth: int) -> tuple[Any, ...]:
    before = reader.spent
    reader.spend(2)
    value = (*reader.values(reader.size(), depth, []),)
    if value:
        reader.number(value, reader.spent - before)
    return value


def _read_named_tuple(reader: ValueReader, depth: int) -> tuple[Any, ...]:
    before = reader.spent
    names, items = reader.values(2, depth, [])
    if type(names) is not tuple or type(items) is not tuple or len(names) != len(items) + 1 or not plain_names(names):
        raise BadMessage("not a named tuple")
    reader.shapes.add(names)
    if len(reader.shapes) > _SHAPES_LIMIT:
        raise BadMessage("too many kinds of named tuple")
    value: tuple[Any, ...] = tuple.__new__(OWN_NAMED_TUPLES.get(names) or _named(names), items)
    reader.number(value, reader.spent - before)
    return value


@lru_cache(maxsize=256)
def _named(names: tuple[str, ...]) -> Any:
    return namedtuple(names[0], names[1:])


def _read_keys(reader: ValueReader, depth: int) -> tuple[list[Any], int]:
    """The keys of a set in their order, if few of them collide, and the size of the table that they came from."""
    count, exponent = reader.size(), reader.raw(1)[0]
    reader.spend(max(1 << min(exponent, LARGEST_EXPONENT) >> 1, 8))
    return _spread(reader.values(count, depth, [])), 1 << exponent


def _read_set(reader: ValueReader, depth: int) -> set[Any]:
    value: set[Any] = set()
    number, before = reader.number(value), reader.spent
    fill(value, *_read_keys(reader, depth))
    reader.weights[number] = reader.spent - before
    return value


def _read_frozenset(reader: ValueReader, depth: int) -> frozenset[Any]:
    before = reader.spent
    value = frozen(*_read_keys(reader, depth))
    reader.number(value, reader.spent - before)
    return value


def _spread(keys: list[Any]) -> list[Any]:
    """The keys, if few of them collide."""
    if form.collide(keys):
        raise BadMessage("keys that collide")
    return keys


def _read_dict(reader: ValueReader, depth: int) -> dict[Any, Any]:
    return _fill(reader, {}, reader.size(), depth)


def _read_counter(reader: ValueReader, depth: int) -> dict[Any, Any]:
    return _fill(reader, Counter(), reader.size(), depth)


def _read_ordered_dict(reader: ValueReader, depth: int) -> dict[Any, Any]:
    return _fill(reader, OrderedDict(), reader.size(), depth)


def _read_default_dict(reader: ValueReader, depth: int) -> dict[Any, Any]:
    size = reader.size()
    place = reader.raw(1)[0]
    factory = form.live_factory if place == form.LIVE_FACTORY else form.FACTORIES[place]
    return _fill(reader, defaultdict(factory), size, depth)


def _fill(reader: ValueReader, value: dict[Any, Any], size: int, depth: int) -> dict[Any, Any]:
    number, before = reader.number(value), reader.spent
    reader.spend(4 if type(value) is dict else 16)
    if size:
        flat = reader.values(2 * size, depth, [])
        base = OrderedDict if type(value) is OrderedDict else dict
        # Counter.update would add, so the base's own is called.
        base.update(value, zip(_spread(flat[::2]), flat[1::2], strict=True))
    reader.weights[number] = reader.spent - before
    return value


def _read_deque(reader: ValueReader, depth: int) -> deque[Any]:
    size = reader.size()
    value: deque[Any] = deque(maxlen=None)
    # The maximal length is known only once the first value is read, but a deque may hold itself: its place is kept.
    number, before = reader.number(value), reader.spent
    reader.spend(24)
    (maxlen,) = reader.values(1, depth, [])
    if maxlen is not None:
        value = reader.held[number] = deque(maxlen=maxlen)
    value.extend(reader.values(size, depth, []))
    reader.weights[number] = reader.spent - before
    return value


def _read_nan(reader: ValueReader, depth: int) -> float:
    (value,) = _FLOAT64(reader.raw(8))
    if value == value:
        raise BadMessage("a number that is none")
    reader.number(value)
    return value  # type: ignore[no-any-return]


def _read_math_nan(reader: ValueReader, depth: int) -> float:
    return math.nan


def _read_handle(tag: int) -> Callable[[ValueReader, int], Any]:
    return lambda reader, depth: reader.live(tag, depth)


def _read_rare(reader: ValueReader, depth: int) -> Any:
    code = reader.raw(1)[0]
    reader.spend(4)
    (parts,) = reader.values(1, depth, [])
    if type(parts) is not tuple:
        raise BadMessage("parts that are not a tuple")
    return COMPOSITE_TYPES[code].join(*parts)


_STR, _FLOAT, _INT = form.STR, form.FLOAT, form.INT
_CONSTANTS, _CONSTANTS_END = form.CONSTANTS, len(form.CONSTANTS)
_READERS: dict[int, Callable[[ValueReader, int], Any]] = {
    form.STR: _read_str,
    form.BYTES: _read_bytes,
    form.BIG_INT: _read_big_int,
    form.REFERENCE: _read_reference,
    form.BYTEARRAY: _read_bytearray,
    form.LIST: _read_list,
    form.TUPLE: _read_tuple,
    form.SET: _read_set,
    form.FROZENSET: _read_frozenset,
    form.DICT: _read_dict,
    form.INTS: _read_numbers("q"),
    form.FLOATS: _read_numbers("d"),
    form.STRINGS: _read_strings,
    form.DEQUE: _read_deque,
    form.COUNTER: _read_counter,
    form.ORDERED_DICT: _read_ordered_dict,
    form.DEFAULT_DICT: _read_default_dict,
    form.NAMED_TUPLE: _read_named_tuple,
    form.RARE: _read_rare,
    form.NAN: _read_nan,
    form.MATH_NAN: _read_math_nan,
    **{tag: _read_handle(tag) for tag in (form.OWN_HANDLE, form.OTHER_HANDLE, form.NEW_HANDLE)},
}
