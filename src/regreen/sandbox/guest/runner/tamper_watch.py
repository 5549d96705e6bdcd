"""Watches, in shared mode, over what decides the checks: a program that replaces any of it has proved nothing.

What is watched: the functions and methods of the test runners and of our own, and what the checks themselves decide by
(`math.isclose`, say). All of it is looked at when the program was loaded, after every check, and whenever a check calls
any of it by its name. Not covered: what of a test runner is replaced after that, and put back before the check has
ended. The built-in functions need no watch: checks get those that were there before the program.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from operator import attrgetter, call, is_, itemgetter
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

_RUNNERS = (
    "unittest.case",
    "unittest.suite",
    "unittest.result",
    "doctest",
    "pytest",
    "_pytest.nodes",
    "_pytest.outcomes",
    "_pytest.python",
    "_pytest.python_api",
    "_pytest.raises",
    "_pytest.reports",
    "_pytest.runner",
    "_pytest.skipping",
    "_pytest.unittest",
)
_METHODS = "unittest.case.TestCase."
"""Checks call these by way of their own class, which may have one of its own."""
_OURS = "regreen.sandbox.guest."
_PURE = frozenset(
    (
        "cmath collections copy decimal difflib fractions functools itertools json math numbers operator pytest re "
        "statistics string textwrap unittest"
    ).split()
)
"""Modules that no honest program changes, though checks decide by them."""
_PATCHES = frozenset({"monkeypatch", "mock", "patch", "setattr"})
"""Names by which checks replace things themselves."""
_THE_WORLD = frozenset(
    "__import__ __loader__ __spec__ _ breakpoint copyright credits exit help input license open print quit".split()
)
"""Built-in names by which checks meet the outside, and which a program or a test may well replace."""
_MISSING = object()
_CODE = attrgetter("__code__")
_WRAPPERS = ((attrgetter("__func__"), (staticmethod, classmethod)), (attrgetter("fget"), (property,)))
"""What gives the function that an attribute of a class wraps, by its kind."""


class TamperWatch:
    """The functions that decide, as they were before the program was loaded."""

    def __init__(self, checks: Iterable[str]) -> None:
        tree = ast.Module([statement for text in checks for statement in _statements(text)], [])
        nodes = list(ast.walk(tree))
        self.known = [*_functions_of(_runners()), *_used_by(nodes)]
        self.by_name = {entry.name: entry for entry in self.known}
        self.patched_by_checks = any(_name_of(node) in _PATCHES for node in nodes)
        self._latest = _Snapshot(self.known)
        """What was found at the last look, all of which was as it may be."""

    def changed(self) -> dict[str, None]:
        """The names of the functions that are no longer what they were, in order."""
        return {entry.name: None for entry in self.known if not entry.is_as_before()}

    def changed_by_loading(self, before: Collection[str] = ()) -> str:
        """The first of them that the program changed while it was loaded; empty where it changed none.

        `before` are those that the tests had replaced when they came to import it.
        """
        return next((name for name in self.changed() if name not in before), "")

    def changed_by_a_check(self) -> str:
        """The same after a check ran, in which plugins and the checks themselves may have replaced something, too."""
        if self._latest.holds():
            return ""
        latest = _Snapshot(self.known)
        for entry in self.known:
            if not entry.is_as_before() and not entry.is_of_a_library() and not self._by_checks(entry):
                return entry.name
        self._latest = latest
        return ""

    def is_genuine(self, name: str, value: Any) -> bool:
        """Whether what a check is about to call is what had this name before the program, and so is all else.

        It is looked at in that moment: what is put back later, and before the check has ended, is seen, too.
        """
        if self.changed_by_a_check():
            return False
        entry = self.by_name.get(name)
        if entry is None or self._by_checks(entry) or entry.is_of_a_library():
            return True
        is_own = name.startswith(_METHODS) and type(value) is MethodType
        return entry.is_as_before() and (is_own or value is entry.value)

    def _by_checks(self, entry: _Watched) -> bool:
        return entry.of_checks and self.patched_by_checks


class _Watched:
    """One function, where it is found, and its code."""

    __slots__ = ("code", "key", "name", "names", "of_checks", "value")

    def __init__(self, name: str, names: Mapping[str, Any], key: str, *, of_checks: bool) -> None:
        self.name = f"{name}.{key}"
        self.names = names
        self.key = key
        self.value = names[key]
        self.code = _code(self.value)
        self.of_checks = of_checks
        """Whether the checks name it, rather than what runs them."""

    def is_as_before(self) -> bool:
        return self.names.get(self.key, _MISSING) is self.value and _code(self.value) is self.code

    def is_of_a_library(self) -> bool:
        """Whether what is there now comes from an installed file, as what plugins replace does."""
        code = _code(self.names.get(self.key))
        folders = tuple(folder for folder in sys.path if folder)
        return code is not None and code is not self.code and code.co_filename.startswith(folders)


class _Snapshot:
    """What all entries are at one time, kept so that Python compares it without a call for each: after every check."""

    __slots__ = ("_codes", "_functions", "_inner", "_names", "_takers", "_values", "_wrapped")

    def __init__(self, entries: Sequence[_Watched]) -> None:
        places: dict[int, tuple[Mapping[str, Any], list[str]]] = {}
        for entry in entries:
            places.setdefault(id(entry.names), (entry.names, []))[1].append(entry.key)
        self._names = [names for names, _ in places.values()]
        # Of one key alone no tuple would be taken.
        self._takers = [itemgetter(*keys, keys[0]) for _, keys in places.values()]
        self._values = [names.get(key, _MISSING) for names, keys in places.values() for key in (*keys, keys[0])]
        found = [entry.names.get(entry.key) for entry in entries]
        self._wrapped = [(ask, [each for each in found if type(each) in kinds]) for ask, kinds in _WRAPPERS]
        self._inner = [function for ask, wrapped in self._wrapped for function in map(ask, wrapped)]
        self._functions = [value for value in (*found, *self._inner) if type(value) is FunctionType]
        self._codes = list(map(_CODE, self._functions))

    def holds(self) -> bool:
        """Whether nothing is another object by now, and no function has other code."""
        values = chain.from_iterable(map(call, self._takers, self._names))
        inner = chain.from_iterable(map(ask, wrapped) for ask, wrapped in self._wrapped)
        codes = map(_CODE, self._functions)
        try:
            return (
                all(map(is_, values, self._values))
                and all(map(is_, inner, self._inner))
                and all(map(is_, codes, self._codes))
            )
        except KeyError:
            return False


def pristine_builtins() -> dict[str, Any]:
    """The built-in names of checks: those that decide as they are now, the others as they are when they are used."""
    kept = {name: value for name, value in vars(builtins).items() if name not in _THE_WORLD and callable(value)}
    needed = {name: value for name, value in vars(builtins).items() if name.startswith("__")}
    return _Builtins(needed | kept)


class _Builtins(dict[str, Any]):
    def __missing__(self, name: str) -> Any:
        return vars(builtins)[name]


def _statements(text: str) -> list[ast.stmt]:
    # An example of a doctest may expect to be no Python.
    with suppress(SyntaxError):
        return ast.parse(text).body
    return []


def _runners() -> Iterator[ModuleType]:
    for name, module in tuple(sys.modules.items()):
        if name in _RUNNERS or name.startswith(_OURS):
            yield module


def _functions_of(modules: Iterator[ModuleType]) -> Iterator[_Watched]:
    for module in modules:
        names = vars(module)
        for key, value in tuple(names.items()):
            own = module.__name__ == "pytest" or getattr(value, "__module__", None) == module.__name__
            if own and isinstance(value, (type, FunctionType)):
                yield _Watched(module.__name__, names, key, of_checks=False)
            if own and isinstance(value, type) and value.__module__ == module.__name__:
                yield from _methods(value)


def _methods(owner: type) -> Iterator[_Watched]:
    names = vars(owner)
    for key, value in tuple(names.items()):
        if isinstance(value, (FunctionType, staticmethod, classmethod, property)):
            yield _Watched(f"{owner.__module__}.{owner.__qualname__}", names, key, of_checks=False)


def deciding_names(nodes: Sequence[ast.AST]) -> dict[str, str]:
    """The names by which checks call functions of pure modules ("m.isclose") -> those of the functions.

    Names that the checks bind otherwise as well are left out: there they stand for something of their own.
    """
    times = Counter(name for name, _ in _bound(nodes))
    return {name: function for name, function in _pure_functions(nodes) if times[name.partition(".")[0]] == 1}


def _bound(nodes: Sequence[ast.AST]) -> set[tuple[str, str]]:
    """Each name that checks bind, with what it stands for where it is imported."""
    found: set[tuple[str, str]] = {*_imported(nodes)}
    for node in nodes:
        if isinstance(node, ast.arg):
            found.add((node.arg, ""))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add((node.name, ""))
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add((node.id, ""))
    return found


def _imported(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.asname or alias.name, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _pure_functions(nodes: Sequence[ast.AST]) -> set[tuple[str, str]]:
    """What checks name of pure modules, as they call it and by its full name."""
    found = {*_imported(nodes)}
    modules: dict[str, set[str]] = {}
    for name, what in found:
        modules.setdefault(name, set()).add(what)
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found |= {(f"{node.value.id}.{node.attr}", f"{m}.{node.attr}") for m in modules.get(node.value.id, ())}
    return {(name, what) for name, what in found if "." in what and what.partition(".")[0] in _PURE}


def _used_by(nodes: Sequence[ast.AST]) -> Iterator[_Watched]:
    """The functions of pure modules that the checks name."""
    for function in sorted({function for _, function in _pure_functions(nodes)}):
        module, _, name = function.rpartition(".")
        with suppress(Exception):
            names = vars(importlib.import_module(module))
            if callable(names.get(name)):
                yield _Watched(module, names, name, of_checks=True)


def _name_of(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else node.arg if isinstance(node, ast.arg) else ""


def _code(value: Any) -> CodeType | None:
    inner = value.fget if type(value) is property else getattr(value, "__func__", value)
    return inner.__code__ if type(inner) is FunctionType else None
