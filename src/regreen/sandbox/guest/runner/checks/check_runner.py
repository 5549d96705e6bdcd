"""One check run on one program, and what its end means: what the runners of all kinds of suites share."""

from __future__ import annotations

import ast
import contextlib
import copy
import time
from collections.abc import Callable, Collection, Mapping
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

from regreen.sandbox.guest.runner.checks import results
from regreen.sandbox.guest.runner.checks.assertions import RECORDER, AssertionRecorder, rewrite_assertions
from regreen.sandbox.guest.runner.checks.captured_output import OutputFlood
from regreen.sandbox.guest.runner.checks.results import Result
from regreen.sandbox.guest.runner.checks.traceback_lines import program_lines
from regreen.sandbox.guest.runner.program_loading.program_module import run_program
from regreen.sandbox.guest.runner.stand_ins.call_prefetch import PrefetchedCall
from regreen.sandbox.guest.runner.stand_ins.live_rewriting import ask_for_live
from regreen.sandbox.guest.runner.syntax_trees import syntax_tree
from regreen.sandbox.guest.runner.timing.time_limits import TIMER, OutOfTime

if TYPE_CHECKING:
    from regreen.sandbox.guest.runner.program_loading.program_importer import FindProgram, ProgramImporter

COLLECTION = "collection"
"""The check that stands for all of a suite whose checks could not be learnt."""
SpecialResult = Callable[[BaseException], Result | None]
"""The result for an exception that only the caller can interpret (a lost guest, say); None for an ordinary one."""
IsWanted = Callable[[str], bool]
"""Whether a check is to be run at all."""
TellDefined = Callable[[Mapping[str, Any], Collection[str]], None]
"""Receives a namespace, and the names in it of what the text that was run there defines."""
ReportResult = Callable[[str, Result], bool]
"""Receives each check's id and result; False ends the run."""


class CheckSkipped(Exception):
    """A test skipped itself: it proves nothing."""


def _nothing() -> None: ...


class ProgramUnderTest:
    """One program: the module that the checks import, and what surrounds each check."""

    def __init__(
        self,
        module: ModuleType,
        special_result: SpecialResult,
        around: Callable[[str], contextlib.AbstractContextManager[Any]],
        *,
        recorder: AssertionRecorder | None = None,
        is_whole: bool = False,
        builtins: Mapping[str, Any] | None = None,
        importer: ProgramImporter | None = None,
        wall_clock: Callable[[], int] = time.perf_counter_ns,
        cpu_clock: Callable[[], int] = time.process_time_ns,
        defined: TellDefined | None = None,
    ) -> None:
        self.module = module
        self.special_result = special_result
        self.around = around
        """Entered around each check with its id: timers, tracing."""
        self.recorder = recorder or AssertionRecorder()
        self.is_whole = is_whole
        """Whether the module is the program itself, not a stand-in for what the checks use of it."""
        self.proven: Collection[str] = frozenset()
        """The test functions, as "TestA.test_b", that tell the recorder of their end; a check by one passes only so."""
        self.builtins = builtins
        """The built-in names of the checks, where they are not to be those of the program."""
        self.importer = importer
        """What loads the program once the checks import it; None where it is loaded before them."""
        self.wall_clock = wall_clock
        """Nanoseconds, of which differences count."""
        self.cpu_clock = cpu_clock
        """Nanoseconds of CPU time so far: of this process, where the program runs in it."""
        self.defined = defined
        """Told of the functions and classes that the checks have defined, where somebody watches over them."""
        self.begin_loading: Callable[[], None] = _nothing
        self.end_loading: Callable[[], None] = _nothing
        """Called before and after the tests are collected, where they load the program: no check takes that long."""

    def with_module(self, module: ModuleType) -> ProgramUnderTest:
        """The same with another module."""
        other = copy.copy(self)
        other.module = module
        return other

    def namespace(self) -> dict[str, Any]:
        """The names of checks that were written as if below the program: the program's own namespace, if it is here."""
        return self.module.__dict__ if self.is_whole else self.names()

    def names(self) -> dict[str, Any]:
        """A copy of the program's names, those of the module itself aside."""
        return {n: v for n, v in self.module.__dict__.items() if not (n.startswith("__") and n.endswith("__"))}

    def tell_defined(self, code: CodeType, names: Mapping[str, Any]) -> None:
        """Say what this code of the checks, which was run, has defined in its namespace."""
        if self.defined is not None:
            self.defined(names, defined_in(code))

    def apart(self) -> dict[str, Any]:
        """What the checks' namespace holds that is not the program's to give."""
        return {RECORDER: self.recorder} | ({} if self.builtins is None else {"__builtins__": self.builtins})


def defined_in(code: CodeType) -> frozenset[str]:
    """The names of the functions and classes that the code of a module defines."""
    return frozenset(each.co_name for each in code.co_consts if type(each) is CodeType)


class Runner:
    """The checks of one suite, compiled."""

    loads_program = False
    """Whether the tests import the program themselves, from its file."""
    lies_in_file = False
    """Whether the tests find the program as a file, too."""
    text: str | None = None
    """The program's text whose code is run next, for that file."""
    collection_seconds = 6.0
    """CPU seconds that importing the tests, and the program with them, may take where the tests do that."""

    def __init__(self, ids: tuple[str, ...], origin: str) -> None:
        self.ids = ids
        self.origin = origin
        """The file name under which the tests' own code is compiled."""
        self.calls: list[PrefetchedCall] = []
        """The calls that the first checks are sure to make, in order."""
        self.uses_random = True
        """Whether the checks may use `random`: a script that imports nothing cannot."""

    def found_examples(self) -> dict[str, list[str]]:
        """Failing examples of property tests that the last run found; only pytest runs such tests."""
        return {}

    def run(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Run the wanted checks in order and report each as it ends; stop when `report` answers False."""
        raise TypeError("a suite's kind decides how it runs")

    @property
    def reads_file(self) -> bool:
        """Whether the tests have read the file in which the program lies."""
        return False

    def load_program(self, source: str, name: str, filename: str) -> ModuleType:
        """The program as a module of this name. Raises whatever the program raises."""
        return run_program(source, name, filename)

    def program_finder(self, program: dict[str, Any]) -> FindProgram | None:
        """How the program is found where the tests import it; None where it has to be loaded before them."""
        # Imported late: the processes that judge behind the wall have no use for it.
        from regreen.sandbox.guest.runner.program_loading.program_importer import find_text

        return find_text(program)

    @property
    def place(self) -> str:
        """The folder that the tests' files are told relative to; "" where they have names of their own."""
        return ""

    def learn_ids(self, subject: ProgramUnderTest) -> None:
        """Learn which checks there are, for a suite whose text alone does not tell; the program may lack names."""


def compile_tests(suite: dict[str, Any], *, flipped: bool) -> tuple[CodeType, frozenset[str]]:
    """The code of a test module, its assertions rewritten, and the test functions that tell of their end."""
    tree, proven = syntax_tree(suite["source"]), frozenset[str]()
    if suite.get("vetted") and not flipped:
        # Not in the processes that judge behind the wall: each page more is one to copy.
        from regreen.sandbox.guest.runner.tampering.vetting import vet_tests

        proven = vet_tests(tree)
    tree = rewrite_assertions(tree, flipped=flipped)
    if suite["surface"].get("by_handles"):
        tree = ask_for_live(tree)
    return compile(tree, suite["origin"], "exec", dont_inherit=True), proven


def words_of(text: str | bytes) -> frozenset[str]:
    """The names and attributes in a text of Python, without its strings and comments."""
    nodes = ast.walk(syntax_tree(text))
    return frozenset(
        n.id if isinstance(n, ast.Name) else n.attr for n in nodes if isinstance(n, ast.Name | ast.Attribute)
    )


def run_check(subject: ProgramUnderTest, check: str, action: Callable[[], Any], origin: str) -> Result:
    """Run one check of the test file `origin`; returns how it ended, whatever it raised."""
    subject.recorder.begin()
    started, spent = subject.wall_clock(), subject.cpu_clock()
    try:
        with subject.around(check):
            action()
        result = _ended_well(subject, check)
    except OutOfTime as error:
        # First of all: a second ring must not find the timers armed here.
        TIMER.armed = False
        result = _ended_by(error, subject, origin)
    except BaseException as error:  # noqa: BLE001  whatever a check raises is its result
        result = _ended_by(error, subject, origin)
    result["ns"] = subject.wall_clock() - started
    result.setdefault("cpu_ns", subject.cpu_clock() - spent)
    return result


def _ended_by(error: BaseException, subject: ProgramUnderTest, origin: str) -> Result:
    """The result of a check that raised, with the line of the tests at which it ended."""
    result = subject.special_result(error) or result_of(error, subject.recorder)
    if lines := program_lines(error.__traceback__, origin):
        result["test_line"] = lines[-1]
    return result


def _ended_well(subject: ProgramUnderTest, check: str) -> Result:
    """The result of a check that raised nothing."""
    recorder = subject.recorder
    if recorder.denied:
        return results.denied_result()
    if recorder.faked:
        return results.faked_result(recorder.faked)
    if not recorder.ended and check.partition("[")[0].replace("::", ".") in subject.proven:
        return results.faked_result("a test that did not come to its end")
    return results.passed_result()


def result_of(error: BaseException, recorder: AssertionRecorder) -> Result:
    """What an exception that reached the top of a check means for it."""
    if isinstance(error, OutOfTime):
        return {"outcome": "timed_out", "detail": "the check used up its time"}
    if isinstance(error, OutputFlood):
        return {"outcome": "output_flood", "detail": str(error)}
    if isinstance(error, MemoryError):
        return {"outcome": "out_of_memory", "detail": "the memory limit was reached"}
    if isinstance(error, AssertionError):
        return results.failed_result(error, recorder)
    if isinstance(error, CheckSkipped):
        return {"outcome": "unjudgeable", "detail": f"skipped: {error}"[:500]}
    lines = _own_lines(error)
    return results.raised_result(type(error).__name__, error_text(error), lines, inside=False)


def _own_lines(error: BaseException) -> list[int]:
    lines: list[int] = []
    traceback = error.__traceback__
    while traceback is not None and len(lines) < 100:
        lines.append(traceback.tb_lineno)
        traceback = traceback.tb_next
    return lines


def error_text(error: BaseException) -> str:
    """The exception's own text; nothing where it has none to give."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001  a hostile __str__ may raise anything
        return ""
