"""Exceptions as plain data: type names, message and arguments, without trusting the exception's own methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from regreen.sandbox.guest.wire.codec_format import BadMessage
from regreen.sandbox.guest.wire.exception_parts import BUILTIN_EXCEPTIONS, exception_parts, is_short
from regreen.sandbox.guest.wire.true_types import mro_of, name_of

_MESSAGE_CHARS = 1 << 16
_NAME_CHARS = 500
_MOST_BASES = 50
_MOST_LINES = 1_000
_HIGHEST_LINE = 1 << 31
_MOST_DESCRIBED = 50
"""Exceptions behind one, and in it, that are described."""
_MORE = ("parts", "cause", "context", "same", "suppress", "group")

_args_of: Callable[[BaseException], Any] = BaseException.__dict__["args"].__get__
_cause_of: Callable[[BaseException], Any] = BaseException.__dict__["__cause__"].__get__
_context_of: Callable[[BaseException], Any] = BaseException.__dict__["__context__"].__get__
_suppresses: Callable[[BaseException], Any] = BaseException.__dict__["__suppress_context__"].__get__
_members_of: Callable[[BaseException], Any] = BaseExceptionGroup.__dict__["exceptions"].__get__
_errno_of: Callable[[BaseException], Any] = OSError.__dict__["errno"].__get__


def describe_exception(error: BaseException, known: set[int] | None = None) -> dict[str, Any]:
    """The exception as plain data; never raises, though a hostile `__str__` may take its time.

    `name` and `mro` are the names of its type and of that type's bases, `builtin` is the nearest exception of Python's
    own, `message` what `str` says (cut), `args` its arguments (None when they are not plain or too long), `errno` an
    OSError's number or None. Where there is more to it, `parts` are its `exception_parts`, `cause` and `context` the
    exceptions behind it (`same` where they are one), `suppress` whether the latter is hidden, and `group` those that it
    holds. `known` has the ids of what is described already, which is left out.
    """
    mro = mro_of(type(error))
    described: dict[str, Any] = {
        "name": name_of(mro[0]),
        "mro": [name_of(kind) for kind in mro[:_MOST_BASES]],
        "builtin": next((BUILTIN_EXCEPTIONS[kind] for kind in mro if kind in BUILTIN_EXCEPTIONS), "BaseException"),
        "message": _message(error),
        "args": _arguments(error),
        "errno": _errno(error),
    }
    if parts := exception_parts(error):
        described["parts"] = parts
    known = set() if known is None else known
    known.add(id(error))
    if _suppresses(error) is True:
        described["suppress"] = True
    cause, context = _cause_of(error), _context_of(error)
    if cause is not None and cause is context:
        described["same"], context = True, None
    for name, other in (("cause", cause), ("context", context)):
        if other is not None and id(other) not in known and len(known) < _MOST_DESCRIBED:
            described[name] = describe_exception(other, known)
    if BaseExceptionGroup in mro:
        described["group"] = [describe_exception(other, known) for other in _members_of(error)[:_MOST_DESCRIBED]]
    return described


def checked_description(told: Any) -> dict[str, Any]:
    """A description of an exception as it came from a guest, each field checked and cut to what an honest guest sends.

    To the fields of `describe_exception` come `lines` (the program's lines in the traceback) and `flood` (whether this
    says that too much was printed); what is special about it is checked when it is rebuilt. Raises BadMessage where it
    has another shape.
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
        **{name: told[name] for name in _MORE if name in told},
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
    arguments: tuple[Any, ...] = _args_of(error)
    return arguments if is_short(arguments) else None


def _errno(error: BaseException) -> int | None:
    if OSError not in mro_of(type(error)):
        return None
    number = _errno_of(error)
    return number if type(number) is int else None
