"""Functions of the checks that a program is handed: what it is told of them, and how one is told from another.

Methods of one object are equal whenever they are bound, and a partial shows what it is made of. A function with
attributes is not lent: the program could read them, and the checks change them, at any time.
"""

from __future__ import annotations

import types
from collections import deque
from functools import partial
from typing import Any

from regreen.sandbox.guest.wire.codec_format import Unplain

_DUNDER = ("__name__", "__qualname__", "__module__", "__doc__")
_MOST_WATCHED = 100
"""Functions, the last ones, that are looked at for attributes which they were given meanwhile."""
_ATTRIBUTES = "an attribute of a function of the checks"


class LentFunctions:
    """The functions of the checks that one program was handed."""

    def __init__(self) -> None:
        self.owners: dict[int, tuple[int, Any]] = {}
        """Id of an object whose method was handed over -> its number, and the object, which so keeps its id."""
        self.watched: deque[types.FunctionType] = deque(maxlen=_MOST_WATCHED)

    def described(self, value: Any) -> tuple[Any, ...] | None:
        """What the program is told of a function, a method or a partial; None for anything else.

        Raises Unplain for one with attributes.
        """
        if isinstance(value, types.FunctionType):
            self._watch(value)
            return "callback", *_names(value)
        if type(value) is partial:
            if vars(value):
                raise Unplain(_ATTRIBUTES)
            return "partial", value.func, value.args, tuple(value.keywords.items())
        if isinstance(value, types.MethodType) and isinstance(value.__func__, types.FunctionType):
            self._watch(value.__func__)
            return "method", self._number(value.__self__), self._number(value.__func__), *_names(value)
        if isinstance(value, types.BuiltinFunctionType) and not isinstance(value.__self__, types.ModuleType | None):
            return "method", self._number(value.__self__), value.__name__, *_names(value)
        is_function = isinstance(value, types.MethodType | types.BuiltinFunctionType)
        return ("callback", *_names(value)) if is_function else None

    def check(self) -> None:
        """Raise Unplain where a function that the program has was given an attribute meanwhile."""
        if any(vars(function) for function in self.watched):
            raise Unplain(_ATTRIBUTES)

    def _watch(self, function: types.FunctionType) -> None:
        if function not in self.watched:
            self.watched.append(function)
        self.check()

    def _number(self, owner: Any) -> int:
        number, _ = self.owners.setdefault(id(owner), (len(self.owners), owner))
        return number


def _names(function: Any) -> tuple[str | None, ...]:
    names = (getattr(function, name, None) for name in _DUNDER)
    return tuple(name if type(name) is str else None for name in names)
