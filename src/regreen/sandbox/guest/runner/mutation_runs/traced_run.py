"""What is seen of a program's checks while they are traced: lines, results, errors and what each check costs."""

from __future__ import annotations

import contextlib
import resource
import sys
from collections.abc import Iterator, Mapping
from time import monotonic
from typing import Any

from regreen.sandbox.guest.runner.checks.captured_output import CappedText
from regreen.sandbox.guest.runner.checks.program_failures import raised_in_program
from regreen.sandbox.guest.runner.checks.results import Result
from regreen.sandbox.guest.runner.mutation_runs.error_evidence import ErrorEvidence, error_chain
from regreen.sandbox.guest.runner.mutation_runs.line_trace import LineTrace
from regreen.sandbox.guest.runner.mutation_runs.screening_run import NO_LIMIT
from regreen.sandbox.guest.runner.timing import time_limits
from regreen.sandbox.guest.runner.timing.ticks import UNBOUNDED, Ticks
from regreen.sandbox.guest.runner.timing.virtual_clock import CLOCK

GLANCE_TICKS = 30_000
"""Ticks to trace a check that is known to hang: enough to see the loop it is in."""
GLANCE_SECONDS = 0.25
"""CPU backstop of the same, for what takes no ticks; also the least that distances of all checks get."""
_GREEN_EVENTS = 200_000
"""Lines of a check that is known to pass that are traced: the first runs of lines, which count, come early."""


class TracedRun:
    """One traced run of the checks, as an order asks for it; filled in while they run."""

    def __init__(self, order: Mapping[str, Any], filename: str, place: Any, output_bytes: int) -> None:
        self.seconds: float = order["seconds"]
        self.skipped_seconds: float = order["skipped_seconds"]
        self.hanging, self.green = frozenset(order["hung"]), frozenset(order["green"])
        self.real_time = frozenset(order["real_time"])
        self.filename = filename
        self.place = place
        """Where the suite's files lie, as `error_chain` takes it."""
        self.output_bytes = output_bytes
        self.ticks = 0
        """Ticks of the load and of all checks that came to an end."""
        self.results: dict[str, Result] = {}
        self.lines: dict[str, list[int]] = {}
        self.hung: dict[str, int | None] = {}
        """The line that each check that ran out of time was at."""
        self.errors: dict[str, list[ErrorEvidence]] = {}
        self.costs: dict[str, tuple[int, float, float]] = {}
        """Ticks, skipped seconds and idle seconds of each check."""
        self._running = ""

    @contextlib.contextmanager
    def around(self, check: str) -> Iterator[None]:
        """Trace and limit what runs in the block, on behalf of a check."""
        self._running = check
        tracer = LineTrace(self.filename, _GREEN_EVENTS if check in self.green else None)
        sys.stdout = sys.stderr = CappedText(self.output_bytes)
        ticks = Ticks(GLANCE_TICKS if check in self.hanging else UNBOUNDED)
        CLOCK.begin(self.skipped_seconds)
        idle = _IdleTime()
        with (
            CLOCK.real() if check in self.real_time else NO_LIMIT,
            time_limits.time_limit(self._limit(check)),
        ):
            tracer.start()
            try:
                yield
            except time_limits.OutOfTime as error:
                time_limits.TIMER.armed = False
                self.hung[check] = tracer.spinning_line(error.__traceback__)
                raise
            finally:
                time_limits.stop_timers()
                tracer.stop()
                # Preparation comes in several steps, all under the same name.
                self.lines[check] = sorted({*self.lines.get(check, ()), *tracer.lines})
                if check not in self.hung:
                    self.ticks += ticks.used
                    self.costs[check] = (ticks.used, CLOCK.skipped_seconds, idle.seconds)

    def _limit(self, check: str) -> float:
        """CPU seconds of a check: little where it is known to hang, more where it is known to pass."""
        if check in self.hanging:
            return min(self.seconds, GLANCE_SECONDS)
        return self.seconds * time_limits.GREEN_FACTOR if check in self.green else self.seconds

    def report(self, check: str, result: Result) -> bool:
        """Keep the result of a check; the next one is to run, whatever it is."""
        self.results[check] = result
        return True

    def ended(self, error: BaseException) -> Result | None:
        """Keep what is known of an exception that ended a check; returns the result where the program raised it."""
        # Where no check is running, the tests are being loaded or prepared: what went wrong first, counts.
        self.errors.setdefault(self._running, error_chain(error, self.place))
        return raised_in_program(error, self.filename)

    @property
    def failing(self) -> frozenset[str]:
        """The checks that came to an end and did not pass."""
        ended = self.results.keys() - self.hung.keys()
        return frozenset(check for check in ended if self.results[check]["outcome"] in ("failed", "raised"))

    @property
    def cpu_seconds(self) -> float:
        """CPU time of all checks that came to an end."""
        spent: int = sum(result.get("cpu_ns", 0) for check, result in self.results.items() if check not in self.hung)
        return spent / 1e9

    def as_message(self) -> dict[str, Any]:
        """All that was seen, for the host."""
        return {
            "results": self.results,
            "lines": self.lines,
            "hung": self.hung,
            "errors": self.errors,
            "ticks": self.ticks,
            "costs": {check: cost for check, cost in self.costs.items() if check},
        }


class _IdleTime:
    """The time since its making in which this process slept."""

    def __init__(self) -> None:
        self.known = self._now()

    @staticmethod
    def _now() -> tuple[float, int]:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return monotonic() - usage.ru_utime - usage.ru_stime, usage.ru_nvcsw

    @property
    def seconds(self) -> float:
        """Wall time without CPU time; 0 where the process never slept, but only waited for a processor."""
        (idle, waits), (idle_before, waits_before) = self._now(), self.known
        return max(0.0, idle - idle_before) if waits > waits_before else 0.0
