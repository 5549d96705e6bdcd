"""Identity of the mutable values of a call, kept across the wall.

Both sides list the containers of the arguments in the same order. After a call the guest sends that list back, and
what each container became goes into the caller's own object; wherever one of them turns up, in another or in the
answer, the caller's own object is put there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from regreen.sandbox.guest.wire.set_order import fill, table_size

_LEAVES = frozenset({type(None), bool, int, float, complex, str, bytes, range})
"""Types that hold nothing mutable."""
_EXACT = frozenset({bool, int, str, bytes, range})
"""Types of which equal values cannot be told apart."""
KINDS = (list, dict, set, deque, bytearray)
"""The kinds of containers that change in place."""
_NODES = (*KINDS, tuple)


def containers(value: Any) -> list[Any]:
    """Every mutable container in a value, each once, in an order that depends on nothing but the value."""
    found: list[Any] = []
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if id(item) in seen or not isinstance(item, _NODES):
            continue
        seen.add(id(item))
        if not isinstance(item, tuple):
            found.append(item)
        waiting += parts_of(item)
    return found


def flat_containers(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """The `containers` of a flat request, whatever the call has put into them since."""
    mutable = [value for value in (*args, *kwargs.values()) if type(value) is list or type(value) is dict]
    return [kwargs, *reversed(mutable)]


def restore(olds: Sequence[Any], news: Sequence[Any], answer: Any, *, spare_same: bool = False) -> Any:
    """Make each of `olds` what its counterpart in `news` is; returns the answer with the old ones in it.

    With `spare_same`, what did not change is not touched: somebody may be going through it.

    Raises ValueError when the two do not match: no call turns one kind of container into another.
    """
    if len(olds) != len(news) or any(not _alike(old, new) for old, new in zip(olds, news, strict=True)):
        raise ValueError("arguments of another shape")
    swap = _Swap({id(new): old for old, new in zip(olds, news, strict=True)})
    for fresh in containers((news, answer)):
        if fresh is not news and id(fresh) not in swap.same and parts_of(fresh):
            _refill(fresh, _contents(fresh, swap), fresh)
    for old, new, content in [(old, new, _contents(new, swap)) for old, new in zip(olds, news, strict=True)]:
        if not (spare_same and _is_same(old, content)):
            _refill(old, content, new)
    return swap(answer)


class _Swap:
    """Replaces the counterparts of the caller's objects by those objects."""

    def __init__(self, same: dict[int, Any]) -> None:
        self.same = same

    def __call__(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return self._tuple(value)
        return self.same.get(id(value), value)

    def _tuple(self, value: tuple[Any, ...]) -> Any:
        parts = [self(part) for part in value]
        if all(mine is theirs for mine, theirs in zip(parts, value, strict=True)):
            return value
        return tuple.__new__(type(value), parts)


def parts_of(item: Any) -> Iterable[Any]:
    """What a container or tuple holds and may change in place."""
    if isinstance(item, set | bytearray):
        return ()
    parts = item.values() if isinstance(item, dict) else item
    return [part for part in parts if type(part) not in _LEAVES]


def _alike(old: Any, new: Any) -> bool:
    return any(isinstance(old, kind) and isinstance(new, kind) for kind in KINDS)


def _contents(item: Any, swap: _Swap) -> Any:
    """The contents of a container, in a form that `_refill` takes for its type."""
    if isinstance(item, dict):
        return [(key, swap(part)) for key, part in item.items()]
    return [swap(part) for part in item] if parts_of(item) else tuple(item)


def _is_same(item: Any, content: Any) -> bool:
    """Whether a container holds just this already, in the same order."""
    if isinstance(item, set):
        # The other side's order is another.
        known = {(type(part), part) for part in item}
        return len(item) == len(content) and all((type(part), part) in known for part in content)
    if isinstance(item, dict):
        pairs = zip(item.items(), content, strict=False)
        return len(item) == len(content) and all(_is_one(a, c) and _is_one(b, d) for (a, b), (c, d) in pairs)
    return len(item) == len(content) and all(map(_is_one, item, content))


def _is_one(mine: Any, other: Any) -> bool:
    if mine is other:
        return True
    return type(mine) is type(other) and type(mine) in _EXACT and bool(mine == other)


def _refill(item: Any, content: Any, like: Any) -> None:
    """Give a container the contents of another; a set also its order, as far as can be."""
    places = table_size(like) if isinstance(like, set) else 0
    item.clear()
    if isinstance(item, dict):
        for key, part in content:
            item[key] = part
    elif isinstance(item, set):
        fill(item, content, places)
    else:
        item.extend(content)
