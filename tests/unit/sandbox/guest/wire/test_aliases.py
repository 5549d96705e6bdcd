"""After a call, the caller's containers are what the callee made of its copies: in content, and in who is whom."""

from __future__ import annotations

import copy
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.sandbox.guest.wire.aliases import containers, restore
from regreen.sandbox.guest.wire.codec import decode, encode


def through_the_wall(call: Callable[..., Any], *args: Any) -> Any:
    """A call whose arguments are copied to the other side and brought back."""
    there = decode(encode(args))
    held = containers(there)
    answer, back = decode(encode((call(*there), held)))
    return restore(containers(args), back, answer)


def shape(value: Any) -> Any:
    """Content and identities of a value, in a form that can be compared."""
    numbers: dict[int, int] = {}

    def walk(part: Any) -> Any:
        if not isinstance(part, list | dict | tuple | set | deque | bytearray):
            return part
        if isinstance(part, tuple):
            return ["tuple", *map(walk, part)]
        if id(part) in numbers:
            return f"#{numbers[id(part)]}"
        numbers[id(part)] = len(numbers)
        if isinstance(part, dict):
            return {key: walk(item) for key, item in part.items()}
        if isinstance(part, set | bytearray):
            return sorted(part)
        return [type(part).__name__, *map(walk, part)]

    return walk(value)


CALLS: dict[str, Callable[[Any], Any]] = {
    "nothing": lambda x: None,
    "reverse": lambda x: x.reverse() if isinstance(x, list) else None,
    "return itself": lambda x: x,
    "return parts": lambda x: [x, (x,), {"k": x}],
    "grow": lambda x: x.append([x]) if isinstance(x, list) else None,
    "empty": lambda x: x.clear() if hasattr(x, "clear") else None,
    "double the first": lambda x: x.append(x[0]) if isinstance(x, list) and x else None,
    "swap parts": lambda x: (
        (x[0].extend(x[1:]), x[0].clear()) if isinstance(x, list) and x and isinstance(x[0], list) else 0
    ),
    "copy": copy.deepcopy,
}

leaves = st.one_of(st.integers(), st.text(max_size=3), st.none())
nests = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=2), inner, max_size=3), st.tuples(inner, inner)
    ),
    max_leaves=12,
)


@given(value=st.lists(nests, max_size=4), name=st.sampled_from(sorted(CALLS)), shared=st.booleans())
def test_the_wall_is_not_to_be_noticed(value: Any, name: str, shared: bool) -> None:
    """Here or there, arguments and answer have the same content and the same identities afterwards."""
    if shared and value:
        value = [*value, value[0], (value[0],)]
    here, there = value, copy.deepcopy(value)
    wanted = CALLS[name](here)
    got = through_the_wall(CALLS[name], there)
    assert shape([there, got]) == shape([here, wanted])


@pytest.mark.parametrize("value", [{1, 2}, bytearray(b"ab"), deque([1], maxlen=3), OrderedDict(a=1), {}])
def test_every_kind_of_container_is_refilled_in_place(value: Any) -> None:
    """The caller's own object changes, and keeps its kind."""
    kind, kept = type(value), value

    def change(x: Any) -> Any:
        x.clear()
        if isinstance(x, set):
            x.add(9)
        elif isinstance(x, dict):
            x["n"] = 9
        else:
            x.append(9)
        return x

    wanted = change(copy.deepcopy(value))
    assert through_the_wall(change, value) is kept
    assert value == wanted
    assert type(value) is kind


@pytest.mark.parametrize("news", [[], [[], []], [{}], [()], [None]])
def test_what_does_not_match_is_refused(news: list[Any]) -> None:
    """A forged list of arguments changes nothing."""
    mine = [1]
    with pytest.raises(ValueError, match="shape"):
        restore([mine], news, None)
    assert mine == [1]
