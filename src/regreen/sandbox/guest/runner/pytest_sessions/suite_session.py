"""One session of pytest over one test module: its hooks, and the module, whose text pytest never imports itself."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Protocol

import pytest

from regreen.sandbox.guest.runner.checks.check_runner import ProgramUnderTest
from regreen.sandbox.guest.runner.pytest_sessions.recollection import FixtureTables

_GARBAGE_ROUNDS: Any = getattr(
    importlib.import_module("_pytest.unraisableexception"), "gc_collect_iterations_key", None
)
"""Where pytest looks up how often to collect garbage at its end; None before pytest 8.4."""
CHECKS = "__checks__"
"""The name of the module of checks."""
ERROR: pytest.StashKey[BaseException] = pytest.StashKey()
"""Where an item holds the exception that it ended with."""


class SuiteRunner(Protocol):
    """What a session is opened for: it is told what is collected, and runs it."""

    ids: tuple[str, ...]
    code: CodeType
    path: Path
    one_namespace: bool
    tests: ModuleType | None
    items: list[pytest.Item] | None
    parent: pytest.Collector | None
    fixtures: FixtureTables | None
    broken: BaseException | None

    @property
    def is_tolerant(self) -> bool:
        """Whether tests are run although others could not be collected."""

    def check_id(self, item: pytest.Item | pytest.Collector) -> str:
        """The id of the check that an item is."""

    def prepare_direct_items(self, config: pytest.Config) -> None:
        """Called once the session is open, before any item is run."""


class SuitePlugin:
    """Hooks of one session."""

    def __init__(self, runner: SuiteRunner, subject: ProgramUnderTest, body: Callable[[], None]) -> None:
        self.runner = runner
        self.subject = subject
        self.body = body
        self.opened = False
        """Whether pytest came as far as to run tests."""

    def pytest_configure(self, config: pytest.Config) -> None:
        """Leave out tracebacks: for each frame pytest would read and parse the whole file that it is in."""
        config.option.tbstyle = "value"
        spare_collection(config)

    def pytest_pycollect_makemodule(self, module_path: Path, parent: Any) -> Any:
        """Collect from the text that came through the wall, with its asserts rewritten by us."""
        self.runner.parent, self.runner.fixtures = parent, FixtureTables(parent.session)
        return suite_module(self.runner, self.subject, parent, module_path)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Hand control to the body instead of pytest's own loop."""
        if not session.testsfailed or self.runner.is_tolerant:
            self.runner.items = list(session.items)
            self.runner.ids = self.runner.ids or tuple(self.runner.check_id(item) for item in session.items)
        self.opened = True
        self.runner.prepare_direct_items(session.config)
        self.body()
        return True

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Keep the exception itself, where a report keeps its text."""
        if call.excinfo is not None and not isinstance(call.excinfo.value, pytest.skip.Exception):
            item.stash.setdefault(ERROR, call.excinfo.value)

    def pytest_exception_interact(self, node: Any, call: pytest.CallInfo[Any]) -> None:
        """Remember why the module could not be collected."""
        if isinstance(node, pytest.Module) and call.excinfo is not None:
            self.runner.broken = call.excinfo.value


def spare_collection(config: pytest.Config) -> None:
    """Have pytest collect no garbage at its end, when all verdicts are known: in a forked process each object costs."""
    if _GARBAGE_ROUNDS is not None:
        config.stash[_GARBAGE_ROUNDS] = 0


class SuiteModule(pytest.Module):
    """The module of checks, made of the text that came through the wall."""

    runner: SuiteRunner
    subject: ProgramUnderTest
    loaded: ModuleType | None = None
    """The module, where its text has been executed before."""

    def _getobj(self) -> ModuleType:
        return self.loaded or load_tests(self.runner, self.subject, self.runner.code)


def suite_module(runner: SuiteRunner, subject: ProgramUnderTest, parent: Any, path: Path) -> SuiteModule:
    """The collector of the module, for one program."""
    module: SuiteModule = SuiteModule.from_parent(parent, path=path)
    module.runner, module.subject = runner, subject
    return module


def load_tests(runner: SuiteRunner, subject: ProgramUnderTest, code: CodeType) -> ModuleType:
    """Execute the tests' text as a module that sees the program's names."""
    runner.tests = ModuleType(CHECKS)
    sys.modules[CHECKS] = runner.tests
    runner.tests.__file__ = str(runner.path.resolve())
    runner.tests.__dict__.update({**(subject.names() if runner.one_namespace else {}), **subject.apart()})
    with contextlib.nullcontext() if subject.is_whole else subject.around(""):
        exec(code, runner.tests.__dict__)
    subject.tell_defined(code, runner.tests.__dict__)
    return runner.tests
