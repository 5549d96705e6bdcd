"""Screeners that share the mutations of one program, each in a process of its own."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from regreen.sandbox.pool import Pool
from regreen.types import NO_EXAMPLES, Limits, Suite, Visit
from regreen.verify.screener import LIFETIME_SECONDS, Screener
from regreen.verify.screening import SLOW, Edits, ProgramTrace, ScreeningLimits, ScreeningResult, TraceOrder

_LEAST_SHARE = 32
"""Mutations that a screener takes at least, before another one is given any."""
_ALONE_SECONDS = 0.2
"""Unless a server is idle, none is started for a second screener before: what ends earlier is not worth it."""
_ALONE_FACTOR = 3.0
"""CPU time of a mutation that is tried again by itself, beside what it had before."""
_MOST_PATIENCE = 0.1
"""CPU seconds that it has more at most: what takes long in all differs less from one run to the next."""


class ScreenerPool:
    """Screeners that share the mutations of one program; answers come in the order of the questions."""

    def __init__(self, pool: Pool, screeners: Sequence[Screener], threads: ThreadPoolExecutor) -> None:
        self.pool = pool
        self.screeners = screeners
        self.threads = threads
        self._seconds = 0.0
        """Seconds that were spent screening."""
        self._preparing: list[Future[None]] = []
        """Of each screener but the first, once they are wanted."""

    def trace(self, order: TraceOrder) -> ProgramTrace:
        """As Screener.trace."""
        return self.screeners[0].trace(order)

    def visits(self, lines: Collection[int], green: frozenset[str], limits: ScreeningLimits) -> tuple[Visit, ...]:
        """As Screener.visits."""
        return self.screeners[0].visits(lines, green, limits)

    def stop_after_current(self) -> None:
        """As Screener.stop_after_current, for all of them."""
        for screener in self.screeners:
            screener.stop_after_current()

    def screen(
        self, mutations: Sequence[Edits], green: frozenset[str], limits: ScreeningLimits, until: float = math.inf
    ) -> list[ScreeningResult]:
        """As Screener.screen, on all screeners at once."""
        began = time.monotonic()
        until = min(until, began + LIFETIME_SECONDS)
        found = self._shared(mutations, green, limits, until)
        results = [
            self._once_more(mutation, green, limits, until) if result.status == SLOW else result
            for mutation, result in zip(mutations, found, strict=False)
        ]
        self._seconds += time.monotonic() - began
        return results

    def _once_more(
        self, mutation: Edits, green: frozenset[str], limits: ScreeningLimits, until: float
    ) -> ScreeningResult:
        """The result of a mutation that a clock cut short, tried again beside no other and with more time.

        A busy machine makes a program take longer, but not so much: what is cut short again hangs.
        """
        if not limits.tries_slow_again:
            return ScreeningResult("hung")
        patient = replace(limits, seconds=_patient(limits.seconds), late_seconds=_patient(limits.late_seconds))
        found = self.screeners[0].screen([mutation], green, patient, until)
        return next((result for result in found if result.status != SLOW), ScreeningResult("hung"))

    def _shared(
        self, mutations: Sequence[Edits], green: frozenset[str], limits: ScreeningLimits, until: float
    ) -> list[ScreeningResult]:
        at_work = self._at_work()
        share = max(_LEAST_SHARE, -(-len(mutations) // len(at_work)))
        parts = [mutations[i : i + share] for i in range(0, len(mutations), share)]
        if len(parts) == 1:
            return at_work[0].screen(mutations, green, limits, until)
        jobs = [
            self.threads.submit(screener.screen, part, green, limits, until)
            for screener, part in zip(at_work, parts, strict=False)
        ]
        return _answered_in_order(parts, [job.result() for job in jobs])

    def _at_work(self) -> Sequence[Screener]:
        """The first screener, and the others when they are ready: none waits for another one's start."""
        first, *others = self.screeners
        if not self._preparing and (self._seconds >= _ALONE_SECONDS or self.pool.has_idle_server):
            self._preparing = [self.threads.submit(screener.prepare) for screener in others]
        ready = zip(others, self._preparing, strict=False)
        return [first, *(screener for screener, preparing in ready if preparing.done())]


def _patient(seconds: float) -> float:
    """So many times the CPU seconds, and at most 0.1 s more: a busy machine costs a long run little more."""
    return min(seconds * _ALONE_FACTOR, seconds + _MOST_PATIENCE)


def _answered_in_order(
    parts: Sequence[Sequence[Edits]], answers: Sequence[list[ScreeningResult]]
) -> list[ScreeningResult]:
    """The answers up to and with the first part that was not finished."""
    results: list[ScreeningResult] = []
    for part, found in zip(parts, answers, strict=True):
        results += found
        if len(found) < len(part):
            break
    return results


@contextmanager
def open_screeners(
    pool: Pool,
    source: str,
    suite: Suite,
    limits: Limits,
    companions: Mapping[str, str],
    *,
    size: int,
    counted: bool = True,
    examples: Mapping[str, tuple[str, ...]] = NO_EXAMPLES,
) -> Iterator[ScreenerPool]:
    """`size` screeners for one program and its checks, for the block.

    Unless `counted`, loops of the checks take no ticks, and tracebacks have the lines of the tests' own text. Property
    tests try `examples` first.
    """
    with ExitStack() as stack, ThreadPoolExecutor(size, "screener") as threads:
        screeners = [
            stack.enter_context(Screener(pool, source, suite, limits, companions, counted=counted, examples=examples))
            for _ in range(size)
        ]
        yield ScreenerPool(pool, screeners, threads)
