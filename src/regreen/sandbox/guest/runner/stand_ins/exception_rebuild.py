"""Exceptions of the program, made again in the judge's process from what the guest says of them.

Python's own classes, those of libraries that the checks have imported, and mirrors of the program's are used as they
are; for any other a class of the same name is made. No constructor but Python's own is called. An attribute that could
not cross says so when a check looks at it.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from regreen.sandbox.guest.wire.codec_format import NotPlain
from regreen.sandbox.guest.wire.exception_parts import BUILTIN_EXCEPTIONS, slots_of

_MOST_CLASSES = 200
"""Classes that are made for one program; what comes after them is told by Python's own."""
TOLD_TEXT = "__regreen_text__"
"""The attribute of exceptions that holds what the program says their text is."""
_OURS = frozenset({"regreen", "_pytest", "pytest", "unittest", "doctest"})
"""Packages whose exceptions steer the checks themselves: no program raises them here."""


class ExceptionRebuilder:
    """Makes the exceptions of one program again; each class of them once."""

    def __init__(self) -> None:
        self.mirrors: dict[str, type[BaseException]] = {}
        """The program's own classes that the checks name."""
        self.made: dict[Any, type[BaseException]] = {}

    def rebuild(self, described: Any, kind: type[BaseException] | None = None) -> BaseException:
        """The exception, of the class `kind` where that is given.

        Raises TypeError or ValueError where the description has another shape.
        """
        described = _mapping(described)
        parts = _mapping(described.get("parts"))
        args, live = described.get("args"), [name for name in _list(parts.get("live")) if type(name) is str]
        message = described.get("message")
        message = message if type(message) is str else ""
        kind = kind or self._kind(described, parts)
        arguments = args if type(args) is tuple else (message,) if message else ()
        group = _list(described.get("group")) if issubclass(kind, BaseExceptionGroup) else []
        inner = [self.rebuild(other) for other in group]
        error = new_error(kind, arguments, parts, inner)
        if type(args) is not tuple and "args" in described:
            live.append("args")
        if live or (_text(error) != message and not hasattr(kind, TOLD_TEXT)):
            special = self._special(kind, live, message)
            error = new_error(special, arguments, parts, inner) if special else error
        for name, slot in (("cause", "__cause__"), ("context", "__context__")):
            if (other := described.get(name)) is not None:
                setattr(error, slot, self.rebuild(other))
        if described.get("same") is True:
            error.__context__ = error.__cause__
        if hasattr(kind, TOLD_TEXT):
            setattr(error, TOLD_TEXT, message)
        error.__suppress_context__ = described.get("suppress") is True
        return error

    def _kind(self, described: Mapping[str, Any], parts: Mapping[str, Any]) -> type[BaseException]:
        base = getattr(builtins, str(described.get("builtin")), None)
        if not (isinstance(base, type) and issubclass(base, BaseException)):
            return RuntimeError
        classes = [_class_row(row) for row in _list(parts.get("classes"))]
        names = [name for name in _list(described.get("mro")) if type(name) is str]
        if not classes and names[:1] == [base.__name__]:
            return base
        if not classes:
            mirror = next((self.mirrors[name] for name in names if name in self.mirrors), base)
            return mirror if not names or mirror.__name__ == names[0] else self._named(names[0], mirror)
        own_builtins = [getattr(builtins, str(name), None) for name in _list(parts.get("bases"))]
        found: list[type[BaseException]] = []
        members: dict[str, Any] = {}
        for module, qualname, plain, live in classes:
            known = self.known(module, qualname)
            if known is not None:
                found.append(known)
            if known is None or known in self.mirrors.values():
                members = {**{name: _live_member(name) for name in live}, **plain, **members}
        exact = found and not members and self.known(*classes[0][:2]) is found[0]
        bases = _nearest([*found, *(kind for kind in own_builtins if kind in BUILTIN_EXCEPTIONS), base])
        return bases[0] if exact else self._made(classes[0][0], classes[0][1], bases, members)

    def known(self, module: str, qualname: str) -> type[BaseException] | None:
        """A class of the judge's own process: a mirror, or one of a library that is loaded."""
        if module.partition(".")[0] in _OURS:
            return None
        found: Any = sys.modules.get(module)
        for name in qualname.split("."):
            found = getattr(found, "__dict__", {}).get(name)
        fits = isinstance(found, type) and issubclass(found, BaseException)
        return found if fits and (found.__module__, found.__qualname__) == (module, qualname) else None

    def members(self, plain: Any, live: Any) -> dict[str, Any]:
        """The attributes of a class: plain ones, and what stands for live ones."""
        named = {name: _live_member(name) for name in _list(live) if type(name) is str}
        return {**named, **{name: value for name, value in _mapping(plain).items() if type(name) is str}}

    def _named(self, name: str, base: type[BaseException]) -> type[BaseException]:
        return self._made(base.__module__ if base in self.mirrors.values() else "program", name, (base,), {})

    def _made(
        self, module: str, qualname: str, bases: tuple[type[BaseException], ...], members: dict[str, Any]
    ) -> type[BaseException]:
        """A class of that name; the same one for the same description."""
        key = (module, qualname, bases, tuple(members))
        if key not in self.made and len(self.made) < _MOST_CLASSES:
            names = {"__module__": module, "__qualname__": qualname, **members}
            try:
                self.made[key] = type(qualname.rpartition(".")[2], bases, names)
            except (TypeError, ValueError):
                # Bases whose layouts differ, or no name for a class.
                self.made[key] = bases[0]
        return self.made.get(key, bases[0])

    def _special(self, kind: type[BaseException], live: list[str], message: str) -> type[BaseException] | None:
        """A class of the same name whose text is the message, and whose live attributes cannot be looked at."""
        try:
            return type(
                kind.__name__,
                (kind,),
                {
                    "__module__": kind.__module__,
                    "__qualname__": kind.__qualname__,
                    "__str__": lambda error: message,
                    **{name: _Live(name) for name in live},
                },
            )
        except (TypeError, ValueError):
            return None


def _live_member(name: str) -> Any:
    """What stands for an attribute of a class that could not cross. Python calls special methods in ways of its own."""
    if not (name.startswith("__") and name.endswith("__")):
        return _Live(name)

    def special(*_: Any, **__: Any) -> NoReturn:
        raise NotPlain(f"a check uses `{name}` of an exception, which cannot cross", outward=False)

    return special


class _Live:
    """An attribute that could not cross."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: Any) -> NoReturn:
        raise NotPlain(f"a check looks at `{self.name}` of an exception, which cannot cross", outward=False)

    def __set__(self, instance: Any, value: Any) -> None:
        raise NotPlain(f"a check sets `{self.name}` of an exception, which cannot cross", outward=False)


def new_error(
    kind: type[BaseException], args: tuple[Any, ...], parts: Mapping[str, Any], inner: Sequence[BaseException] = ()
) -> BaseException:
    """An exception of the class, as Python's own classes make it; `inner` are the exceptions of a group."""
    base: Any = next(known for known in kind.__mro__ if known in BUILTIN_EXCEPTIONS)
    if issubclass(kind, BaseExceptionGroup):
        message = _mapping(parts.get("slots")).get("message")
        return _filled(base.__new__(kind, message if type(message) is str else "", inner), None, parts)
    try:
        error = base.__new__(kind, *args)
    except (TypeError, ValueError):
        error = kind.__new__(kind)
    return _filled(error, args, parts)


def _filled(error: BaseException, args: Any, parts: Mapping[str, Any]) -> BaseException:
    slots = _mapping(parts.get("slots"))
    for kind in type(error).__mro__:
        for name, descriptor in slots_of(kind) if kind in BUILTIN_EXCEPTIONS else ():
            if name in slots:
                try:
                    descriptor.__set__(error, slots[name])
                except (AttributeError, TypeError, ValueError, OverflowError):
                    continue
    if type(args) is tuple:
        BaseException.__dict__["args"].__set__(error, args)
    own = BaseException.__dict__["__dict__"].__get__(error)
    own.update({name: value for name, value in _mapping(parts.get("attributes")).items() if type(name) is str})
    return error


def _nearest(kinds: list[Any]) -> tuple[type[BaseException], ...]:
    """The classes of which no other in the list is a subclass, in order."""
    unique = list(dict.fromkeys(kinds))
    return tuple(k for k in unique if not any(other is not k and issubclass(other, k) for other in unique))


def _class_row(row: Any) -> tuple[str, str, dict[str, Any], list[str]]:
    module, qualname, plain, live = _list(row)
    if type(module) is not str or type(qualname) is not str or not qualname:
        raise TypeError("a class of another shape")
    kept = {name: value for name, value in _mapping(plain).items() if type(name) is str}
    return module, qualname, kept, [name for name in _list(live) if type(name) is str]


def _text(error: BaseException) -> str | None:
    try:
        return str(error)
    except Exception:  # noqa: BLE001  a library's __str__ that wants other attributes
        return None


def _mapping(value: Any) -> Mapping[str, Any]:
    if value is None:
        return {}
    if type(value) is not dict:
        raise TypeError("an exception of another shape")
    return value


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    if type(value) is not list:
        raise TypeError("an exception of another shape")
    return value
