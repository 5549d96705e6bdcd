"""Sets are built again so that they are gone through in the order of the original."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.sandbox.guest.wire import set_order
from regreen.sandbox.guest.wire.set_order import Doubt, fill, frozen, table_size

HAS_FIXED_NONE = sys.version_info >= (3, 12)
NUMBERS = st.lists(st.integers(-20, 200) | st.integers(-(1 << 70), 1 << 70), max_size=60)


@given(NUMBERS, NUMBERS, st.sampled_from(["difference", "union", "symmetric_difference", "intersection"]))
def test_what_is_built_has_the_same_elements(first: list[int], second: list[int], history: str) -> None:
    """Whatever the order: it may not be found, and then nothing else is lost."""
    origin = getattr({*first}, history)(second)
    built: set[int] = set()
    fill(built, [*origin], table_size(origin))
    assert built == origin
    assert frozen([*origin], table_size(origin)) == origin


def _random_set(rng: random.Random) -> set[int]:
    numbers = [rng.randrange(10 ** rng.choice([2, 3, 9])) for _ in range(rng.choice([5, 12, 40, 80]))]
    found = {*numbers[::2]} | {*numbers}
    for number in numbers[:: rng.choice([2, 3, 99])]:
        found.discard(number)
    return found


def _filled(keys: list[int], size: int) -> set[int]:
    value: set[int] = set()
    fill(value, keys, size)
    return value


@pytest.mark.parametrize("build", [_filled, frozen])
def test_nearly_every_order_is_found(build: Callable[[list[int], int], Any]) -> None:
    """Of random sets with a history, built in the given order alone, more than half are gone through in another."""
    rng = random.Random(3)
    origins = [(frozenset if build is frozen else set)(_random_set(rng)) for _ in range(200)]
    simple = sum([*set([*origin])] != [*origin] for origin in origins)
    wrong = sum([*build([*origin], table_size(origin))] != [*origin] for origin in origins)
    assert simple > 50
    assert wrong <= 2


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 64, 1 << 17, 1 << 255])
def test_a_size_that_cannot_be_harms_nobody(size: int) -> None:
    """A message may have been forged."""
    keys = [3, 11, 19, 1, 0, 2, 64]
    assert _filled(keys, size) == {*keys} == frozen(keys, size)


@pytest.mark.parametrize("key", [None, (1, None), ..., print])
def test_what_is_hashed_by_its_address_lies_where_it_would(key: Any) -> None:
    """The other process has it elsewhere: a set of the same keys that was made here is gone through as this one."""
    keys = [key, 1, 1.5, "a", (1, 2)]
    assert [*_filled(keys, 32)] == [*{*keys}]
    assert [*frozen(keys, 32)] == [*frozenset(keys)]


def test_an_order_that_cannot_be_is_given_up_at_once() -> None:
    """The work is bounded by the number of elements."""
    keys = [*range(20_000, 0, -1)]
    started = time.process_time()
    assert _filled(keys, 1 << 16) == {*keys}
    assert time.process_time() - started < 2


def test_elements_that_the_table_was_larger_for_are_not_left() -> None:
    """What kept places taken is gone from what was built."""
    origin = {*range(900)} - {*range(3, 900)} | {1 << 40, 512, 64}
    built = _filled([*origin], table_size(origin))
    assert [*built] == [*origin]
    assert all(type(element) is int for element in built)


@pytest.mark.parametrize(
    ("keys", "size", "doubted"),
    [
        ([1, "a", 2.5], 8, False),
        ([None], 8, False),
        ([None, "a", 8, 16], 8, False),
        ([None, *range(200)], 1024, not HAS_FIXED_NONE),
        ([(1, None), (2, None)], 8, not HAS_FIXED_NONE),
        ([frozenset({(None, 1)}), 3], 8, not HAS_FIXED_NONE),
        ([frozenset(), (1, 2)], 8, False),
    ],
)
def test_an_order_that_hangs_on_addresses_is_told(keys: list[Any], size: int, *, doubted: bool) -> None:
    """Two processes have None at two addresses, before its hash was a number of its own."""
    doubt = Doubt()
    doubt.note(keys, size)
    assert doubt.met is doubted


@pytest.mark.parametrize("build", [_filled, frozen])
def test_an_order_that_was_not_found_is_told(build: Callable[[list[int], int], Any]) -> None:
    """In a table that is too large to be built again."""
    set_order.doubt.met = False
    build([8, 9], 8)
    assert not set_order.doubt.met
    build([9, 8], 1 << 20)
    assert set_order.doubt.met
    set_order.doubt.met = False


def test_none_has_its_place_in_a_small_table() -> None:
    """There its address is the same in every process, as far as it matters."""
    origin = {None, *range(8, 80, 8), "a", "b"} - {8, 24}
    built = _filled([*origin], table_size(origin))
    assert [*built] == [*origin]
