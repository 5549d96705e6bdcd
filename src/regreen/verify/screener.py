"""Trying many small changes of one program quickly: the host's side of a screener.

The answers are hints for the search. A mutation that ends the process or hangs where no timer rings is named and left
out; the process is replaced and the rest goes on.
"""

from __future__ import annotations

import math
import mmap
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from regreen.errors import TaskError
from regreen.sandbox.guest.runner.time_limits import WALL_FACTOR
from regreen.sandbox.guest.wire.connection import Connection, Overdue, WireError
from regreen.sandbox.pool import Pool
from regreen.sandbox.server_process import SandboxServer
from regreen.types import CheckResult, Edit, Limits, Outcome, Suite, SuiteKind
from regreen.verify.sandbox_messages import program_message, result_from, results_from, suite_message
from regreen.verify.shared_mode import need_pytest

Edits = Sequence[Edit]
_CHUNK = 32
"""Mutations that one screener takes at a time."""
_PATIENCE = 10.0
_SILENCE_SECONDS = 3.0
"""A screener that says nothing for this many times the CPU limit of a mutation (and a while) is taken to hang."""
_GRACE_SECONDS = 0.5
_HURRY = 8
"""The place in the page shared with a screener where it is told to leave off."""
_LONG_LIFE = 3600.0
"""A screener lives through thousands of mutations: its own CPU limit must not end it."""


@dataclass(frozen=True, slots=True)
class ScreeningLimits:
    """What one mutation may use, for all checks together."""

    ticks: int
    """Turns of loops and calls of functions: the same on every machine, however busy it is."""
    seconds: float
    """CPU time: the end of what spends it without a tick, inside C code."""


@dataclass(frozen=True, slots=True)
class ScreeningResult:
    """What a quick run said of one mutation."""

    status: str
    """"passed", "failed", "hung", "broken" (no Python), "memory" or "crashed"."""
    passed: frozenset[str] = frozenset()
    distance: float = 1.0


@dataclass(frozen=True, slots=True)
class ProgramTrace:
    """The program as it is, seen closely."""

    results: Mapping[str, CheckResult]
    coverage: Mapping[str, frozenset[int]]
    """Check id -> lines of the program that it ran."""
    raised: Mapping[str, tuple[int, ...]]
    """Check id -> program lines of its traceback, innermost last."""
    hung: Mapping[str, tuple[int, ...]]
    """Check id -> the line where it was when its time ended."""
    distances: Mapping[str, float] = field(default_factory=dict)
    ticks: int = 0
    """Ticks of all checks that came to an end."""

    @property
    def green_seconds(self) -> float:
        """CPU seconds of all checks that came to an end, slowed down by the tracing."""
        return sum(r.cpu_seconds for r in self.results.values() if r.outcome is not Outcome.TIMED_OUT)


class Screener:
    """One process that holds the program and its checks."""

    def __init__(
        self, server: SandboxServer, source: str, suite: Suite, limits: Limits, companions: Mapping[str, str]
    ) -> None:
        self.server = server
        self.suite = suite
        self.limits = replace(limits, total_seconds=_LONG_LIFE)
        self.program = program_message(source, suite, companions)
        self.companions = companions
        self.place = os.memfd_create("place")
        os.ftruncate(self.place, mmap.PAGESIZE)
        self.current = mmap.mmap(self.place, mmap.PAGESIZE)
        """Its first bytes are the number of the mutation under way, written by the screener."""
        self.wire: Connection | None = None
        if suite.kind is SuiteKind.PYTEST:
            need_pytest(server)

    def trace(self, seconds: float, hanging: Sequence[str] = (), deadly: Sequence[str] = ()) -> ProgramTrace:
        """Run the program as it is, line by line; `hanging` are checks that are known not to end.

        Those of `deadly` are left out, since they would end the process; so are those of `hanging` where no timer
        stops them. A program that cannot be traced at all gives no evidence.
        """
        for skip in (list(deadly), [*hanging, *deadly]):
            traced = self._trace({"do": "trace", "seconds": seconds, "hung": list(hanging), "skip": skip})
            if traced is not None:
                return traced
        return ProgramTrace({}, {}, {}, {})

    def _trace(self, order: Mapping[str, Any]) -> ProgramTrace | None:
        wire = self._connected()
        quick = frozenset([*order["hung"], *order["skip"]])
        slow = sum(check.id not in quick for check in self.suite.checks)
        wire.set_timeout(order["seconds"] * WALL_FACTOR * (slow + 2) + _GRACE_SECONDS * (len(quick) + 1))
        try:
            wire.send_json(order)
            return _traced(wire.receive_json(), self.suite)
        except WireError:
            self.close_wire()
            return None

    def screen(
        self, mutations: Sequence[Edits], green: frozenset[str], allowance: ScreeningLimits, until: float
    ) -> list[ScreeningResult]:
        """Try each mutation; one that breaks a check of `green` is left at once.

        Past `until`, by `time.monotonic`, no more are tried: what is said then is of the first of them only.
        """
        found: list[ScreeningResult] = []
        culprits: dict[int, ScreeningResult] = {}
        while len(found) < len(mutations):
            if len(found) in culprits:
                found.append(culprits[len(found)])
                continue
            upto = min((c for c in culprits if c > len(found)), default=len(mutations))
            try:
                if not self._some(mutations[len(found) : upto], found, green, allowance, until):
                    break
            except Overdue:
                culprits[self._current(len(found))] = ScreeningResult("hung")
                self.close_wire()
            except WireError:
                culprits[self._current(len(found))] = ScreeningResult("hung" if self._was_out_of_time() else "crashed")
        return found

    def _some(
        self,
        mutations: Sequence[Edits],
        found: list[ScreeningResult],
        green: frozenset[str],
        allowance: ScreeningLimits,
        until: float,
    ) -> bool:
        """Try mutations one after the other, and add to `found` as news comes; False when the time has ended."""
        wire = self._connected()
        wire.set_timeout(allowance.seconds * _PATIENCE + _SILENCE_SECONDS)
        self.current[:8] = len(found).to_bytes(8, "little")
        wire.send_json(
            {
                "do": "screen",
                "mutations": [[[e.start, e.end, e.text] for e in edits] for edits in mutations],
                "green": sorted(green),
                "ticks": allowance.ticks,
                "seconds": allowance.seconds,
                "first": len(found),
                "left": until - time.monotonic(),
                "hurry": _HURRY,
            }
        )
        goal = len(found) + len(mutations)
        while len(found) < goal:
            for told in wire.receive_json():
                if told is None:
                    return False
                status, passed, distance = told
                found.append(ScreeningResult(str(status), frozenset(map(str, passed)), float(distance)))
                if status == "memory":
                    # That process ends itself: what a hoarder leaves behind would be counted against the next.
                    self.close_wire()
                    return True
        return True

    def hurry(self) -> None:
        """Have it stop after the mutation under way, for good; may be called from another thread."""
        self.current[_HURRY] = 1

    def _current(self, known: int) -> int:
        """The mutation under way when the process was lost."""
        return max(known, int.from_bytes(self.current[:8], "little"))

    def _was_out_of_time(self) -> bool:
        """Whether the process that was lost had been deaf to its timer and was ended by it."""
        assert self.wire is not None
        self.wire.close()
        self.wire = None
        return self.server.reap(gone=True).exit_code == -signal.SIGVTALRM

    def _connected(self) -> Connection:
        if self.wire is None:
            self.wire = self.server.spawn("screener", self.limits)
            order = {"suite": suite_message(self.suite, self.companions), "program": self.program}
            self.wire.set_timeout(_LONG_LIFE)
            self.wire.send_json(order, self.place)
            answer = self.wire.receive_json()
            if "broken" in answer:
                self.close_wire()
                raise TaskError(f"{self.suite.origin}: the checks cannot be run: {answer['broken']}.")
        return self.wire

    def close_wire(self) -> None:
        """End the process; the next use starts another."""
        if self.wire is not None:
            self.wire.close()
            self.wire = None
            self.server.reap()

    def close(self) -> None:
        """End the process for good."""
        self.close_wire()
        self.current.close()
        os.close(self.place)


class ScreenerPool:
    """Screeners that share the work; answers come in the order of the questions."""

    def __init__(self, screeners: Sequence[Screener], threads: ThreadPoolExecutor) -> None:
        self.screeners = screeners
        self.threads = threads

    def trace(self, seconds: float, hanging: Sequence[str] = (), deadly: Sequence[str] = ()) -> ProgramTrace:
        """As Screener.trace."""
        return self.screeners[0].trace(seconds, hanging, deadly)

    def hurry(self) -> None:
        """As Screener.hurry, for all of them."""
        for screener in self.screeners:
            screener.hurry()

    def screen(
        self, mutations: Sequence[Edits], green: frozenset[str], allowance: ScreeningLimits, until: float = math.inf
    ) -> list[ScreeningResult]:
        """As Screener.screen, on all screeners at once."""
        until = min(until, time.monotonic() + _LONG_LIFE)
        share = max(_CHUNK, -(-len(mutations) // len(self.screeners)))
        parts = [mutations[i : i + share] for i in range(0, len(mutations), share)]
        if len(parts) == 1:
            return self.screeners[0].screen(mutations, green, allowance, until)
        jobs = [
            self.threads.submit(screener.screen, part, green, allowance, until)
            for screener, part in zip(self.screeners, parts, strict=False)
        ]
        return _beginning(parts, [job.result() for job in jobs])


def _beginning(parts: Sequence[Sequence[Edits]], answers: Sequence[list[ScreeningResult]]) -> list[ScreeningResult]:
    """The answers up to the first part that was not brought to its end."""
    said: list[ScreeningResult] = []
    for part, found in zip(parts, answers, strict=True):
        said += found
        if len(found) < len(part):
            break
    return said


@contextmanager
def open_screeners(
    pool: Pool, source: str, suite: Suite, limits: Limits, companions: Mapping[str, str], *, size: int
) -> Iterator[ScreenerPool]:
    """`size` screeners for one program and its checks, for the block."""
    with ExitStack() as stack, ThreadPoolExecutor(size, "screener") as threads:
        screeners = []
        for _ in range(size):
            screener = Screener(stack.enter_context(pool.lease()), source, suite, limits, companions)
            stack.callback(screener.close)
            screeners.append(screener)
        yield ScreenerPool(screeners, threads)


def _traced(answer: Mapping[str, Any], suite: Suite) -> ProgramTrace:
    if "every" in answer:
        result = result_from(answer["every"])
        lines = tuple(int(n) for n in answer["every"].get("lines", ()))
        ids = [check.id for check in suite.checks]
        reached = frozenset(int(n) for n in answer["lines"])
        spun = {} if answer["hung"] is None else dict.fromkeys(ids, (int(answer["hung"]),))
        return ProgramTrace(dict.fromkeys(ids, result), dict.fromkeys(ids, reached), dict.fromkeys(ids, lines), spun)
    plain = answer["results"]
    return ProgramTrace(
        results=results_from(plain),
        coverage={check: frozenset(lines) for check, lines in answer["lines"].items() if check},
        raised={check: tuple(result["lines"]) for check, result in plain.items() if result.get("lines")},
        hung={check: (line,) for check, line in answer["hung"].items() if check and line is not None},
        distances=answer["distances"],
        ticks=int(answer["ticks"]),
    )
