"""Fixtures of pytest's tests: called without its hooks, and forgotten after a test whose time has ended.

pytest makes a request for each fixture of each test, looks at its signature and asks its plugins, which takes longer
than most fixtures. Those that are made anew for each test are functions of their arguments, and of nothing else.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Generator, Iterator, Sequence
from types import FunctionType
from typing import Any, Final

import pytest

from regreen.sandbox.guest.runner.timing import time_limits

_OF_PYTEST: Final = frozenset({"_pytest.python", "_pytest.tmpdir", "_pytest.monkeypatch", "_pytest.capture"})
"""Modules of pytest whose fixtures ask of their request no more than the test: `setup_method` and its like, folders."""
_KEEPS_STATE: Final = frozenset({"_pytest.tmpdir", "_pytest.monkeypatch", "_pytest.capture"})
"""Of these, the modules whose fixtures run no code of a test, and must not be left half made or half undone."""
_PARAMETER: Final = "get_direct_param_fixture_func"
"""pytest's name of the function that stands in the place of a fixture for a parameter of `parametrize`."""
_WHOLE_SESSION: Final = "tmp_path_factory"
"""The one fixture of the whole session that is the same whenever it is asked for."""


def is_called_alike(item: pytest.Function) -> bool:
    """Whether all fixtures of a test can be called by `FixtureCalls`: each is made anew for it."""
    info, given = item._fixtureinfo, _parameters(item)
    known = info.name2fixturedefs
    if "request" in info.argnames or not {*info.names_closure} <= {*known, *given, "request"}:
        # A test may ask its request for anything, and pytest says best what is missing.
        return False
    if any(len(known[name]) > 1 for name in known if name not in given):
        return False
    return all(_is_plain(known[name][-1], known) for name in known if name not in given)


def _parameters(item: pytest.Function) -> dict[str, Any]:
    """What `parametrize` hands to a test itself, by name; parameters of fixtures are none."""
    params: dict[str, Any] = getattr(getattr(item, "callspec", None), "params", {})
    known = item._fixtureinfo.name2fixturedefs
    return {
        name: value for name, value in params.items() if name not in known or _stands_for_parameter(known[name][-1])
    }


def _stands_for_parameter(fixture: Any) -> bool:
    return getattr(fixture.func, "__name__", "") == _PARAMETER


def _is_plain(fixture: Any, known: Any) -> bool:
    """Whether a fixture is a function of its arguments, called for each test that asks for it."""
    module = str(getattr(fixture.func, "__module__", ""))
    if type(fixture.func) is not FunctionType or fixture.params or "::" in str(fixture.baseid):
        return False
    if fixture.scope != "function" and not (fixture.argname == _WHOLE_SESSION and module in _OF_PYTEST):
        return False
    names = [name for name in fixture.argnames if name not in known]
    return not names or (names == ["request"] and module in _OF_PYTEST)


class FixtureCalls:
    """The fixtures of one run of a test, as they are made."""

    def __init__(self, item: pytest.Function) -> None:
        self.item = item
        self.values: dict[str, Any] = {"request": item._request, **_parameters(item)}
        self._ends: list[tuple[Any, Generator[Any]]] = []
        """The functions and generators of fixtures that go on once the test has ended, in the order of their making."""

    def arguments(self) -> dict[str, Any]:
        """Make all fixtures, and return those that the test is called with. Raises what they raise."""
        info = self.item._fixtureinfo
        for name in info.names_closure:
            self._value(name)
        return {name: self.values[name] for name in info.argnames}

    def _value(self, name: str) -> Any:
        if name not in self.values:
            fixture: Any = self.item._fixtureinfo.name2fixturedefs[name][-1]
            function = fixture.func
            arguments = {argument: self._value(argument) for argument in fixture.argnames}
            with _Undisturbed(function):
                made = function(**arguments)
                self.values[name] = self._begun(function, made) if inspect.isgeneratorfunction(function) else made
        return self.values[name]

    def _begun(self, function: Any, generator: Generator[Any]) -> Any:
        self._ends.append((function, generator))
        return next(generator)

    def end(self) -> BaseException | None:
        """Have the fixtures go on to their ends, the last one first; returns what the first to fail raised."""
        failures = [error for each in reversed(self._ends) if (error := _ended(*each)) is not None]
        return failures[0] if failures else None


def _ended(function: Any, generator: Generator[Any]) -> BaseException | None:
    try:
        with _Undisturbed(function):
            next(generator)
    except StopIteration:
        return None
    except BaseException as error:  # noqa: BLE001  as pytest does, which goes on with the other fixtures
        return error
    return AssertionError("a fixture yields more than once")


class _Undisturbed:
    """Holds back the end of a test's time while pytest's own fixture is made or undone; until then, it waits."""

    __slots__ = ("held",)

    def __init__(self, function: Any) -> None:
        self.held = getattr(function, "__module__", "") in _KEEPS_STATE

    def __enter__(self) -> None:
        if self.held:
            time_limits.hold()

    def __exit__(self, *error: object) -> None:
        if self.held:
            time_limits.release()


def forget_set_up(items: Sequence[pytest.Item]) -> None:
    """Have pytest take the fixtures of these tests for torn down, those of the whole session aside that stand.

    The exception that ends a test comes at any step, of pytest's own as well. What it then takes for set up is not, or
    it refuses to set up again what it did not finish: every test that comes later would fail. What fixtures registered
    for their end is called, as far as it can be.
    """
    stack: Any = getattr(items[0].session._setupstate, "stack", {})
    for node in [node for node in stack if not isinstance(node, pytest.Session)]:
        stack.remove(node) if isinstance(stack, list) else stack.pop(node)
    for fixture in (each for item in items for each in _fixtures_of(item)):
        _forget(fixture)
    _stop_capture(items[0].config.pluginmanager.getplugin("capturemanager"))


def _fixtures_of(item: pytest.Item) -> Iterator[Any]:
    known = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    return (each for several in known.values() for each in several)


def _forget(fixture: Any) -> None:
    if fixture.scope == "session" and getattr(fixture, "cached_result", None) is not None:
        return
    finalizers: list[Any] = getattr(fixture, "_finalizers", [])
    while finalizers:
        with contextlib.suppress(Exception):
            finalizers.pop()()
    fixture.cached_result = None


def _stop_capture(captures: Any) -> None:
    """Take the output back that a test captures for itself: there may be one capture at a time."""
    if (capture := getattr(captures, "_capture_fixture", None)) is not None:
        with contextlib.suppress(Exception):
            capture.close()
        captures.unset_fixture()
