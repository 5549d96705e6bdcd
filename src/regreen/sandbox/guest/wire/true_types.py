"""What a type really is, whatever its metaclass claims: `type` itself is asked, and no code of the type's own runs."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from keyword import iskeyword
from typing import Any

_NAMED_FIELDS = 100
"""The most fields of a named tuple that crosses as one."""
_HEAP_TYPE = 1 << 9
"""The flag of classes that are made at run time (Py_TPFLAGS_HEAPTYPE)."""
_BARE = {*vars(namedtuple("_BARE", "")), "__annotations__", "__orig_bases__", "__annotate__"}
"""What every named tuple's class has."""

OWN_NAMED_TUPLES: dict[tuple[str, ...], type] = {}
"""The classes of named tuples that this process has handed over, by their names: what comes back is of them."""
_flags_of: Callable[[type], int] = type.__dict__["__flags__"].__get__
_mro: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
dict_of_type: Callable[[type], Any] = type.__dict__["__dict__"].__get__
_name_of_type: Callable[[type], str] = type.__dict__["__name__"].__get__


def name_of(kind: type) -> str:
    """The type's name, whatever its metaclass claims."""
    return str.__str__(_name_of_type(kind))[:200]


def mro_of(kind: type) -> tuple[type, ...]:
    """The type's real method resolution order, whatever its metaclass claims."""
    return _mro(kind)


def is_made_at_run_time(kind: type) -> bool:
    """Whether a class is no part of an interpreter or an extension: a statement or a call made it."""
    return bool(_flags_of(kind) & _HEAP_TYPE)


def fields_of(value: Any, kind: type) -> tuple[str, ...]:
    """The names of a named tuple's fields; none when it is another kind of tuple."""
    for base in _mro(kind):
        fields = dict_of_type(base).get("_fields")
        if fields is not None:
            fits = type(fields) is tuple and len(fields) == tuple.__len__(value)
            return fields if fits and plain_names((name_of(kind), *fields)) else ()
    return ()


def is_bare(kind: type, fields: tuple[str, ...]) -> bool:
    """Whether a named tuple's class has nothing but its fields: no methods, no defaults, no `__eq__` of its own."""
    if mro_of(kind)[1] is not tuple:
        return False
    members = dict_of_type(kind)
    return not members.get("_field_defaults") and not members.keys() - _BARE - {*fields}


def plain_names(names: Sequence[Any]) -> bool:
    """Whether a type's name and its fields' names make a named tuple."""
    if not 1 < len(names) <= _NAMED_FIELDS + 1 or not all(map(_plain_name, names)):
        return False
    fields = set(names[1:])
    return len(fields) == len(names) - 1 and not any(name.startswith("_") for name in fields)


def _plain_name(name: Any) -> bool:
    return type(name) is str and len(name) <= 100 and name.isascii() and name.isidentifier() and not iskeyword(name)
