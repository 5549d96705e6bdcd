"""Runs the tests of a project that is laid out on disk: pytest itself collects, configures and imports.

Only the assertions of test modules are ours, and nothing that would measure, distribute or shuffle the tests is on. The
program is the file that lies in its place: tests may reach it in any way that plain pytest allows.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from _pytest.config import ConftestImportFailure, _prepareconfig
from _pytest.runner import runtestprotocol

from regreen.sandbox.guest.runner.checks.check_runner import IsWanted, ProgramUnderTest, ReportResult, Runner, words_of
from regreen.sandbox.guest.runner.projects.project_imports import (
    BrokenLoading,
    MissingName,
    ProjectImports,
    TargetInterception,
)
from regreen.sandbox.guest.runner.pytest_sessions.pytest_runner import PytestRunner
from regreen.sandbox.guest.runner.pytest_sessions.suite_session import SuitePlugin, spare_collection
from regreen.sandbox.guest.runner.timing import time_limits

_ARGUMENTS = (
    "--capture=sys",
    "--assert=plain",
    "--tb=native",
    "--maxfail=0",
    "-pno:randomly",
    "-pno:langsmith_plugin",
    "-pno:regreen",
)
"""After the user's own, so that these hold: all tests run, in their order, and nothing is sent anywhere."""
_SWITCHED_OFF = {"xdist": ("-n0", "--dist=no"), "pytest_cov": ("--no-cov",)}
"""Plugin, by its module -> arguments that have it do nothing, although the configuration may ask for it."""


class ProjectRunner(PytestRunner):
    """A pytest session in the project's own folder."""

    loads_program = lies_in_file = True

    def __init__(self, suite: dict[str, Any], *, flipped: bool = False) -> None:
        Runner.__init__(self, tuple(check["id"] for check in suite["checks"]), suite["origin"])
        self.project = suite["project"]
        place = self.place
        self.target = f"{place}/{self.project['target']}"
        # As pytest, whose own rewriting takes the files that are named on the command line for tests, too.
        named = {os.path.abspath(argument.partition("::")[0]) for argument in self.project["arguments"]}  # noqa: PTH100
        counted, vetted, texts = suite.get("counted", False), suite.get("vetted", False), self.project["texts"]
        self.imports = ProjectImports(place, named, texts, flipped=flipped, counted=counted, vetted=vetted)
        self.may_fail = not vetted or _expects_failures(texts, named)
        self.interception = TargetInterception(self.target)
        self.items = self.broken = self.data = self.direct = None
        self.screened = self.is_interrupted = False
        self._use_properties(suite)
        self.reports: list[pytest.TestReport] = []
        self.uncollected: dict[str, BaseException] = {}
        """Files of tests that could not be collected, by their path below the top folder, and why."""
        self.broken_loading: BrokenLoading | None = None
        """What kept them from it, where the program itself raised."""
        self.missing: MissingName | None = None
        """What kept the tests of a screener from being collected, where that is a name that the program lacks."""
        self.is_heard = True
        """Whether somebody beside pytest's own plugins is told how tests begin and end."""
        self._told_paths: dict[Path, str] = {}
        self.path_before = list(sys.path)
        sys.meta_path.insert(0, self.imports)

    def session(self, subject: ProgramUnderTest, body: Callable[[], None]) -> None:
        """Collect the tests with the program as it lies there, and call `body` while the session is open."""
        self.items = self.broken = None
        self.imports.recorder, self.imports.builtins = subject.recorder, subject.builtins
        # Where a test is marked to fail, a fixture may have marked it.
        subject.proven = _Ends(self) if self.imports.vetted and not self.may_fail else ()
        plugin = self.plugin(subject, body)
        try:
            with time_limits.time_limit(self.collection_seconds):
                config = _prepareconfig(_arguments(self.project), [plugin])
                try:
                    config.hook.pytest_cmdline_main(config=config)
                finally:
                    config._ensure_unconfigure()
        except (Exception, SystemExit, time_limits.OutOfTime) as error:  # noqa: BLE001  as pytest's own main reports it
            self.broken = self.broken or cause_of(error)
        if isinstance(self.broken, ImportError) and self.interception.installed:
            self.missing = MissingName(self.broken, self.target)
        if self.broken is not None and self.interception.installed:
            self.broken_loading = BrokenLoading(self.broken, self.target, self.interception.loaded)
        if not plugin.opened:
            body()

    def plugin(self, subject: ProgramUnderTest, body: Callable[[], None]) -> ProjectPlugin:
        """The hooks of a session."""
        return ProjectPlugin(self, subject, body)

    def run(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Run the wanted items; outside a session, one is opened for this run alone."""
        if self.items is not None:
            self.put_data_back()
            self.go(subject, wanted, report)
            return
        if self.missing is not None and self.missing.is_still_missing():
            self.broken = self.missing.error
            self.go(subject, wanted, report)
            return
        if self.broken_loading is not None:
            if self.broken_loading.is_still_broken():
                self.broken = self.broken_loading.error
                self.go(subject, wanted, report)
                return
            self.start_anew()
        left = time_limits.limit_left()
        time_limits.stop_timers()
        subject.begin_loading()
        self.session(subject, partial(self.go_within, left, subject, wanted, report))
        self.items = None

    def go_within(
        self, left: time_limits.LimitLeft, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult
    ) -> None:
        """Run the items within the limit that held before the session was opened, if there was one."""
        subject.end_loading()
        left.go_on()
        self.go(subject, wanted, report)

    @property
    def is_tolerant(self) -> bool:
        """Whether the tests that can be collected are run where others cannot."""
        return bool(self.project.get("is_tolerant"))

    def check_id(self, item: pytest.Item | pytest.Collector) -> str:
        """An item's id, with its file as seen from the project's top folder where the tests are in several."""
        inner = item.nodeid.partition("::")[2]
        if self.project["short_ids"]:
            return inner
        file = self._told_paths.get(item.path)
        if file is None:
            file = self._told_paths[item.path] = os.path.relpath(item.path, self.project["place"])
        return f"{file}::{inner}" if inner else file

    @property
    def place(self) -> str:
        """The project's top folder."""
        return str(self.project["place"])

    def file_of(self, item: pytest.Item) -> str:
        """The file that an item is in."""
        return str(item.path)

    def learn_ids(self, subject: ProgramUnderTest) -> None:
        """Learn which tests there are with a stand-in for what the program lacks, in a session that only collects."""
        if self.ids or self.interception.is_stand_in:
            return
        broken = self.broken
        self.interception.is_stand_in = True
        self.interception.install()
        self.start_anew()
        self.session(subject, lambda: None)
        self.items, self.broken = None, broken
        self.interception.is_stand_in = False
        self.start_anew()

    def _reports(self, item: pytest.Item, following: pytest.Item | None) -> list[pytest.TestReport]:
        """Run one item as pytest's own loop does, with the hooks of all plugins around it."""
        self._name_anew(item)
        self.reports.clear()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return list(self.reports)

    def _name_anew(self, item: pytest.Item) -> None:
        """Give a doctest the names of its module as they are now: those of its collection are gone once it was run."""
        test = getattr(item, "dtest", None)
        if test is not None:
            first = item.stash.setdefault(_NAMES, dict(test.globs))
            module = sys.modules.get(str(first.get("__name__")))
            test.globs = dict(vars(module) if module is not None and self.imports.holds(module) else first)

    def start_anew(self) -> None:
        """Forget the modules of the project, so that they are loaded anew."""
        self.imports.forget()
        self.interception.loaded.clear()
        sys.path[:] = self.path_before
        importlib.invalidate_caches()


_NAMES: pytest.StashKey[dict[str, Any]] = pytest.StashKey()
"""The names that a doctest was collected with."""


class ProjectPlugin(SuitePlugin):
    """Hooks of one session."""

    runner: ProjectRunner

    def pytest_addoption(self, parser: pytest.Parser) -> None:
        """Options of our own plugin, which a configuration may hold: here they mean nothing."""
        for option in ("--regreen", "--regreen-apply"):
            parser.addoption(option, action="store_true")

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self, early_config: pytest.Config) -> None:
        """Learn which files are tests before the first of the project's modules is imported; all plugins are there."""
        if self.runner.imports.watch is not None:
            self.runner.imports.watch.start()
        self.runner.imports.set_test_files(early_config.getini("python_files"))
        # Beside pytest-xdist, whose workers nobody starts here, pytest-rerunfailures counts by a server of its own.
        if (reruns := sys.modules.get("pytest_rerunfailures")) is not None:
            vars(reruns)["HAS_PYTEST_HANDLECRASHITEM"] = False

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Leave out the reports to a terminal, which cost time."""
        config.pluginmanager.unregister(name="terminalreporter")
        spare_collection(config)

    def pytest_pycollect_makemodule(self, module_path: Path, parent: Any) -> None:
        """Leave it to pytest."""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Hand control to the body instead of pytest's own loop."""
        time_limits.stop_timers()
        hook = session.config.hook
        calls = hook.pytest_runtest_logreport, hook.pytest_runtest_logstart, hook.pytest_runtest_logfinish
        self.runner.is_heard = any(_is_foreign(each.plugin) for call in calls for each in call.get_hookimpls())
        return super().pytest_runtestloop(session)

    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        """Leave out the telling of each step to pytest's own reporters, where nobody else listens."""
        if self.runner.is_heard:
            return None
        self.runner.reports += runtestprotocol(item, log=False, nextitem=nextitem)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the reports of the item that is running."""
        self.runner.reports.append(report)

    def pytest_exception_interact(self, node: Any, call: pytest.CallInfo[Any]) -> None:
        """Remember why the tests could not be collected."""
        if isinstance(node, pytest.Collector) and call.excinfo is not None:
            cause = cause_of(call.excinfo.value)
            self.runner.broken = self.runner.broken or cause
            self.runner.uncollected[self.runner.check_id(node)] = cause

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
        """Remember what ended the session."""
        self.runner.broken = self.runner.broken or cause_of(excinfo.value)
        return True

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_set_timer(self, item: Any, settings: Any) -> bool:
        """Have pytest-timeout set no timer: ours, of the same signals, would be gone."""
        return True

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_cancel_timer(self, item: Any) -> bool:
        """Have it lift none."""
        return True


def _is_foreign(plugin: object) -> bool:
    """Whether a plugin is neither pytest's own nor ours."""
    name = plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__module__
    return not name.startswith(("_pytest.", "regreen."))


class _Ends(Collection[str]):
    """The test functions that tell of their end, by the ids of their checks."""

    def __init__(self, runner: ProjectRunner) -> None:
        self.proven = runner.imports.proven
        self.short = bool(runner.project["short_ids"])

    def __contains__(self, check: object) -> bool:
        if self.short:
            return any(test.partition(".py.")[2] == check for test in self.proven)
        return check in self.proven

    def __iter__(self) -> Iterator[str]:
        return iter(self.proven)

    def __len__(self) -> int:
        return len(self.proven)


def _expects_failures(texts: Mapping[str, bytes], named: Collection[str]) -> bool:
    """Whether a test file or a conftest of the project speaks of `xfail`, but for comments and strings."""
    for path, text in texts.items():
        name = Path(path).name
        if (name == "conftest.py" or "test" in name or path in named) and b"xfail" in text:
            try:
                if "xfail" in words_of(text):
                    return True
            except (SyntaxError, ValueError):
                return True
    return False


def cause_of(error: BaseException) -> BaseException:
    """What a module or a conftest raised, where pytest only tells that it could not be collected."""
    if isinstance(error, ConftestImportFailure):
        return error.cause
    if isinstance(error, pytest.Collector.CollectError):
        return error.__cause__ or error
    return error


def _arguments(project: dict[str, Any]) -> list[str]:
    scratch = str(Path(project["place"]).parent.parent)
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", scratch)
    off = [argument for name, arguments in _SWITCHED_OFF.items() if find_spec(name) for argument in arguments]
    return [*project["arguments"], *_ARGUMENTS, f"-ocache_dir={scratch}/cache", *off]
