"""What a guest says of a live object: of which class it is, and what Python itself may do with it."""

from __future__ import annotations

import sys
from types import CoroutineType
from typing import Any

from regreen.sandbox.guest.wire.codec_format import BASES, Unplain
from regreen.sandbox.guest.wire.exception_parts import class_parts
from regreen.sandbox.guest.wire.live_names import (
    KIND_NAMES,
    SPECIAL_METHODS,
    is_library_class,
    is_plain_class,
    name_of_shared,
)
from regreen.sandbox.guest.wire.true_types import dict_of_type, is_made_at_run_time, mro_of, name_of

_SPECIAL = frozenset(SPECIAL_METHODS)


def described_object(value: Any) -> tuple[Any, ...]:
    """What the judge is told of an object. Raises Unplain where it cannot cross even as a handle."""
    kind = type(value)
    if isinstance(value, type):
        return _described_class(value)
    if kind is CoroutineType:
        return ("coroutine",)
    if kind is object:
        # A mark such as `MISSING = object()`: all that can be asked of it is whether it is the same.
        return ("mark",)
    if kind in KIND_NAMES:
        return "known", KIND_NAMES[kind]
    if not _is_plain_object(kind):
        raise Unplain(name_of(kind))
    return "object", kind, _own_hash(value, kind)


def _own_hash(value: Any, kind: type) -> int | None:
    """What a class of the program says the object's hash is, for a set or a dict that holds it."""
    own: Any = kind.__hash__
    if own is None or own is object.__hash__:
        return None
    try:
        return hash(value)
    except Exception:  # noqa: BLE001  an object that is not complete yet; who needs its hash asks for it
        return None


def _is_plain_object(kind: type) -> bool:
    """Whether a class is made of Python alone, so that all that its objects do is done by methods."""
    return all(base is object or _is_ours(base) or is_library_class(base) for base in mro_of(kind))


def _is_ours(kind: type) -> bool:
    """Whether a class was made by the program, or by a module beside it."""
    made = is_made_at_run_time(kind) and not any(base in BASES for base in mro_of(kind))
    top = str(kind.__module__).partition(".")[0]
    return made and (top not in sys.stdlib_module_names or _is_program(kind.__module__))


def _is_program(module: str) -> bool:
    """Whether a module that bears the name of a standard one is the program."""
    return str(getattr(sys.modules.get(module), "__file__", "")).startswith("<")


def _described_class(kind: type) -> tuple[Any, ...]:
    if is_plain_class(kind) and (shared := name_of_shared(kind)) is not None:
        return ("named", *shared)
    if BaseException in mro_of(kind):
        return _described_error_class(kind)
    if not _is_plain_object(kind) or "__del__" in dict_of_type(kind):
        raise Unplain(f"class {name_of(kind)}")
    members = dict_of_type(kind)
    # Not through all special methods: each name that is looked at is a page to copy in a process just forked.
    own = [name for name in members if name in _SPECIAL]
    return (
        "class",
        *(name_of(kind), kind.__qualname__, kind.__module__),
        tuple(base for base in kind.__bases__ if base is not object),
        tuple(name for name in own if members[name] is not None),
        tuple(name for name in own if members[name] is None),
        _metaclass_methods(type(kind)),
    )


def _metaclass_methods(meta: type) -> tuple[str, ...]:
    """What the class of a class adds to what Python itself does with classes."""
    own = {name for base in mro_of(meta)[: mro_of(meta).index(type)] for name in dict_of_type(base)}
    if not own:
        return ()
    if own & {"__eq__", "__hash__"}:
        raise Unplain(f"class of the metaclass {name_of(meta)}")
    return tuple(name for name in (*SPECIAL_METHODS, "__instancecheck__", "__subclasscheck__") if name in own)


def _described_error_class(kind: type) -> tuple[Any, ...]:
    if not _is_ours(kind):
        return "library error", kind.__module__, kind.__qualname__
    _, _, plain, live = class_parts(kind)
    silent = not plain and not live and not {"__init__", "__str__"} & dict_of_type(kind).keys()
    names = name_of(kind), kind.__qualname__, kind.__module__
    return "error class", *names, kind.__bases__, plain, live, silent
