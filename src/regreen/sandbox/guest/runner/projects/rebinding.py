"""Putting a new version of a module in the place of the old one wherever the rest of a project refers to it."""

from __future__ import annotations

import gc
import sys
import typing
from collections.abc import Iterable, Sequence
from gc import get_referents
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any
from weakref import ReferenceType, ref

from regreen.sandbox.guest.runner.lazy_values import is_plainly

_CODE = (FunctionType, BuiltinFunctionType, MethodType, ModuleType, type)
"""What is no data: it does as it is told whenever it is called, and may be read without being asked."""
_NAMED = (ModuleType, FunctionType, type)
"""What has a name of its own, by which it is told from what is equal."""
_ANNOTATIONS = "__annotations__"
_MOST_OBJECTS = 50_000
"""Objects that are looked at; of a larger project nothing is known."""
Namespace = dict[str, Any]


class ModuleBindings:
    """The names by which other modules refer to one module and to what it defines."""

    def __init__(self, module: ModuleType, others: Sequence[ModuleType]) -> None:
        self.module = module
        self.others = [other for other in others if other is not module]
        self.own = {name: value for name, value in vars(module).items() if not _is_special(name)}
        self.names: list[tuple[Namespace, str, str]] = []
        """(namespace, name there, name in the module)."""
        self.aliases: list[tuple[Namespace, str]] = []
        """Names of the module itself."""
        by_id = {id(value): name for name, value in self.own.items()}
        for space in (vars(other) for other in self.others):
            for name, value in tuple(space.items()):
                if value is module:
                    self.aliases.append((space, name))
                elif id(value) in by_id and not _is_special(name):
                    self._bind(space, name, value, by_id[id(value)])

    def _bind(self, space: Namespace, name: str, value: Any, source: str) -> None:
        if self.defines(value):
            self.names.append((space, name, name if self.own.get(name) is value else source))
        elif name in self.own and self.own[name] is value and not issubclass(type(value), _NAMED):
            # Small numbers and texts are the same objects everywhere: only an equal name tells that one was imported.
            self.names.append((space, name, name))

    @property
    def data(self) -> set[str]:
        """The module's names for data: neither modules nor functions nor classes."""
        return {name for name, value in self.own.items() if not issubclass(type(value), _CODE)}

    @property
    def places(self) -> frozenset[tuple[int, str]]:
        """Where those names are, as (id of the namespace, name)."""
        return frozenset(
            [*((id(space), name) for space, name, _ in self.names), *((id(s), n) for s, n in self.aliases)]
        )

    def names_in(self, space: Namespace) -> tuple[set[str], set[str]]:
        """The names in a namespace that are bound to the module's data, and those bound to the module."""
        data = self.data
        names = {name for where, name, source in self.names if where is space and source in data}
        return names, {name for where, name in self.aliases if where is space}

    def defines(self, value: Any) -> bool:
        """Whether a function or class stems from the module."""
        if is_plainly(value, FunctionType):
            return value.__globals__ is vars(self.module)
        return is_plainly(value, type) and value.__module__ == self.module.__name__

    def bind(self, fresh: ModuleType) -> None:
        """Have all those names refer to another version of the module."""
        values = vars(fresh)
        for space, name, source in self.names:
            if source in values:
                space[name] = values[source]
        for space, name in self.aliases:
            space[name] = fresh

    def reach_all(self, further: Iterable[Any], *, by_annotations: bool = True) -> bool:
        """Whether nothing but those names leads from the other modules, or from `further`, to what the module defines.

        A subclass, an instance or a table of functions that another module made keeps the old version alive; so does
        an object of a library that was given a function (the routes of a web application), and so does an annotation,
        which counts only where anything goes `by_annotations`. Classes of libraries are not looked into.
        """
        rebound = {(id(space), name) for space, name, _ in self.names}
        waiting = [
            value
            for space in (vars(other) for other in self.others)
            for name, value in space.items()
            if (id(space), name) not in rebound and not _is_special(name)
        ]
        waiting += further
        ours = {other.__name__ for other in self.others}
        spaces = {id(vars(m)) for m in (*sys.modules.values(), *self.others) if is_plainly(m, ModuleType)}
        seen = {id(sys.modules)} | spaces
        while waiting and len(seen) < _MOST_OBJECTS:
            value = waiting.pop()
            if id(value) in seen or is_plainly(value, ModuleType):
                continue
            seen.add(id(value))
            if self.defines(value) or self.defines(type(value)):
                return False
            if not is_plainly(value, type) or value.__module__ in ours:
                waiting += get_referents(value) if by_annotations else _without_annotations(value)
        return not waiting

    def extends_libraries(self) -> bool:
        """Whether a class of the module extends one of an installed library, which may keep a list of such classes.

        So do object-relational mappers.
        """
        ours = {self.module.__name__, *(other.__name__ for other in self.others)}
        classes = [value for value in self.own.values() if is_plainly(value, type) and self.defines(value)]
        bases = {base.__module__ for owner in classes for base in owner.__mro__}
        return any(name.partition(".")[0] not in sys.stdlib_module_names for name in bases - ours)


def _without_annotations(value: Any) -> list[Any]:
    """What an object refers to, but for the annotations of a function, or of a class or module by its namespace."""
    if is_plainly(value, FunctionType):
        return [value.__defaults__, value.__kwdefaults__, value.__closure__, vars(value)]
    if is_plainly(value, dict) and _ANNOTATIONS in value:
        return get_referents({key: each for key, each in value.items() if key != _ANNOTATIONS})
    if (type(value).__module__, type(value).__name__) == ("dataclasses", "Field"):
        return [value.default, value.default_factory, value.metadata]
    return get_referents(value)


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def successor(module: ModuleType) -> ModuleType:
    """A new module in the place of this one, in `sys.modules` and in its package; its code is still to be run."""
    fresh = ModuleType(module.__name__)
    for name, value in vars(module).items():
        is_inner = is_plainly(value, ModuleType) and value.__name__.startswith(f"{module.__name__}.")
        if is_inner or (_is_special(name) and name not in ("__builtins__", "__doc__", "__annotations__")):
            vars(fresh)[name] = value
    make_current(fresh)
    return fresh


def leaves_copies(definitions: Sequence[ReferenceType[Any]]) -> bool:
    """Whether anybody but `typing`, which remembers what it was asked, holds definitions of a module that is gone."""
    for forget in getattr(typing, "_cleanups", ()):
        forget()
    gc.collect()
    return any(definition() is not None for definition in definitions)


def definitions_in(module: ModuleType) -> list[ReferenceType[Any]]:
    """The classes and functions that a module defines."""
    defined = ModuleBindings(module, [])
    return [ref(value) for value in defined.own.values() if defined.defines(value)]


def make_current(module: ModuleType) -> None:
    """Have imports find this module under its name, where they find one."""
    if module.__name__ in sys.modules:
        sys.modules[module.__name__] = module
    package, _, last = module.__name__.rpartition(".")
    if package in sys.modules:
        setattr(sys.modules[package], last, module)
