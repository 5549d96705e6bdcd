"""Watches, in shared mode, over what decides the checks: a program that replaces any of it has proved nothing.

What is watched: the functions and methods of the test runners and of our own, what the checks themselves decide by
(`math.isclose`, say), and the functions and classes that they define. All of it is looked at when the program was
loaded, after every check, and when a check calls any of it by its name: later that alone, and all at one in so many
calls. What was replaced before the program was loaded is the doing of tests and plugins. Later nobody can tell whose
doing it is: what tests say that they replace, and what has the code of an installed library, is let pass, and the
check is not proven then; all else convicts the program. Not covered: what of a test runner is replaced after a look,
and put back before the next. The built-in functions need no watch: checks get those that were there before the
program.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import FunctionType, MethodType, ModuleType
from typing import Any

from regreen.sandbox.guest.runner.lazy_values import is_plainly
from regreen.sandbox.guest.runner.syntax_trees import syntax_tree
from regreen.sandbox.guest.runner.tampering.deciding_names import (
    DECIDING_MODULES,
    OF_TESTS,
    pure_functions,
    replaced_names,
)
from regreen.sandbox.guest.runner.tampering.library_code import InstalledLibraries, inner_code
from regreen.sandbox.guest.runner.tampering.watched_functions import (
    Snapshot,
    Watched,
    watched_functions,
    watched_methods,
)

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
_PREFIX = f"{OF_TESTS}."
_CALLS_LOOKED_AT, _ONE_IN = 200, 32
"""Calls of a suite at which all is looked at that is watched over, and how often it is at those that follow."""
_THE_WORLD = frozenset(
    "__import__ __loader__ __spec__ _ breakpoint copyright credits exit help input license open print quit".split()
)
"""Built-in names by which checks meet the outside, and which a program or a test may well replace."""


class TamperWatch:
    """The functions that decide, as they were before the program was loaded."""

    def __init__(self, checks: Iterable[str], *, tests_come_later: bool = False) -> None:
        self.libraries = InstalledLibraries()
        self.known = [each for module in _runners() for each in watched_functions(module)]
        self.by_name = {entry.name: entry for entry in self.known}
        self.replaced_by_checks: set[str] = set()
        """The last parts of the names of what the checks may replace themselves."""
        self.doubt = ""
        """The first of what was found replaced, and let pass, since somebody asked."""
        self._own: dict[tuple[int, str], Watched] = {}
        """What the checks define, by the identity of the namespace that it is in, and by its name there."""
        self._methods: dict[str, list[Any]] = {}
        """The assertion methods of the checks' own classes, by their names."""
        self._pure = [_PureModules()] if tests_come_later else []
        """Pure modules as they were, where the text of tests is learnt when the program may have changed them."""
        self._started = False
        self._latest: Snapshot | None = None
        """What was found at the last look, all of which was as it may be."""
        self._latest_own = Snapshot(())
        """What of that the checks define."""
        self._let_pass = ""
        """The first of that which is not what it was."""
        self._calls = 0
        """How often checks have called anything that is watched over, so far."""
        self._called: dict[str, tuple[Any, Any]] = {}
        """Name -> what a check called by it, and its code, when it was found to be what it was."""
        self.learn([node for text in checks for tree in _statements(text) for node in ast.walk(tree)])

    def learn(self, nodes: Sequence[ast.AST]) -> None:
        """Watch over what a text of checks decides by, too."""
        for function in pure_functions(nodes):
            if function not in self.by_name and (entry := self._found(function)):
                self.known.append(entry)
                self.by_name[function] = entry
        self.replaced_by_checks |= replaced_names(nodes)
        self._look_anew()

    def learn_own(self, names: Mapping[str, Any], defined: Collection[str]) -> None:
        """Watch over what checks define: these functions and classes of a namespace, which has them by now."""
        entries = [entry for key in defined if key in names for entry in _own(names, key)]
        added = {(id(entry.names), entry.key): entry for entry in entries}
        gone = {id(self._own[place]) for place in added if place in self._own}
        self.known = [*(entry for entry in self.known if id(entry) not in gone), *added.values()]
        self._own |= added
        for owner in (names[key] for key in defined if isinstance(names.get(key), type)):
            for key, function in _assertion_methods(owner):
                self._methods.setdefault(key, []).append((function, inner_code(function)))
        self._look_anew()

    def _look_anew(self) -> None:
        self._latest = None
        self._called = {}

    def start(self) -> None:
        """The program is about to be loaded, for the first time: what is replaced by now is not its doing."""
        if not self._started:
            self._started = True
            self._pure += [_PureModules()] if self._pure else []
            for entry in self.known:
                entry.allow()

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
        if self._latest is None or not self._latest.holds():
            latest, let_pass = Snapshot(self.known), ""
            for entry in self.known:
                if not entry.is_as_before():
                    if not self._is_of_others(entry, entry.names.get(entry.key)):
                        return entry.name
                    let_pass = let_pass or entry.name
            self._latest, self._latest_own, self._let_pass = latest, Snapshot([*self._own.values()]), let_pass
        self.doubt = self.doubt or self._let_pass
        return ""

    def is_genuine(self, name: str, value: Any) -> bool:
        """Whether what a check is about to call is what had this name before the program, and so is all else.

        It is looked at in that moment: what is put back later, and before the check has ended, is seen, too. Where
        checks call a date or an oracle of their own a hundred thousand times, all else is looked at now and then.
        """
        self._calls += 1
        if self._calls > _CALLS_LOOKED_AT and self._calls % _ONE_IN and self._was_called(name, value):
            return True
        if not self._is_found_genuine(name, value):
            return False
        if not self.doubt and not self._let_pass:
            self._called[name] = (value, getattr(value, "__code__", None))
        return True

    def _was_called(self, name: str, value: Any) -> bool:
        """Whether a check called this very thing by this name before, and it has the code that it had."""
        found, code = self._called.get(name, (None, None))
        return found is value and value is not None and getattr(value, "__code__", None) is code

    def _is_found_genuine(self, name: str, value: Any) -> bool:
        if name.startswith(_PREFIX) and self._latest is not None and self._latest_own.holds():
            # Tests may call what they define in loops: there it is looked at that alone.
            return True
        if self.changed_by_a_check():
            return False
        entry = self.by_name.get(name)
        if entry is None:
            return True
        found = value
        if name.startswith(_METHODS):
            found = value.__func__ if type(value) is MethodType else value
            if any(found is each and inner_code(found) is code for each, code in self._methods.get(entry.key, ())):
                return True
        if entry.allows(found):
            return True
        self.doubt = self.doubt or name
        return self._is_of_others(entry, found)

    def take_doubt(self) -> str:
        """The first of what was found replaced, and let pass, since this was asked last; empty where nothing was."""
        found, self.doubt = self.doubt, ""
        return found

    def _is_of_others(self, entry: Watched, value: Any) -> bool:
        """Whether tests or a plugin have put this value in the place of an entry, as far as can be told."""
        return (entry.of_checks and entry.key in self.replaced_by_checks) or self.libraries.hold(inner_code(value))

    def _found(self, function: str) -> Watched | None:
        """A function of a pure module, by its full name, as it was."""
        name, _, key = function.rpartition(".")
        with suppress(Exception):
            names = vars(importlib.import_module(name))
            known = [(each.modules[name][key], each) for each in self._pure if name in each.modules]
            value = known[0][0] if known else names[key]
            if callable(value):
                entry = Watched(name, names, key, value, of_checks=True)
                if known:
                    entry.allowed = [(found, each.codes.get(id(found))) for found, each in known]
                return entry
        return None


class _PureModules:
    """What pure modules hold at one time."""

    def __init__(self) -> None:
        for name in sorted(DECIDING_MODULES):
            with suppress(ImportError):
                importlib.import_module(name)
        self.modules = {
            name: dict(vars(module))
            for name, module in [*sys.modules.items()]
            if name.partition(".")[0] in DECIDING_MODULES
        }
        values = [value for names in self.modules.values() for value in names.values()]
        self.codes = {id(value): value.__code__ for value in values if type(value) is FunctionType}


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
        return syntax_tree(text).body
    return []


def _runners() -> Iterator[ModuleType]:
    for name, module in tuple(sys.modules.items()):
        if name in _RUNNERS or name.startswith(_OURS):
            yield module


def _own(names: Mapping[str, Any], key: str) -> Iterator[Watched]:
    value = names[key]
    yield Watched(OF_TESTS, names, key, value, of_checks=True)
    if is_plainly(value, type):
        yield from watched_methods(value, f"{OF_TESTS}.{key}", of_checks=True)


def _assertion_methods(owner: type) -> Iterator[tuple[str, Any]]:
    """The assertion methods that a class of the checks has of its own or inherits, as the functions that they are."""
    for key, value in {key: value for each in reversed(owner.__mro__) for key, value in vars(each).items()}.items():
        if key.startswith(("assert", "fail")):
            yield key, getattr(value, "__func__", value)
