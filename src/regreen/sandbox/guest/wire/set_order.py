"""The order in which a set is gone through, kept when it is built again.

CPython goes through a set in the order of its table. Where an element lies depends on its hash, on the size of the
table, and, where several are bound for one place, on which came first, so that a set of the same elements may be gone
through in another order. No process can say where they lie, but their order and the size of the table do, mostly.
Whatever is built is compared: in a Python whose tables work otherwise, nothing is worse than before.

Where the order is another one all the same, or hangs on where objects lie in memory, `doubt` tells: no two processes
can then go through their sets alike.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import islice, takewhile
from operator import is_, ne
from typing import Any, NamedTuple

_SMALLEST = 8
"""Places in the table of the smallest set, which has them in itself."""
LARGEST_EXPONENT = 17
_LARGEST = 1 << LARGEST_EXPONENT
"""Places in the largest table that is built anew: each element costs some 10 microseconds."""
_MOST_SPARE = 64
"""So many times as large as it has to be a table may be: one that nearly everything was taken from is not built."""
_BARE = set.__sizeof__(set())
_BYTES_A_PLACE = 16 if sys.maxsize > 1 << 32 else 8
_HASH_BITS = (1 << sys.hash_info.width) - 1
_NEIGHBOURS, _SHIFT = 9, 5
"""Where the place of an element is taken, so many after it are tried, then one that depends on more of its hash."""
_NONE = type(None)
_HAS_FIXED_NONE = sys.version_info >= (3, 12)
"""Before, the hash of None is its address."""
_HASHED_BY_VALUE = frozenset({bool, int, float, complex, str, bytes, *([_NONE] if _HAS_FIXED_NONE else ())})
_HOLDERS = frozenset({tuple, frozenset})
_IN_A_PAGE = 256
"""Places for which it does not matter that None has another address in another process of the same Python: programs are
loaded in whole pages of at least 4,096 bytes, and hashes leave out the lowest four bits."""
_TRIED = 30
"""Places that are considered for one element."""


class Doubt:
    """Whether this process has built, or handed over, a set that another may go through in another order."""

    __slots__ = ("met",)

    def __init__(self) -> None:
        self.met = False

    def note(self, keys: Sequence[Any], size: int, *, in_order: bool = True) -> None:
        """Note a set of these elements whose table has so many places, and that is gone through in the right order."""
        if len(keys) > 1 and (not in_order or _hang_on_addresses(keys, size)):
            self.met = True


doubt = Doubt()
"""That of this process."""


def table_size(value: set[Any] | frozenset[Any]) -> int:
    """How many places the table of a set or frozenset has: a power of two."""
    size = set.__sizeof__ if isinstance(value, set) else frozenset.__sizeof__
    return max((size(value) - _BARE) // _BYTES_A_PLACE, _SMALLEST)


def is_in_order(value: Collection[Any], keys: Sequence[Any]) -> bool:
    """Whether a set of as many elements is gone through in this order."""
    return all(map(is_, value, keys))


def fill(value: set[Any], keys: Sequence[Any], size: int) -> None:
    """Put keys into an empty set so that it is gone through in their order, if there is a way; else in some order.

    `size` is that of the table of the set that was gone through in this order.
    """
    value.update(keys)
    if not is_in_order(value, keys) and (recipe := _recipe(keys, size)) is not None:
        value.clear()
        value.update(dict.fromkeys(recipe.first))
        value ^= frozenset(recipe.then)
        if value != frozenset(keys):
            value.clear()
            value.update(keys)
    doubt.note(keys, size, in_order=is_in_order(value, keys))


def frozen(keys: Sequence[Any], size: int) -> frozenset[Any]:
    """The same for a frozenset."""
    value = frozenset(keys)
    if not is_in_order(value, keys) and (recipe := _recipe(keys, size)) is not None:
        built = frozenset(recipe.then).symmetric_difference(dict.fromkeys(recipe.first))
        value = built if built == value else value
    doubt.note(keys, size, in_order=is_in_order(value, keys))
    return value


class _Recipe(NamedTuple):
    """A set is made of `first` in one go, by way of a dict: its table is then at least twice as large, and clean.

    Of `then` it loses what it holds, and gets what it does not.
    """

    first: list[Any]
    then: list[Any]


class _Filler:
    """Something that keeps a place of the table taken for a while."""

    __slots__ = ("place",)

    def __init__(self, place: int) -> None:
        self.place = place

    def __hash__(self) -> int:
        return self.place


def _recipe(keys: Sequence[Any], size: int) -> _Recipe | None:
    """How to build a set with a table of `size` places that is gone through in the order of `keys`."""
    if not all(_is_hashed_alike(key, size) for key in keys):
        return None
    least = max(len(keys), _SMALLEST)
    if not len(keys) < size <= min(_LARGEST, _MOST_SPARE * least) or size & (size - 1):
        return None
    hashes = [hash(key) for key in keys]
    places = _places(hashes, size)
    turns = _turns(hashes, places, size) if places else None
    if places is None or turns is None:
        return None
    passed, bound, free = turns
    fillers: list[Any] = [_Filler(place) for place in passed]
    first = [*fillers, *(keys[number] for number in bound)]
    last = [keys[number] for number in free]
    # A dict of so many makes a table of `size` places: of fewer a smaller one, of more a larger one.
    fewest, most = (0, 4) if size == _SMALLEST else (max(size // 4, 5), size // 2 - 1)
    room = most - len(first)
    if room < 0:
        return None
    first += last[:room]
    # Each in a place of its own, as far as can be.
    spare = [_Filler(3 * place) for place in range(fewest - len(first))]
    return _Recipe(first + spare, fillers + spare + last[room:])


def _is_hashed_alike(key: Any, size: int) -> bool:
    """Whether a key is looked for in the same place of a table in both processes.

    Where it lies elsewhere, it is to be found where a set that the checks made themselves has it.
    """
    kind = type(key)
    if kind is _NONE and size <= _IN_A_PAGE:
        return True
    return kind in _HASHED_BY_VALUE or (kind in _HOLDERS and all(_is_hashed_alike(part, sys.maxsize) for part in key))


def _hang_on_addresses(keys: Sequence[Any], size: int) -> bool:
    """Whether a key has a hash that its address decides, or that of what it holds: None, before Python 3.12."""
    kinds = {*map(type, keys)}
    if _HAS_FIXED_NONE or kinds.isdisjoint((_NONE, *_HOLDERS)):
        return False
    return (_NONE in kinds and size > _IN_A_PAGE) or any(map(_holds_none, keys))


def _holds_none(key: Any) -> bool:
    return type(key) in _HOLDERS and any(part is None or _holds_none(part) for part in key)


def _places(hashes: Sequence[int], size: int) -> list[int] | None:
    """A place in the table for each, one after the other, as near as can be to where it is looked for first."""
    reached, costs = [-1], [0]
    history: list[tuple[list[int], list[int]]] = []
    for number in hashes:
        found: list[tuple[int, int, int]] = []
        for cost, place in enumerate(islice(_probes(number, size), _TRIED)):
            before = bisect_left(reached, place) - 1
            if before >= 0:
                found.append((costs[before] + cost, place, before))
        if not found:
            return None
        history.append(_frontier(found, reached, costs))
    place = len(reached) - 1
    chosen = []
    for places, parents in reversed(history):
        chosen.append(places[place])
        place = parents[place]
    return chosen[::-1]


def _frontier(found: list[tuple[int, int, int]], reached: list[int], costs: list[int]) -> tuple[list[int], list[int]]:
    """Keep those ways that none both cheaper and nearer to the beginning makes useless; returns them with parents.

    `reached` and `costs` become theirs: the later the place, the cheaper the way there.
    """
    found.sort()
    best, nearest = found[0][0], _LARGEST
    kept = []
    for cost, place, parent in found:
        if place < nearest and cost <= best + _TRIED:
            nearest = place
            kept.append((place, cost, parent))
    kept.reverse()
    reached[:] = [place for place, _, _ in kept]
    costs[:] = [cost for _, cost, _ in kept]
    return [*reached], [parent for _, _, parent in kept]


def _turns(hashes: Sequence[int], places: Sequence[int], size: int) -> tuple[list[int], list[int], list[int]] | None:
    """In which turn elements come to lie in these places; None where each of some waits for another.

    Returns the empty places that have to be taken meanwhile, the elements whose turn matters, and the others.
    """
    owner = {place: number for number, place in enumerate(places)}
    waiting: dict[int, set[int]] = {}
    empty: dict[int, None] = {}
    for number, place in enumerate(places):
        if place == hashes[number] & (size - 1):
            continue
        passed = [*takewhile(partial(ne, place), _probes(hashes[number], size))]
        waiting[number] = {owner[other] for other in passed if other in owner}
        empty |= dict.fromkeys(other for other in passed if other not in owner)
    needed = {number for numbers in waiting.values() for number in numbers}
    turns = sorted(needed - waiting.keys())
    done = {*turns}
    while waiting:
        ready = [number for number, others in waiting.items() if others <= done]
        if not ready:
            return None
        turns += ready
        done.update(ready)
        for number in ready:
            del waiting[number]
    return [*empty], turns, [number for number in range(len(places)) if number not in done]


def _probes(number: int, size: int) -> Iterator[int]:
    """The places in which an element with this hash is looked for, one after the other, without end."""
    mask, rest = size - 1, number & _HASH_BITS
    place = number & mask
    while True:
        yield from range(place, place + (_NEIGHBOURS + 1 if place + _NEIGHBOURS <= mask else 1))
        rest >>= _SHIFT
        place = (place * 5 + 1 + rest) & mask
