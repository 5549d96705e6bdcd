"""What tests and the other modules of a project hold, put back before the next program is tested.

One session of pytest tests many programs, and a program may change what it is handed or what it imports: an entry that
one of them takes out of a table would be missing for all that come later.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import _lru_cache_wrapper
from types import FunctionType, ModuleType
from typing import Any, Final

from regreen.sandbox.guest.runner.lazy_values import attributes_of, is_plainly

_MOST_ITEMS: Final = 50_000
"""Items that are remembered; what tests hold beyond them stays as it is left."""
_MOST_VARIABLES: Final = 20_000
"""Variables of modules and attributes of classes that are remembered."""
_PLAIN: Final = frozenset({int, float, bool, str, bytes, type(None)})
_LISTS: Final = frozenset({list, bytearray, deque})
_DICTS: Final = frozenset({dict, defaultdict, OrderedDict, Counter})


class KeptData:
    """Containers and what they hold, each with its items; objects of the `opened` classes are containers, too."""

    def __init__(self, roots: Iterable[Any], opened: Collection[type] = ()) -> None:
        self._holding = _HOLDING | frozenset(opened)
        self._opened = frozenset(opened)
        self._kept: dict[int, tuple[Any, Any]] = {}
        self._room = _MOST_ITEMS
        waiting = list(roots)
        while waiting and self._room > 0:
            value = waiting.pop()
            if id(value) in self._kept:
                continue
            copy = _copy_of(value)
            if copy is not None:
                self._kept[id(value)] = value, copy
            waiting += self._items(value)

    def _items(self, value: Any) -> list[Any]:
        if type(value) in _DICTS:
            found = [*value.values()]
        elif type(value) in (list, tuple, deque):
            found = [*value]
        elif type(value) in self._opened and (own := attributes_of(value)) is not None:
            found = [own]
        else:
            return []
        self._room -= len(found)
        return [item for item in found if type(item) in self._holding]

    def is_as_before(self) -> bool:
        """Whether each container has the items that it had."""
        return all(_is_as_before(value, copy) for value, copy in self._kept.values())

    def take_over_from(self, before: KeptData) -> None:
        """Keep what has changed since `before` as it is now."""
        for key, (value, copy) in before._kept.items():
            if key in self._kept and not _is_as_before(value, copy):
                self._kept[key] = value, _copy_of(value)

    def put_back(self) -> None:
        """Give each container the items that it had."""
        for value, copy in self._kept.values():
            if not _is_as_before(value, copy):
                _refill(value, copy)


_HOLDING: Final = _LISTS | _DICTS | {set, tuple}


def _copy_of(value: Any) -> Any:
    """The items of a container, in one of a plain type; None of anything else."""
    kind = type(value)
    if kind in _DICTS:
        return [*value.items()]
    return [*value] if kind in _LISTS or kind is set else None


def _is_as_before(value: Any, copy: list[Any]) -> bool:
    """Whether the items are the same objects, in the same order; those of a set in any."""
    if len(value) != len(copy):
        return False
    if type(value) in _DICTS:
        return all(k is key and v is item for (k, v), (key, item) in zip(value.items(), copy, strict=True))
    if type(value) is set:
        return {*map(id, value)} == {*map(id, copy)}
    return all(one is other for one, other in zip(value, copy, strict=True))


def _refill(value: Any, copy: list[Any]) -> None:
    value.clear()
    if type(value) in _DICTS:
        for key, item in copy:
            value[key] = item
    elif type(value) is set:
        value.update(copy)
    else:
        value.extend(copy)


def data_of_tests(items: Sequence[Any]) -> KeptData:
    """What the modules of pytest's items hold in variables, attributes of classes and defaults, their `conftest.py`
    files too, and what the items are handed."""
    modules = [module for item in items if isinstance(module := getattr(item, "module", None), ModuleType)]
    plugins = items[0].config.pluginmanager.get_plugins() if items else ()
    modules += [plugin for plugin in plugins if _is_conftest(plugin)]
    marks = (getattr(item, "callspec", None) for item in items)
    handed = [value for mark in marks if mark is not None for value in mark.params.values()]
    held = (value for module in {id(module): module for module in modules}.values() for value in _held_by(module))
    return KeptData([*held, *handed])


class KeptModules:
    """What modules hold in their variables, their classes and the objects of these, and the caches of their functions.

    `bound`: variables that are left as they are, as (id of the namespace, name).
    """

    def __init__(self, modules: Sequence[ModuleType], bound: Collection[tuple[int, str]]) -> None:
        held = [
            (vars(module), name, value)
            for module in modules
            for name, value in tuple(vars(module).items())
            if not name.startswith("__")
        ][:_MOST_VARIABLES]
        self._variables = [(space, name, value) for space, name, value in held if (id(space), name) not in bound]
        values = [value for _, _, value in held]
        # A class may stand in several modules, as may a function with a cache.
        names = {module.__name__ for module in modules}
        classes = {id(v): v for v in values if is_plainly(v, type) and v.__module__ in names}.values()
        attributes = [(owner, name, v) for owner in classes for name, v in tuple(vars(owner).items())][:_MOST_VARIABLES]
        values += [value for _, _, value in attributes]
        self._attributes = [
            (owner, name, value)
            for owner, name, value in attributes
            if not name.startswith("__") and (type(value) in _PLAIN or type(value) in _HOLDING)
        ]
        self._caches = [each for each in values if is_plainly(each, _lru_cache_wrapper)]
        values += [each for value in values if is_plainly(value, FunctionType) for each in _defaults(value)]
        opened = _HOLDING | frozenset(classes)
        self._data = KeptData([value for value in values if type(value) in opened], classes)

    def is_as_before(self) -> bool:
        """Whether all of them hold what they held; of caches nothing is known."""
        variables = all(space.get(name) is value for space, name, value in self._variables)
        attributes = all(vars(owner).get(name) is value for owner, name, value in self._attributes)
        return variables and attributes and self._data.is_as_before()

    def take_over_from(self, before: KeptModules) -> None:
        """Keep what has changed since `before`, of the same modules, as it is now."""
        self._variables = _taken_over(self._variables, before._variables, dict.get)
        self._attributes = _taken_over(self._attributes, before._attributes, _attribute)
        self._data.take_over_from(before._data)

    def put_back(self) -> None:
        """Have all of them hold what they held; caches are emptied."""
        for space, name, value in self._variables:
            if space.get(name) is not value:
                space[name] = value
        for owner, name, value in self._attributes:
            if vars(owner).get(name) is not value:
                with contextlib.suppress(Exception):
                    setattr(owner, name, value)
        for function in self._caches:
            function.cache_clear()
        self._data.put_back()


def _taken_over(
    kept: Sequence[tuple[Any, str, Any]], before: Sequence[tuple[Any, str, Any]], read: Callable[[Any, str], Any]
) -> list[tuple[Any, str, Any]]:
    """Who holds which name, and what was held there: what it is now where that has changed since `before`."""
    changed = {(id(owner), name) for owner, name, value in before if read(owner, name) is not value}
    return [(owner, name, read(owner, name) if (id(owner), name) in changed else value) for owner, name, value in kept]


def _attribute(owner: type, name: str) -> Any:
    return vars(owner).get(name)


def _is_conftest(plugin: Any) -> bool:
    return isinstance(plugin, ModuleType) and os.path.basename(plugin.__file__ or "") == "conftest.py"  # noqa: PTH119


def _held_by(module: ModuleType) -> Iterator[Any]:
    for name, value in tuple(vars(module).items()):
        if name.startswith("__"):
            # The built-in names among them, which are not the tests' own.
            continue
        if type(value) in _HOLDING:
            yield value
        elif is_plainly(value, FunctionType):
            yield from _defaults(value)
        elif type(value) is type and value.__module__ == module.__name__:
            for held in tuple(vars(value).values()):
                if type(held) in _HOLDING:
                    yield held
                elif is_plainly(held, FunctionType):
                    yield from _defaults(held)


def _defaults(function: FunctionType) -> Iterator[Any]:
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
