"""Exceptions as plain data: type names, message and arguments, without trusting the exception's own methods."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from regreen.sandbox.guest.wire.codec_format import BadMessage, CodecError
from regreen.sandbox.guest.wire.codec_write import ValueWriter, mro_of, name_of

_MESSAGE_CHARS = 4_000
_NAME_CHARS = 500
_ARGUMENT_BYTES = 1 << 16
_MOST_BASES = 50
_MOST_LINES = 1_000
_HIGHEST_LINE = 1 << 31

_BUILTIN = {kind: name for name, kind in vars(builtins).items() if type(kind) is type and BaseException in kind.__mro__}
_args_of: Callable[[BaseException], Any] = BaseException.__dict__["args"].__get__
_errno_of: Callable[[BaseException], Any] = OSError.__dict__["errno"].__get__


def describe_exception(error: BaseException) -> dict[str, Any]:
    """The exception as plain data; never raises, though a hostile `__str__` may take its time.

    `name` and `mro` are the names of its type and of that type's bases, `builtin` is the nearest exception of Python's
    own, `message` what `str` says (cut), `args` its arguments (None when they are not plain or too long), `errno` an
    OSError's number or None.
    """
    mro = mro_of(type(error))
    return {
        "name": name_of(mro[0]),
        "mro": [name_of(kind) for kind in mro[:_MOST_BASES]],
        "builtin": next((_BUILTIN[kind] for kind in mro if kind in _BUILTIN), "BaseException"),
        "message": _message(error),
        "args": _arguments(error),
        "errno": _errno(error),
    }


def checked_description(told: Any) -> dict[str, Any]:
    """A description of an exception as it came from a guest, each field checked and cut to what an honest guest sends.

    To the fields of `describe_exception` come `lines` (the program's lines in the traceback) and `flood` (whether this
    says that too much was printed). Raises BadMessage where it has another shape.
    """
    bases, lines = (told.get("mro", []), told.get("lines", [])) if type(told) is dict else (None, None)
    if type(bases) is not list or type(lines) is not list:
        raise BadMessage("an exception of another shape")
    names = [name for name in bases[:_MOST_BASES] if type(name) is str and len(name) <= _NAME_CHARS]
    return {
        "name": cut_text(told.get("name")),
        "mro": names or ["Exception"],
        "builtin": cut_text(told.get("builtin")),
        "message": cut_text(told.get("message"), _MESSAGE_CHARS),
        "args": told.get("args"),
        "lines": [n for n in lines[-_MOST_LINES:] if type(n) is int and 0 < n < _HIGHEST_LINE],
        "flood": told.get("flood") is True,
    }


def cut_text(told: Any, most: int = _NAME_CHARS) -> str:
    """A text that a guest sent, cut to length; nothing where it is no text."""
    return told[:most] if type(told) is str else ""


def _message(error: BaseException) -> str:
    try:
        text = str(error)
        return str.__str__(text[:_MESSAGE_CHARS] if type(text) is str else "")
    except BaseException as raised:  # noqa: BLE001  a hostile __str__ may raise anything, SystemExit too
        return f"<str() raised {name_of(type(raised))}>"


def _arguments(error: BaseException) -> tuple[Any, ...] | None:
    try:
        arguments: tuple[Any, ...] = _args_of(error)
        ValueWriter(_ARGUMENT_BYTES).items((arguments,), 0)
    except (CodecError, RecursionError, TypeError):
        return None
    return arguments


def _errno(error: BaseException) -> int | None:
    if OSError not in mro_of(type(error)):
        return None
    number = _errno_of(error)
    return number if type(number) is int else None
