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
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from time import monotonic
from types import ModuleType
from typing import Any

from regreen.sandbox.guest.runner.checks.captured_output import CappedText
from regreen.sandbox.guest.runner.checks.check_runner import ProgramUnderTest, Runner
from regreen.sandbox.guest.runner.checks.program_failures import program_failure
from regreen.sandbox.guest.runner.checks.suite_runner import prepare_suite
from regreen.sandbox.guest.runner.checks.text_places import edited_text
from regreen.sandbox.guest.runner.mutation_runs.assertion_trace import AssertionTrace
from regreen.sandbox.guest.runner.mutation_runs.error_evidence import error_chain
from regreen.sandbox.guest.runner.mutation_runs.line_trace import LineTrace
from regreen.sandbox.guest.runner.mutation_runs.observation_run import ObservationRun
from regreen.sandbox.guest.runner.mutation_runs.screening_run import ScreenedSuite, ScreeningRun
from regreen.sandbox.guest.runner.mutation_runs.traced_run import GLANCE_SECONDS, GLANCE_TICKS, TracedRun
from regreen.sandbox.guest.runner.mutation_runs.value_run import ValueRun
from regreen.sandbox.guest.runner.program_loading.incremental_compile import IncrementalCompiler
from regreen.sandbox.guest.runner.program_loading.program_module import (
    fresh_module,
    install_companions,
    keep_class_texts,
)
from regreen.sandbox.guest.runner.timing import time_limits
from regreen.sandbox.guest.runner.timing.ticks import Ticks, counted_suite, counted_text
from regreen.sandbox.guest.runner.timing.virtual_clock import CLOCK, skip_sleep
from regreen.sandbox.guest.wire.connection import Connection, ConnectionClosed

_LEAST_SECONDS = 0.02
_ASSERTION_SECONDS = 2.0
"""CPU time in which the assertions of failing tests are told apart; of tests that come later none are."""
_FLUSH_SECONDS = 0.02
"""Results of mutations go to the host at least this often."""


def main(fd: int, limits: dict[str, Any]) -> None:
    """Serve one program and its suite until the host hangs up."""
    time_limits.install()
    skip_sleep()
    wire = Connection.from_fd(fd)
    with contextlib.suppress(ConnectionClosed):
        order = wire.receive_json(with_fds=True)
        place = mmap.mmap(wire.take_fd(), mmap.PAGESIZE)
        if order["suite"]["project"]:
            # Imported late: a project is asked for by pytest suites alone.
            from regreen.sandbox.guest.runner.projects.project_folder import enter_project

            order["suite"]["project"]["archive"] = archive = wire.take_fd()
            order["suite"]["project"]["stays_loaded"] = order["stays_loaded"]
            enter_project(order["suite"]["project"], archive, order["program"])
        suite, companions = order["suite"], order["suite"]["companions"] | order["program"]["companions"]
        if order["counted"]:
            suite = counted_suite(suite)
        install_companions(companions, rewrite=counted_text if order["counted"] else None)
        try:
            Ticks()
            runner = prepare_suite(suite, screened=True)
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
        self.suite = ScreenedSuite(program["module"], program["filename"], runner)
        self.limits = limits
        self.statements = IncrementalCompiler(program["source"], program["filename"])
        self.unsent: list[Any] = []
        self.flushed = monotonic()

    def serve(self) -> None:
        """Serve orders until the host hangs up; pytest's session, where there is one, stays open meanwhile."""
        runner: Any = self.suite.runner
        runner.text = self.program["source"]
        if runner.loads_program:
            time_limits.stop_timers()
            runner.stay_collected(self.statements.codes or None, self._obey)
            return
        session = getattr(runner, "session", None)
        if session is None:
            self._obey()
            return
        time_limits.stop_timers()
        module = fresh_module(self.program["module"], self.program["filename"])
        with contextlib.suppress(Exception, SystemExit), time_limits.time_limit(self.limits["seconds"]):
            for code in self.statements.original():
                exec(code, module.__dict__)
        session(self.suite.subject(module, lambda error: None), self._obey)

    def _obey(self) -> None:
        while True:
            order = self.wire.receive_json()
            self.suite.runner.text = self.program["source"]
            keep_class_texts()
            if order["do"] == "trace":
                self.wire.send_json(self.trace(order))
            elif order["do"] == "values":
                self.wire.send_json(self.values(order))
            else:
                self.suite.green = frozenset(order["green"])
                self.screen(order)

    def trace(self, order: Mapping[str, Any]) -> dict[str, Any]:
        """Run the checks on the program as it is, with the lines that each of them reaches and what each costs."""
        run = TracedRun(order, self.program["filename"], self.suite.runner.place, self.limits["output_bytes"])
        module, broken = self._load_traced(run)
        if module is None:
            return broken
        skip = frozenset(order["skip"])
        subject = ProgramUnderTest(module, run.ended, run.around)
        self.suite.runner.run(subject, lambda check: check not in skip, run.report)
        ticks, seconds = run.ticks + GLANCE_TICKS, max(run.cpu_seconds, GLANCE_SECONDS)
        return {
            **run.as_message(),
            **self._distances(ticks, seconds, skip),
            "assertions": self._assertions(run.failing - skip, ticks, min(seconds, _ASSERTION_SECONDS)),
        }

    def values(self, order: Mapping[str, Any]) -> dict[str, Any]:
        """What the variables of the program as it is hold at the lines of the order, check by check."""
        self.suite.green = frozenset()
        return ValueRun(self.suite, self.statements.codes).tell({**_NO_LATE_CHECKS, **order}, self.program["filename"])

    def _load_traced(self, run: TracedRun) -> tuple[ModuleType | None, dict[str, Any]]:
        """The program as a module; None and the one result of every check where it does not load."""
        sys.stdout = sys.stderr = CappedText(run.output_bytes)
        loaded, ticks = LineTrace(run.filename), Ticks()
        CLOCK.begin(run.skipped_seconds)
        try:
            with time_limits.time_limit(run.seconds):
                loaded.start()
                module = self.suite.load(self.statements.original())
        except BaseException as error:  # noqa: BLE001  whatever the program raises is the result of every check
            time_limits.stop_timers()
            line = loaded.spinning_line(error.__traceback__) if isinstance(error, time_limits.OutOfTime) else None
            every = program_failure(error, run.filename)
            evidence = error_chain(error, run.place)
            return None, {"every": every, "lines": sorted(loaded.lines), "hung": line, "error": evidence}
        finally:
            loaded.stop()
        run.ticks += ticks.used
        return module, {}

    def _distances(self, ticks: int, seconds: float, skip: frozenset[str]) -> dict[str, Any]:
        """The distance of each check from passing on the program as it is, and how far it gets, both in [0, 1].

        And the CPU seconds that they take without being traced; None where they do not come to an end.
        """
        run = ScreeningRun(self.suite, self.statements.codes, skip)
        self.suite.green = frozenset()
        before = time_limits.cpu_seconds()
        run.run({**_NO_LATE_CHECKS, "ticks": ticks, "seconds": seconds})
        spent = time_limits.cpu_seconds() - before if run.status in ("failed", "passed") else None
        return {"distances": run.distances, "shares": run.shares, "plain_seconds": spent}

    def _assertions(self, failing: frozenset[str], ticks: int, seconds: float) -> Mapping[str, Any]:
        """What each assertion of the failing tests runs, and whether it holds."""
        self.suite.green = frozenset()
        trace = AssertionTrace(self.suite, self.statements.codes, self.program["filename"])
        return trace.tell(failing, {**_NO_LATE_CHECKS, "ticks": ticks, "seconds": seconds})

    def screen(self, order: dict[str, Any]) -> None:
        """Try each mutation in order and send [status, ids of passed checks, mean distance] for each.

        Where the order says that it `observes`, what each check saw follows as a list.

        When the time for all of them is spent, or the host has set the stop flag, None ends the results.
        """
        deadline = monotonic() + order["left"]
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
            if monotonic() - self.flushed > _FLUSH_SECONDS:
                self.flush()
        self.flush()

    def _in_time(
        self, edits: Sequence[Sequence[Any]], order: dict[str, Any], deadline: float
    ) -> tuple[Any, ...] | None:
        """The result of a mutation; None when it did not get its full time."""
        left = deadline - monotonic()
        if left <= 0:
            return None
        result = self._try(edits, {**order, "seconds": min(order["seconds"], max(left, _LEAST_SECONDS))})
        return None if result[0] in ("hung", "slow") and monotonic() > deadline else result

    def flush(self) -> None:
        """Send the results that were not sent yet."""
        if self.unsent:
            self.wire.send_json(self.unsent)
            self.unsent = []
        self.flushed = monotonic()

    def _try(self, edits: Sequence[Sequence[Any]], limits: Mapping[str, Any]) -> tuple[Any, ...]:
        try:
            codes = self.statements.edited(edits)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return "broken", [], 1.0, 0.0, 0
        if limits["observes"]:
            return ObservationRun(self.suite, codes).observe(limits)
        runner, had_read = self.suite.runner, self.suite.runner.reads_file
        if runner.lies_in_file:
            runner.text = edited_text(self.program["source"], edits, 0)
        run = partial(ScreeningRun, self.suite, codes, given_lines=partial(self._given_lines, edits))
        result = run().run(limits)
        # The first to read the program's file found there what lay there before.
        return result if had_read or not runner.reads_file else run().run(limits)

    def _given_lines(self, edits: Sequence[Sequence[Any]], line: int) -> tuple[int, int, int]:
        """The lines that a line of the code after these edits may have been: in what they changed, and beside it."""
        source = self.program["source"]
        added = sum(text.count("\n") - source.count("\n", start, end) for start, end, text in edits)
        edited = self.statements.line_without_ticks(line)
        return line, edited, edited - added


_NO_LATE_CHECKS: Mapping[str, Any] = {
    "late": (),
    "skipped_seconds": 60.0,
    "idle_seconds": 0.0,
    "real_time": (),
    "raising": {},
    "reached": (),
}
"""Limits of a run that only asks for distances; those in ticks and CPU seconds are added."""
