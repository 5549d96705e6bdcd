"""What stands in the judge's process for classes and objects of the program: whatever a check does to it, is asked.

A stand-in's class has the methods that the program's class has, as far as Python itself looks them up there, so that
operators, loops, `with` and `isinstance` go on as they would with the object itself. Nothing that an object says of
itself decides a comparison with plain data.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from regreen.sandbox.guest.wire.codec_format import NotPlain
from regreen.sandbox.guest.wire.live_names import ARITHMETIC, COMPARISONS

Asker = Callable[..., Any]
_TELLING = ARITHMETIC | {"__contains__"}
_UNEQUAL = (("__eq__", False), ("__ne__", True))
_PROBE = "\0regreen\0"
"""What no honest object equals."""
_OWN_NAMES = frozenset({"__name__", "__qualname__", "__module__", "__class__", "__copy__", "__deepcopy__"})
"""What a class in the judge's process says itself."""
_INNER_NAMES = frozenset({"__mro__", "__dict__"})
_ABSTRACT = frozenset({"collections.abc", "_collections_abc", "abc", "typing", "contextlib", "functools"})
"""Modules of the standard library that look into classes for methods: they shall see the stand-in's."""


_REPLACING = frozenset({"unittest.mock", "_pytest.monkeypatch"})
"""Modules that look up what a class or an object itself has, to put it back there."""


class Program(Protocol):
    """The program as its stand-ins see it."""

    packing: bool
    """Whether a message is being written or read: nothing can be asked meanwhile."""

    def ask(self, *question: Any) -> Any:
        """The guest's answer. Raises what the program raises."""

    def is_live(self, value: Any) -> bool:
        """Whether a value stands for an object of the program, or has one in it."""

    def note_word(self, what: str) -> None:
        """Note that the check which is running rests on the program's word."""


class LiveType(type):
    """The class of stand-ins' classes: what is done to one is done to the program's class."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make an instance, in the program."""
        return program_of(cls).ask("call", cls, args, tuple(kwargs.items()))

    def __getattribute__(cls, name: str) -> Any:
        if (
            cls is LiveObject
            or name in _OWN_NAMES
            or (name in _INNER_NAMES and sys._getframe(1).f_globals.get("__name__") in _ABSTRACT)
        ):
            return type.__getattribute__(cls, name)
        if name == "__dict__" and sys._getframe(1).f_globals.get("__name__") in _REPLACING:
            return _OwnNames(cls)
        return program_of(cls).ask("getattr", cls, name)

    def __setattr__(cls, name: str, value: Any) -> None:
        if name.startswith("__") or name.startswith("_abc_"):
            raise NotPlain(f"a check sets `{name}` of a class of the program", outward=True)
        program_of(cls).ask("setattr", cls, name, value)

    def __delattr__(cls, name: str) -> None:
        program_of(cls).ask("delattr", cls, name)

    def __repr__(cls) -> str:
        return text_of(program_of(cls).ask("repr", cls))

    def __dir__(cls) -> Any:
        return program_of(cls).ask("dir", cls)


class LiveObject(metaclass=LiveType):
    """The root of the classes of stand-ins."""

    __slots__ = ("_regreen_hash",)

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return seen_class(type(self))
        if name == "__dict__" and sys._getframe(1).f_globals.get("__name__") in _REPLACING:
            return _OwnNames(self)
        return program_of(type(self)).ask("getattr", self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        program_of(type(self)).ask("setattr", self, name, value)

    def __delattr__(self, name: str) -> None:
        program_of(type(self)).ask("delattr", self, name)

    def __repr__(self) -> str:
        return text_of(program_of(type(self)).ask("repr", self))

    def __str__(self) -> str:
        return text_of(program_of(type(self)).ask("str", self))

    def __format__(self, form: str) -> str:
        return text_of(program_of(type(self)).ask("format", self, form))

    def __dir__(self) -> Any:
        return program_of(type(self)).ask("dir", self)

    def __copy__(self) -> Any:
        return program_of(type(self)).ask("copy", self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if memo:
            raise NotPlain("a check copies live objects of the program together with others", outward=True)
        return program_of(type(self)).ask("deepcopy", self)

    def __init_subclass__(cls) -> None:
        if "_regreen_program" not in type.__getattribute__(cls, "__dict__"):
            raise NotPlain("the checks inherit from a class of the program", outward=True)


class _OwnNames(Mapping[str, Any]):
    """What a class of the program, or an object, has of itself, by name."""

    def __init__(self, owner: LiveType | LiveObject) -> None:
        self.owner = owner

    def __getitem__(self, name: str) -> Any:
        has, value = program_of(_class_of(self.owner)).ask("own", self.owner, name)
        if has is not True:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        raise NotPlain("a check goes through all that an object of the program has", outward=True)

    def __len__(self) -> int:
        raise NotPlain("a check counts what an object of the program has", outward=True)


class KindType(LiveType):
    """The class of the classes of stand-ins for Python's own kinds of objects: each passes for that kind."""

    def __getattribute__(cls, name: str) -> Any:
        if sys._getframe(1).f_globals.get("__name__") in _REPLACING:
            # They ask whether an attribute of an object goes by way of a descriptor of its class.
            return getattr(seen_class(cls), name)
        return super().__getattribute__(name)

    def __eq__(cls, other: object) -> bool:
        return seen_class(cls) is seen_class(other)

    def __hash__(cls) -> int:
        return hash(seen_class(cls))

    def __repr__(cls) -> str:
        return repr(seen_class(cls))


def program_of(kind: type) -> Program:
    """The program that a stand-in's class belongs to."""
    return type.__getattribute__(kind, "_regreen_program")  # type: ignore[no-any-return]


def text_of(answer: Any) -> str:
    """The answer, where it is a text. Raises TypeError for anything else."""
    if type(answer) is not str:
        raise TypeError("no text")
    return answer


def seen_class(kind: Any) -> Any:
    """What a check takes a class for: one of Python's own where it is that of such a kind; anything else is itself."""
    return type.__getattribute__(kind, "__dict__")["_regreen_kind"] if issubclass(type(kind), KindType) else kind


def asking(special: str) -> Callable[..., Any]:
    """The method of a stand-in for one that Python itself looks up."""
    if special in COMPARISONS:
        return _comparing(special)
    if special == "__hash__":
        return _hash
    if special == "__call__":
        return _call

    def method(self: Any, *args: Any) -> Any:
        program = program_of(_class_of(self))
        if special in _TELLING and not all(map(program.is_live, args)):
            # Where a check takes the object for plain data, this may be what it expects.
            program.note_word("an object of the program does what Python does with plain data by code of its own")
        return program.ask("special", self, special, args)

    return method


def asking_attribute(name: str) -> Callable[..., Any]:
    """The method of a stand-in for an ordinary one."""

    def method(self: Any, *args: Any) -> Any:
        return program_of(type(self)).ask("method", self, name, args, ())

    return method


def _class_of(value: Any) -> type:
    """The class that knows the program: a class is asked itself."""
    return value if issubclass(type(value), LiveType) else type(value)


def _call(self: Any, /, *args: Any, **kwargs: Any) -> Any:
    return program_of(type(self)).ask("call", self, args, tuple(kwargs.items()))


def _comparing(special: str) -> Callable[[Any, Any], Any]:
    def compare(self: Any, other: Any) -> Any:
        program = program_of(_class_of(self))
        answer = program.ask("special", self, special, (other,))
        if answer is NotImplemented:
            return answer
        if type(answer) is not bool:
            raise NotPlain("a live object is compared, and the answer is neither true nor false", outward=False)
        program.note_word("an object of the program is compared by code of its own")
        if not program.is_live(other):
            # Unequal is what any wrong answer is; nothing else is for the object to say.
            if (special, answer) not in _UNEQUAL:
                raise NotPlain("a live object says itself how it compares with plain data", outward=False)
        elif special == "__eq__" and answer and _claims_all(program, self):
            raise NotPlain("a live object claims to equal everything", outward=False)
        return answer

    return compare


def _claims_all(program: Program, value: Any) -> bool:
    try:
        return program.ask("special", value, "__eq__", (_PROBE,)) is True
    except Exception:  # noqa: BLE001  an honest __eq__ may expect another object of its class
        return False


def _hash(self: Any) -> int:
    program = program_of(_class_of(self))
    if not program.packing:
        keep_hash(self, program.ask("special", self, "__hash__", ()))
    try:
        return object.__getattribute__(self, "_regreen_hash")  # type: ignore[no-any-return]
    except AttributeError:
        raise NotPlain("a set or dict of live objects with a hash of their own", outward=False) from None


def keep_hash(stand_in: Any, own_hash: Any) -> None:
    """Keep what the object's own `__hash__` says, for sets and dicts of a message."""
    object.__setattr__(stand_in, "_regreen_hash", own_hash)


def _instance_check(cls: Any, value: Any) -> bool:
    return type.__instancecheck__(cls, value) or _asked_of_class(cls, "__instancecheck__", value)


def _subclass_check(cls: Any, value: Any) -> bool:
    return type.__subclasscheck__(cls, value) or _asked_of_class(cls, "__subclasscheck__", value)


def _asked_of_class(cls: Any, special: str, value: Any) -> bool:
    return program_of(cls).ask("special", cls, special, (value,)) is True


CLASS_CHECKS: dict[str, Callable[..., Any]] = {
    "__instancecheck__": _instance_check,
    "__subclasscheck__": _subclass_check,
}
"""The methods of the class of stand-ins' classes by which a program may say itself what is an instance."""
