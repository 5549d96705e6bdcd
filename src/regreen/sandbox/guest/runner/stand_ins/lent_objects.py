"""Objects of the checks that a program is lent: what it may do with mocks and with texts that are read like files.

They stay in the judge's process, which does to them what the program asks for, and nothing else: a mock's attributes
and calls are the program's, what it tells of them is the checks' alone.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import Any

from regreen.sandbox.guest.wire.codec_format import BadMessage, NotPlain
from regreen.sandbox.guest.wire.live_names import COMPARISONS, SPECIAL_METHODS

_MOCKS = ("Mock", "MagicMock", "NonCallableMock", "NonCallableMagicMock")
_NOT_LENT = COMPARISONS | {"__hash__", "__get__", "__set__", "__delete__", "__set_name__", "__call__", "__missing__"}
_SPECIALS = (*(name for name in SPECIAL_METHODS if name not in _NOT_LENT), "__repr__", "__str__")
_ASYNC = frozenset({"__aenter__", "__aexit__", "__aiter__", "__anext__", "__await__"})
"""Methods of a mock that give coroutines, which would run in the judge's process."""
_STREAMS = (io.StringIO, io.BytesIO)
STREAM_METHODS = (
    "read readline readlines write writelines getvalue seek tell truncate close flush readable writable seekable "
    "__next__ __exit__"
).split()
_TELLS_ALL = "the program looks at what a mock tells the checks alone"


class LentObjects:
    """The mocks and streams of the checks that one program was lent."""

    def __init__(self, refuse: Callable[[NotPlain], BaseException]) -> None:
        self.refuse = refuse
        self.mocks: dict[int, Any] = {}
        """By their ids; kept, so that no id is used twice."""
        self.streams: dict[int, Any] = {}

    def described(self, value: Any) -> tuple[Any, ...] | None:
        """What the program is told of an object that it may be lent; None for any other."""
        if type(value) in _STREAMS:
            self.streams[id(value)] = value
            return "stream", type(value).__name__
        if not _is_mock(value):
            return None
        self.mocks[id(value)] = value
        members = {name for base in type(value).__mro__[:-1] for name in vars(base)}
        return (
            "mock",
            type(value).__name__,
            callable(value),
            tuple(name for name in _SPECIALS if name in members and name not in _ASYNC),
            tuple(name for name in _ASYNC if name in members),
        )

    def use(self, target: Any, operation: Any, *parts: Any) -> Any:
        """Do what the program asks for. Raises what that raises, and BadMessage for what no honest program asks."""
        uses = _OF_MOCKS if id(target) in self.mocks else _OF_STREAMS if id(target) in self.streams else {}
        try:
            use = uses[operation]
        except (KeyError, TypeError):
            raise BadMessage("a use that no object of the checks has") from None
        return use(self, target, *parts)

    def _call(self, target: Any, args: Any, kwargs: Any) -> Any:
        if type(args) is not tuple or type(kwargs) is not tuple or not callable(target):
            raise BadMessage("a call of another shape")
        return target(*args, **dict(kwargs))

    def _own(self, name: Any) -> str:
        """A name of the program's own choice. Raises NotPlain for those by which a mock is led, or tells."""
        if type(name) is not str:
            raise BadMessage("a name that is none")
        if name in _reserved() or name.startswith(("__", "_mock", "_spec", "assert")):
            raise self.refuse(NotPlain(_TELLS_ALL, outward=True))
        return name

    def _get(self, target: Any, name: Any) -> Any:
        return getattr(target, self._own(name))

    def _set(self, target: Any, name: Any, value: Any) -> None:
        setattr(target, self._own(name), value)

    def _special(self, target: Any, name: Any, args: Any) -> Any:
        if name not in _SPECIALS or type(args) is not tuple:
            raise BadMessage("a method that is not lent")
        # By the object: a mock's class gives out what its instances share, and binds nothing.
        return getattr(target, name)(*args)

    def _method(self, target: Any, name: Any, args: Any) -> Any:
        if name not in STREAM_METHODS or type(args) is not tuple:
            raise BadMessage("a method that is not lent")
        return getattr(target, name)(*args)

    def _is_closed(self, target: Any) -> bool:
        return bool(target.closed)


_OF_MOCKS: dict[str, Callable[..., Any]] = {
    "call": LentObjects._call,
    "getattr": LentObjects._get,
    "setattr": LentObjects._set,
    "special": LentObjects._special,
}
_OF_STREAMS: dict[str, Callable[..., Any]] = {"method": LentObjects._method, "closed": LentObjects._is_closed}


def _library() -> Any:
    """The module of mocks, where the checks have loaded it."""
    return sys.modules.get("unittest.mock")


def _is_mock(value: Any) -> bool:
    """Whether an object is a mock that answers alike from afar: it passes for no other class, and is not awaited."""
    library = _library()
    if library is None or not issubclass(type(value), library.NonCallableMock):
        return False
    kind = type(value).__mro__[1]
    is_plain = any(kind is getattr(library, name) for name in _MOCKS)
    return is_plain and value.__dict__.get("_mock_methods") is None and value.__dict__.get("_spec_class") is None


def _reserved() -> frozenset[str]:
    """The names that a mock has of itself."""
    global _RESERVED
    if not _RESERVED:
        _RESERVED = frozenset(dir(_library().MagicMock()))
    return _RESERVED


_RESERVED: frozenset[str] = frozenset()


def ask_program_for_coroutines(is_live: Callable[[Any], bool], ask: Callable[..., Any]) -> None:
    """Have `patch` ask the program whether what it replaces is a coroutine function: its mock is another then."""
    import unittest.mock

    def is_async(value: Any) -> bool:
        return bool(ask("is async", value)) if is_live(value) else before(value)

    library: Any = unittest.mock
    before = _OF_PYTHON.setdefault("_is_async_obj", library._is_async_obj)
    library._is_async_obj = is_async


_OF_PYTHON: dict[str, Callable[[Any], bool]] = {}
"""What was in the library before."""
