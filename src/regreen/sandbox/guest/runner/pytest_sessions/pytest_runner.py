"""Runs a suite under pytest's own runner: collected once, then run for as many programs as wanted."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.runner import runtestprotocol

from regreen.sandbox.guest.runner.checks.check_runner import (
    COLLECTION,
    CheckSkipped,
    IsWanted,
    ProgramUnderTest,
    ReportResult,
    Runner,
    compile_tests,
    result_of,
    run_check,
    words_of,
)
from regreen.sandbox.guest.runner.lazy_values import is_plainly
from regreen.sandbox.guest.runner.projects.kept_data import KeptData, data_of_tests
from regreen.sandbox.guest.runner.pytest_sessions.case_ids import known_checks
from regreen.sandbox.guest.runner.pytest_sessions.direct_items import DirectItems, direct_items
from regreen.sandbox.guest.runner.pytest_sessions.fixture_calls import forget_set_up
from regreen.sandbox.guest.runner.pytest_sessions.recollection import FixtureTables, uses_when_imported
from regreen.sandbox.guest.runner.pytest_sessions.stand_in_module import StandInModule
from regreen.sandbox.guest.runner.pytest_sessions.suite_session import (
    CHECKS,
    ERROR,
    SuitePlugin,
    load_tests,
    suite_module,
)

if TYPE_CHECKING:
    from regreen.sandbox.guest.runner.checks.property_tests import KnownExamples
    from regreen.sandbox.guest.runner.pytest_sessions.conftest_importer import ConftestImporter

_FOLDER = "suite"
_NO_PROPERTIES: Mapping[str, Any] = {"examples": {}, "shrinks": False, "seed": 0}
_USELESS_PLUGINS = ("cov", "randomly", "terminal", "faulthandler", "langsmith_plugin", "regreen")
"""Plugins that measure, shuffle, print or send: none of that is wanted here."""
_PLUGINS_FOR_FIXTURES = {"cacheprovider": ("cache",), "xdist": ("worker_id", "testrun_uid")}
"""Plugins that are wanted for their fixtures alone, where the tests name one."""


class PytestRunner(Runner):
    """One pytest session over one test module, whose text is never imported by pytest itself."""

    def __init__(self, suite: dict[str, Any], *, flipped: bool = False, screened: bool = False) -> None:
        super().__init__(tuple(check["id"] for check in suite["checks"]), suite["origin"])
        self.direct: DirectItems | None = None
        """What runs tests without pytest's hooks, in a session that is open for one program after another."""
        self.is_interrupted = False
        """Whether the last run was ended while pytest was setting up or tearing down, or may have been."""
        self.screened = screened
        self.conftests = _conftests(suite)
        name = f"test_{Path(suite['origin']).stem.removeprefix('test_')}.py"
        self.path = (self.conftests.innermost if self.conftests else Path(_FOLDER)) / name
        self.code, self.proven = compile_tests(suite, flipped=flipped)
        self.texts = [suite["source"], *(text for _, text in suite.get("conftests", ()))]
        self.may_fail = any("xfail" in words_of(text) for text in self.texts)
        """Whether the tests themselves say that one of them is expected to fail."""
        self.source = suite["source"]
        self.one_namespace = suite["one_namespace"]
        self.extra = {k: v for k, v in suite["companions"].items() if Path(k).name == "conftest.py"}
        self.items: list[pytest.Item] | None = None
        self._use_properties(suite)
        self.parent: pytest.Collector | None = None
        """The collector of the module, once a session is open."""
        self.tests: ModuleType | None = None
        self.stays_bound: bool | None = None
        """Whether the module keeps what it made of the program while it was imported; None as long as nobody asked."""
        self.fixtures: FixtureTables | None = None
        self.bound: dict[str, Any] = {}
        """The names of the program for which the module was collected, or that was last put in its place."""
        self.broken: BaseException | None = None
        self.data: tuple[Sequence[pytest.Item], KeptData] | None = None
        """What the tests of these items hold, once they have been run in a session that stays open."""

    def run(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Run the wanted items; outside a session, one is opened for this run alone."""
        if self.parent is None:
            self.session(subject, partial(self.go, subject, wanted, report))
            return
        if self.items is None or self._is_used_when_imported(subject):
            self._collect(subject)
        else:
            self._rebind(subject)
        self.put_data_back()
        self.go(subject, wanted, report)

    def put_data_back(self) -> None:
        """Have the tests hold again what they held before any program was tested in this session."""
        if self.items is None:
            return
        if self.data is None or self.data[0] is not self.items:
            self.data = self.items, data_of_tests(self.items)
        else:
            self.data[1].put_back()

    def _is_used_when_imported(self, subject: ProgramUnderTest) -> bool:
        if self.stays_bound is None:
            self.stays_bound = uses_when_imported(self.source, subject.module.__name__, self.bound)
        return self.stays_bound

    def session(self, subject: ProgramUnderTest, body: Callable[[], None]) -> None:
        """Collect the module for this program, and call `body` while the session is open."""
        Path(_FOLDER).mkdir(exist_ok=True)
        if self.conftests is not None:
            self.conftests.install(partial(_run_below, self, subject))
        self.path.write_text(self.source, encoding="utf-8")
        for name, text in self.extra.items():
            (self.path.parent / name).write_text(text, encoding="utf-8")
        self.bound, subject.proven = subject.names(), self.proven
        _make_known({subject.module.__file__ or "": subject.module.__name__, self.origin: CHECKS})
        plugin = SuitePlugin(self, subject, body)
        try:
            texts = "".join([*self.texts, *self.extra.values()])
            pytest.main(_arguments(self.path, Path(_FOLDER), texts), plugins=[plugin])
        except (Exception, SystemExit) as error:  # noqa: BLE001  what pytest fails at after the checks is not theirs
            self.broken = self.broken or error
        if not plugin.opened:
            # There is no session any more that could collect anything.
            self.parent = None
            body()

    def _collect(self, subject: ProgramUnderTest) -> None:
        """Collect the module for a program, in the open session, after it could not be for those before.

        A test module that does not load costs no more than that: pytest is only asked about one that does.
        """
        assert self.parent is not None
        assert self.fixtures is not None
        self.items = None
        self.fixtures.forget()
        self.bound, subject.proven = subject.names(), self.proven
        try:
            tests = load_tests(self, subject, self.code)
        except Exception as error:  # noqa: BLE001  whatever it raises is the result of every check
            self.broken = error
            return
        module = suite_module(self, subject, self.parent, self.path.resolve())
        module.loaded = tests
        items = list(self.parent.session.genitems(module))
        self.parent.config.hook.pytest_collection_modifyitems(
            session=self.parent.session, config=self.parent.config, items=items
        )
        self.items = items or None

    def _use_properties(self, suite: dict[str, Any]) -> None:
        """Have property tests try the examples that failed before."""
        properties = suite.get("properties", _NO_PROPERTIES)
        self.seed: int = properties["seed"]
        self.examples = _property_examples(suite["source"], properties)

    def _prepare(self, items: Sequence[pytest.Item]) -> None:
        """Leave out words that nobody reads, and have property tests draw the same examples each time."""
        for item in items:
            item.repr_failure = _kind_of  # type: ignore[method-assign, assignment]
        if self.examples is not None:
            from regreen.sandbox.guest.runner.checks.property_tests import seed_property

            for item in items:
                seed_property(getattr(item, "obj", None), self.seed)

    def found_examples(self) -> dict[str, list[str]]:
        """Failing examples of property tests that this run found."""
        return self.examples.as_texts() if self.examples is not None else {}

    def go(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Run the wanted items of the session that is open."""
        if self.items is None:
            self._all_broken(subject, wanted, report)
            return
        checks = known_checks(self.ids, [self.check_id(item) for item in self.items])
        if self.items:
            empty_scratch(self.items[0].config)
        chosen = [
            (check, item) for check, item in zip(checks, self.items, strict=True) if check is not None and wanted(check)
        ]
        items = [item for _, item in chosen]
        self._prepare(items)
        if self.is_interrupted:
            forget_set_up(self.items)
        self.is_interrupted = True
        for (check, item), following in zip(chosen, [*items[1:], self.following_last(items)], strict=False):
            result = run_check(subject, check, partial(self._perform, item, following), self.file_of(item))
            if result["outcome"] == "timed_out":
                forget_set_up(self.items)
            if not report(check, result):
                # Fixtures of a module or a session would be met by the next program.
                with contextlib.suppress(Exception):
                    self.tear_down(item)
                    self.is_interrupted = False
                return
        self.is_interrupted = False

    def following_last(self, items: Sequence[pytest.Item]) -> pytest.Item | None:
        """What pytest is told to come after the last of the items: with nothing, all fixtures are torn down."""
        return None

    def tear_down(self, item: pytest.Item) -> None:
        """Tear down the fixtures that an item has left set up."""
        item.session._setupstate.teardown_exact(None)

    @property
    def is_tolerant(self) -> bool:
        """Whether tests are run although others could not be collected."""
        return False

    def check_id(self, item: pytest.Item | pytest.Collector) -> str:
        """An item's id without its file."""
        return item.nodeid.partition("::")[2]

    def file_of(self, item: pytest.Item) -> str:
        """The file name under which the code of an item is compiled."""
        return self.origin

    def _reports(self, item: pytest.Item, following: pytest.Item | None) -> list[pytest.TestReport]:
        """Run one item with its fixtures; returns the reports of its phases."""
        return runtestprotocol(item, nextitem=following, log=False)

    def prepare_direct_items(self, config: pytest.Config) -> None:
        """Have tests be run without pytest's hooks where that changes nothing: for programs that are screened alone."""
        if self.screened:
            self.direct = direct_items(config, "".join([*self.texts, *self.extra.values()]), self.text or "")

    def _perform(self, item: pytest.Item, following: pytest.Item | None) -> None:
        """Run one item with its fixtures. Raises what went wrong in it, or CheckSkipped."""
        way = self.direct.way(item) if self.direct is not None else None
        if way is not None and self.direct is not None and isinstance(item, pytest.Function):
            error = self.direct.run(item, following, way)
            if error is not None:
                raise _cause(error, "")
            return
        item.stash._storage.pop(ERROR, None)
        try:
            reports = self._reports(item, following)
        except BaseException:
            # What pytest lets through (KeyboardInterrupt, say) leaves its fixtures set up.
            self.tear_down(item)
            raise
        failed = [report for report in reports if report.failed]
        if failed:
            raise _cause(item.stash.get(ERROR, None), str(failed[0].longrepr))
        # A program that raises pytest's own exception is not expected to fail for that.
        expected = [report for report in reports if self.may_fail and hasattr(report, "wasxfail")]
        skipped = [report for report in reports if report.skipped and report not in expected]
        if skipped:
            raise CheckSkipped(str(skipped[0].longrepr))
        if not expected and not any(report.when == "call" for report in reports):
            raise AssertionError("the test was not run")

    def learn_ids(self, subject: ProgramUnderTest) -> None:
        """Learn which tests there are, if that is not known, with a stand-in for what the program lacks."""
        if self.ids:
            return
        module, name = StandInModule(subject.module), subject.module.__name__
        sys.modules[name] = module
        complete = subject.with_module(module)
        if self.parent is None:
            self.session(complete, _do_nothing)
        else:
            self._collect(complete)
            self.ids = tuple(self.check_id(item) for item in self.items or ())
        self.items = None
        sys.modules[name] = subject.module

    def _all_broken(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Report the error of a module that could not be collected for every wanted check."""
        error = self.broken or RuntimeError("pytest could not collect the tests")
        result = subject.special_result(error) or result_of(error, subject.recorder)
        self.learn_ids(subject)
        for check in self.ids or (COLLECTION,):
            if wanted(check) and not report(check, result):
                return

    def _rebind(self, subject: ProgramUnderTest) -> None:
        """Put the new program in the collected module wherever it refers to the old one."""
        assert self.tests is not None
        fresh, names = subject.names(), self.tests.__dict__
        old = {id(value): name for name, value in self.bound.items()}
        for name, value in tuple(names.items()):
            source = old.get(id(value))
            if source is not None and source in fresh:
                names[name] = fresh[source]
            elif is_plainly(value, ModuleType) and value.__name__ == subject.module.__name__:
                names[name] = subject.module
        names |= subject.apart()
        subject.proven = self.proven
        self.bound = fresh


def empty_scratch(config: Any) -> None:
    """Remove what earlier runs have left in pytest's temporary folder, which is listed for each test that wants one.

    One of them may have removed the folder itself: the next run finds it as a session begins with it.
    """
    folder = getattr(getattr(config, "_tmp_path_factory", None), "_basetemp", None)
    if folder is None:
        return
    with contextlib.suppress(OSError):
        Path(folder).mkdir(mode=0o700, exist_ok=True)
        for entry in os.scandir(folder):
            with contextlib.suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path)
                elif entry.name != ".lock":
                    os.unlink(entry.path)  # noqa: PTH108


def _do_nothing() -> None:
    """The body of a session that only collects."""


def _make_known(modules: Mapping[str, str]) -> None:
    """Tell `inspect` the modules of code by its file names; of files that are not there it would ask every module."""
    here = Path.cwd()
    inspect.modulesbyfile.update({os.path.normcase(here / file): name for file, name in modules.items()})


def _conftests(suite: dict[str, Any]) -> ConftestImporter | None:
    """The `conftest.py` files of a suite, where it has any."""
    if not suite.get("conftests"):
        return None
    from regreen.sandbox.guest.runner.pytest_sessions.conftest_importer import ConftestImporter

    return ConftestImporter(Path(_FOLDER), suite)


def _run_below(runner: PytestRunner, subject: ProgramUnderTest, code: CodeType, module: ModuleType) -> None:
    """Run the code of a `conftest.py` as the tests' own is. What it raises is why there are no tests."""
    module.__dict__.update(subject.apart())
    try:
        with contextlib.nullcontext() if subject.is_whole else subject.around(""):
            exec(code, module.__dict__)
        subject.tell_defined(code, module.__dict__)
    except BaseException as error:
        runner.broken = error
        raise


def _property_examples(tests: str, properties: Mapping[str, Any]) -> KnownExamples | None:
    """What has Hypothesis try the examples that failed before, where the tests use it and it is installed."""
    if "hypothesis" not in tests or importlib.util.find_spec("hypothesis") is None:
        return None
    from regreen.sandbox.guest.runner.checks.property_tests import use_examples

    return use_examples(properties["examples"], shrinks=properties["shrinks"])


def _kind_of(error: pytest.ExceptionInfo[BaseException]) -> str:
    """The words of a report on an exception, which is kept itself."""
    return error.typename


def _cause(error: BaseException | None, report: str) -> BaseException:
    """The exception that says why an item failed; one of pytest's own becomes a failed assertion."""
    if error is None:
        return AssertionError(report[-2_000:])
    if isinstance(error, pytest.fail.Exception):
        return AssertionError(str(error)).with_traceback(error.__traceback__)
    return error


def _arguments(path: Path, top: Path, texts: str) -> list[str]:
    quiet: Mapping[str, str] = {"PYTEST_ADDOPTS": "", "PYTEST_DEBUG_TEMPROOT": str(Path.cwd())}
    os.environ.update(quiet)
    words = frozenset(re.findall(r"\w+", texts))
    idle = [name for name, fixtures in _PLUGINS_FOR_FIXTURES.items() if words.isdisjoint(fixtures)]
    plugins = [f"-pno:{name}" for name in (*_USELESS_PLUGINS, *idle)]
    # Without a confcutdir pytest lists the folders above, which not every sandbox lets it read.
    folders = [f"--rootdir={top}", f"--confcutdir={top}"]
    return ["-c", os.devnull, *folders, "--capture=sys", "--assert=plain", *plugins, str(path)]
