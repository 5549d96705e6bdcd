"""Runs the checks of a suite against whatever stands for the program: stubs, or the program itself.

A suite arrives as plain data (`Suite` in types.py, as a dict). `prepare` compiles it once; `run` then goes through its
checks for one program and reports each by itself.
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
from regreen.sandbox.guest.runner.assertions import WITNESS, Witness, rewrite
from regreen.sandbox.guest.runner.call_prefetch import Foresight, Question
from regreen.sandbox.guest.runner.captured_output import Flood
from regreen.sandbox.guest.runner.module_checks import Skipped
from regreen.sandbox.guest.runner.results import Result
from regreen.sandbox.guest.runner.time_limits import BELL, OutOfTime

Plain = dict[str, Any]
Judged = Callable[[BaseException], Result | None]
"""Says what an exception means that only the caller knows (a lost guest, say); None when it is an ordinary one."""
Wanted = Callable[[str], bool]
"""Whether a check is to be run at all."""
Report = Callable[[str, Result], bool]
"""Told each check's id and result; False ends the run."""


@dataclass
class Bench:
    """One program on the bench: the module that the checks import, and how its ends are told."""

    module: ModuleType
    ended: Judged
    around: Callable[[str], contextlib.AbstractContextManager[Any]]
    """Entered around each check with its id: timers, tracing."""
    witness: Witness = field(default_factory=Witness)
    clock: Callable[[], int] = time.process_time_ns
    """Nanoseconds of CPU time so far: of this process, where the program runs in it."""

    def names(self) -> dict[str, Any]:
        """What the checks may use by name, as if they had been written below the program."""
        return {n: v for n, v in self.module.__dict__.items() if not (n.startswith("__") and n.endswith("__"))}


@dataclass(frozen=True)
class Step:
    """One compiled statement of a script; `check` is None for preparation."""

    code: CodeType
    check: str | None
    want: str | None
    flags: int


class Runner:
    """The checks of one suite, compiled."""

    def __init__(self, ids: tuple[str, ...]) -> None:
        self.ids = ids
        self.questions: list[Question] = []
        """What the first checks are sure to ask, in order."""
        self.throws_dice = True
        """Whether the checks may ask `random` for numbers: a script that imports nothing cannot."""

    def run(self, bench: Bench, wanted: Wanted, report: Report) -> None:
        """Run the wanted checks in order and report each as it ends; stop when `report` answers False."""
        raise TypeError("a suite's kind decides how it runs")


class ScriptRunner(Runner):
    """Statements one after the other in one namespace."""

    def __init__(self, suite: Plain, *, flipped: bool = False) -> None:
        super().__init__(tuple(check["id"] for check in suite["checks"]))
        self.origin = suite["origin"]
        self.module = suite["module"]
        foresight = Foresight(suite["surface"]["functions"], suite["module"])
        self.steps = [_compiled(step, self.origin, foresight, flipped=flipped) for step in suite["steps"]]
        self.questions = foresight.questions
        self.throws_dice = bool(suite["surface"].get("imports")) or any("import" in s["code"] for s in suite["steps"])

    def run(self, bench: Bench, wanted: Wanted, report: Report) -> None:
        """Run the steps; preparation that raises leaves the checks after it to fail by themselves."""
        names = {"__name__": "__checks__", **bench.names(), WITNESS: bench.witness, "_json_view": json_view}
        for step in self.steps:
            if step.check is None:
                _prepare(bench, step, names)
            elif wanted(step.check) and not report(step.check, one(bench, step.check, partial(_perform, step, names))):
                return


class ModuleRunner(Runner):
    """Test functions and unittest methods of one module, called one by one."""

    def __init__(self, suite: Plain, *, flipped: bool = False) -> None:
        super().__init__(tuple(check["id"] for check in suite["checks"]))
        self.origin = suite["origin"]
        tree = rewrite(ast.parse(suite["source"]), flipped=flipped)
        self.code = compile(tree, self.origin, "exec", dont_inherit=True)

    def run(self, bench: Bench, wanted: Wanted, report: Report) -> None:
        """Run the module's text, then each check of it."""
        tests = ModuleType("__checks__")
        sys.modules[tests.__name__] = tests
        names = tests.__dict__
        names.update(bench.names())
        names.update({WITNESS: bench.witness, "__file__": f"/tmp/{self.origin}"})
        broken = _load(bench, self.code, names)
        for check in self.ids:
            if wanted(check) and not report(
                check, broken or one(bench, check, partial(module_checks.call, tests, check))
            ):
                return


def _prepare(bench: Bench, step: Step, names: dict[str, Any]) -> None:
    try:
        with bench.around(""):
            _perform(step, names)
    except BaseException as error:  # noqa: BLE001  the checks that need it will fail by themselves
        bench.ended(error)


def prepare(suite: Plain, *, flipped: bool = False) -> Runner:
    """Compile a suite. Raises SyntaxError or ValueError when its text is not usable."""
    if suite["kind"] == "script":
        return ScriptRunner(suite, flipped=flipped)
    if suite["kind"] == "module":
        return ModuleRunner(suite, flipped=flipped)
    from regreen.sandbox.guest.runner.pytest_runner import PytestRunner

    return PytestRunner(suite, flipped=flipped)


def one(bench: Bench, check: str, action: Callable[[], Any]) -> Result:
    """Perform one check and say how it ended; only KeyboardInterrupt of our own passes through."""
    bench.witness.seen, bench.witness.denied = None, False
    started, spent = time.perf_counter_ns(), bench.clock()
    try:
        with bench.around(check):
            action()
        result = results.denied() if bench.witness.denied else results.passed()
    except OutOfTime as error:
        # First of all: a second ring must not find the timers armed here.
        BELL.armed = False
        result = bench.ended(error) or ended(error, bench.witness)
    except BaseException as error:  # noqa: BLE001  whatever a check raises is its result
        result = bench.ended(error) or ended(error, bench.witness)
    result["ns"] = time.perf_counter_ns() - started
    result.setdefault("cpu_ns", bench.clock() - spent)
    return result


def ended(error: BaseException, witness: Witness) -> Result:
    """What an exception that reached the top of a check means for it."""
    if isinstance(error, OutOfTime):
        return {"outcome": "timed_out", "detail": "the check used up its time"}
    if isinstance(error, Flood):
        return {"outcome": "output_flood", "detail": str(error)}
    if isinstance(error, MemoryError):
        return {"outcome": "out_of_memory", "detail": "the memory limit was reached"}
    if isinstance(error, AssertionError):
        return results.failed(error, witness)
    if isinstance(error, Skipped):
        return {"outcome": "unjudgeable", "detail": f"skipped: {error}"[:500]}
    lines = _own_lines(error)
    return results.raised(type(error).__name__, _text(error), lines, inside=False)


def json_view(value: Any) -> Any:
    """The value as JSON would carry it: tuples are lists."""
    if isinstance(value, list | tuple):
        return [json_view(item) for item in value]
    if isinstance(value, dict):
        return {key: json_view(item) for key, item in value.items()}
    return value


def _compiled(step: Mapping[str, Any], origin: str, foresight: Foresight, *, flipped: bool) -> Step:
    # Blank lines before it give the step the line numbers of the tests' own text.
    tree = ast.parse("\n" * (step["line"] - 1) + step["code"])
    if step["want"] is None:
        foresight.follow(tree, step["check"])
        code = compile(rewrite(tree, flipped=flipped), origin, "exec", dont_inherit=True)
    else:
        foresight.clear = False
        code = compile(ast.Interactive(tree.body), origin, "single", dont_inherit=True)
    return Step(code, step["check"], step["want"], step["flags"])


def _perform(step: Step, names: dict[str, Any]) -> None:
    if step.want is None:
        exec(step.code, names)
    else:
        _example(step, names)


CHECKER = doctest.OutputChecker()


def _example(step: Step, names: dict[str, Any]) -> None:
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
    if not CHECKER.check_output(want, got, step.flags):
        names[WITNESS].seen = ("==", _Verbatim(got), _Verbatim(want))
        raise AssertionError


class _Verbatim(str):
    """Text that is shown as it stands, without quotes."""

    def __repr__(self) -> str:
        return self.rstrip("\n")


def _last_line(want: str) -> str:
    return want.rstrip().splitlines()[-1].strip() + "\n"


def _load(bench: Bench, code: CodeType, names: dict[str, Any]) -> Result | None:
    """Run the test module's own text; a result when it does not even load."""
    try:
        with bench.around(""):
            exec(code, names)
    except BaseException as error:  # noqa: BLE001  whatever it raises is the result of every check
        return bench.ended(error) or ended(error, bench.witness)
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
