"""Functions where they are found, with what they were: kept so that it is soon told whether any has changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter, call, is_, itemgetter
from types import FunctionType, ModuleType
from typing import Any

from regreen.sandbox.guest.runner.lazy_values import is_plainly
from regreen.sandbox.guest.runner.tampering.library_code import inner_code

_MISSING = object()
_CODE = attrgetter("__code__")
_WRAPPERS = ((attrgetter("__func__"), (staticmethod, classmethod)), (attrgetter("fget"), (property,)))
"""What gives the function that an attribute of a class wraps, by its kind."""


class Watched:
    """One function, where it is found, and its code."""

    __slots__ = ("allowed", "key", "name", "names", "of_checks", "value")

    def __init__(self, name: str, names: Mapping[str, Any], key: str, value: Any, *, of_checks: bool) -> None:
        self.name = f"{name}.{key}"
        self.names = names
        self.key = key
        self.value = value
        self.allowed = [(value, inner_code(value))]
        """What may be there, with its code: what was at first, and what others than the program have put there."""
        self.of_checks = of_checks
        """Whether the checks name or define it, rather than what runs them."""

    def is_as_before(self) -> bool:
        """Whether what is there now is what may be."""
        return self.allows(self.names.get(self.key, _MISSING))

    def allows(self, value: Any) -> bool:
        """Whether this is one of the values that may be there, and has the code that it had."""
        return any(value is each and inner_code(value) is code for each, code in self.allowed)

    def allow(self) -> None:
        """Have what is there now be right, too."""
        value = self.names.get(self.key, _MISSING)
        if not self.allows(value):
            self.allowed.append((value, inner_code(value)))


class Snapshot:
    """What all entries are at one time, kept so that Python compares it without a call for each: after every check."""

    __slots__ = ("_codes", "_functions", "_inner", "_names", "_takers", "_values", "_wrapped")

    def __init__(self, entries: Sequence[Watched]) -> None:
        places: dict[int, tuple[Mapping[str, Any], list[str]]] = {}
        for entry in entries:
            places.setdefault(id(entry.names), (entry.names, []))[1].append(entry.key)
        self._names = [names for names, _ in places.values()]
        # Of one key alone no tuple would be taken.
        self._takers = [itemgetter(*keys, keys[0]) for _, keys in places.values()]
        self._values = [names.get(key, _MISSING) for names, keys in places.values() for key in (*keys, keys[0])]
        found = [entry.names.get(entry.key) for entry in entries]
        self._wrapped = [(ask, [each for each in found if type(each) in kinds]) for ask, kinds in _WRAPPERS]
        self._inner = [function for ask, wrapped in self._wrapped for function in map(ask, wrapped)]
        self._functions = [value for value in (*found, *self._inner) if type(value) is FunctionType]
        self._codes = list(map(_CODE, self._functions))

    def holds(self) -> bool:
        """Whether nothing is another object by now, and no function has other code."""
        values = chain.from_iterable(map(call, self._takers, self._names))
        inner = chain.from_iterable(map(ask, wrapped) for ask, wrapped in self._wrapped)
        codes = map(_CODE, self._functions)
        try:
            return (
                all(map(is_, values, self._values))
                and all(map(is_, inner, self._inner))
                and all(map(is_, codes, self._codes))
            )
        except KeyError:
            return False


def watched_functions(module: ModuleType) -> Iterator[Watched]:
    """The functions and classes of a module's own, and the methods of these."""
    names = vars(module)
    for key, value in tuple(names.items()):
        own = module.__name__ == "pytest" or getattr(value, "__module__", None) == module.__name__
        if own and issubclass(type(value), (type, FunctionType)):
            yield Watched(module.__name__, names, key, value, of_checks=False)
        if own and is_plainly(value, type) and value.__module__ == module.__name__:
            yield from watched_methods(value, f"{value.__module__}.{value.__qualname__}", of_checks=False)


def watched_methods(owner: type, name: str, *, of_checks: bool) -> Iterator[Watched]:
    """The methods that a class defines itself."""
    names = vars(owner)
    for key, value in tuple(names.items()):
        if isinstance(value, (FunctionType, staticmethod, classmethod, property)):
            yield Watched(name, names, key, value, of_checks=of_checks)
