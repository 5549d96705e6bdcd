"""What of Python's own the two processes name to each other where live objects cross: methods, kinds, modules."""

from __future__ import annotations

import collections
import contextlib
import datetime
import functools
import itertools
import sys
import types
from typing import Any

from regreen.sandbox.guest.wire.codec_format import BASES
from regreen.sandbox.guest.wire.codec_types import loaded_type
from regreen.sandbox.guest.wire.exception_parts import BUILTIN_EXCEPTIONS

ARITHMETIC = frozenset(
    f"__{prefix}{name}__"
    for name in "add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift".split()
    for prefix in ("", "r", "i")
    if (prefix, name) != ("i", "divmod")
)
"""Methods by which Python computes with two operands."""
SPECIAL_METHODS = (
    *(
        "__len__ __length_hint__ __iter__ __next__ __reversed__ __contains__ __getitem__ __setitem__ __delitem__ "
        "__missing__ __call__ __enter__ __exit__ __bool__ __int__ __float__ __complex__ __index__ __round__ __trunc__ "
        "__floor__ __ceil__ __abs__ __neg__ __pos__ __invert__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ "
        "__await__ __aiter__ __anext__ __aenter__ __aexit__ __fspath__ __bytes__ __get__ __set__ __delete__ "
        "__set_name__"
    ).split(),
    *sorted(ARITHMETIC),
)
"""Methods that Python itself looks up in the class of an object."""
COMPARISONS = frozenset("__eq__ __ne__ __lt__ __le__ __gt__ __ge__".split())


def _iterator_kinds() -> dict[str, type]:
    made: list[Any] = [
        *(
            iter([]),
            iter(()),
            iter({}),
            iter({}.values()),
            iter({}.items()),
            iter(set()),
            iter(""),
            iter("é"),
            iter(b""),
        ),
        *(iter(range(0)), reversed([]), reversed({}), iter(bytearray()), iter(collections.deque()), reversed(())),
        *(iter(lambda: 0, 0), reversed(range(0)), iter(_Indexed())),
    ]
    kinds = [type(item) for item in made]
    kinds += [map, filter, zip, enumerate, *(kind for kind in vars(itertools).values() if isinstance(kind, type))]
    return {f"{kind.__module__}.{kind.__qualname__}": kind for kind in kinds}


class _Indexed:
    def __getitem__(self, index: int) -> int:
        raise IndexError


KNOWN_KINDS: dict[str, type] = {
    "generator": types.GeneratorType,
    "function": types.FunctionType,
    "method": types.MethodType,
    "builtin": types.BuiltinFunctionType,
    "method-wrapper": types.MethodWrapperType,
    "partial": functools.partial,
    "cached": functools._lru_cache_wrapper,
    "manager": contextlib._GeneratorContextManager,
    **_iterator_kinds(),
}
"""Kinds of live objects that behave alike in every program, by the names that cross."""
GENERATOR_METHODS = ("send", "throw", "close")
"""What a generator has beside what every iterator does."""
KIND_NAMES = {kind: name for name, kind in KNOWN_KINDS.items()}

_LIBRARY_CLASSES = frozenset({"abc", "collections.abc", "_collections_abc", "typing", "enum", "contextlib", "numbers"})
"""Modules whose classes a class of the program may inherit from and still be described as one."""


def is_library_class(kind: type) -> bool:
    """Whether a class of the standard library adds nothing to a program's class but methods."""
    return kind.__module__ in _LIBRARY_CLASSES


def name_of_shared(value: Any) -> tuple[str, str] | None:
    """Module and qualified name of a function or class of the standard library that both processes have."""
    module = getattr(getattr(value, "__objclass__", value), "__module__", None)
    qualname = getattr(value, "__qualname__", None)
    if type(module) is not str or type(qualname) is not str:
        return None
    names = _PUBLIC_MODULES.get(module, module), qualname
    return names if named_object(*names) is value else None


def is_plain_class(value: Any) -> bool:
    """Whether a value is a class of plain data or of Python's own exceptions, which does nothing but make these."""
    if not isinstance(value, type):
        return False
    return value in _PLAIN_CLASSES or value in BUILTIN_EXCEPTIONS or value in map(loaded_type, *_PLAIN_IF_LOADED)


_PLAIN_CLASSES = BASES | {
    *(object, bool, range, type(None)),
    *(datetime.date, datetime.datetime, datetime.time, datetime.timedelta),
}
_PLAIN_IF_LOADED = ("decimal", "fractions"), ("Decimal", "Fraction")
"""Modules and the class of each: importing them would make each fork of a server dearer."""


def named_object(module: Any, qualname: Any) -> Any:
    """A function or class by that name; None where there is none, or it is none that both processes have."""
    if type(module) is not str or type(qualname) is not str or module not in _SHARED_MODULES:
        return None
    found: Any = sys.modules.get(module) or __import__(module)
    for name in qualname.split("."):
        if name.startswith("_"):
            return None
        found = getattr(found, "__dict__", {}).get(name)
    return found if isinstance(found, _NAMED_KINDS) else None


_SHARED_MODULES = frozenset(
    "builtins operator math cmath string decimal fractions datetime collections itertools functools".split()
)
"""Modules whose functions and classes are told by name, as they hold no state."""
_PUBLIC_MODULES = {"_operator": "operator", "_functools": "functools"}
_NAMED_KINDS = (type, types.BuiltinFunctionType, types.FunctionType, types.MethodDescriptorType)
