"""The classes of stand-ins, made from what a guest says of its program's classes."""

from __future__ import annotations

import collections.abc
import sys
from abc import ABCMeta
from typing import Any, NoReturn

from regreen.sandbox.guest.runner.stand_ins.exception_rebuild import TOLD_TEXT
from regreen.sandbox.guest.runner.stand_ins.live_stand_ins import (
    CLASS_CHECKS,
    KindType,
    LiveObject,
    LiveType,
    Program,
    asking,
    asking_attribute,
    text_of,
)
from regreen.sandbox.guest.wire.codec_format import NotPlain
from regreen.sandbox.guest.wire.live_names import COMPARISONS, GENERATOR_METHODS, KNOWN_KINDS, SPECIAL_METHODS

_MOST_CLASSES = 2_000


class StandInClasses:
    """Makes the classes of one program's stand-ins; where a guest was lost, they stand for those of the next one."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.made: dict[Any, list[Any]] = {}
        """Description -> the classes of it, of which a function may make several."""
        self.earlier: dict[Any, list[Any]] = {}
        """Those for the guest before, which the same descriptions take up in the same order."""
        self.count = 0
        self.kinds: dict[str, Any] = {}
        self.metaclasses: dict[tuple[str, ...], type[LiveType]] = {(): LiveType}

    def renew(self) -> None:
        """Begin with another guest."""
        self.made, self.earlier = {}, self.made

    def of_kind(self, name: str) -> Any:
        """The class of stand-ins for one of Python's own kinds of live objects."""
        if name not in self.kinds:
            kind = KNOWN_KINDS[name]
            names = {"_regreen_kind": kind, "__module__": kind.__module__, "__qualname__": kind.__qualname__}
            defined = [special for special in SPECIAL_METHODS if special in dir(kind) and special not in _IDENTICAL]
            if issubclass(kind, collections.abc.Iterator):
                defined.remove("__iter__")
                names["__iter__"] = _itself
            if name in _BOUND:
                names |= dict.fromkeys(("__eq__", "__hash__", "__get__"), _undecided)
            elif name == "function":
                names["__get__"] = _undecided
            # A generator is told by what its class has, too.
            names |= {method: asking_attribute(method) for method in GENERATOR_METHODS if hasattr(kind, method)}
            self.kinds[name] = self._class(KindType, kind.__name__, (LiveObject,), names, defined, ())
        return self.kinds[name]

    def of_program(
        self,
        name: str,
        qualname: str,
        module: str,
        bases: tuple[Any, ...],
        specials: tuple[str, ...],
        absent: tuple[str, ...],
        meta: tuple[str, ...],
    ) -> Any:
        """The class of stand-ins for one of the program's. Raises TypeError or ValueError where there can be none."""
        key = (name, qualname, module, bases, specials, absent, meta)
        if earlier := self.earlier.get(key):
            made = earlier.pop(0)
        else:
            made = self._of_program(*key)
            if isinstance(kind := _abstract_class(module, qualname), ABCMeta):
                kind.register(made)
        self.made.setdefault(key, []).append(made)
        return made

    def _of_program(
        self, name: Any, qualname: Any, module: Any, bases: Any, specials: Any, absent: Any, meta: Any
    ) -> Any:
        if not all(type(base) in self.metaclasses.values() for base in bases) or self.count == _MOST_CLASSES:
            raise ValueError("bases that are no classes of the program")
        known = {*SPECIAL_METHODS}
        if not {*specials, *absent} <= known or not {*meta} <= known | CLASS_CHECKS.keys():
            raise ValueError("methods that are none")
        self.count += 1
        names = {"__module__": text_of(module), "__qualname__": text_of(qualname)}
        return self._class(self._metaclass(meta), text_of(name), bases or (LiveObject,), names, specials, absent)

    def _class(
        self, meta: type[LiveType], name: str, bases: Any, names: dict[str, Any], specials: Any, absent: Any
    ) -> Any:
        names |= {"__slots__": (), "_regreen_program": self.program}
        names |= {special: asking(special) for special in specials} | dict.fromkeys(absent)
        if "__eq__" in specials and "__hash__" not in {*specials, *absent}:
            names["__hash__"] = None
        return type.__new__(meta, name, bases, names)

    def _metaclass(self, methods: tuple[str, ...]) -> type[LiveType]:
        if methods not in self.metaclasses:
            names = {name: CLASS_CHECKS.get(name) or asking(name) for name in methods if name != "__call__"}
            self.metaclasses[methods] = type("LiveType", (LiveType,), names)
        return self.metaclasses[methods]


_IDENTICAL = COMPARISONS | {"__hash__", "__get__"}
"""Methods by which objects of Python's own kinds are told apart: each is itself."""
_BOUND = frozenset({"method", "builtin", "method-wrapper"})
"""Kinds of which a new object equals an old one."""


def _itself(iterator: Any) -> Any:
    """What `iter` gives for an iterator of Python's own."""
    return iterator


def _undecided(*_: Any) -> NoReturn:
    raise NotPlain("a check compares or binds functions of the program", outward=False)


def _abstract_class(module: str, qualname: str) -> Any:
    """The abstract class of the standard library that is told by these names, where a check may ask for it."""
    if module in ("collections.abc", "typing", "contextlib", "numbers"):
        return vars(sys.modules.get(module) or collections.abc).get(qualname)
    return None


class _LiveErrorType(type):
    """The class of exceptions that are more than their arguments: only the program can make one."""

    def __call__(cls, *_: Any, **__: Any) -> NoReturn:
        raise NotPlain("a check makes an exception of a class of the program", outward=True)


def error_class(
    name: str, qualname: str, module: str, bases: tuple[Any, ...], members: dict[str, Any], *, silent: bool
) -> type[BaseException]:
    """A class of exceptions in the judge's process for one of the program's."""
    if not bases or not all(isinstance(base, type) and issubclass(base, BaseException) for base in bases):
        raise ValueError("bases that are no exceptions")
    metas = {type(base) for base in bases}
    meta = type if silent and metas == {type} else _LiveErrorType
    names = {**members, "__module__": module, "__qualname__": qualname}
    if not silent:
        names |= {TOLD_TEXT: "", "__str__": lambda error: getattr(error, TOLD_TEXT)}
    return type.__new__(meta, name, bases, names)
