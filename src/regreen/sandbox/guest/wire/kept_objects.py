"""Identity of mutable values between calls, kept across the wall.

What a program goes on holding after a call (a cached list, a default argument, an argument that it stored) is *kept*:
judge and guest each hold their own object for it, in lists of the same order. As long as a check still holds one, its
contents travel with every request and every answer, so that both see what the other did to it.

Who else holds an object is told by its reference count: more references than the call itself accounts for. Counting
one too many costs time and is otherwise harmless.
"""

from __future__ import annotations

from collections.abc import Sequence
from sys import getrefcount
from typing import Any

from regreen.sandbox.guest.wire.aliases import KINDS, parts_of
from regreen.sandbox.guest.wire.reference_counts import ALONE, reference_counts

MOST_KEPT = 10_000
"""Objects that the two sides share at most."""


class KeptObjects:
    """One side's objects, in the order that both sides know."""

    __slots__ = ("objects",)

    def __init__(self) -> None:
        self.objects: list[Any] = []

    def held_places(self) -> list[int]:
        """The places of the objects that something else than this list holds."""
        return [place for place, count in enumerate(reference_counts(self.objects)) if count > ALONE]

    def select(self, places: Sequence[int]) -> None:
        """Forget all but the objects at these places. Raises IndexError where there is none."""
        self.objects = [self.objects[place] for place in places]

    def add(self, news: Sequence[Any]) -> None:
        """Add objects at the end. Raises ValueError where one cannot be shared or they are too many."""
        if len(self.objects) + len(news) > MOST_KEPT or not all(isinstance(item, KINDS) for item in news):
            raise ValueError("objects that cannot be kept")
        self.objects.extend(news)


def newly_kept(
    args: tuple[Any, ...], kwargs: dict[str, Any], answer: list[Any], held: Sequence[Any], known: Sequence[Any]
) -> list[Any]:
    """The mutable containers of a call's arguments and answer that the program goes on holding, those of `known` aside.

    `answer` is a list of what was returned, which no variable may hold. `held` is a list of the arguments' containers,
    which the caller has made. What a kept container holds is kept, too.
    """
    nodes, counts = _surplus(args, kwargs, answer, held)
    for item in (*args, *kwargs.values()):
        counts[id(item)] = counts.get(id(item), 0) - _ARGUMENT
    for item in answer:
        counts[id(item)] = counts.get(id(item), 0) - _ARGUMENT
    listed = {id(item) for item in known}
    outside = [node for node in nodes if id(node) in listed or counts[id(node)] > _INNER]
    reached = _walk(outside)[0] if outside else ()
    return [node for node in reached if not isinstance(node, tuple) and id(node) not in listed]


def is_held_flat(args: tuple[Any, ...], kwargs: dict[str, Any], value: Any) -> bool:
    """Whether the program goes on holding the answer, a list or a scalar, or an argument that is a list or a dict."""
    if type(value) is list and getrefcount(value) > _VARIABLE:
        return True
    for item in args:
        if (type(item) is list or type(item) is dict) and getrefcount(item) > _ITEM:
            return True
    for item in kwargs.values():  # noqa: SIM110  a generator would hold the item as well
        if (type(item) is list or type(item) is dict) and getrefcount(item) > _ITEM:
            return True
    return False


def _surplus(
    args: tuple[Any, ...], kwargs: dict[str, Any], answer: list[Any], held: Sequence[Any]
) -> tuple[list[Any], dict[int, int]]:
    """The containers and tuples of a call, and for each the references that the walk through them did not meet."""
    nodes, met = _walk([*args, *kwargs.values(), *answer])
    for place in map(id, held):
        met[place] = met.get(place, 0) + 1
    return nodes, {id(node): count - met[id(node)] for node, count in zip(nodes, reference_counts(nodes), strict=True)}


def _walk(roots: list[Any]) -> tuple[list[Any], dict[int, int]]:
    """Each container and tuple that can be reached, once, and how often it was met."""
    nodes: list[Any] = []
    met: dict[int, int] = {}
    waiting: list[Any] = [roots]
    while waiting:
        for part in parts_of(waiting.pop()):
            place = id(part)
            if place in met:
                met[place] += 1
            elif isinstance(part, _NODES):
                met[place] = 1
                nodes.append(part)
                waiting.append(part)
    return nodes, met


_NODES = (*KINDS, tuple)


def _measured() -> tuple[int, int]:
    """What the tuple of arguments adds to the count of one, and what the counting adds for all."""
    nodes, counts = _surplus(([[]],), {}, [], ())
    argument, inner = (counts[id(node)] for node in nodes)
    return argument - inner, inner


def _measured_flat() -> tuple[int, int]:
    """The counts that `is_held_flat` sees for an answer and for an argument that nobody else holds."""
    value: list[Any] = []
    args: tuple[Any, ...] = ([],)
    return _seen_flat(args, value)


def _seen_flat(args: tuple[Any, ...], value: Any) -> tuple[int, int]:
    variable, seen = getrefcount(value), 0
    for item in args:
        seen = getrefcount(item)
    return variable, seen


# Measured, because they differ between versions of Python.
_ARGUMENT, _INNER = _measured()
_VARIABLE, _ITEM = _measured_flat()
