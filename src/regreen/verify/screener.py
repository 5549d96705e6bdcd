"""Screeners: long-lived processes that each try many small changes of one program quickly.

The answers are hints for the search. A mutation that ends the process, or hangs where no timer rings, is found by its
number and left out; a new process takes the rest.
"""

from __future__ import annotations

import mmap
import os
import signal
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Any, Self

from regreen.errors import TaskError
from regreen.sandbox.guest.runner.timing.time_limits import GREEN_FACTOR, WALL_FACTOR
from regreen.sandbox.guest.wire.connection import Connection, Overdue, WireError
from regreen.sandbox.memory_file import memory_file, shared_file
from regreen.sandbox.pool import Pool
from regreen.sandbox.server_process import SandboxServer
from regreen.types import NO_EXAMPLES, Limits, Suite, SuiteKind, Visit
from regreen.verify.sandbox_messages import program_message, setup_message
from regreen.verify.screening import (
    ANEW,
    STALE,
    Edits,
    ProgramTrace,
    ScreeningLimits,
    ScreeningResult,
    TraceOrder,
    screening_message,
    screening_result_from,
    trace_from,
    trace_message,
    values_message,
    visits_from,
)
from regreen.verify.shared_mode import need_pytest

_SILENCE_FACTOR = 10.0
_SILENCE_SECONDS = 3.0
"""A screener hangs when it is silent for `_SILENCE_FACTOR` times the time of a mutation and these seconds."""
_GRACE_SECONDS = 0.5
"""Seconds that a trace gets beyond the limits of its checks, for each check that is cut short."""
_NUMBER_BYTES = 8
"""The page shared with a screener begins with the number of the mutation under way, little-endian."""
_STOP_FLAG = _NUMBER_BYTES
"""The place in that page of the flag that has the screener stop."""
LIFETIME_SECONDS = 3600.0
"""A screener lives through thousands of mutations: its own CPU limit must not end it."""


class Screener:
    """One process that holds a program and its checks; it and its server are started when they are first needed.

    To be closed as a context manager, so that after an error nobody else gets the server.
    """

    def __init__(
        self,
        pool: Pool,
        source: str,
        suite: Suite,
        limits: Limits,
        companions: Mapping[str, str],
        *,
        counted: bool = True,
        examples: Mapping[str, tuple[str, ...]] = NO_EXAMPLES,
        stays_loaded: bool = True,
    ) -> None:
        self.counted = counted
        self.stays_loaded = stays_loaded
        """Whether a project's program may stay as its tests have loaded it, where its functions alone change."""
        self._beside = partial(
            Screener, pool, source, suite, limits, companions, counted=counted, examples=examples, stays_loaded=False
        )
        self._anew: Screener | None = None
        """For what has to be loaded anew, where the program stays loaded otherwise."""
        self.examples = examples
        self.pool = pool
        self.suite = suite
        self.limits = replace(limits, total_seconds=LIFETIME_SECONDS)
        self.program = program_message(source, suite, companions)
        self.page_fd = shared_file(mmap.PAGESIZE)
        self.page = mmap.mmap(self.page_fd, mmap.PAGESIZE)
        self.connection: Connection | None = None
        self._server: SandboxServer | None = None
        self._opened = ExitStack()
        self._opened.callback(os.close, self.page_fd)
        self._opened.callback(self.page.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._opened.__exit__(kind, error, where)

    @property
    def server(self) -> SandboxServer:
        """The server, leased until the end. Raises TaskError where pytest is needed and not there."""
        if self._server is None:
            self._server = self._opened.enter_context(self.pool.lease())
            self._opened.callback(self.end_process)
            if self.suite.kind is SuiteKind.PYTEST:
                need_pytest(self._server, self.suite)
        return self._server

    def prepare(self) -> None:
        """Start what the first mutation would wait for; what fails here fails again there."""
        self._connected()

    def trace(self, order: TraceOrder) -> ProgramTrace:
        """Run the unchanged program line by line.

        Hanging checks that no timer stops are left out like deadly ones. A program that cannot be traced at all gives
        an empty trace.
        """
        for skip in (order.deadly, [*order.hanging, *order.deadly]):
            traced = self._trace(order, skip)
            if traced is not None:
                return traced
        return ProgramTrace({}, {}, {}, {})

    def _trace(self, order: TraceOrder, skip: Sequence[str]) -> ProgramTrace | None:
        connection = self._connected()
        short = {*order.hanging, *skip}
        whole = [check.id for check in self.suite.checks if check.id not in short]
        shares = sum(GREEN_FACTOR if check in order.green else 1.0 for check in whole) + 2
        connection.set_timeout(order.seconds * WALL_FACTOR * shares + _GRACE_SECONDS * (len(short) + 1))
        try:
            connection.send_json(trace_message(order, skip))
            return trace_from(connection.receive_json(), self.suite)
        except WireError:
            self.end_process()
            return None

    def visits(self, lines: Collection[int], green: frozenset[str], limits: ScreeningLimits) -> tuple[Visit, ...]:
        """What the variables of the unchanged program hold at these lines; nothing where it ends its process."""
        connection = self._connected()
        connection.set_timeout(limits.longest_silence * _SILENCE_FACTOR * len(self.suite.checks) + _SILENCE_SECONDS)
        try:
            connection.send_json(values_message(lines, limits))
            return visits_from(connection.receive_json(), green)
        except WireError:
            self.end_process()
            return ()

    def screen(
        self, mutations: Sequence[Edits], green: frozenset[str], limits: ScreeningLimits, until: float
    ) -> list[ScreeningResult]:
        """Try each mutation; one that breaks a check of `green` is stopped there.

        No mutation is begun after `until`, by `time.monotonic`: the answers are then those of the first ones only.
        """
        found: list[ScreeningResult] = []
        culprits: dict[int, ScreeningResult] = {}
        """Number -> the result of a mutation that ended its process."""
        while len(found) < len(mutations):
            if len(found) in culprits:
                found.append(culprits[len(found)])
                continue
            upto = min((c for c in culprits if c > len(found)), default=len(mutations))
            try:
                if not self._screen_some(mutations[len(found) : upto], found, green, limits, until):
                    break
            except Overdue:
                culprits[self._current(len(found))] = ScreeningResult("hung")
                self.end_process()
            except WireError:
                status = "hung" if self._was_out_of_time() else "crashed"
                culprits[self._current(len(found))] = ScreeningResult(status)
        return self._with_those_loaded_anew(found, mutations, green, limits, until) if limits.loads_anew else found

    def _with_those_loaded_anew(
        self,
        found: list[ScreeningResult],
        mutations: Sequence[Edits],
        green: frozenset[str],
        limits: ScreeningLimits,
        until: float,
    ) -> list[ScreeningResult]:
        """The results, with those that a program which stays loaded did not give, or not for certain.

        Where a library keeps each version of a program, a process has only one: no more is known of others then.
        """
        numbers = [number for number, result in enumerate(found) if result.status in (ANEW, STALE)]
        if not numbers or not self.stays_loaded:
            return found
        if self.page[_STOP_FLAG]:
            return found[: numbers[0]]
        if self._anew is None:
            self._anew = self._opened.enter_context(self._beside())
        given = self._anew.screen([mutations[number] for number in numbers], green, limits, until)
        for number, result in zip(numbers, given, strict=False):
            found[number] = _at_its_word(found[number]) if result.status == ANEW else result
        return found if len(given) == len(numbers) else found[: numbers[len(given)]]

    def _screen_some(
        self,
        mutations: Sequence[Edits],
        found: list[ScreeningResult],
        green: frozenset[str],
        limits: ScreeningLimits,
        until: float,
    ) -> bool:
        """Have mutations tried, and add to `found` as results come; False when the time has ended."""
        connection = self._connected()
        connection.set_timeout(limits.longest_silence * _SILENCE_FACTOR + _SILENCE_SECONDS)
        first, goal = len(found), len(found) + len(mutations)
        self.page[:_NUMBER_BYTES] = first.to_bytes(_NUMBER_BYTES, "little")
        left = min(until - time.monotonic(), LIFETIME_SECONDS)
        connection.send_json(
            screening_message(mutations, green, limits, first=first, seconds_left=left, stop_flag=_STOP_FLAG)
        )
        while len(found) < goal:
            for answer in connection.receive_json():
                if answer is None:
                    return False
                found.append(screening_result_from(answer))
                if found[-1].status == "memory":
                    # That process ends itself: memory that it did not give back would count against the next mutation.
                    self.end_process()
                    return True
        return True

    def stop_after_current(self) -> None:
        """Have it stop after the mutation under way, for good; may be called from another thread."""
        self.page[_STOP_FLAG] = 1
        if self._anew is not None:
            self._anew.stop_after_current()

    def _current(self, known: int) -> int:
        """The mutation under way when the process was lost; at least `known`, since the page is the process's word."""
        return max(known, int.from_bytes(self.page[:_NUMBER_BYTES], "little"))

    def _was_out_of_time(self) -> bool:
        """Whether the lost process was ended by its CPU timer, to which the mutation did not react."""
        assert self.connection is not None
        self.connection.close()
        self.connection = None
        return self.server.reap(gone=True).exit_code == -signal.SIGVTALRM

    def _connected(self) -> Connection:
        if self.connection is None:
            self.connection = self.server.spawn("screener", self.limits)
            self.connection.set_timeout(LIFETIME_SECONDS)
            self._set_up(self.connection)
            answer: Mapping[str, Any] = self.connection.receive_json()
            if "broken" in answer:
                self.end_process()
                raise TaskError(f"{self.suite.origin}: the checks cannot be run: {answer['broken']}.")
        return self.connection

    def _set_up(self, connection: Connection) -> None:
        setup = setup_message(self.suite, self.program, self.examples) | {
            "counted": self.counted,
            "stays_loaded": self.stays_loaded,
        }
        if self.suite.project is None:
            connection.send_json(setup, self.page_fd)
            return
        with memory_file(self.suite.project.archive) as archive:
            connection.send_json(setup, self.page_fd, archive)

    def end_process(self) -> None:
        """End the process; the next use starts another."""
        if self.connection is not None:
            self.connection.close()
            self.connection = None
            self.server.reap()


def _at_its_word(result: ScreeningResult) -> ScreeningResult:
    """What a stale program says, where there is no other."""
    if result.status != STALE:
        return result
    return replace(result, status="failed" if result.distance else "passed")
