"""A project whose tests are run on one change of its program after another, in one session where that is faithful."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from importlib.util import decode_source
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, cast
from weakref import ReferenceType

import pytest

from regreen.sandbox.guest.runner.checks.check_runner import IsWanted, ProgramUnderTest, ReportResult
from regreen.sandbox.guest.runner.mutation_runs.line_trace import LineTrace
from regreen.sandbox.guest.runner.program_loading.program_module import LoadsAnew
from regreen.sandbox.guest.runner.projects.kept_data import KeptModules
from regreen.sandbox.guest.runner.projects.loaded_program import CallTrace, LoadedProgram
from regreen.sandbox.guest.runner.projects.project_folder import FolderRestorer
from regreen.sandbox.guest.runner.projects.project_runner import ProjectPlugin, ProjectRunner, cause_of
from regreen.sandbox.guest.runner.projects.rebinding import (
    ModuleBindings,
    definitions_in,
    leaves_copies,
    make_current,
    successor,
)
from regreen.sandbox.guest.runner.pytest_sessions.direct_items import direct_items
from regreen.sandbox.guest.runner.pytest_sessions.needed_tests import NeededTests, PlacedTest, needed_tests
from regreen.sandbox.guest.runner.pytest_sessions.open_session import OpenSession, opened
from regreen.sandbox.guest.runner.pytest_sessions.recollection import reads_annotations, reads_when_imported
from regreen.sandbox.guest.runner.timing import time_limits


class ScreenedProject(ProjectRunner):
    """The tests of a project, and in which of four ways another program is put in the place of the one before.

    It takes over its names in the other modules; or the program stays loaded, and its functions change; or the tests
    are collected anew, in the session that is open; or each program has a session of its own.
    """

    def __init__(self, suite: dict[str, Any]) -> None:
        super().__init__(suite)
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

    def plugin(self, subject: ProgramUnderTest, body: Callable[[], None]) -> ProjectPlugin:
        """The hooks of a session."""
        return _ScreenedPlugin(self, subject, body)

    def prepare_direct_items(self, config: pytest.Config) -> None:
        """Have tests be run without pytest's hooks where nobody else listens, and nothing asks for more."""
        if self.is_heard or self._filters_warnings:
            self.direct = None
        else:
            self.direct = direct_items(config, self._texts_of_tests, self.text or "")

    @cached_property
    def _texts_of_tests(self) -> str:
        """The texts of all files that may hold tests or fixtures, in one."""
        texts = (text for path, text in self.project["texts"].items() if "test" in path.rpartition("/")[2])
        return b"\n".join(texts).decode(errors="replace")

    @cached_property
    def _filters_warnings(self) -> bool:
        """Whether a module of the project sets filters of warnings, which pytest takes back after each test."""
        return any(b"simplefilter" in text or b"filterwarnings" in text for text in self.project["texts"].values())

    def run(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Run the wanted items; outside a session, one is opened for this run alone."""
        if self.open_session is not None and self.program is None:
            left = time_limits.limit_left()
            subject.begin_loading()
            self._collect_again(self.open_session, subject, needed_tests(self.places, wanted))
            self.go_within(left, subject, wanted, report)
            return
        if self.items is not None:
            self._rebind(subject)
        super().run(subject, wanted, report)

    @property
    def is_stale(self) -> bool:
        """Whether the program stays loaded, and something in it may have been made by what was changed since."""
        return self.program is not None and self.program.is_stale

    @property
    def reads_file(self) -> bool:
        """Whether somebody has read the program's file."""
        return self.restorer is not None and self.restorer.is_read

    def stay_collected(self, codes: list[CodeType] | None, serve: Callable[[], None]) -> None:
        """Collect once, and call `serve`, which runs many programs: in this one session, if that is faithful.

        It is not where the other modules hold more of the program than names, call it as they are imported, or load it
        by themselves. Then it stays as it was loaded, and its functions change; for what does not change so, the
        session stays open and collects anew for each run, or each has a session of its own.
        """
        self.interception.codes = codes
        self.interception.install()
        self.restorer = FolderRestorer(self.project)
        self.restorer.watch()
        self.collecting = traced = LineTrace(self.target)
        called = CallTrace(self.target)
        served = False

        def loaded() -> None:
            called.stop()
            traced.start()

        self.interception.before, self.interception.after = called.start, loaded

        def ended() -> None:
            called.stop()
            traced.stop()
            self.interception.before = self.interception.after = None

        def body() -> None:
            nonlocal served
            ended()
            self.bindings = self._bindings()
            if self.bindings is not None:
                self.kept = KeptModules(self.bindings.others, self.bindings.places)
                if codes is not None and not self._leaves_others_alone(self.bindings, codes):
                    self.bindings = None
            if self.bindings is not None:
                self.open_session = None
            elif self.project.get("stays_loaded"):
                self._stay_loaded(codes, called, traced.lines)
            if self.bindings is None and self.program is None and not self.has_copies and not self._stays_open():
                return
            served = True
            serve()

        self.session(_nobody(), body)
        ended()
        if not served:
            self.items = self.open_session = self.collecting = None
            serve()

    def _stay_loaded(self, codes: list[CodeType] | None, called: CallTrace, lines: Collection[int]) -> None:
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
        self.program = LoadedProgram(bindings, codes, called, lines, is_read=is_read)
        self.kept = self.kept_now()

    def _run_until_loaded(self, called: CallTrace) -> None:
        """Run the tests until one of them has loaded the program: a web framework does so with the first request."""
        before = self.kept_now()
        self.interception.before, self.interception.after = called.start, called.stop
        with contextlib.suppress(time_limits.OutOfTime), time_limits.time_limit(self.collection_seconds):
            self.go(_nobody(), lambda check: True, lambda check, result: not self.interception.loaded)
        called.stop()
        self.interception.before = self.interception.after = None
        before.put_back()

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
        self.start_anew()
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
            self.start_anew()
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
            self.broken = self.broken or cause_of(error)
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
        if self.has_copies and self.program is None:
            raise LoadsAnew(self.target)
        self.interception.codes = codes
        if self.restorer is not None:
            self.restorer.restore()
            self.restorer.lay_out(self.text)
        if self.program is None and self.bindings is None:
            self.start_anew()
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


class _ScreenedPlugin(ProjectPlugin):
    """Hooks of one session."""

    runner: ScreenedProject

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

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, collector: Any, name: str) -> list[Any] | None:
        """Leave out what need not be collected."""
        needed = self.runner.needed
        return None if needed is None or f"{collector.nodeid}::{name}" in needed.nodes else []


def _reads_data(bindings: ModuleBindings, module: ModuleType) -> bool:
    """Whether another module reads the program's data while it is imported, and would keep the first program's."""
    names, aliases = bindings.names_in(vars(module))
    file = getattr(module, "__file__", None)
    if not (names or aliases) or file is None:
        return False
    return reads_when_imported(decode_source(Path(file).read_bytes()), names, aliases, bindings.data)


_NO_LIMIT: Any = contextlib.nullcontext()
