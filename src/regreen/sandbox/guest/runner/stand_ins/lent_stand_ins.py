"""What stands in the program's process for mocks and streams of its checks: whatever it does to one, is asked."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, NoReturn, Protocol

from regreen.sandbox.guest.runner.stand_ins.lent_objects import STREAM_METHODS

_REFUSED = ("__delattr__", "__dir__", "__copy__", "__deepcopy__", "__reduce_ex__")
"""What a program may do to a mock that would tell it from a stand-in."""


class Checks(Protocol):
    """The checks as their objects' stand-ins see them."""

    def ask(self, *question: Any) -> Any:
        """The judge's answer. Raises what the checks' object raises."""

    def refuse(self, why: str) -> None:
        """Have the judge know that these checks cannot be judged so; never returns."""


def lent_mock(
    checks: Checks, name: str, is_callable: bool, specials: tuple[str, ...], refused: tuple[str, ...]
) -> object:
    """What stands for a mock of the checks."""

    def get(mock: Any, attribute: str) -> Any:
        if attribute == "__dict__":
            checks.refuse("the program looks at all that a mock has")
        if attribute.startswith("__") and attribute.endswith("__"):
            raise AttributeError(attribute)
        return checks.ask("lent", mock, "getattr", attribute)

    def put(mock: Any, attribute: str, value: Any) -> None:
        checks.ask("lent", mock, "setattr", attribute, value)

    names: dict[str, Any] = {"__slots__": (), "__module__": "unittest.mock", "__getattr__": get, "__setattr__": put}
    names |= {special: _asking(checks, special) for special in specials}
    names |= {special: _refusing(checks, special) for special in (*_REFUSED, *refused)}
    if is_callable:
        names["__call__"] = _calling(checks)
    return type(name, (), names)()


def _calling(checks: Checks) -> Callable[..., Any]:
    def call(mock: Any, /, *args: Any, **kwargs: Any) -> Any:
        return checks.ask("lent", mock, "call", args, tuple(kwargs.items()))

    return call


def _asking(checks: Checks, special: str) -> Callable[..., Any]:
    def method(mock: Any, *args: Any) -> Any:
        return checks.ask("lent", mock, "special", special, args)

    return method


def _refusing(checks: Checks, special: str) -> Callable[..., Any]:
    def method(mock: Any, *_: Any) -> NoReturn:
        checks.refuse(f"the program uses `{special}` of a mock")
        raise AssertionError("unreachable")

    return method


def lent_stream(checks: Checks, name: str) -> object:
    """What stands for a text, or bytes, that the checks hand over in place of a file."""
    base = {"StringIO": io.StringIO, "BytesIO": io.BytesIO}[name]
    names: dict[str, Any] = {method: _stream_method(checks, method) for method in STREAM_METHODS}
    names |= {
        "__module__": "_io",
        "__iter__": lambda stream: stream,
        "__enter__": lambda stream: stream,
        # A file that nobody holds any more is closed: this is not the file.
        "__del__": lambda stream: None,
        "closed": property(lambda stream: checks.ask("lent", stream, "closed")),
        **{method: _refusing(checks, method) for method in ("readinto", "getbuffer", "read1", "__reduce_ex__")},
    }
    return type(name, (base,), names)()


def _stream_method(checks: Checks, name: str) -> Callable[..., Any]:
    def method(stream: Any, *args: Any) -> Any:
        return checks.ask("lent", stream, "method", name, args)

    return method
