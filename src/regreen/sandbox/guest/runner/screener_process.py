"""The screener: tries many small changes of one program quickly, in one process.

Its results are hints and no proof: mutations share a process with each other and with the checks, so a patch that is
selected is judged again, alone. The hints are the same on every machine, however busy: a mutation hangs when its ticks
are spent. CPU time is only a backstop, for what takes no ticks.
"""

from __future__ import annotations

import contextlib
import gc
import mmap
import os
import random
import sys
import time
from collections.abc import Sequence
from types import CodeType, ModuleType
from typing import Any

from regreen.sandbox.guest.runner import time_limits
from regreen.sandbox.guest.runner.captured_output import CappedText, DroppedText, OutputFlood
from regreen.sandbox.guest.runner.check_runner import ProgramUnderTest, Runner
from regreen.sandbox.guest.runner.distance import distance
from regreen.sandbox.guest.runner.error_evidence import ErrorEvidence, error_chain
from regreen.sandbox.guest.runner.incremental_compile import IncrementalCompiler
from regreen.sandbox.guest.runner.line_trace import LineTrace
from regreen.sandbox.guest.runner.program_module import fresh_module, install_companions
from regreen.sandbox.guest.runner.results import Result
from regreen.sandbox.guest.runner.shared_process import program_failure, raised_in_program
from regreen.sandbox.guest.runner.suite_runner import prepare_suite
from regreen.sandbox.guest.runner.ticks import UNBOUNDED, Ticks, counted_modules, counted_suite
from regreen.sandbox.guest.wire.connection import Connection, ConnectionClosed

_Answer = tuple[str, list[str], float]
"""Status, ids of the passed checks, mean distance."""
_GLANCE_TICKS = 30_000
"""Ticks to trace a check that is known to hang: enough to see the loop it is in."""
_GLANCE_SECONDS = 0.25
"""CPU backstop of the same, for what takes no ticks; also the least that distances of all checks get."""
_LEAST_SECONDS = 0.02
_FLUSH_SECONDS = 0.02
"""Results of mutations go to the host at least this often."""


def main(fd: int, limits: dict[str, Any]) -> None:
    """Serve one program and its suite until the host hangs up."""
    time_limits.install()
    wire = Connection.from_fd(fd)
    with contextlib.suppress(ConnectionClosed):
        order = wire.receive_json(with_fds=True)
        place = mmap.mmap(wire.take_fd(), mmap.PAGESIZE)
        if order["suite"]["project"]:
            # Imported late: a project is asked for by pytest suites alone.
            from regreen.sandbox.guest.runner.project_folder import enter_project

            order["suite"]["project"]["archive"] = archive = wire.take_fd()
            enter_project(order["suite"]["project"], archive, order["program"])
        suite, companions = order["suite"], order["suite"]["companions"] | order["program"]["companions"]
        if order["counted"]:
            suite, companions = counted_suite(suite), counted_modules(companions)
        install_companions(companions)
        try:
            Ticks()
            runner = prepare_suite(suite)
        except (SyntaxError, ValueError, RecursionError, ImportError) as error:
            wire.send_json({"broken": f"{type(error).__name__}: {error}"})
            return
        runner.collection_seconds = limits["seconds"] * time_limits.COLLECTION_FACTOR
        wire.send_json({"ids": runner.ids})
        MutationScreener(wire, order["program"], runner, limits, place).serve()


class MutationScreener:
    """One program, its compiled checks, and the results so far."""

    def __init__(
        self, wire: Connection, program: dict[str, Any], runner: Runner, limits: dict[str, Any], place: mmap.mmap
    ) -> None:
        self.place = place
        """Memory shared with the host: the number of the mutation under way, should this process be lost."""
        self.wire = wire
        self.program = program
        self.runner = runner
        self.limits = limits
        self.statements = IncrementalCompiler(program["source"], program["filename"])
        self.green: frozenset[str] = frozenset()
        """Checks that pass on the program as it is: a mutation that breaks one is left at once."""
        self.unsent: list[Any] = []
        self.flushed = time.monotonic()

    def serve(self) -> None:
        """Serve orders until the host hangs up; pytest's session, where there is one, stays open meanwhile."""
        session = getattr(self.runner, "session", None)
        if self.runner.loads_program:
            time_limits.stop_timers()
            self.runner.stay_collected(self.statements.codes or None, self._obey)  # type: ignore[attr-defined]
            return
        if session is None:
            self._obey()
            return
        time_limits.stop_timers()
        module = fresh_module(self.program["module"], self.program["filename"])
        with contextlib.suppress(Exception, SystemExit), time_limits.time_limit(self.limits["seconds"]):
            for code in self.statements.original():
                exec(code, module.__dict__)
        session(self._bench(module, lambda error: None), self._obey)

    def _obey(self) -> None:
        while True:
            order = self.wire.receive_json()
            if order["do"] == "trace":
                self.wire.send_json(self.trace(order["seconds"], frozenset(order["hung"]), frozenset(order["skip"])))
            else:
                self.green = frozenset(order["green"])
                self.screen(order)

    def trace(self, seconds: float, hanging: frozenset[str], skip: frozenset[str]) -> dict[str, Any]:
        """Run the checks on the program as it is, with the lines that each of them reaches and the ticks of all.

        The checks of `hanging` are known not to end: they only get the ticks to see where. Those of `skip` would end
        this process, and are not run.
        """
        results: dict[str, Result] = {}
        used = 0
        lines: dict[str, list[int]] = {}
        hung: dict[str, int | None] = {}
        errors: dict[str, list[ErrorEvidence]] = {}
        running = ""
        filename = self.program["filename"]

        @contextlib.contextmanager
        def around(check: str) -> Any:
            nonlocal used, running
            running = check
            tracer = LineTrace(filename)
            sys.stdout = sys.stderr = CappedText(self.limits["output_bytes"])
            ticks = Ticks(_GLANCE_TICKS if check in hanging else UNBOUNDED)
            with time_limits.time_limit(min(seconds, _GLANCE_SECONDS) if check in hanging else seconds):
                tracer.start()
                try:
                    yield
                except time_limits.OutOfTime as error:
                    time_limits.TIMER.armed = False
                    hung[check] = tracer.spinning_line(error.__traceback__)
                    raise
                finally:
                    time_limits.stop_timers()
                    tracer.stop()
                    # Preparation comes in several steps, all under the same name.
                    lines[check] = sorted({*lines.get(check, ()), *tracer.lines})
                    used += 0 if check in hung else ticks.used

        sys.stdout = sys.stderr = CappedText(self.limits["output_bytes"])
        loaded, ticks = LineTrace(filename), Ticks()
        try:
            with time_limits.time_limit(seconds):
                loaded.start()
                module = self._module(self.statements.original())
        except BaseException as error:  # noqa: BLE001  whatever the program raises is the result of every check
            time_limits.stop_timers()
            line = loaded.spinning_line(error.__traceback__) if isinstance(error, time_limits.OutOfTime) else None
            every = program_failure(error, filename)
            return {"every": every, "lines": sorted(loaded.lines), "hung": line, "error": error_chain(error)}
        finally:
            loaded.stop()

        def report(check: str, result: Result) -> bool:
            results[check] = result
            return True

        def ended(error: BaseException) -> Result | None:
            # Where no check is running, the tests are being loaded or prepared: what went wrong first, counts.
            errors.setdefault(running, error_chain(error, self.runner.place))
            return raised_in_program(error, filename)

        subject = ProgramUnderTest(module, ended, around)
        used += ticks.used
        self.runner.run(subject, lambda check: check not in skip, report)
        took = sum(result.get("cpu_ns", 0) for check, result in results.items() if check not in hung)
        untraced = max(took / 1e9, _GLANCE_SECONDS)
        distances = self._distances(used + _GLANCE_TICKS, untraced, skip)
        found = {"results": results, "lines": lines, "hung": hung, "errors": errors}
        return found | {"distances": distances, "ticks": used}

    def _distances(self, ticks: int, seconds: float, skip: frozenset[str]) -> dict[str, float]:
        """The distance of each check from passing on the program as it is, in [0, 1]."""
        run = ScreeningRun(self, self.statements.codes, skip)
        self.green = frozenset()
        run.run(ticks, seconds)
        return run.distances

    def screen(self, order: dict[str, Any]) -> None:
        """Try each mutation in order and send [status, ids of passed checks, mean distance] for each.

        When the time for all of them is spent, or the host has set the stop flag, None ends the results.
        """
        deadline = time.monotonic() + order["left"]
        for number, edits in enumerate(order["mutations"], order["first"]):
            self.place[:8] = number.to_bytes(8, "little")
            result = None if self.place[order["stop_flag"]] else self._in_time(edits, order, deadline)
            if result is not None and result[0] == "memory":
                # Perhaps earlier mutations hold the memory: a module is only freed by the next collection.
                gc.collect()
                result = self._in_time(edits, order, deadline)
            self.unsent.append(result)
            if result is None:
                break
            if result[0] == "memory":
                # What it still holds would count against the next mutation.
                self.flush()
                os._exit(0)
            if time.monotonic() - self.flushed > _FLUSH_SECONDS:
                self.flush()
        self.flush()

    def _in_time(self, edits: Sequence[Sequence[Any]], order: dict[str, Any], deadline: float) -> _Answer | None:
        """The result of a mutation; None when it did not get its full time."""
        left = deadline - time.monotonic()
        if left <= 0:
            return None
        result = self._try(edits, order["ticks"], min(order["seconds"], max(left, _LEAST_SECONDS)))
        return None if result[0] == "hung" and time.monotonic() > deadline else result

    def flush(self) -> None:
        """Send the results that were not sent yet."""
        if self.unsent:
            self.wire.send_json(self.unsent)
            self.unsent = []
        self.flushed = time.monotonic()

    def _try(self, edits: Sequence[Sequence[Any]], ticks: int, seconds: float) -> _Answer:
        try:
            codes = self.statements.edited(edits)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return "broken", [], 1.0
        return ScreeningRun(self, codes).run(ticks, seconds)

    def _module(self, codes: Sequence[CodeType]) -> ModuleType:
        if self.runner.loads_program:
            loaded: ModuleType = self.runner.load(codes)  # type: ignore[attr-defined]
            return loaded
        module = fresh_module(self.program["module"], self.program["filename"])
        names = module.__dict__
        for code in codes:
            exec(code, names)
        return module

    def _bench(self, module: ModuleType, ending: Any) -> ProgramUnderTest:
        return ProgramUnderTest(module, ending, lambda check: _NO_LIMIT)


_NO_LIMIT: Any = contextlib.nullcontext()


class ScreeningRun:
    """The run of the checks on one mutation; stops at the first check that it breaks."""

    def __init__(self, screen: MutationScreener, codes: Sequence[CodeType], skip: frozenset[str] = frozenset()) -> None:
        self.screen = screen
        self.skip = skip
        self.codes = codes
        self.passed: list[str] = []
        self.distances: dict[str, float] = {}
        self.status = "failed"
        self.subject: ProgramUnderTest | None = None
        self.ticks = Ticks()

    def run(self, ticks: int, seconds: float) -> _Answer:
        """Run it within that many ticks and seconds of CPU time; returns status, passed checks, mean distance."""
        random.seed(0)
        # Checks that read what is printed (redirect_stdout, capsys, doctest examples) put a stream of their own here.
        sys.stdout = sys.stderr = DroppedText()
        self.ticks = Ticks(ticks)
        try:
            time_limits.start_hard_limit(seconds)
            self._run()
        except time_limits.OutOfTime:
            time_limits.TIMER.armed = False
            self.status = "hung"
        except MemoryError:
            self.status = "memory"
        except BaseException:  # noqa: BLE001  a mutation that does not even load
            self.status = "failed"
        finally:
            time_limits.stop_timers()
        total = len(self.screen.runner.ids) or 1
        if len(self.passed) == total and self.status == "failed":
            self.status = "passed"
        far = sum(self.distances.get(check, 1.0) for check in self.screen.runner.ids if check not in self.passed)
        return self.status, self.passed, far / total

    def _run(self) -> None:
        module = self.screen._module(self.codes)
        self.subject = self.screen._bench(module, self._ended)
        self.screen.runner.run(self.subject, lambda check: check not in self.skip, self._report)

    def _report(self, check: str, result: Result) -> bool:
        if self.ticks.spent:
            # Whatever a program returns after it swallowed OutOfTicks does not count.
            result = {"outcome": "timed_out"}
        if result["outcome"] == "passed":
            self.passed.append(check)
            return True
        self.distances[check] = result.get("distance", 1.0)
        if result["outcome"] in ("timed_out", "out_of_memory"):
            self.status = "hung" if result["outcome"] == "timed_out" else "memory"
            return False
        return check not in self.screen.green

    def _ended(self, error: BaseException) -> Result | None:
        if isinstance(error, time_limits.OutOfTime | OutputFlood):
            return {"outcome": "timed_out"}
        if isinstance(error, MemoryError):
            return {"outcome": "out_of_memory"}
        assert self.subject is not None
        seen = self.subject.recorder.seen
        if isinstance(error, AssertionError) and seen is not None:
            return {"outcome": "failed", "distance": _comparison_distance(*seen)}
        return {"outcome": "raised", "distance": 1.0}


def _comparison_distance(sign: str, actual: Any, expected: Any) -> float:
    """The distance of a failed comparison from holding, in [0, 1]."""
    if sign in ("true", "is", "is not", "in", "not in", "!="):
        return 0.9
    try:
        return distance(actual, expected)
    except Exception:  # noqa: BLE001  hostile operands; nothing is known
        return 1.0
