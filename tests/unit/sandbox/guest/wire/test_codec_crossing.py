"""What may not cross the wall as it is: subclasses, live objects, what is too deep or too long, and exceptions."""

from __future__ import annotations

import math
import re
import sys
import tracemalloc
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from typing import Any, NamedTuple

import pytest

from regreen.sandbox.guest.wire import codec_format as form
from regreen.sandbox.guest.wire.codec import BadMessage, TooLarge, Unplain, decode, describe_exception, encode
from regreen.sandbox.guest.wire.codec_format import NotPlain
from regreen.sandbox.guest.wire.codec_types import COMPOSITE_TYPES, code_of


class Colour(IntEnum):
    RED = 3


class Word(StrEnum):
    HELLO = "hello"


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


SUBCLASSES = [
    _lying(int, 7),
    _lying(float, 1.5),
    _lying(complex, 1j),
    _lying(str, "abc"),
    _lying(bytes, b"abc"),
    _lying(tuple, (1, 2)),
    _lying(frozenset, {1, 2}),
    Lying([1, 2]),
    Colour.RED,
    Word.HELLO,
    *(type("Own", (base,), {})() for base in (dict, OrderedDict, Counter, defaultdict, set, bytearray, deque)),
    sys.version_info,
]


@pytest.mark.parametrize("place", range(len(SUBCLASSES)))
def test_an_instance_of_a_subclass_is_a_live_object_and_none_of_its_code_runs(place):
    """It may compare and print as it likes: neither its own word nor a plain value in its place would be right."""
    with pytest.raises(Unplain):
        encode([SUBCLASSES[place]])


def test_named_tuples_keep_their_names():
    """The decoder makes its own class with the same name and fields; one with methods or defaults does not cross."""

    class Point(NamedTuple):
        x: int
        label: str

    class Spot(NamedTuple):
        x: int

        def total(self) -> int:
            return 99

    class Here(NamedTuple):
        x: int = 0

    for kind in (Point, namedtuple("Point", "x label")):
        back = decode(encode(kind(1, "a")))
        assert (type(back).__name__, back._fields, back.x, back.label) == ("Point", ("x", "label"), 1, "a")
        assert back == (1, "a")
    for value in (Spot(1), Here(), type("Below", (Point,), {})(1, "a")):
        with pytest.raises(Unplain):
            encode(value)


def test_a_nan_is_the_same_object_again():
    """It equals nothing else. What a check hands over may be compared with its own: that one does not cross."""
    nan = float("nan")
    first, second, (third,) = decode(encode([nan, nan, (nan,)]))
    assert math.isnan(first)
    assert first is second is third
    assert decode(encode([math.nan, [math.nan, 1.0, 2.0, 3.0, 4.0]]))[1][0] is math.nan
    many = decode(encode([nan, 1.0, 2.0, 3.0, nan]))
    assert many[0] is many[4]
    assert decode(encode(math.nan, answering=False)) is math.nan
    for value in (nan, [nan] * 10, (1.0, nan)):
        with pytest.raises(Unplain, match="nan"):
            encode(value, answering=False)
    for value in (complex(nan, 1), Decimal("NaN")):
        with pytest.raises(Unplain, match=r"nan|NaN"):
            encode(value)


def test_a_default_made_by_the_program_is_never_made_elsewhere():
    """What is in the dict crosses; a check that asks for a default says what it needs."""
    back = decode(encode(defaultdict(lambda: 5, {"a": 1})))
    assert back == {"a": 1}
    with pytest.raises(NotPlain, match="factory"):
        back["b"]
    for value in (back, defaultdict(lambda: 5)):
        with pytest.raises(Unplain, match="factory"):
            encode(value, answering=False)


def test_views_cross_unless_somebody_holds_their_dict():
    """Then they may change. Views of values equal nothing but themselves, and stay."""
    keys, items = decode(encode([{1: 2}.keys(), {1: [2]}.items()]))
    assert keys == {1}
    assert [*items] == [(1, [2])]
    assert repr(keys) == "dict_keys([1])"
    held = {1: 2}
    with pytest.raises(Unplain, match="dict_keys"):
        encode(held.keys())
    with pytest.raises(Unplain, match="dict_values"):
        encode({1: 2}.values())


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
    assert len(described["message"]) <= 1 << 16
    assert described["args"] is None


def test_exceptions_behind_one_another_are_described_once_each():
    """Although each is the cause and the context of the next, and the first may stand behind the last."""
    first = error = ValueError(0)
    for number in range(1, 1000):
        nearer = ValueError(number)
        nearer.__cause__ = error
        nearer.__context__ = error
        error = nearer
    first.__context__ = error
    described = decode(encode(describe_exception(error)))
    assert described["same"]
    assert "context" not in described
    deep = 0
    while "cause" in described:
        described, deep = described["cause"], deep + 1
    assert deep == 49


NUMBERS = (
    ("bool_", True),
    ("int8", -3),
    ("uint64", 2**64 - 1),
    ("float16", 0.1),
    ("float32", 0.1),
    ("float64", 0.1),
    ("float64", -0.0),
    ("complex64", 1 + 0.1j),
    ("str_", "é"),
    ("bytes_", b"a\0b"),
)


@pytest.mark.parametrize(("name", "plain"), NUMBERS)
def test_numpys_numbers_cross_as_they_are(name: str, plain: Any) -> None:
    """The type is seen in `repr`, `type` and attributes; a float of Python's own would be another answer."""
    numpy = pytest.importorskip("numpy")
    value = getattr(numpy, name)(plain)
    (found,) = decode(encode([value]))
    assert (type(found), repr(found), found.dtype) == (type(value), repr(value), value.dtype)


@pytest.mark.parametrize(
    ("name", "part"),
    [("int8", 1000), ("uint8", -1), ("float64", 1), ("float64", math.nan), ("bool_", 1), ("str_", b""), ("bytes_", "")],
)
def test_parts_of_no_number_of_numpys_are_no_message(name: str, part: Any) -> None:
    """The rebuilt number is made from plain data of its own kind that fits."""
    numpy = pytest.importorskip("numpy")
    code = code_of(getattr(numpy, name))
    assert code is not None
    with pytest.raises(BadMessage):
        COMPOSITE_TYPES[code].join(part)


def test_a_numpy_nan_is_no_plain_value() -> None:
    """It equals nothing but itself, and would be another object."""
    numpy = pytest.importorskip("numpy")
    with pytest.raises(Unplain, match="float64 nan"):
        encode(numpy.float64("nan"))
