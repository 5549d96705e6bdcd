"""Runs the checks of a suite against whatever stands for the program: stubs, or the program itself.

A suite arrives as plain data (`Suite` in types.py, as a dict). `prepare_suite` compiles it once; `run` then goes
through its checks for one program and reports each by itself.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import CodeType, ModuleType
from typing import Any

from regreen.sandbox.guest.runner import module_checks, results
from regreen.sandbox.guest.runner.assertions import RECORDER, AssertionRecorder, rewrite_assertions
from regreen.sandbox.guest.runner.call_prefetch import CallPrefetch, PrefetchedCall
from regreen.sandbox.guest.runner.captured_output import OutputFlood
from regreen.sandbox.guest.runner.module_checks import CheckSkipped
from regreen.sandbox.guest.runner.results import Result
from regreen.sandbox.guest.runner.time_limits import TIMER, OutOfTime

SpecialResult = Callable[[BaseException], Result | None]
"""Says what an exception means that only the caller knows (a lost guest, say); None for an ordinary one."""
IsWanted = Callable[[str], bool]
"""Whether a check is to be run at all."""
ReportResult = Callable[[str, Result], bool]
"""Told each check's id and result; False ends the run."""


@dataclass
class ProgramUnderTest:
    """One program: the module that the checks import, and what surrounds each check."""

    module: ModuleType
    special_result: SpecialResult
    around: Callable[[str], contextlib.AbstractContextManager[Any]]
    """Entered around each check with its id: timers, tracing."""
    recorder: AssertionRecorder = field(default_factory=AssertionRecorder)
    cpu_clock: Callable[[], int] = time.process_time_ns
    """Nanoseconds of CPU time so far: of this process, where the program runs in it."""

    def names(self) -> dict[str, Any]:
        """What the checks may use by name, as if they had been written below the program."""
        return {n: v for n, v in self.module.__dict__.items() if not (n.startswith("__") and n.endswith("__"))}


@dataclass(frozen=True)
class CompiledStep:
    """One compiled statement of a script; `check` is None for preparation."""

    code: CodeType
    check: str | None
    want: str | None
    flags: int


class Runner:
    """The checks of one suite, compiled."""

    def __init__(self, ids: tuple[str, ...]) -> None:
        self.ids = ids
        self.calls: list[PrefetchedCall] = []
        """What the first checks are sure to ask, in order."""
        self.throws_dice = True
        """Whether the checks may ask `random` for numbers: a script that imports nothing cannot."""

    def run(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Run the wanted checks in order and report each as it ends; stop when `report` answers False."""
        raise TypeError("a suite's kind decides how it runs")


class ScriptRunner(Runner):
    """Statements one after the other in one namespace."""

    def __init__(self, suite: dict[str, Any], *, flipped: bool = False) -> None:
        super().__init__(tuple(check["id"] for check in suite["checks"]))
        self.origin = suite["origin"]
        self.module = suite["module"]
        prefetch = CallPrefetch(suite["surface"]["functions"], suite["module"])
        self.steps = [_compiled(step, self.origin, prefetch, flipped=flipped) for step in suite["steps"]]
        self.calls = prefetch.calls
        self.throws_dice = bool(suite["surface"].get("imports")) or any("import" in s["code"] for s in suite["steps"])

    def run(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Run the steps; preparation that raises leaves the checks after it to fail by themselves."""
        names = {"__name__": "__checks__", **subject.names(), RECORDER: subject.recorder, "_json_view": json_view}
        for step in self.steps:
            if step.check is None:
                _run_preparation(subject, step, names)
            elif wanted(step.check) and not report(
                step.check, run_check(subject, step.check, partial(_perform, step, names))
            ):
                return


class ModuleRunner(Runner):
    """Test functions and unittest methods of one module, called one by one."""

    def __init__(self, suite: dict[str, Any], *, flipped: bool = False) -> None:
        super().__init__(tuple(check["id"] for check in suite["checks"]))
        self.origin = suite["origin"]
        tree = rewrite_assertions(ast.parse(suite["source"]), flipped=flipped)
        self.code = compile(tree, self.origin, "exec", dont_inherit=True)

    def run(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Run the module's text, then each check of it."""
        tests = ModuleType("__checks__")
        sys.modules[tests.__name__] = tests
        names = tests.__dict__
        names.update(subject.names())
        names.update({RECORDER: subject.recorder, "__file__": f"/tmp/{self.origin}"})
        broken = _load(subject, self.code, names)
        for check in self.ids:
            if wanted(check) and not report(
                check, broken or run_check(subject, check, partial(module_checks.call_check, tests, check))
            ):
                return


def _run_preparation(subject: ProgramUnderTest, step: CompiledStep, names: dict[str, Any]) -> None:
    try:
        with subject.around(""):
            _perform(step, names)
    except BaseException as error:  # noqa: BLE001  the checks that need it will fail by themselves
        subject.special_result(error)


def prepare_suite(suite: dict[str, Any], *, flipped: bool = False) -> Runner:
    """Compile a suite. Raises SyntaxError or ValueError when its text is not usable."""
    if suite["kind"] == "script":
        return ScriptRunner(suite, flipped=flipped)
    if suite["kind"] == "module":
        return ModuleRunner(suite, flipped=flipped)
    from regreen.sandbox.guest.runner.pytest_runner import PytestRunner

    return PytestRunner(suite, flipped=flipped)


def run_check(subject: ProgramUnderTest, check: str, action: Callable[[], Any]) -> Result:
    """Perform one check and say how it ended; only KeyboardInterrupt of our own passes through."""
    subject.recorder.seen, subject.recorder.denied = None, False
    started, spent = time.perf_counter_ns(), subject.cpu_clock()
    try:
        with subject.around(check):
            action()
        result = results.denied_result() if subject.recorder.denied else results.passed_result()
    except OutOfTime as error:
        # First of all: a second ring must not find the timers armed here.
        TIMER.armed = False
        result = subject.special_result(error) or result_of(error, subject.recorder)
    except BaseException as error:  # noqa: BLE001  whatever a check raises is its result
        result = subject.special_result(error) or result_of(error, subject.recorder)
    result["ns"] = time.perf_counter_ns() - started
    result.setdefault("cpu_ns", subject.cpu_clock() - spent)
    return result


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
    return results.raised_result(type(error).__name__, _text(error), lines, inside=False)


def json_view(value: Any) -> Any:
    """The value as JSON would carry it: tuples are lists."""
    if isinstance(value, list | tuple):
        return [json_view(item) for item in value]
    if isinstance(value, dict):
        return {key: json_view(item) for key, item in value.items()}
    return value


def _compiled(step: Mapping[str, Any], origin: str, prefetch: CallPrefetch, *, flipped: bool) -> CompiledStep:
    # Blank lines before it give the step the line numbers of the tests' own text.
    tree = ast.parse("\n" * (step["line"] - 1) + step["code"])
    if step["want"] is None:
        prefetch.add_step(tree, step["check"])
        code = compile(rewrite_assertions(tree, flipped=flipped), origin, "exec", dont_inherit=True)
    else:
        prefetch.clear = False
        code = compile(ast.Interactive(tree.body), origin, "single", dont_inherit=True)
    return CompiledStep(code, step["check"], step["want"], step["flags"])


def _perform(step: CompiledStep, names: dict[str, Any]) -> None:
    if step.want is None:
        exec(step.code, names)
    else:
        _run_example(step, names)


_CHECKER = doctest.OutputChecker()


def _run_example(step: CompiledStep, names: dict[str, Any]) -> None:
    """Run a doctest example and compare what the prompt would show."""
    shown = io.StringIO()
    hook, sys.displayhook = sys.displayhook, sys.__displayhook__
    want = step.want or ""
    try:
        with contextlib.redirect_stdout(shown):
            exec(step.code, names)
        got = shown.getvalue()
    except Exception as error:
        if not want.startswith("Traceback"):
            raise
        got = f"{shown.getvalue()}{type(error).__name__}: {_text(error)}\n"
        want = _last_line(want)
    finally:
        sys.displayhook = hook
    if not _CHECKER.check_output(want, got, step.flags):
        names[RECORDER].seen = ("==", _Verbatim(got), _Verbatim(want))
        raise AssertionError


class _Verbatim(str):
    """Text that is shown as it stands, without quotes."""

    def __repr__(self) -> str:
        return self.rstrip("\n")


def _last_line(want: str) -> str:
    return want.rstrip().splitlines()[-1].strip() + "\n"


def _load(subject: ProgramUnderTest, code: CodeType, names: dict[str, Any]) -> Result | None:
    """Run the test module's own text; a result when it does not even load."""
    try:
        with subject.around(""):
            exec(code, names)
    except BaseException as error:  # noqa: BLE001  whatever it raises is the result of every check
        return subject.special_result(error) or result_of(error, subject.recorder)
    return None


def _own_lines(error: BaseException) -> list[int]:
    lines: list[int] = []
    traceback = error.__traceback__
    while traceback is not None and len(lines) < 100:
        lines.append(traceback.tb_lineno)
        traceback = traceback.tb_next
    return lines


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001  a hostile __str__ may raise anything
        return ""
