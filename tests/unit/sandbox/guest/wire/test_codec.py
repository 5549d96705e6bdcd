"""Values that cross the wall: plain data arrives unchanged, and no bytes can do harm."""

from __future__ import annotations

import math
import random
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any
from uuid import UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from property_examples import examples

from regreen.sandbox.guest.wire import codec_format as form
from regreen.sandbox.guest.wire.codec import BadMessage, decode, encode

Point = namedtuple("Point", "x y")


def typed(value: Any) -> Any:
    """The value with every type spelt out, so that `1`, `True` and `1.0` differ and order counts where it should."""
    kind = type(value)
    if kind in (list, tuple) or isinstance(value, tuple):
        return kind.__name__, [typed(item) for item in value]
    if kind is deque:
        return kind.__name__, value.maxlen, [typed(item) for item in value]
    if kind in (set, frozenset):
        return kind.__name__, sorted(repr(typed(item)) for item in value)
    if isinstance(value, dict):
        factory = value.default_factory if kind is defaultdict else None
        return kind.__name__, factory, [(typed(k), typed(v)) for k, v in value.items()]
    if kind is float:
        return "nan" if math.isnan(value) else value.hex()
    if kind is complex:
        return "complex", typed(value.real), typed(value.imag)
    if kind is datetime:
        return "datetime", value.replace(tzinfo=None).isoformat(), value.fold, repr(value.tzinfo)
    return kind.__name__, repr(value) if kind is not int else hex(value)


OFFSETS = st.timedeltas(min_value=timedelta(hours=-23), max_value=timedelta(hours=23)).map(timezone)
TEXT = st.text(st.characters())
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=-(2**65), max_value=2**65),
    st.floats(),
    st.complex_numbers(allow_nan=False),
    TEXT,
    st.binary(),
    st.decimals(allow_nan=False),
    st.fractions(),
    st.dates(),
    st.datetimes(timezones=st.none() | st.just(UTC) | OFFSETS | st.timezones()),
    st.times(),
    st.timedeltas(),
    st.uuids(),
    st.builds(range, st.integers(), st.integers(), st.integers(min_value=1)),
    st.sampled_from([..., NotImplemented, slice(1, None, 2), (), "x" * 300, b"y" * 255, PurePosixPath("a/b")]),
)
KEYS = st.one_of(st.none(), st.integers(), TEXT, st.binary(), st.tuples(st.integers(), TEXT), st.dates())


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    pairs = st.lists(st.tuples(KEYS, inner), max_size=6)
    return st.one_of(
        st.lists(inner, max_size=6),
        st.lists(st.integers(), max_size=12),
        st.lists(st.floats(), max_size=12),
        st.lists(TEXT, max_size=12),
        st.lists(inner, max_size=4).map(tuple),
        st.builds(Point, inner, inner),
        st.builds(deque, st.lists(inner, max_size=4), st.none() | st.integers(min_value=0, max_value=5)),
        st.sets(KEYS, max_size=6),
        st.frozensets(KEYS, max_size=6),
        pairs.map(dict),
        pairs.map(OrderedDict),
        st.builds(defaultdict, st.sampled_from(form.FACTORIES), pairs),
        st.dictionaries(KEYS, st.integers(), max_size=5).map(Counter),
        st.binary().map(bytearray),
    )


VALUES = st.recursive(SCALARS, _containers, max_leaves=25)


@given(VALUES)
@examples(1.5)
@example([10**10_000, -(10**5_000), 2**63, -(2**63), 2**63 - 1, -17, 112])
@example([-0.0, math.inf, -math.inf, math.nan, 5e-324, 1.0, 2.0])
@example(["\ud83d", "\ude00", "a\x00b", "€", "\U0010ffff"])
@example(["\ud800" * 400, b"\xff" * 400])
@example(list(range(5_000)))
@example([None, "a", 1] * 2_000)
@example({1: "one", 1.5: [()], None: {}})
@example([Path("/tmp/x"), PureWindowsPath("C:/x"), UUID(int=7), time(3, 4, 5, 6, UTC), date.min, Decimal("-0")])
def test_plain_data_comes_back_equal_and_of_the_same_types(value):
    """What is encoded is what is decoded: bit for bit, type for type, in the same order."""
    assert typed(decode(encode(value))) == typed(value)


@given(VALUES)
def test_encoding_what_was_decoded_gives_the_same_bytes(value):
    """Apart from sets, whose order is not promised, the form of a value is unique: bytes may be compared."""
    message = encode(value)
    again = encode(decode(message))
    assert len(again) == len(message)
    if "set" not in repr(typed(value)):
        assert again == message


def _harmless(message: bytes) -> None:
    try:
        value = decode(message)
    except BadMessage:
        return
    assert decode(encode([value])) is not None


@given(st.binary(max_size=200))
@examples(2.5)
def test_any_bytes_give_a_value_or_bad_message(message):
    """Garbage is refused with the one error that says so."""
    _harmless(message)


@given(st.lists(st.tuples(st.integers(0, 27), st.integers(0, 5)), max_size=40), st.binary(max_size=40))
@examples(2.5)
def test_well_formed_tags_in_senseless_order_give_a_value_or_bad_message(heads, tail):
    """Messages that get past the first look are refused as well."""
    _harmless(b"".join(bytes(head) for head in heads) + tail)


@given(VALUES, st.randoms(use_true_random=False))
@examples(2)
def test_a_damaged_message_gives_a_value_or_bad_message(value, rng):
    """Cut anywhere, changed anywhere, doubled: never another error."""
    message = encode(value)
    place = rng.randrange(len(message))
    _harmless(message[:place] + bytes([rng.randrange(256)]) + message[place + 1 :])
    _harmless(message[:place] + rng.randbytes(3) + message[place:])
    for torn in (message[:place], message + b"\x00", message + message):
        with pytest.raises(BadMessage):
            decode(torn)


def test_aliases_and_cycles_are_kept_within_a_message():
    """`f(a) is a` still holds when the result crosses together with the arguments."""
    shared: list[Any] = [1]
    loop: dict[str, Any] = {}
    loop["self"] = loop
    ring: deque[Any] = deque(maxlen=3)
    ring.append(ring)
    inner = (shared, "x" * 300)
    result, args, loop2, ring2 = decode(encode((shared, (shared, inner, inner), loop, ring)))
    assert args[0] is result
    assert args[1] is args[2]
    assert args[1][0] is result
    assert loop2["self"] is loop2
    assert ring2[0] is ring2
    assert ring2.maxlen == 3


def test_a_cycle_through_a_tuple_comes_back_as_a_cycle():
    """The tuple may be met once more on the way round, but the list in it is one list."""
    holder: list[Any] = []
    pair = (holder, 1)
    holder.append(pair)
    back = decode(encode(pair))
    assert back[0][0][0] is back[0]


def test_shared_parts_are_sent_once():
    """A long string or a list mentioned a thousand times costs one copy and a thousand references."""
    text, rows = "z" * 10_000, [0] * 1_000
    assert len(encode([text] * 1_000)) < 20_000
    assert len(encode([rows] * 1_000)) < 20_000
    copies = decode(encode([rows] * 10))
    assert all(row is copies[0] for row in copies)


def test_random_messages_of_many_kinds_survive_mutation():
    """A cheap fuzz with a fixed seed, beside Hypothesis: thousands of flipped bytes in one rich message."""
    rng = random.Random(5)
    message = encode(
        [
            {"a": [1, 2.5, "x", None]},
            {1, 2},
            Point(1, 2),
            Counter("aab"),
            deque([1], 2),
            date(2020, 2, 29),
            [1] * 9,
            ["ab"] * 9,
            "y" * 300,
            1 << 90,
            defaultdict(list, {1: [2]}),
            timedelta(1),
        ]
    )
    for _ in range(2_000):
        damaged = bytearray(message)
        for _ in range(rng.randrange(1, 4)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        _harmless(bytes(damaged))


SET_KEYS = [[1, -1, -2], [1, -2, -1], [-2, 3, -1, 0], [8, 0, 16], [*range(99, 60, -3)], [n * n for n in range(200)]]
HISTORIES = {
    "as it is": lambda keys: {*keys},
    "copied": lambda keys: {*{*keys}},
    "made of a dict": lambda keys: set(dict.fromkeys(keys)),
    "added to": lambda keys: {*keys[::2]} | {*keys},
    "mostly removed": lambda keys: {*keys, *range(1000, 1100)} - {*range(1000, 1100)},
    "taken from": lambda keys: _without(keys, keys[::3]),
}


def _without(keys: list[int], taken: list[int]) -> set[int]:
    found = {*keys}
    for key in taken:
        found.discard(key)
    return found


@pytest.mark.parametrize("keys", SET_KEYS)
@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
@pytest.mark.parametrize("kind", [set, frozenset])
def test_a_set_is_gone_through_in_the_same_order(kind: type, history: Any, keys: list[int]) -> None:
    """However it came about: where hashes collide, and where elements share places of its table."""
    value = kind(history(keys))
    assert decode(encode(value)) == value
    assert [*decode(encode(value))] == [*value]
