"""The form of encoded values: tags, limits and errors that writer and reader share.

A value is one tag byte and what the tag calls for. Tags from 128 up are the integers from -16 to 111 by themselves (the
tag less 144). Sizes are one byte, or 255 and four bytes. Containers, and strings of 255 bytes and more, are numbered in
the order in which they come, so that a second mention is a reference: lists, dicts and the like where they begin (they
may hold themselves), the rest where they end.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Sequence
from struct import Struct
from typing import Any, ClassVar, NoReturn

MESSAGE_LIMIT = 16 << 20
"""Bytes of the longest message that is written unless the caller asks for another limit."""
DEPTH_LIMIT = 200
"""Containers that may lie in one another."""
WEIGHT_LIMIT = 1 << 24
"""How much one message may unfold to, with every reference counted as what it refers to; a unit is about 32 bytes."""
_FREE_COLLISIONS = 8_192
_COLLISIONS_A_KEY = 4
"""Pairs of keys of one dict or set whose hashes may coincide: so many and more by the number of keys, so that no choice
of keys makes building it quadratic."""

NONE_TAG, TRUE, FALSE, ELLIPSIS, NOT_IMPLEMENTED = range(5)
INT, FLOAT, STR, BYTES, BIG_INT, REFERENCE = range(5, 11)
BYTEARRAY, LIST, TUPLE, SET, FROZENSET, DICT = range(11, 17)
INTS, FLOATS, STRINGS = range(17, 20)
DEQUE, COUNTER, ORDERED_DICT, DEFAULT_DICT, NAMED_TUPLE, RARE = range(20, 26)
NAN, MATH_NAN = range(26, 28)
OWN_HANDLE, OTHER_HANDLE, NEW_HANDLE = range(28, 31)
"""A live object by its number: of the sender's, of the receiver's, and of the sender's with its first description."""

CONSTANTS: tuple[Any, ...] = (None, True, False, Ellipsis, NotImplemented)
"""The values whose tags are 0 to 4, in that order."""

LONG_SIZE = 255
"""The size byte that announces four bytes more; also the length from which strings are numbered."""

SIZE32 = Struct("<I")

FACTORIES: tuple[Callable[[], Any] | None, ...] = (None, int, list, set, dict, str, float, bool, tuple, frozenset)
"""The default factories of a defaultdict that may cross, found by their place."""

_SCALARS = frozenset({int, float, complex, str, bytes, bytearray})
_CONTAINERS = frozenset({list, tuple, set, frozenset, dict, deque, Counter, OrderedDict, defaultdict})
BASES = _SCALARS | _CONTAINERS
"""Types that cross. Of their subclasses only scalars that are written in C do, as the type itself; numpy's numbers
alone stay what they are. Instances of others are live objects."""


class NotPlain(BaseException):
    """A live object would have to cross the wall: as the check's argument (`outward`) or in the program's answer."""

    latest: ClassVar[NotPlain | None] = None
    """The last one of this process: a check that catches everything may swallow it."""

    def __init__(self, detail: str, *, outward: bool) -> None:
        super().__init__(detail)
        self.outward = outward
        NotPlain.latest = self


def live_factory() -> NoReturn:
    """Stand in the judge's process for a default factory of the program's own."""
    raise NotPlain("a check has a default made by a factory of the program, which cannot cross", outward=False)


LIVE_FACTORY = 255
"""The place of `live_factory` in a message."""


def collide(keys: Sequence[Any]) -> bool:
    """Whether so many keys have the same hash that building a dict or set of them would take too long."""
    size = len(keys)
    if size * (size - 1) // 2 <= _FREE_COLLISIONS:
        return False
    hashes = [*map(hash, keys)]
    if size - len({*hashes}) <= 1:
        return False
    pairs = sum(n * (n - 1) // 2 for n in Counter(hashes).values())
    return pairs > _FREE_COLLISIONS + _COLLISIONS_A_KEY * size


class CodecError(Exception):
    """Base of what this codec raises on purpose."""


class Unplain(CodecError):
    """The value, or something in it, is a live object; the message is the name of its type."""


class TooLarge(CodecError):
    """The value needs a longer message than is allowed."""


class BadMessage(CodecError):
    """These bytes are no encoded value."""
