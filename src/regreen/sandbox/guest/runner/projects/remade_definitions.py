"""What a changed definition sets that the one before did not: found out beside the program, which stays as it is.

The statement, or the body of the class, is run with the module's names, and what it sets is kept apart. No class is
made by it: nobody who keeps a list of classes is told of another one.
"""

from __future__ import annotations

import builtins
import dis
import marshal
import sys
from collections.abc import Iterator, Sequence
from functools import _lru_cache_wrapper, cached_property
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from regreen.sandbox.guest.runner.lazy_values import is_plainly
from regreen.sandbox.guest.runner.program_loading.program_module import LoadsAnew
from regreen.sandbox.guest.runner.projects.code_changes import (
    ChangedBody,
    does_the_same,
    inner_codes,
    names_set_by,
)

_MOST_LAYERS: Final = 5
MISSING: Final = object()
"""In the place of a value that is not there."""
_PLAIN_MODULES: Final = frozenset(
    "builtins re datetime decimal fractions collections pathlib _decimal zoneinfo uuid ipaddress".split()
)
"""Where the classes of plain values are from: nobody tells one of them from another that is equal."""
_WRITTEN: Final = 4
"""The version of `marshal` in which values are compared."""
_OF_THE_BODY: Final = frozenset(
    ["__module__", "__qualname__", "__doc__", "__firstlineno__", "__static_attributes__", "__classdictcell__"]
)
"""What the body of a class sets that tells of its text."""
_MADE_FROM: Final = frozenset(
    "__slots__ __match_args__ __annotations__ __annotate__ __annotate_func__ __class_getitem__ __init_subclass__ "
    "__set_name__ __hash__ __eq__".split()
)
"""What a class is made from: it is another one then."""
_CALLS: Final = ("CALL", "PRECALL")
_LOADS: Final = frozenset(["LOAD_NAME", "LOAD_GLOBAL"])
_UNCHANGING: Final = frozenset(
    {int, float, complex, bool, str, bytes, tuple, frozenset, range, slice, type(None), type(...)}
)
_ACCESSORS: Final = frozenset({"setter", "getter", "deleter"})
"""What of its own names a body may call: `@size.setter`."""
_BEYOND_NAMES: Final = frozenset(
    "STORE_ATTR STORE_GLOBAL STORE_SLICE DELETE_ATTR DELETE_SUBSCR DELETE_GLOBAL IMPORT_STAR RAISE_VARARGS".split()
)
"""Steps that change something else than a name."""
_DEFINED: Final = (FunctionType, property, staticmethod, classmethod, cached_property)


class SwappedFunction(NamedTuple):
    """A function of a definition as it is made now, for those whose code is `before`."""

    before: CodeType
    made: FunctionType


class SetName(NamedTuple):
    """A name of the module (`owner` is None) or of a class, and what it is to stand for: MISSING for nothing."""

    owner: type | None
    name: str
    value: Any
    is_function: bool
    """Whether another function is put in the place of one that somebody may hold."""


class Remade(NamedTuple):
    """What a changed definition is about."""

    functions: list[SwappedFunction]
    names: list[SetName]
    is_told: bool
    """Whether somebody may have looked at the functions of a class when it was made: a decorator, a class above."""


def remade(changed: ChangedBody, statement: CodeType, module: ModuleType) -> Remade:
    """What a changed definition sets otherwise; `statement`: the one that it is in, as it was.

    Raises LoadsAnew where others may have been told of it as it was made, and what the definition raises.
    """
    owner = None if changed.before is statement else _class_of(changed.before, module)
    before, after = (_values_set_by(code, module, owner) for code in (changed.before, changed.after))
    found = Remade([], [], is_told=owner is not None and not _is_made_plainly(owner, statement))
    for name in sorted((before.keys() | after.keys()) - _OF_THE_BODY):
        _compare(name, before.get(name, MISSING), after.get(name, MISSING), owner, found)
    if found.names and found.is_told:
        raise LoadsAnew(changed.before.co_qualname)
    return found


def is_plain_value(value: Any) -> bool:
    """Whether nobody tells a value from another one that is equal, or it is a module."""
    if value is MISSING or is_plainly(value, ModuleType):
        return True
    return type(value).__module__ in _PLAIN_MODULES and not issubclass(type(value), (type, *_DEFINED))


def _class_of(body: CodeType, module: ModuleType) -> type:
    """The class that was made of this body. Raises LoadsAnew where another one has its name."""
    found: Any = module
    for name in body.co_qualname.split("."):
        found = vars(found).get(name) if issubclass(type(found), (type, ModuleType)) else None
    if not is_plainly(found, type) or found.__module__ != module.__name__ or found.__qualname__ != body.co_qualname:
        raise LoadsAnew(body.co_qualname)
    return found


def _values_set_by(body: CodeType, module: ModuleType, owner: type | None) -> dict[str, Any]:
    """What a body sets, by name; its functions are those of the module, and of the class that is there."""
    steps = list(dis.get_instructions(body))
    if _does_more(steps):
        raise LoadsAnew(body.co_name)
    _refuse_calls_of_others(body, steps, module)
    space: dict[str, Any] = {}
    try:
        exec(body, vars(module), space)
    except Exception as error:
        # What it needs may be gone: names are deleted, iterators are used up.
        raise LoadsAnew(body.co_name) from error
    cell = space.pop("__classcell__", None)
    if cell is not None:
        cell.cell_contents = owner
    return space


def _does_more(steps: Sequence[dis.Instruction]) -> bool:
    """Whether a body does more than to set names, and to note their annotations."""
    for place, step in enumerate(steps):
        before = steps[max(place - 2, 0) : place]
        if step.opname in _BEYOND_NAMES or (step.opname == "POP_TOP" and before[-1].opname.startswith(_CALLS)):
            return True
        if step.opname == "STORE_SUBSCR" and "__annotations__" not in [one.argval for one in before]:
            return True
    return False


def _refuse_calls_of_others(body: CodeType, steps: Sequence[dis.Instruction], module: ModuleType) -> None:
    """Raise LoadsAnew where a body calls what is no part of Python: it may keep a list of those that it was told of."""
    if not any(step.opname.startswith(_CALLS) for step in steps):
        return
    if any(step.opname == "LOAD_BUILD_CLASS" for step in steps) or any(map(_is_run_at_once, inner_codes(body))):
        raise LoadsAnew(body.co_name)
    own = names_set_by(body)
    for step, following in zip(steps, [*steps[1:], steps[-1]], strict=True):
        name = step.argval
        if step.opname not in _LOADS or name == "__annotations__":
            continue
        if name in own:
            may_be_called = following.argval in _ACCESSORS
        else:
            may_be_called = _tells_nobody(vars(module).get(name, getattr(builtins, name, None)))
        if not may_be_called:
            raise LoadsAnew(name)


def _is_run_at_once(code: CodeType) -> bool:
    """Whether a function is a comprehension."""
    return code.co_name.startswith("<") and code.co_name != "<lambda>"


def _tells_nobody(value: Any) -> bool:
    """Whether a value is data that nobody changes, or a function, class or module of Python's own."""
    if is_plainly(value, ModuleType):
        return _is_part_of_python(value.__name__)
    if issubclass(type(value), (type, FunctionType)):
        return _is_part_of_python(value.__module__)
    if is_plainly(value, BuiltinFunctionType):
        return _is_part_of_python(value.__module__)
    kind = type(value)
    return kind in _UNCHANGING or kind.__module__ in (*_PLAIN_MODULES - {"builtins", "collections"}, "typing")


def _is_part_of_python(module: str | None) -> bool:
    return module is not None and module.partition(".")[0] in sys.stdlib_module_names


def _compare(name: str, before: Any, after: Any, owner: type | None, found: Remade) -> None:
    """Add what it takes for a name to stand for another value."""
    if _is_same(before, after):
        return
    if name in _MADE_FROM or _is_abstract(before) != _is_abstract(after):
        raise LoadsAnew(name)
    mine, others = list(_functions_in(before)), list(_functions_in(after))
    if mine and _layers(before) == _layers(after) and all(map(_may_be_swapped, mine, others)):
        pairs = zip(mine, others, strict=True)
        found.functions.extend(SwappedFunction(one.__code__, other) for one, other in pairs)
    elif _is_defined(after) or is_plain_value(after) or after is MISSING:
        if not (before is MISSING or _is_defined(before) or is_plain_value(before)):
            raise LoadsAnew(name)
        value = staticmethod(after) if name == "__new__" and is_plainly(after, FunctionType) else after
        found.names.append(SetName(owner, name, value, is_function=bool(mine)))
    else:
        raise LoadsAnew(name)


def _is_defined(value: Any) -> bool:
    """Whether a value is a function, or what Python's own decorators make of one."""
    return issubclass(type(value), _DEFINED)


def _is_same(before: Any, after: Any) -> bool:
    """Whether the name stands for the same as before, but for the lines of functions."""
    if before is after:
        return True
    if type(before) is not type(after) or _layers(before) != _layers(after):
        return False
    if mine := list(_functions_in(before)):
        return all(map(_are_same, mine, _functions_in(after)))
    try:
        return marshal.dumps(before, _WRITTEN) == marshal.dumps(after, _WRITTEN)
    except ValueError:
        # Equal ones may differ all the same: `Decimal("1.0")` and `Decimal("1.00")`, lists that hold as much.
        return is_plain_value(before) and bool(before == after) and repr(before) == repr(after)


def _are_same(one: FunctionType, other: FunctionType) -> bool:
    values = ((f.__defaults__ or (), *sorted((f.__kwdefaults__ or {}).items())) for f in (one, other))
    is_alike = does_the_same(one.__code__, other.__code__) and _is_abstract(one) == _is_abstract(other)
    return is_alike and _are_all_same(*values)


def _is_abstract(value: Any) -> bool:
    return _is_defined(value) and bool(getattr(value, "__isabstractmethod__", False))


def _are_all_same(mine: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    return len(mine) == len(others) and all(map(_is_same_default, mine, others))


def _is_same_default(mine: Any, other: Any) -> bool:
    if type(mine) is tuple and type(other) is tuple:
        return _are_all_same(mine, other)
    return _is_same(mine, other)


def _may_be_swapped(one: FunctionType, other: FunctionType) -> bool:
    """Whether a function may have the code of another one; a generator, say, is told from others by who calls it."""
    return one.__code__.co_freevars == other.__code__.co_freevars and one.__code__.co_flags == other.__code__.co_flags


def _functions_in(value: Any) -> Iterator[FunctionType]:
    """The functions of a program that a decorated function is made of."""
    return (part for part in _parts_of(value) if is_plainly(part, FunctionType) and not _wrapped_by(part))


def _layers(value: Any) -> list[Any]:
    """What a function is decorated with, outermost first: each decorator by its class, and by what it was told."""
    told = (part.cache_parameters() if is_plainly(part, _lru_cache_wrapper) else None for part in _parts_of(value))
    return [(type(part), each) for part, each in zip(_parts_of(value), told, strict=True)]


def _parts_of(value: Any, most: int = _MOST_LAYERS) -> Iterator[Any]:
    """A decorated function, and all that is within it, as far as Python's own decorators go."""
    yield value
    within: tuple[Any, ...]
    if is_plainly(value, property):
        within = (value.fget, value.fset, value.fdel)
    elif issubclass(type(value), (staticmethod, classmethod)):
        within = (value.__func__,)
    elif is_plainly(value, cached_property):
        within = (value.func,)
    else:
        within = _wrapped_by(value)
    for part in within if most else ():
        yield from _parts_of(part, most - 1)


def _wrapped_by(value: Any) -> tuple[Any, ...]:
    """What `functools.wraps` says that a function calls; of anything else it is not asked."""
    if issubclass(type(value), (FunctionType, _lru_cache_wrapper)) and "__wrapped__" in vars(value):
        return (vars(value)["__wrapped__"],)
    return ()


def _is_made_plainly(owner: type, statement: CodeType) -> bool:
    """Whether nobody but `type` was told of what a class has: no decorator, no metaclass, no class above or around it.

    Not even `abc`, which notes what is abstract.
    """
    first = next(step for step in dis.get_instructions(statement) if step.opname not in _BEFORE_ALL)
    others = [base for base in owner.__mro__[1:] if not _is_part_of_python(base.__module__)]
    is_told = first.opname != "LOAD_BUILD_CLASS" or any("__init_subclass__" in vars(base) for base in others)
    return type(owner) is type and "." not in owner.__qualname__ and not is_told


_BEFORE_ALL: Final = frozenset(["RESUME", "NOP", "PUSH_NULL", "CACHE"])
