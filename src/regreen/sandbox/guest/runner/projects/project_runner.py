"""Runs the tests of a project that is laid out on disk: pytest itself collects, configures and imports.

Only the assertions of test modules are ours, and nothing that would measure, distribute or shuffle the tests is on. The
program is the file that lies in its place: tests may reach it in any way that plain pytest allows.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import decode_source, find_spec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, cast
from weakref import ReferenceType

import pytest
from _pytest.config import ConftestImportFailure, _prepareconfig
from _pytest.runner import runtestprotocol

from regreen.sandbox.guest.runner.checks.check_runner import IsWanted, ProgramUnderTest, ReportResult, Runner, words_of
from regreen.sandbox.guest.runner.mutation_runs.line_trace import LineTrace
from regreen.sandbox.guest.runner.projects.kept_data import KeptModules
from regreen.sandbox.guest.runner.projects.loaded_program import CallTrace, LoadedProgram, LoadsAnew
from regreen.sandbox.guest.runner.projects.project_folder import FolderRestorer
from regreen.sandbox.guest.runner.projects.project_imports import (
    BrokenLoading,
    MissingName,
    ProjectImports,
    TargetInterception,
)
from regreen.sandbox.guest.runner.projects.rebinding import (
    ModuleBindings,
    definitions_in,
    leaves_copies,
    make_current,
    successor,
)
from regreen.sandbox.guest.runner.pytest_sessions.needed_tests import NeededTests, PlacedTest, needed_tests
from regreen.sandbox.guest.runner.pytest_sessions.open_session import OpenSession, opened
from regreen.sandbox.guest.runner.pytest_sessions.pytest_runner import PytestRunner, SuitePlugin, spare_collection
from regreen.sandbox.guest.runner.pytest_sessions.recollection import reads_annotations, reads_when_imported
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
        self.items = self.broken = self.data = None
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
        self.bindings: ModuleBindings | None = None
        """How the modules that were collected refer to the program; None where it is loaded anew for every run."""
        self.open_session: OpenSession | None = None
        """What collects the tests anew for every run; None where they stay, or each run has a session of its own."""
        self.places: dict[str, PlacedTest] = {}
        """Where each check is, for a session that collects those alone that are run; empty where it collects all."""
        self.needed: NeededTests | None = None
        """What is collected; None for everything."""
        self.kept: KeptModules | None = None
        """What the project's modules hold, where they stay as they were collected."""
        self.program: LoadedProgram | None = None
        """The program, where it stays loaded while its functions change."""
        self.has_copies = False
        """Whether somebody keeps each version of the program: what is loaded anew is not what a library works with."""
        self.own_fixtures: list[tuple[Any, Any]] = []
        """Fixtures of the whole session that the project's own files define, as they are set up, and their requests."""
        self.collecting: LineTrace | None = None
        self.restorer: FolderRestorer | None = None
        self.path_before = list(sys.path)
        sys.meta_path.insert(0, self.imports)

    def session(self, subject: ProgramUnderTest, body: Callable[[], None]) -> None:
        """Collect the tests with the program as it lies there, and call `body` while the session is open."""
        self.items = self.broken = None
        self.imports.recorder, self.imports.builtins = subject.recorder, subject.builtins
        # Where a test is marked to fail, a fixture may have marked it.
        subject.proven = _Ends(self) if self.imports.vetted and not self.may_fail else ()
        plugin = _ProjectPlugin(self, subject, body)
        try:
            with time_limits.time_limit(self.collection_seconds):
                config = _prepareconfig(_arguments(self.project), [plugin])
                try:
                    config.hook.pytest_cmdline_main(config=config)
                finally:
                    config._ensure_unconfigure()
        except (Exception, SystemExit, time_limits.OutOfTime) as error:  # noqa: BLE001  as pytest's own main reports it
            self.broken = self.broken or _cause_of(error)
        if isinstance(self.broken, ImportError) and self.interception.installed:
            self.missing = MissingName(self.broken, self.target)
        if self.broken is not None and self.interception.installed:
            self.broken_loading = BrokenLoading(self.broken, self.target, self.interception.loaded)
        if not plugin.opened:
            body()

    def run(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Run the wanted items; outside a session, one is opened for this run alone."""
        if self.open_session is not None and self.program is None:
            left = time_limits.limit_left()
            subject.begin_loading()
            self._collect_again(self.open_session, subject, needed_tests(self.places, wanted))
            self._go_within(left, subject, wanted, report)
            return
        if self.items is not None:
            self._rebind(subject)
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
            self._start_anew()
        left = time_limits.limit_left()
        time_limits.stop_timers()
        subject.begin_loading()
        self.session(subject, partial(self._go_within, left, subject, wanted, report))
        self.items = None

    def _go_within(
        self, left: time_limits.LimitLeft, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult
    ) -> None:
        """Run the items within the limit that held before the session was opened, if there was one."""
        subject.end_loading()
        left.go_on()
        self.go(subject, wanted, report)

    @property
    def reads_file(self) -> bool:
        """Whether somebody has read the program's file."""
        return self.restorer is not None and self.restorer.is_read

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
        self._start_anew()
        self.session(subject, lambda: None)
        self.items, self.broken = None, broken
        self.interception.is_stand_in = False
        self._start_anew()

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

    def stay_collected(self, codes: list[CodeType] | None, serve: Callable[[], None]) -> None:
        """Collect once, and call `serve`, which runs many programs: in this one session, if that is faithful.

        It is not where the other modules hold more of the program than names, call it as they are imported, or load it
        by themselves: then the session stays open and collects anew for each run, or each has a session of its own.
        """
        self.interception.codes = codes
        self.interception.install()
        self.restorer = FolderRestorer(self.project)
        self.restorer.watch()
        self.collecting = LineTrace(self.target)
        self.interception.after = self.collecting.start
        called = CallTrace(self.target)
        called.start()
        served = False

        def body() -> None:
            nonlocal served
            assert self.collecting is not None
            called.stop()
            self.collecting.stop()
            self.interception.after = None
            self.bindings = self._bindings()
            if self.bindings is not None:
                self.kept = KeptModules(self.bindings.others, self.bindings.places)
                if codes is not None and not self._leaves_others_alone(self.bindings, codes):
                    self.bindings = None
            if self.bindings is not None:
                self.open_session = None
            elif self.project.get("stays_loaded"):
                self._stay_loaded(codes, called)
            if self.bindings is None and self.program is None and not self.has_copies and not self._stays_open():
                return
            served = True
            serve()

        self.session(_nobody(), body)
        called.stop()
        if not served:
            self.items = self.open_session = self.collecting = None
            serve()

    def _stay_loaded(self, codes: list[CodeType] | None, called: CallTrace) -> None:
        """Have the program stay as it was loaded, with all that was made of it, while its functions change."""
        if self.items is None or codes is None:
            return
        if not self.interception.loaded:
            self._run_until_loaded(called)
        loaded = self.interception.loaded
        if len(loaded) != 1:
            return
        bindings = ModuleBindings(loaded[0], self._own_modules())
        is_read = any(_reads_data(bindings, module) for module in bindings.others)
        self.program = LoadedProgram(bindings, codes, called, is_read=is_read)
        self.kept = self.kept_now()

    def _run_until_loaded(self, called: CallTrace) -> None:
        """Run the tests until one of them has loaded the program: a web framework does so with the first request."""
        self.interception.before, self.interception.after = called.start, called.stop
        with contextlib.suppress(time_limits.OutOfTime), time_limits.time_limit(self.collection_seconds):
            self.go(_nobody(), lambda check: True, lambda check, result: not self.interception.loaded)
        called.stop()
        self.interception.before = self.interception.after = None

    def _leaves_others_alone(self, bindings: ModuleBindings, codes: list[CodeType]) -> bool:
        """Whether the other modules hold the same once the program has been run again, as they were imported.

        Otherwise they are given back what they held. Not where it cannot be run twice either.
        """
        assert self.kept is not None
        definitions = _run_again(bindings.module, codes)
        is_alone = definitions is not None and self.kept.is_as_before()
        self.kept.put_back()
        make_current(bindings.module)
        self.has_copies = leaves_copies(definitions or ())
        return is_alone and not self.has_copies

    def _stays_open(self) -> bool:
        """Whether the open session collects the same tests once more, with the program as it is."""
        if self.open_session is None or self.items is None:
            return False
        before = self._collected()
        self._start_anew()
        self._collect_again(self.open_session, _nobody())
        if self._collected() != before:
            return False
        self._learn_places(self.open_session)
        return True

    def _learn_places(self, session: OpenSession) -> None:
        """Learn where each test is, if the last one is the same where it is collected without the others."""
        all_ids = self._collected()
        places = {self.check_id(item): PlacedTest(self.file_of(item), item.nodeid) for item in self.items or ()}
        last = needed_tests(places, lambda check: check == all_ids[-1])
        if last is not None:
            self._start_anew()
            self._collect_again(session, _nobody(), last)
            found = self._collected()
            if all_ids[-1] in found and [check for check in all_ids if check in found] == found:
                self.places = {check: place for check, place in places.items() if check in self.ids}

    def _collected(self) -> list[str]:
        return [self.check_id(item) for item in self.items or ()]

    def _collect_again(
        self, session: OpenSession, subject: ProgramUnderTest, needed: NeededTests | None = None
    ) -> None:
        """Collect the tests for a program, in the open session: all of them, or what is needed."""
        time_limits.stop_timers()
        self.items, self.broken, self.needed = None, None, needed
        self.imports.recorder, self.imports.builtins = subject.recorder, subject.builtins
        try:
            with time_limits.time_limit(self.collection_seconds):
                items = session.collect(needed.files if needed else None)
        except BaseException as error:  # noqa: BLE001  a program may raise anything while it is imported
            self.broken = self.broken or _cause_of(error)
        else:
            if self.is_tolerant or not session.session.testsfailed:
                self.items = items

    def _bindings(self) -> ModuleBindings | None:
        loaded, traced = self.interception.loaded, self.collecting
        if self.items is None or len(loaded) != 1 or (traced is not None and traced.lines):
            return None
        bindings = ModuleBindings(loaded[0], self._own_modules())
        given = [getattr(item, "callspec", None) for item in self.items]
        marks = [mark.args for item in self.items for mark in item.iter_markers()]
        is_whole = bindings.reach_all(
            [*(spec.params for spec in given if spec), *marks], by_annotations=reads_annotations(self.project["texts"])
        )
        if not is_whole or any(_reads_data(bindings, module) for module in bindings.others):
            return None
        return None if self.project.get("stays_loaded") and bindings.extends_libraries() else bindings

    def following_last(self, items: Sequence[pytest.Item]) -> Any:
        """The session itself, where the program stays loaded: what plugins have set up for all tests stays, too.

        To make a data base takes a hundred times as long as a test.
        """
        return items[0].session if self.program is not None and items else None

    def go(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Run the wanted items; where the session stays set up, what the project itself has set up for it does not."""
        super().go(subject, wanted, report)
        for fixture, request in reversed(self.own_fixtures):
            with contextlib.suppress(Exception):
                fixture.finish(request)
        self.own_fixtures.clear()

    def tear_down(self, item: pytest.Item) -> None:
        """Tear down the fixtures that an item has left set up, but for those of plugins where the session stays so."""
        if self.program is None:
            super().tear_down(item)
            return
        item.session._setupstate.teardown_exact(cast("pytest.Item", item.session))

    def kept_now(self) -> KeptModules:
        """What all modules of the project hold now."""
        return KeptModules(self._own_modules(), ())

    def _own_modules(self) -> list[ModuleType]:
        """The modules of the project that are loaded."""
        modules = {id(module): module for module in (*sys.modules.values(), *self.imports.tests)}
        return [module for module in modules.values() if self.imports.holds(module)]

    def load(self, codes: list[CodeType]) -> ModuleType:
        """A program made of these codes, ready for `run`. Raises what it raises, unless it is loaded by the tests.

        And LoadsAnew where the program stays loaded, and that does not do.
        """
        if self.has_copies:
            raise LoadsAnew(self.target)
        self.interception.codes = codes
        if self.restorer is not None:
            self.restorer.restore()
            self.restorer.lay_out(self.text)
        if self.program is None and self.bindings is None:
            self._start_anew()
            return ModuleType("program")
        if self.kept is not None:
            self.kept.put_back()
        if self.program is not None:
            self.program.change_into(codes)
            return self.program.module
        assert self.bindings is not None
        module = successor(self.bindings.module)
        for code in codes:
            exec(code, vars(module))
        return module

    def _start_anew(self) -> None:
        self.imports.forget()
        self.interception.loaded.clear()
        sys.path[:] = self.path_before
        importlib.invalidate_caches()

    def _rebind(self, subject: ProgramUnderTest) -> None:
        """Put the new program wherever the collected modules refer to the old one."""
        if self.bindings is not None:
            self.bindings.bind(subject.module)
        if self.bindings is not None or self.program is not None:
            self.imports.replace_recorder(subject.recorder)


def _nobody() -> ProgramUnderTest:
    """The program of a session that only collects."""
    return ProgramUnderTest(ModuleType("program"), lambda error: None, lambda check: _NO_LIMIT)


def _run_again(module: ModuleType, codes: Sequence[CodeType]) -> list[ReferenceType[Any]] | None:
    """What a second version of a module defines; None where it raises."""
    again = successor(module)
    try:
        for code in codes:
            exec(code, vars(again))
    except (Exception, SystemExit):  # noqa: BLE001  whatever a program raises
        return None
    return definitions_in(again)


_NAMES: pytest.StashKey[dict[str, Any]] = pytest.StashKey()
"""The names that a doctest was collected with."""


class _ProjectPlugin(SuitePlugin):
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

    @pytest.hookimpl(hookwrapper=True)
    def pytest_sessionstart(self, session: pytest.Session) -> Iterator[None]:
        """Keep what the session is before it collects, for a screener that has it collect again."""
        if self.runner.collecting is None:
            yield
            return
        with opened(session) as found:
            yield
        self.runner.open_session = found[0] if found else None

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Iterator[None]:
        """Note which fixtures of the project would stay set up with the session, where that stays so.

        What those of plugins change in the project is there to stay, such as the name of the data base.
        """
        if self.runner.program is None or fixturedef.scope != "session":
            yield
            return
        file = getattr(getattr(fixturedef.func, "__code__", None), "co_filename", "")
        if file.startswith(f"{self.runner.place}/"):
            self.runner.own_fixtures.append((fixturedef, request))
            yield
            return
        before = self.runner.kept_now()
        yield
        if self.runner.kept is not None:
            self.runner.kept.take_over_from(before)

    def pytest_pycollect_makemodule(self, module_path: Path, parent: Any) -> None:
        """Leave it to pytest."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, collector: Any, name: str) -> list[Any] | None:
        """Leave out what need not be collected."""
        needed = self.runner.needed
        return None if needed is None or f"{collector.nodeid}::{name}" in needed.nodes else []

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
            cause = _cause_of(call.excinfo.value)
            self.runner.broken = self.runner.broken or cause
            self.runner.uncollected[self.runner.check_id(node)] = cause

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
        """Remember what ended the session."""
        self.runner.broken = self.runner.broken or _cause_of(excinfo.value)
        return True

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_set_timer(self, item: Any, settings: Any) -> bool:
        """Have pytest-timeout set no timer: ours, of the same signals, would be gone."""
        return True

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_cancel_timer(self, item: Any) -> bool:
        """Have it lift none."""
        return True


def _reads_data(bindings: ModuleBindings, module: ModuleType) -> bool:
    """Whether another module reads the program's data while it is imported, and would keep the first program's."""
    names, aliases = bindings.names_in(vars(module))
    file = getattr(module, "__file__", None)
    if not (names or aliases) or file is None:
        return False
    return reads_when_imported(decode_source(Path(file).read_bytes()), names, aliases, bindings.data)


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


_NO_LIMIT: Any = contextlib.nullcontext()


def _cause_of(error: BaseException) -> BaseException:
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
