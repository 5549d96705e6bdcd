"""Exceptions that checks raise into a program, and their classes: what the program is told of them.

It is told all that is plain, and the names of the rest, without running code of their own but `__str__`. A program that
looks at the rest is answered nothing: such checks are judged in another way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from regreen.sandbox.guest.wire.codec_format import Unplain
from regreen.sandbox.guest.wire.exception_parts import BUILTIN_EXCEPTIONS, class_parts, exception_parts
from regreen.sandbox.guest.wire.true_types import dict_of_type, mro_of, name_of

_UNSEEN = frozenset({"__slots__", "__init_subclass__", "__class_getitem__", "__set_name__", "__new__"})
"""What a class has for itself and for making others, and no program asks an exception for."""
_MAKERS = frozenset({"__init__", "__new__"})


def described_error(error: BaseException, is_ours: Callable[[type], bool]) -> tuple[Any, ...]:
    """Class, arguments, text, slots, attributes, names of attributes that cannot cross, and the cause of an exception.

    The text is None where Python's own class tells it. `is_ours` says whether a class is the program's. Raises Unplain
    for what ends a check, as a skip does: no program is told of it.
    """
    kind = type(error)
    is_known = kind in BUILTIN_EXCEPTIONS or is_ours(kind)
    if not is_known and not isinstance(error, Exception):
        raise Unplain(name_of(kind))
    parts = exception_parts(error)
    tells = not is_known and any("__str__" in dict_of_type(base) for base in mro_of(kind)[:-_OF_PYTHON])
    carried = (parts.get("slots", {}), parts.get("attributes", {}), tuple(parts.get("live", ())))
    return "error", kind, error.args, str(error) if tells else None, *carried, error.__cause__


_OF_PYTHON = len((Exception, BaseException, object))


def described_error_class(kind: type[BaseException]) -> tuple[Any, ...]:
    """Module, name, bases, plain attributes, names of those that cannot cross, and whether code of its own makes it."""
    bases = tuple(base for base in kind.__bases__ if issubclass(base, BaseException))
    others = [part for base in kind.__bases__ if base not in bases for part in mro_of(base)[:-1]]
    plain: dict[str, Any] = {}
    refused: dict[str, None] = {}
    module = qualname = ""
    # The class itself comes last: its own members hide those of others.
    for part in (*reversed(others), kind):
        module, qualname, told, live = class_parts(part)
        plain.update(told)
        refused.update(dict.fromkeys(live))
    makes_itself = any(_MAKERS & dict_of_type(part).keys() for part in (kind, *others))
    names = tuple(name for name in refused if name not in _UNSEEN and name not in plain)
    return "error class", module, qualname, bases, plain, names, makes_itself
