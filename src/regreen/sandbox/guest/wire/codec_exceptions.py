"""Exceptions as plain data: type names, message and arguments, without trusting the exception's own methods."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from regreen.sandbox.guest.wire.codec_format import CodecError
from regreen.sandbox.guest.wire.codec_write import ValueWriter, mro_of, name_of

_MESSAGE_CHARS = 4_000
_ARGUMENT_BYTES = 1 << 16

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
        "mro": [name_of(kind) for kind in mro[:50]],
        "builtin": next((_BUILTIN[kind] for kind in mro if kind in _BUILTIN), "BaseException"),
        "message": _message(error),
        "args": _arguments(error),
        "errno": _errno(error),
    }


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
