"""What a program goes on holding after a call, told by reference counts."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

from regreen.sandbox.guest.wire.aliases import containers
from regreen.sandbox.guest.wire.kept_objects import MOST_KEPT, KeptObjects, is_held_flat, newly_kept

STORE: list[Any] = []


@pytest.fixture(autouse=True)
def _empty_store() -> None:
    STORE.clear()


def keep(*things: Any) -> Any:
    """Store what is handed over, and return it."""
    STORE.extend(things)
    return things[0]


def copied(*things: Any) -> Any:
    """Store nothing of it."""
    return [*things[0]]


def ask(program: Callable[..., Any], *given: Any, **named: Any) -> list[Any]:
    """What a program keeps of a call, as the guest asks for it."""
    args, kwargs = copy.deepcopy((given, named))
    held = containers((args, kwargs))
    answer = [program(*args, **kwargs)]
    return newly_kept(args, kwargs, answer, held, ())


def ask_flat(program: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
    """Whether a program keeps anything of a flat call, as the guest asks for it."""
    value = program(*args, **kwargs)
    return is_held_flat(args, kwargs, value)


@pytest.mark.parametrize("kind", [list, dict, set, deque, bytearray])
def test_an_argument_or_answer_that_is_stored_is_kept(kind: type[Any]) -> None:
    """Of every kind that changes in place."""
    assert [id(item) for item in ask(keep, kind())] == [id(STORE[0])]
    assert [id(item) for item in ask(lambda: keep(kind()))] == [id(STORE[1])]
    assert [id(item) for item in ask(lambda x: keep(x) and None, x=kind())] == [id(STORE[2])]


@pytest.mark.parametrize(
    ("program", "args"),
    [
        (copied, ([1, [2]],)),
        (lambda xs: xs, ([],)),
        (lambda xs, ys: [xs, ys, xs], ([], {})),
        (lambda rows: rows[0], ([[1], [2]],)),
        (lambda n: [[0] * n] * n, (3,)),
        (lambda: ([], ([], {"a": []})), ()),
        (lambda *xs: xs, ([], [])),
        (lambda n: n, (5,)),
    ],
)
def test_what_only_the_call_holds_is_not_kept(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """Whether it was made, returned, or put into something else."""
    found = ask(program, *args)
    assert found == []


def test_what_a_kept_container_or_tuple_holds_is_kept() -> None:
    """Although nothing else refers to it."""
    found = ask(lambda: keep([[1], ({"a": []},)]))
    assert {id(item) for item in found} == {id(item) for item in containers(STORE[0])}
    STORE.clear()
    found = ask(lambda: keep(([1], 2)))
    assert found == [[1]]


def test_an_inner_list_is_kept_alone() -> None:
    """The outer one was made for the call."""
    STORE.append([1])
    found = ask(lambda: [*STORE])
    assert found == [[1]]


def test_flat_calls_are_told_by_their_counts() -> None:
    """As the longer way tells them."""
    apart = [ask_flat(lambda xs: [1], [1]), ask_flat(lambda xs, ys: 5, [1], ys={})]
    kept = [
        ask_flat(lambda xs: keep(xs) and 5, [1]),
        ask_flat(lambda xs: keep(xs) and 5, xs=[1]),
        ask_flat(lambda: keep([1])),
    ]
    assert (apart, kept) == ([False, False], [True, True, True])


def test_objects_that_nothing_else_holds_are_told() -> None:
    """By their places in the list."""
    kept, mine = KeptObjects(), [1]
    kept.add([[0], mine, [2]])
    assert kept.held_places() == [1]
    kept.select([1])
    assert kept.objects[0] is mine


@pytest.mark.parametrize("news", [[()], [5], [frozenset()], [[]] * (MOST_KEPT + 1)])
def test_what_cannot_be_kept_is_refused(news: list[Any]) -> None:
    """It does not change, or it is too much."""
    kept = KeptObjects()
    with pytest.raises(ValueError, match="cannot be kept"):
        kept.add(news)
    assert kept.objects == []
