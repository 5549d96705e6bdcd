"""Values that cross the wall: plain data arrives unchanged, nothing live crosses, and no bytes can do harm."""

from __future__ import annotations

import math
import random
import re
import struct
import subprocess
import sys
import tracemalloc
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from regreen.sandbox.guest import codec_form as form
from regreen.sandbox.guest.boot import command
from regreen.sandbox.guest.codec import BadMessage, TooLarge, Unplain, decode, describe_exception, encode
from regreen.sandbox.guest.codec_kinds import KINDS

Point = namedtuple("Point", "x y")


class Colour(IntEnum):
    RED = 3


class Word(StrEnum):
    HELLO = "hello"


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
@settings(max_examples=150, deadline=None)
@example([10**10_000, -(10**5_000), 2**63, -(2**63), 2**63 - 1, -17, 112])
@example([-0.0, math.inf, -math.inf, math.nan, 5e-324, 1.0, 2.0])
@example(["\ud83d", "\ude00", "a\x00b", "€", "\U0010ffff"])
@example(["\ud800" * 400, b"\xff" * 400])
@example(list(range(5_000)))
@example([None, "a", 1] * 2_000)
@example({1: "one", 1.5: [()], None: {}})
@example([Path("/tmp/x"), PureWindowsPath("C:/x"), UUID(int=7), time(3, 4, 5, 6, UTC), date.min, Decimal("NaN")])
def test_plain_data_comes_back_equal_and_of_the_same_types(value):
    """What is encoded is what is decoded: bit for bit, type for type, in the same order."""
    assert typed(decode(encode(value))) == typed(value)


@given(VALUES)
@settings(max_examples=100, deadline=None)
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
@settings(max_examples=250, deadline=None)
def test_any_bytes_give_a_value_or_bad_message(message):
    """Garbage is refused with the one error that says so."""
    _harmless(message)


@given(st.lists(st.tuples(st.integers(0, 27), st.integers(0, 5)), max_size=40), st.binary(max_size=40))
@settings(max_examples=250, deadline=None)
def test_well_formed_tags_in_senseless_order_give_a_value_or_bad_message(heads, tail):
    """Messages that get past the first look are refused as well."""
    _harmless(b"".join(bytes(head) for head in heads) + tail)


@given(VALUES, st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_a_damaged_message_gives_a_value_or_bad_message(value, rng):
    """Cut anywhere, changed anywhere, doubled: never another error."""
    message = encode(value)
    place = rng.randrange(len(message))
    _harmless(message[:place] + bytes([rng.randrange(256)]) + message[place + 1 :])
    _harmless(message[:place] + rng.randbytes(3) + message[place:])
    for torn in (message[:place], message + b"\x00", message + message):
        with pytest.raises(BadMessage):
            decode(torn)


def test_every_cut_of_a_message_is_noticed():
    """No prefix of a message is a message, whatever type it stops in."""
    message = encode([1, "long" * 100, {"k": Decimal("1.5")}, [1.5] * 9, ["ab"] * 9, Point(1, {2}), deque([b"x"], 3)])
    for place in range(len(message)):
        with pytest.raises(BadMessage):
            decode(message[:place])


def _size(number: int) -> bytes:
    return b"\xff" + struct.pack("<I", number)


def _nested(tag: int, depth: int) -> bytes:
    return bytes((tag, 1)) * depth + bytes((form.NONE,))


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
    "a list as a key": bytes((form.DICT, 1, form.LIST, 0, form.NONE)),
    "a list in a set": bytes((form.SET, 1, form.LIST, 0)),
    "bytes that are no UTF-8": bytes((form.STR, 2)) + b"\xc3\x28",
    "strings longer than their text": bytes((form.STRINGS, 1, 5, form.STR, 2)) + b"ab",
    "strings shorter than their text": bytes((form.STRINGS, 1, 1, form.STR, 2)) + b"ab",
    "strings without a text": bytes((form.STRINGS, 1, 1, form.BYTES, 1)) + b"a",
    "an unknown factory": bytes((form.DEFAULT_DICT, 0, 99)),
    "an unknown kind": bytes((form.RARE, 99, form.TUPLE, 0)),
    "a deque of negative length": bytes((form.DEQUE, 0, 143)),
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


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.type.__name__)
@pytest.mark.parametrize("parts", PARTS, ids=lambda parts: str(parts)[:20] if len(parts) != 2 else "two")
def test_wrong_parts_make_a_value_of_that_kind_or_none(kind, parts):
    """The parts of a date, a fraction, a time zone... are checked before they meet its constructor."""
    message = bytes((form.RARE, KINDS.index(kind))) + encode(parts)
    try:
        value = decode(message)
    except BadMessage:
        return
    assert type(value) is kind.type


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
    kinds = [namedtuple(f"Kind{number}", "x") for number in range(60)]
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
    for message in (bomb, bytes((form.SET, 1)) + bomb, bytes((form.DICT, 1)) + bomb + b"\x00"):
        with pytest.raises(BadMessage, match="unfolds"):
            decode(message)
    assert decode(_bomb(form.TUPLE, 10, encode((1,)))) is not None


@pytest.mark.parametrize("core", [bytes((form.SET, 0)), bytes((form.DEQUE, 0, form.NONE)), bytes((form.DICT, 0))])
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
    message = bytes((form.LIST,)) + _size(200_000) + bytes((form.DEQUE, 0, form.NONE)) * 200_000
    monkeypatch.setattr(form, "WEIGHT_LIMIT", 1 << 18)
    tracemalloc.start()
    try:
        with pytest.raises(BadMessage, match="unfolds"):
            decode(message)
        assert tracemalloc.get_traced_memory()[1] < 32 << 18
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("make", [dict.fromkeys, set, frozenset, Counter])
def test_keys_chosen_to_collide_are_refused(make):
    """Integers that differ by a multiple of the hash modulus share one hash: a few are fine, many are an attack."""
    modulus = sys.hash_info.modulus
    assert len(decode(encode(make([n * modulus for n in range(60)])))) == 60
    with pytest.raises(BadMessage, match="collide"):
        decode(encode(make([n * modulus for n in range(500)])))


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


class Lying(list):
    """A list that misrepresents itself in every way that Python offers."""

    def _no(self, *_: Any) -> Any:
        raise AssertionError("the codec ran code of the value's own")

    __eq__ = __iter__ = __len__ = __getitem__ = __repr__ = __contains__ = __reduce_ex__ = __bool__ = _no
    __hash__ = _no  # type: ignore[assignment]
    __class__ = property(_no)  # type: ignore[assignment]


HOOKS = (
    "__eq__",
    "__hash__",
    "__len__",
    "__iter__",
    "__getitem__",
    "__repr__",
    "__str__",
    "__bool__",
    "__index__",
    "__int__",
    "__float__",
    "__bytes__",
    "__format__",
    "__sizeof__",
    "encode",
    "items",
    "keys",
    "copy",
)


def _lying(base: type, *args: Any) -> Any:
    def no(*_: Any, **__: Any) -> Any:
        raise AssertionError("the codec ran code of the value's own")

    kind = type("Lying", (base,), {**dict.fromkeys(HOOKS, no), "__class__": property(no)})
    return base.__new__(kind, *args)


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (_lying(int, 7), 7),
        (_lying(float, 1.5), 1.5),
        (_lying(complex, 1j), 1j),
        (_lying(str, "abc"), "abc"),
        (_lying(str, "abc" * 200), "abc" * 200),
        (_lying(bytes, b"abc"), b"abc"),
        (_lying(bytes, b"abc" * 200), b"abc" * 200),
        (_lying(tuple, (1, 2)), (1, 2)),
        (_lying(frozenset, {1, 2}), frozenset({1, 2})),
        (Lying([1, 2]), [1, 2]),
        (Lying(["a", "b", "c", "d"]), ["a", "b", "c", "d"]),
        (Colour.RED, 3),
        (Word.HELLO, "hello"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_subclass_crosses_as_its_base_type_and_none_of_its_code_runs(value, plain):
    """A value with its own `__eq__` cannot cross: what arrives is of the exact base type."""
    back, again = decode(encode([value, value]))
    assert type(back) is type(plain)
    assert back == again == plain


@pytest.mark.parametrize("base", [dict, OrderedDict, Counter, defaultdict, set, bytearray, deque])
def test_a_mutable_subclass_crosses_as_its_base_type_with_its_identity(base):
    """Two mentions of one object stay one object, though neither is of its own class any more."""
    kind = type("Own", (base,), {"__eq__": lambda *_: True, "__hash__": None, "__iter__": None, "__len__": None})
    value = kind()
    back, again = decode(encode([value, value]))
    assert type(back) is base
    assert back is again


def test_named_tuples_keep_their_names():
    """The decoder makes its own class with the same name and fields; the program's methods stay behind."""

    class Spot(NamedTuple):
        x: int
        label: str = ""

        def total(self) -> int:
            return 99

    back = decode(encode(Spot(1, "a")))
    assert (type(back).__name__, back._fields, back.x, back.label) == ("Spot", ("x", "label"), 1, "a")
    assert back == (1, "a")
    assert not hasattr(back, "total")
    assert type(decode(encode(sys.version_info))) is tuple


class Plain(Enum):
    ONE = 1


class Meddling(type):
    def __hash__(cls) -> int:
        raise LookupError("never mind")


LIVE = [
    object(),
    Plain.ONE,
    lambda: 1,
    iter([]),
    (n for n in ()),
    int,
    ValueError("x"),
    memoryview(b""),
    sys,
    defaultdict(lambda: 0),
    re.compile("x"),
    Meddling("Odd", (), {})(),
]


@pytest.mark.parametrize("value", LIVE, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("wrap", [lambda v: v, lambda v: [1, v], lambda v: {"k": (v,)}, lambda v: [v] * 9])
def test_a_live_object_does_not_cross(value, wrap):
    """Only plain data is encoded; anything else is named in the error."""
    with pytest.raises(Unplain):
        encode(wrap(value))


def test_unplain_names_the_type():
    """The message of the error is what a report can show."""
    with pytest.raises(Unplain, match=r"^generator$"):
        encode([(n for n in ())])


def test_a_value_nested_too_deeply_is_unplain():
    """Neither the program's nor the codec's recursion limit shows."""
    value: Any = None
    for _ in range(form.DEPTH_LIMIT):
        value = [value]
    assert decode(encode(value)) == value
    for _ in range(100_000):
        value = (value,)
    with pytest.raises(Unplain, match="nested"):
        encode(value)
    while value:
        (value,) = value


def test_a_nearly_full_stack_is_no_other_error():
    """A check may call the program from deep inside a recursion of its own."""

    def deep(levels: int) -> str:
        if levels:
            return deep(levels - 1)
        try:
            return str(decode(encode([[[[[1]]]]])))
        except (Unplain, BadMessage, RecursionError) as error:
            return type(error).__name__

    limit = sys.getrecursionlimit()
    outcomes = set()
    for levels in range(limit - 120, limit):
        try:
            outcomes.add(deep(levels))
        except RecursionError:
            break
    assert outcomes <= {"[[[[[1]]]]]", "Unplain", "BadMessage", "RecursionError"}


LONG = [
    b"x" * 2000,
    "x" * 2000,
    bytearray(2000),
    [1] * 500,
    [1.0] * 500,
    ["ab"] * 900,
    1 << 20_000,
    [None] * 2000,
    {n: n for n in range(900)},
    set(range(200, 900)),
    [[]] * 900,
    [[n] for n in range(600)],
]


@pytest.mark.parametrize("value", LONG, ids=lambda value: type(value).__name__)
def test_a_value_longer_than_the_limit_is_too_large(value):
    """The limit holds for every type."""
    with pytest.raises(TooLarge):
        encode(value, limit=1_000)
    assert decode(encode(value)) == value


def test_too_large_is_found_before_memory_is_spent():
    """A gigabyte that is a thousand mentions of one megabyte is refused (or shared), never built."""
    megabyte = "m" * (1 << 20)
    value = [megabyte + str(number) for number in range(3)] + [None] * 10
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge):
            encode(value, limit=1 << 20)
        with pytest.raises(TooLarge):
            encode([0] * 5_000_000, limit=1 << 20)
        assert tracemalloc.get_traced_memory()[1] < 60 << 20
    finally:
        tracemalloc.stop()


def test_an_exception_is_described_as_plain_data():
    """Name, bases, message, arguments and errno, all encodable."""
    described = describe_exception(FileNotFoundError(2, "gone"))
    assert described["name"] == described["builtin"] == "FileNotFoundError"
    assert described["mro"][:3] == ["FileNotFoundError", "OSError", "Exception"]
    assert (described["args"], described["errno"]) == ((2, "gone"), 2)
    assert described["message"] == "[Errno 2] gone"
    assert decode(encode(described)) == described


def test_an_exception_of_the_programs_own_names_its_builtin_base():
    """What the judge can raise in its stead is known."""

    class Refused(KeyError):
        pass

    described = describe_exception(Refused("k"))
    assert (described["name"], described["builtin"]) == ("Refused", "KeyError")


class Sly(Exception):
    """An exception that resists being looked at."""

    __class__ = property(lambda self: 1 / 0)  # type: ignore[assignment]
    args = property(lambda self: 1 / 0)  # type: ignore[assignment]

    def __str__(self) -> str:
        raise SystemExit(0)

    def __getattribute__(self, name: str) -> Any:
        raise KeyboardInterrupt


def test_a_hostile_exception_is_described_all_the_same():
    """Nothing that it raises while being described gets out."""
    described = describe_exception(Sly(1, object()))
    assert described["name"] == "Sly"
    assert described["message"] == "<str() raised SystemExit>"
    assert described["args"] is None
    assert decode(encode(described)) == described


def test_a_long_message_is_cut():
    """An exception cannot flood the record."""
    described = describe_exception(ValueError("x" * 10_000_000))
    assert len(described["message"]) <= 4_000
    assert described["args"] is None


def test_the_codec_works_in_a_bare_interpreter():
    """No third-party package and nothing of Regreen's own outside the guest is imported."""
    script = (
        "import sys\n"
        "def main():\n"
        "    from regreen.sandbox.guest.codec import decode, encode\n"
        "    assert decode(encode([1, 'a'])) == [1, 'a']\n"
        "    print([name for name in sys.modules if name.startswith('regreen')])\n"
        "sys.modules['regreen.sandbox.guest.probe'] = sys.modules['__main__']\n"
    )
    python, *options = command(sys.executable, "probe")
    options[options.index("-c") + 1] = script + options[options.index("-c") + 1]
    done = subprocess.run([python, *options], capture_output=True, text=True, timeout=30, check=True)
    outside = [name for name in done.stdout.strip("[]\n").split(", ") if "sandbox.guest" not in name]
    assert outside == ["'regreen'", "'regreen.sandbox'"]


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
