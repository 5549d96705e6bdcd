"""What makes an exception the very exception: its classes with their attributes, and what it carries itself.

All of it is read without running code of the exception's own; what is not plain is told by its name.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

from regreen.sandbox.guest.wire.codec_format import CodecError
from regreen.sandbox.guest.wire.codec_write import ValueWriter
from regreen.sandbox.guest.wire.true_types import dict_of_type, mro_of

PART_BYTES = 1 << 16
"""Bytes of one attribute or of the arguments; what is longer counts as live."""
_MOST_BASES = 50
_MEANINGLESS = frozenset(
    (
        "__module__ __qualname__ __doc__ __weakref__ __dict__ __annotations__ __static_attributes__ __firstlineno__ "
        "__init__ __str__ __reduce__ __annotate__ __annotations_cache__ __parameters__ __orig_bases__"
    ).split()
)
"""Attributes of a class that its instances do not show: `__str__` is told by the text itself."""
BUILTIN_EXCEPTIONS = {
    kind: name for name, kind in vars(builtins).items() if type(kind) is type and BaseException in kind.__mro__
}
_own_of: Callable[[BaseException], Any] = BaseException.__dict__["__dict__"].__get__
_qualname_of: Callable[[type], str] = type.__dict__["__qualname__"].__get__
_slots: dict[type, tuple[tuple[str, Any], ...]] = {}


def slots_of(kind: type) -> tuple[tuple[str, Any], ...]:
    """The attributes that one of Python's own exceptions keeps outside its `__dict__`, with their descriptors."""
    if kind not in _slots:
        _slots[kind] = tuple(
            (name, item)
            for name, item in vars(kind).items()
            if isinstance(item, GetSetDescriptorType | MemberDescriptorType) and name[:2] != "__" and name != "args"
        )
    return _slots[kind]


def exception_parts(error: BaseException) -> dict[str, Any]:
    """What is special about an exception, nothing for an ordinary one of Python's own.

    `bases`: names of Python's own classes above one that is not; `classes`: [module, qualified name, plain attributes,
    names of live ones] of each other class, nearest first; `slots` and `attributes`: name -> plain value; `live`: names
    of attributes that are not plain.
    """
    mro = mro_of(type(error))
    own = _own_of(error)
    plain = {name: value for name, value in own.items() if type(name) is str and is_short(value)}
    known = type(error) in BUILTIN_EXCEPTIONS
    found = {
        "bases": [] if known else [BUILTIN_EXCEPTIONS[kind] for kind in mro if kind in BUILTIN_EXCEPTIONS],
        "classes": [class_parts(kind) for kind in mro[:_MOST_BASES] if kind not in BUILTIN_EXCEPTIONS][:-1],
        "slots": {name: value for kind in mro if kind in BUILTIN_EXCEPTIONS for name, value in _held(kind, error)},
        "attributes": plain,
        "live": [str(name) for name in own if name not in plain],
    }
    return {name: part for name, part in found.items() if part}


def is_short(value: Any) -> bool:
    """Whether a value is plain data of moderate length."""
    try:
        ValueWriter(PART_BYTES).items((value,), 0)
    except (CodecError, RecursionError, TypeError):
        return False
    return True


def _held(kind: type, error: BaseException) -> Iterator[tuple[str, Any]]:
    for name, descriptor in slots_of(kind):
        try:
            value = descriptor.__get__(error)
        except (AttributeError, TypeError):
            continue
        if value is not None and type(value) is not BaseExceptionGroup and is_short(value):
            yield name, value


def class_parts(kind: type) -> list[Any]:
    """[module, qualified name, plain attributes, names of live ones] of a class of exceptions."""
    members = dict_of_type(kind)
    known = {name: value for name, value in members.items() if type(name) is str and name not in _MEANINGLESS}
    plain = {name: value for name, value in known.items() if name[:2] != "__" and is_short(value)}
    module = members.get("__module__")
    names = [name for name in known if name not in plain]
    return [module if type(module) is str else "", str.__str__(_qualname_of(kind))[:500], plain, names]
