"""The shortest ways for plain values."""

from __future__ import annotations

import json
import marshal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.sandbox.guest.wire.aliases import containers, flat_containers
from regreen.sandbox.guest.wire.fast_formats import (
    BIGGEST_FLAT,
    LONGEST_FLAT,
    as_json,
    flat_image,
    is_flat,
    plain_request,
)

JSON_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
_FLAT = (
    JSON_SCALARS
    | st.lists(JSON_SCALARS)
    | st.dictionaries(st.text(), JSON_SCALARS)
    | st.tuples(JSON_SCALARS, JSON_SCALARS)
)
ARGS = st.lists(_FLAT, max_size=4).map(tuple)
KWARGS = st.dictionaries(st.sampled_from(["a", "b", "c"]), _FLAT)


class Shouting(str):
    """A string that is not what it seems."""


@given(JSON_SCALARS | st.lists(JSON_SCALARS))
def test_what_is_written_by_hand_is_read_as_it_was(value: Any) -> None:
    """By the library's own reader; what it would not read back is not written."""
    text = as_json(value)
    if text:
        assert repr(json.loads(text)) == repr(value)
    else:
        parts = value if type(value) is list else [value]
        assert any(part != part or (type(part) is int and abs(part) >= BIGGEST_FLAT) for part in parts)


@pytest.mark.parametrize(
    "value",
    [
        [[1]],
        (1,),
        {"a": 1},
        b"x",
        1j,
        {1},
        [b"x"],
        Shouting("x"),
        [Shouting("x")],
        BIGGEST_FLAT,
        [0] * (LONGEST_FLAT + 1),
    ],
)
def test_no_other_value_is_written_by_hand(value: Any) -> None:
    """They are for the codec."""
    assert as_json(value) == ""


@given(ARGS, KWARGS)
def test_a_flat_request_lists_its_containers_as_any_other(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Judge and guest count them by the same numbers, whatever the call has put into them meanwhile."""
    args, kwargs = marshal.loads(flat_image(args, kwargs))
    assert is_flat(args, kwargs)
    expected = [id(item) for item in containers((args, kwargs))]
    for item in containers((args, kwargs)):
        if type(item) is list:
            item.append([])
    assert [id(item) for item in flat_containers(args, kwargs)] == expected


@given(ARGS, KWARGS, ARGS)
def test_equal_images_are_of_equal_arguments(args: tuple[Any, ...], kwargs: dict[str, Any], others: Any) -> None:
    """Down to the types, and to the sign of a zero."""
    assert flat_image(args, kwargs) == flat_image(*marshal.loads(flat_image(args, kwargs)))
    assert (flat_image(args, {}) == flat_image(others, {})) == (repr(args) == repr(others))


@given(st.lists(JSON_SCALARS, max_size=4).map(tuple), st.dictionaries(st.sampled_from("abc"), JSON_SCALARS))
def test_scalars_alone_travel_as_they_are(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """All but what holds the bytes of a nan, which the codec has to look at, be they those of another value."""
    request = plain_request("call", "f", args, kwargs)
    if request is None:
        assert any(mark in marshal.dumps(("f", args, kwargs)) for mark in (b"\xf8\x7f", b"\xf8\xff"))
    else:
        assert request[:1] == b"A"
        assert repr(marshal.loads(request[1:])) == repr(("f", args, kwargs))


TWICE = [1]


@pytest.mark.parametrize("args", [([[1]],), (TWICE, TWICE), (b"x",), ([b"x"],), ({1: [2]},), ({1},), (Shouting("x"),)])
def test_other_arguments_are_not_flat(args: tuple[Any, ...]) -> None:
    """Nested, shared, or of other kinds."""
    assert not is_flat(args, {})
    assert not is_flat((), {"a": args[0], "b": args[-1]})
    assert (plain_request("call", "f", args, {}) or b"C")[:1] not in (b"F", b"A")
