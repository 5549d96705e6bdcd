"""Runs tests of pytest without the hooks around each of their phases, where nothing there changes how they end.

A screener runs a test for thousands of programs. pytest asks some thirty plugins before, while and after each test is
set up, called and torn down, which takes ten times as long as most tests. A test goes the long way wherever a plugin
might have a say: other marks than parameters, fixtures of plugins, coroutines, and texts that ask for warnings or for
what pytest tells of itself.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from types import ModuleType
from typing import Any, Final

import pytest

from regreen.sandbox.guest.runner.checks.captured_output import DroppedText
from regreen.sandbox.guest.runner.checks.check_runner import CheckSkipped
from regreen.sandbox.guest.runner.pytest_sessions.fixture_calls import FixtureCalls, is_called_alike

_HOOKS: Final = (
    "pytest_runtest_protocol pytest_runtest_setup pytest_runtest_call pytest_runtest_teardown "
    "pytest_runtest_makereport pytest_pyfunc_call"
).split()
"""What is left out of a test's run."""
_KNOWN_PLUGINS: Final = (
    *("_pytest.", "regreen.", "anyio.", "_hypothesis_pytestplugin", "pytest_asyncio", "pytest_mock", "pytest_timeout"),
    *("pytest_cov", "xdist.", "langsmith."),
)
"""Plugins that have no say in a test without a mark, a fixture or a coroutine of theirs."""
_ASKS_PLUGINS: Final = re.compile(
    r"\b(?:warnings|warns|deprecated_call|filterwarnings|xfail|hypothesis|faulthandler|PYTEST_\w+|"
    r"last_(?:type|value|traceback|exc))\b"
)
"""Words of tests, or of a program, that may ask for what the hooks leave behind: filters of warnings, say."""
_PLAIN_MARKS: Final = frozenset({"parametrize", "usefixtures"})
_PLAIN_FIXTURES: Final = frozenset(
    {"_pytest.fixtures", "_pytest.python", "_pytest.tmpdir", "_pytest.monkeypatch", "_pytest.capture"}
)
"""Modules of pytest whose fixtures need no hook: parameters, `setup_method` and its like, folders and patches."""
_FOLDER_KEY: Final[Any] = getattr(importlib.import_module("_pytest.tmpdir"), "tmppath_result_key", None)
"""Where a temporary folder looks up how its test went, when it is torn down; None before pytest 7.3."""
_COROUTINES: Final = (inspect.iscoroutinefunction, inspect.isasyncgenfunction, inspect.isgeneratorfunction)

RunItem = Callable[[pytest.Function, pytest.Item | None], BaseException | None]
"""Runs a test, knowing which one follows; returns what went wrong first."""


class DirectItems:
    """The tests of one session that can be run without hooks."""

    def __init__(self, tests: str, program: str) -> None:
        self.output = DroppedText()
        self.logs = "logging" in tests or "logging" in program
        """Whether somebody may log: pytest listens, and a message that cannot be put together fails the test."""
        self._ways: dict[str, RunItem | None] = {}
        """By the id of a test: how it is run here; None where it goes the long way."""

    def way(self, item: pytest.Item) -> RunItem | None:
        """How a test is run without hooks, the same for each program that the session runs; None where it cannot be."""
        if item.nodeid not in self._ways:
            self._ways[item.nodeid] = _way(item)
        return self._ways[item.nodeid]

    def run(self, item: pytest.Function, following: pytest.Item | None, way: RunItem) -> BaseException | None:
        """Run a test with its fixtures; returns what went wrong first, CheckSkipped where it was skipped."""
        sys.stdout = sys.stderr = self.output
        if not item._request:
            # It was run for another program.
            item._initrequest()
        item.stash[_FOLDER_KEY] = {}
        try:
            with self._listening():
                error = way(item, following)
        finally:
            item._request, item.funcargs = False, None  # type: ignore[assignment]
        return CheckSkipped(str(error)) if isinstance(error, _skips()) else error

    def _listening(self) -> AbstractContextManager[Any]:
        if not self.logs:
            return nullcontext()
        from _pytest.logging import LogCaptureHandler, catching_logs

        return catching_logs(LogCaptureHandler())


def direct_items(config: pytest.Config, tests: str, program: str) -> DirectItems | None:
    """What runs tests of a session without hooks; None where a plugin may have a say in all of them.

    `tests` is the text of the tests and of all `conftest.py` files, `program` that of the program.
    """
    if not _is_understood() or _is_strict(config) or any(map(_ASKS_PLUGINS.search, (tests, program))):
        return None
    plugins = (each.plugin for hook in _HOOKS for each in getattr(config.hook, hook).get_hookimpls())
    return DirectItems(tests, program) if all(map(_is_known, plugins)) else None


def _is_understood() -> bool:
    """Whether pytest sets tests up as we know it: from pytest 8 on."""
    is_known = all(hasattr(pytest.Function, name) for name in ("_initrequest", "setup"))
    return is_known and hasattr(pytest, "Directory") and _FOLDER_KEY is not None


def _is_strict(config: pytest.Config) -> bool:
    """Whether a configuration makes failures of warnings, or has more logged than is by itself."""
    filters = [*config.getini("filterwarnings"), *(config.getoption("pythonwarnings", None) or ())]
    return any(str(each).startswith("error") for each in filters) or bool(config.getini("log_level"))


def _is_known(plugin: object) -> bool:
    name = plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__module__
    return name.startswith(_KNOWN_PLUGINS)


def _way(item: pytest.Item) -> RunItem | None:
    """How a test is run in which no plugin has a say; None for others."""
    if type(item) is not pytest.Function or any(mark.name not in _PLAIN_MARKS for mark in item.iter_markers()):
        return None
    if any(is_other(item.obj) for is_other in _COROUTINES) or not _has_plain_fixtures(item):
        return None
    return _run_alone if is_called_alike(item) else _run_set_up


def _has_plain_fixtures(item: pytest.Function) -> bool:
    """Whether no fixture of a test is a plugin's."""
    fixtures = [each for several in item._fixtureinfo.name2fixturedefs.values() for each in several]
    return all(_is_plain_fixture(each, item) for each in fixtures)


def _is_plain_fixture(fixture: Any, item: pytest.Function) -> bool:
    """Whether a fixture is one of the tests' own, or of pytest's that need no hook."""
    if inspect.iscoroutinefunction(fixture.func) or inspect.isasyncgenfunction(fixture.func):
        return False
    module = str(getattr(fixture.func, "__module__", ""))
    if module.startswith("_pytest."):
        return module in _PLAIN_FIXTURES
    return module == item.module.__name__ or module.rpartition(".")[2] == "conftest"


def _run_set_up(item: pytest.Function, following: pytest.Item | None) -> BaseException | None:
    """Have pytest set a test up, call it, and have it torn down; returns the first exception of these."""
    error = None
    try:
        item.session._setupstate.setup(item)
        arguments = item.funcargs
        item.obj(**{name: arguments[name] for name in item._fixtureinfo.argnames})
    except BaseException as raised:  # noqa: BLE001  as pytest does, which tears down whatever a test raises
        error = raised
    ended = _torn_down(item, following)
    return error or ended


def _run_alone(item: pytest.Function, following: pytest.Item | None) -> BaseException | None:
    """The same for a test whose fixtures are called without pytest."""
    error, fixtures = None, FixtureCalls(item)
    try:
        item.obj(**fixtures.arguments())
    except BaseException as raised:  # noqa: BLE001
        error = raised
    ended = fixtures.end()
    # A test before it may have left what belongs to the module.
    torn_down = _torn_down(item, following) if item.session._setupstate.stack else None
    return error or ended or torn_down


def _torn_down(item: pytest.Function, following: pytest.Item | None) -> BaseException | None:
    try:
        item.session._setupstate.teardown_exact(following)
    except BaseException as raised:  # noqa: BLE001  what a fixture raises at its end fails the test, too
        return raised
    return None


def _skips() -> tuple[type[BaseException], ...]:
    """The exceptions with which a test says that it was skipped."""
    unittest = sys.modules.get("unittest")
    of_unittest = (unittest.SkipTest,) if unittest is not None else ()
    return (pytest.skip.Exception, pytest.xfail.Exception, *of_unittest)
