"""Messages made to do harm: refused before they cost memory, time or a stack."""

from __future__ import annotations

import math
import struct
import sys
import tracemalloc
from collections import Counter, deque, namedtuple
from decimal import Decimal
from importlib import import_module

import pytest

from regreen.sandbox.guest.wire import codec_format as form
from regreen.sandbox.guest.wire import codec_write
from regreen.sandbox.guest.wire.codec import BadMessage, Unplain, decode, encode
from regreen.sandbox.guest.wire.codec_types import COMPOSITE_TYPES

Point = namedtuple("Point", "x y")


def test_every_cut_of_a_message_is_noticed():
    """No prefix of a message is a message, whatever type it stops in."""
    message = encode([1, "long" * 100, {"k": Decimal("1.5")}, [1.5] * 9, ["ab"] * 9, Point(1, {2}), deque([b"x"], 3)])
    for place in range(len(message)):
        with pytest.raises(BadMessage):
            decode(message[:place])


def _size(number: int) -> bytes:
    return b"\xff" + struct.pack("<I", number)


def _nested(tag: int, depth: int) -> bytes:
    return bytes((tag, 1)) * depth + bytes((form.NONE_TAG,))


def _rare(name: str, parts: tuple[object, ...]) -> bytes:
    (code,) = (number for number, kind in enumerate(COMPOSITE_TYPES) if kind.name == name)
    return bytes((form.RARE, code)) + encode(parts)


REFUSED = {
    "nothing": b"",
    "an unknown tag": b"\x7f",
    "a list longer than the message": bytes((form.LIST,)) + _size(2**32 - 1),
    "integers longer than the message": bytes((form.INTS,)) + _size(2**31),
    "a string longer than the message": bytes((form.STR,)) + _size(2**32 - 1) + b"abc",
    "a dict longer than the message": bytes((form.DICT,)) + _size(2**31),
    "lists in lists": _nested(form.LIST, 100_000),
    "tuples in tuples": _nested(form.TUPLE, form.DEPTH_LIMIT + 1),
    "a reference to nothing": bytes((form.REFERENCE,)) + struct.pack("<I", 0),
    "a tuple that holds itself": bytes((form.TUPLE, 1, form.REFERENCE)) + struct.pack("<I", 0),
    "a list as a key": bytes((form.DICT, 1, form.LIST, 0, form.NONE_TAG)),
    "a list in a set": bytes((form.SET, 1, 3, form.LIST, 0)),
    "bytes that are no UTF-8": bytes((form.STR, 2)) + b"\xc3\x28",
    "strings longer than their text": bytes((form.STRINGS, 1, 5, form.STR, 2)) + b"ab",
    "strings shorter than their text": bytes((form.STRINGS, 1, 1, form.STR, 2)) + b"ab",
    "strings without a text": bytes((form.STRINGS, 1, 1, form.BYTES, 1)) + b"a",
    "an unknown factory": bytes((form.DEFAULT_DICT, 0, 99)),
    "an unknown kind": bytes((form.RARE, 99, form.TUPLE, 0)),
    "a deque of negative length": bytes((form.DEQUE, 0, 143)),
    "a complex number that is none": _rare("complex", (math.nan, 0.0)),
    "a decimal number that is none": _rare("Decimal", ("NaN",)),
    "a decimal number that cannot be compared": _rare("Decimal", ("sNaN",)),
}


@pytest.mark.parametrize("trick", REFUSED)
def test_a_hostile_message_is_refused(trick):
    """Each known trick ends in BadMessage, at once."""
    with pytest.raises(BadMessage):
        decode(REFUSED[trick])


PARTS = [
    (),
    (None,),
    ("x",),
    (b"\x07\xe4\x01\x01",),
    (10**30,) * 3,
    (0, 0, 0),
    ("../../etc/passwd",),
    ("1e" + "9" * 30,),
    (1, 0),
    (None, 0, b"\x07\xe4\x01\x01\x00\x00\x00\x00\x00\x00"),
    ("\x00",),
    ([], {}),
    (1 << 300_000, 3),
]


@pytest.mark.parametrize("kind", COMPOSITE_TYPES, ids=lambda kind: kind.name)
@pytest.mark.parametrize("parts", PARTS, ids=lambda parts: str(parts)[:20] if len(parts) != 2 else "two")
def test_wrong_parts_make_a_value_of_that_kind_or_none(kind, parts):
    """The parts of a date, a fraction, a time zone... are checked before they meet its constructor."""
    message = bytes((form.RARE, COMPOSITE_TYPES.index(kind))) + encode(parts)
    try:
        value = decode(message)
    except BadMessage:
        return
    assert type(value) is getattr(import_module(kind.module), kind.name)


@pytest.mark.parametrize(
    "names",
    [
        ("P",),
        ("P", "x", "x"),
        ("P", "_x"),
        ("P", "class"),
        ("P", "a b"),
        ("P", 1),
        ("", "x"),
        ("P", "x=print()"),
        ("P", "ﬁ"),
        [],
        "Px",
    ],
)
def test_a_named_tuple_takes_only_proper_names(names):
    """Names reach the standard library's class maker, which compiles them: only plain identifiers get there."""
    with pytest.raises(BadMessage):
        decode(bytes((form.NAMED_TUPLE,)) + encode(names) + encode((1,) * (len(names) - 1)))


def test_a_message_cannot_bring_thousands_of_named_tuple_types():
    """Making a type is dear, so one message may bring a few only."""
    kinds = [namedtuple(f"CompositeType{number}", "x") for number in range(60)]
    with pytest.raises(BadMessage, match="kinds"):
        decode(encode([kind(1) for kind in kinds]))


def _bomb(tag: int, depth: int, core: bytes) -> bytes:
    """Each level holds the one inside it twice, the second time by reference."""
    message = core
    for level in range(depth):
        message = bytes((tag, 2)) + message + bytes((form.REFERENCE,)) + struct.pack("<I", level)
    return message


def test_references_cannot_unfold_without_bound():
    """A tuple in a tuple, twice at each of 100 levels, would take for ever to hash; it is refused."""
    bomb = _bomb(form.TUPLE, 100, encode((1,)))
    for message in (bomb, bytes((form.SET, 1, 3)) + bomb, bytes((form.DICT, 1)) + bomb + b"\x00"):
        with pytest.raises(BadMessage, match="unfolds"):
            decode(message)
    assert decode(_bomb(form.TUPLE, 10, encode((1,)))) is not None


@pytest.mark.parametrize(
    "core", [bytes((form.SET, 0, 3)), bytes((form.DEQUE, 0, form.NONE_TAG)), bytes((form.DICT, 0))]
)
def test_memory_is_bounded_by_the_messages_length(core):
    """The dearest thing that a byte can bring still costs a bounded multiple, and the total has an end."""
    message = bytes((form.LIST,)) + _size(5_000) + core * 5_000
    tracemalloc.start()
    try:
        assert len(decode(message)) == 5_000
        assert tracemalloc.get_traced_memory()[1] < 600 * len(message)
    finally:
        tracemalloc.stop()


def test_a_message_that_unfolds_to_too_much_is_refused_before_it_does(monkeypatch):
    """A message full of empty deques, 700 bytes each, is refused once its share is spent."""
    message = bytes((form.LIST,)) + _size(200_000) + bytes((form.DEQUE, 0, form.NONE_TAG)) * 200_000
    monkeypatch.setattr(form, "WEIGHT_LIMIT", 1 << 18)
    tracemalloc.start()
    try:
        with pytest.raises(BadMessage, match="unfolds"):
            decode(message)
        assert tracemalloc.get_traced_memory()[1] < 32 << 18
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("make", [dict.fromkeys, set, frozenset, Counter])
def test_keys_chosen_to_collide_are_refused(make, monkeypatch):
    """Integers that differ by a multiple of the hash modulus share one hash: a few are fine, many are an attack."""
    modulus = sys.hash_info.modulus
    assert len(decode(encode(make([n * modulus for n in range(60)])))) == 60
    many = make([n * modulus for n in range(500)])
    with pytest.raises(Unplain, match="collide"):
        encode(many)
    monkeypatch.setattr(codec_write, "_FEW_KEYS", 10**9)
    with pytest.raises(BadMessage, match="collide"):
        decode(encode(many))


def test_keys_of_an_honest_grid_do_not_collide_too_much():
    """hash(-1) is hash(-2), so that tuples of coordinates share hashes by twos and fours."""
    grid = {(x, y, z) for x in range(-9, 10) for y in range(-9, 10) for z in range(-9, 10)}
    assert decode(encode(grid)) == grid
