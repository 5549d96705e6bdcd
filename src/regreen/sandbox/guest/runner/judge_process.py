"""The judge: holds the checks of one task, and asks a guest for every answer of the program.

Its connection to the host is `control`: suites come first, each with a number, then one message a candidate with the
descriptor of its guest. When a guest is lost, the host says how it ended and sends another, and the judge continues
with the next check in the same namespace.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Sequence
from functools import partial
from types import ModuleType
from typing import Any

from regreen.sandbox.guest.runner.checks import results
from regreen.sandbox.guest.runner.checks.assertions import AssertionRecorder
from regreen.sandbox.guest.runner.checks.captured_output import (
    FLOOD_DETAIL,
    VERDICT_CHARACTERS,
    CappedText,
    OutputFlood,
)
from regreen.sandbox.guest.runner.checks.check_runner import COLLECTION, ProgramUnderTest, Runner, result_of
from regreen.sandbox.guest.runner.checks.results import Result
from regreen.sandbox.guest.runner.checks.suite_runner import prepare_suite
from regreen.sandbox.guest.runner.program_loading.program_module import install_companions, seed_random
from regreen.sandbox.guest.runner.stand_ins.call_prefetch import PrefetchedCall
from regreen.sandbox.guest.runner.stand_ins.lent_objects import ask_program_for_coroutines
from regreen.sandbox.guest.runner.stand_ins.live_mirrors import live_module, mirror_functions, watch_identity
from regreen.sandbox.guest.runner.stand_ins.live_program import LiveProgram
from regreen.sandbox.guest.runner.stand_ins.program_stubs import empty_stub, fetch_constants, stub_module
from regreen.sandbox.guest.runner.stand_ins.stubs import GuestLost, RaisedByProgram, RemoteProgram
from regreen.sandbox.guest.runner.timing import time_limits
from regreen.sandbox.guest.runner.timing.time_limits import CheckTimer, OutOfTime
from regreen.sandbox.guest.wire.codec_format import NotPlain
from regreen.sandbox.guest.wire.connection import Connection, ConnectionClosed
from regreen.sandbox.guest.wire.set_order import doubt

_LATE: Result = {"outcome": "timed_out", "detail": "the time for all checks together was spent before"}
_NOT_OFFERED: Result = {"outcome": "unjudgeable", "detail": "it was not run: the tests did not offer it"}
_LEAST_SECONDS = 0.05
"""A check that begins before the time for all together is spent may take at least this."""


def main(fd: int, limits: dict[str, Any]) -> None:
    """Serve suites by their numbers (several only if plain) until the host hangs up."""
    time_limits.install()
    timer = CheckTimer()
    control = Connection.from_fd(fd)
    suites: dict[int, tuple[dict[str, Any], Runner, ModuleType]] = {}
    run: CheckRun | None = None
    with contextlib.suppress(ConnectionClosed):
        while True:
            order = control.receive_json(with_fds=True)
            if run is not None:
                # No earlier: hanging up would wake the guest to exit by itself, and the host is about to kill it.
                run.hang_up()
            if "suite" in order:
                _compile_suite(control, order["suite"], suites, order["number"])
            else:
                run = CheckRun(control, timer, *suites[order["number"]], order, limits)
                run.run()


def _compile_suite(
    control: Connection,
    suite: dict[str, Any],
    suites: dict[int, tuple[dict[str, Any], Runner, ModuleType]],
    number: int,
) -> None:
    """Compile a suite and report the ids of its checks, or why it cannot be run."""
    install_companions(suite["companions"])
    try:
        runner = prepare_suite(suite)
    except (SyntaxError, ValueError, RecursionError, ImportError) as error:
        control.send_json({"broken": f"{type(error).__name__}: {error}"})
        return
    suites[number] = suite, runner, empty_stub(suite)
    control.send_json({"ids": runner.ids})


class CheckRun:
    """The run of one suite's checks on one candidate."""

    def __init__(
        self,
        control: Connection,
        timer: CheckTimer,
        suite: dict[str, Any],
        runner: Runner,
        module: ModuleType,
        order: dict[str, Any],
        limits: dict[str, Any],
    ) -> None:
        self.control = control
        self.timer = timer
        self.suite = suite
        self.runner = runner
        self.module = module
        self.program = order["program"]
        self.fail_fast = order["fail_fast"]
        self.shorten_after_timeout = order["shorten_after_timeout"]
        self.seconds = limits["seconds"]
        self.shortened_seconds = time_limits.shortened_limit(limits["seconds"])
        self.deadline = time.monotonic() + min(limits["total_seconds"], order["seconds_left"])
        self.output = CappedText(limits["output_bytes"])
        self.remote = RemoteProgram(self._overdue)
        surface = suite["surface"]
        self.live = LiveProgram(self.remote, surface["shares"]) if surface.get("by_handles") else None
        """The program's live objects, where the checks use any."""
        self.waited_before = 0.0
        """Wall seconds that this guest took for earlier checks: an upper bound of the CPU time that they used."""
        self.reported_before = 0
        """Nanoseconds of CPU time that earlier guests reported."""
        self.check_started = time.monotonic()
        self.limit = self.seconds
        """Seconds that the check which is running may take: no more than are left for all together."""
        self.stop: Result | None = None
        """The result of every remaining check, once the run cannot go on."""
        self._adopt()

    def run(self) -> None:
        """Run the checks and report."""
        doubt.met = False
        sys.modules[self.module.__name__] = self.module
        sys.stdout = sys.stderr = self.output
        if self.runner.uses_random:
            seed_random(self.program["seed"])
        found: dict[str, Result] = {}

        def report(check: str, result: Result) -> bool:
            found[check] = result
            if self.live is not None and self.live.word and result["outcome"] == "passed":
                result["unproven"] = self.live.word
            if self.shorten_after_timeout and result["outcome"] == "timed_out":
                self.seconds = self.shortened_seconds
            return not self.fail_fast or result["outcome"] == "passed"

        self._load()
        subject = ProgramUnderTest(self.module, self._ended, partial(_CheckScope, self), cpu_clock=self._spent)
        if self.live is not None:
            self.live.calls.decide_for(subject.recorder)
            watch_identity(self.live.identical)
            mirror_functions(self.live, self.suite["surface"]["mirrors"])
            self._answer_for_library(self.live)
        self.runner.run(subject, self._wanted, report)
        if not self.fail_fast or all(r["outcome"] == "passed" for r in found.values()):
            self._fill(found)
        told = {"results": results.short_enough(found), "stdout": self.output.take()[:VERDICT_CHARACTERS]}
        self.control.send_json(told)

    def _answer_for_library(self, live: LiveProgram) -> None:
        """Have functions of Python's library that look into objects ask the program, where the checks name any."""
        texts = (self.suite["source"], *(step["code"] for step in self.suite["steps"]))
        if any("mock" in text for text in texts):
            ask_program_for_coroutines(live.is_live, live.ask)
        if any("dataclass" in text for text in texts):
            from regreen.sandbox.guest.runner.stand_ins.live_dataclasses import ask_program_for_dataclasses

            ask_program_for_dataclasses(live.is_live, live.ask)

    def _fill(self, found: dict[str, Result]) -> None:
        left = self.stop or (_LATE if time.monotonic() >= self.deadline else _NOT_OFFERED)
        for check in self.runner.ids or (COLLECTION,):
            found.setdefault(check, left)

    def _wanted(self, check: str) -> bool:
        return self.stop is None and time.monotonic() < self.deadline

    def _load(self) -> None:
        """Load the program in its guest; what it raises is the result of every check."""
        stub_module(self.remote, self.suite, self.module)
        prefetched_calls = self._prefetchable()
        try:
            # Compiling a program may take for ever, and so may reading its answers.
            self._limit("")
            try:
                self._send_program(prefetched_calls)
            finally:
                self.timer.end()
        except GuestLost as lost:
            self.stop = self._report(lost, again=False)
        except BaseException as error:  # noqa: BLE001  whatever the program raises is its result
            self.timer.end()
            self.stop = self._ended(error) or result_of(error, AssertionRecorder())
        self.waited_before += time.monotonic() - self.check_started

    def _send_program(self, prefetched_calls: Sequence[PrefetchedCall]) -> None:
        if self.live is not None:
            self._bind(self.live.load(self.program, self.suite["surface"]["live"]))
        elif self.suite["surface"]["constants"]:
            self.remote.load(self.program)
            fetch_constants(self.remote, self.suite, self.module)
            if not self.remote.kept.objects:
                self.remote.prefetch(prefetched_calls)
        else:
            self.remote.load(self.program, prefetched_calls)

    def _bind(self, found: dict[str, Any]) -> None:
        for name in self.suite["surface"]["live"]:
            self.module.__dict__.pop(name, None)
        self.module.__dict__.update(found)
        if self.live is not None:
            self.module.__class__ = live_module(self.live)

    def _prefetchable(self) -> Sequence[PrefetchedCall]:
        """The calls that are sure to come, from the check after the one that is running."""
        calls, check = self.runner.calls, self.remote.check
        if not check:
            return calls
        # A check that is not among them comes after all checks whose calls are known.
        begin = next((n + 1 for n, q in enumerate(calls) if q.check == check), len(calls))
        return calls[begin:]

    def begin(self, check: str) -> None:
        """Start the limits of a check."""
        self.output.flooded, self.remote.undecided, NotPlain.latest = False, None, None
        if self.live is not None:
            self.live.begin()
        self._limit(check)

    def _limit(self, check: str) -> None:
        self.remote.check = check
        self.check_started = time.monotonic()
        left = self.deadline - self.check_started
        self.limit = self.seconds if left > self.seconds else max(left, _LEAST_SECONDS)
        if self.remote.wire is not None:
            self.remote.wire.set_timeout(self.limit)
        # Waiting for the guest costs the judge no CPU time: this timer bounds the checks' own loops.
        self.timer.begin(self.limit)

    def end(self) -> None:
        """Lift the limits of the check."""
        self.timer.end()
        self.waited_before += time.monotonic() - self.check_started

    def prepared(self) -> None:
        """Let no check rest on a preparation that could not be judged."""
        undecided = self.remote.undecided or NotPlain.latest
        if isinstance(undecided, NotPlain) and self.remote.lost is None:
            self.stop = self.stop or _unjudgeable(undecided)

    def swallowed(self) -> BaseException | None:
        """What should have ended the check that is running, if the check caught it and went on."""
        if self.timer.spent:
            return OutOfTime()
        if self.output.flooded:
            return OutputFlood(FLOOD_DETAIL)
        return self.remote.lost or self.remote.undecided or NotPlain.latest

    def _ended(self, error: BaseException) -> Result | None:
        if self.stop is not None:
            return dict(self.stop)
        if self.remote.lost is not None:
            return self._report(self.remote.lost, again=True)
        if isinstance(undecided := self.remote.undecided or NotPlain.latest, NotPlain):
            return _unjudgeable(undecided)
        if doubt.met and isinstance(error, AssertionError) and self._sees_order():
            return _unjudgeable(NotPlain("a set may be gone through in another order there", outward=False))
        raised = getattr(error, "__regreen__", None)
        return _result_from_program(raised) if isinstance(raised, RaisedByProgram) else None

    def _sees_order(self) -> bool:
        # Imported late: few sets are gone through otherwise.
        from regreen.sandbox.guest.runner.checks.order_sight import sees_order

        return sees_order([self.suite["source"], *(step["code"] for step in self.suite["steps"])])

    def _report(self, lost: GuestLost, *, again: bool) -> Result:
        """Report the lost guest to the host, whose answer is the check's result and perhaps another guest."""
        self.hang_up()
        reported = self.remote.spent - self.reported_before
        more = again and self.stop is None
        self.control.send_json({"lost": lost.why, "detail": lost.detail, "again": more, "limit": self.limit})
        answer = self.control.receive_json(with_fds=True)
        result: Result = {"outcome": answer["outcome"], "detail": answer["detail"]}
        if again:
            # The guest ended without reporting the CPU time of this check.
            result["cpu_ns"] = max(0, answer["cpu_ns"] - reported)
        if answer["again"]:
            self._adopt()
            self._load()
        return result

    def _adopt(self) -> None:
        self.remote.wire, self.remote.lost = Connection.from_fd(self.control.take_fd()), None
        self.remote.prefetched.clear()
        self.remote.kept.select(())
        if self.live is not None:
            self.live.renew()
        self.remote.wire.set_timeout(self.limit)
        self.waited_before, self.reported_before = 0.0, self.remote.spent

    def hang_up(self) -> None:
        """Hang up on the guest."""
        if self.remote.wire is not None:
            self.remote.wire.close()
            self.remote.wire = None

    def _spent(self) -> int:
        """Nanoseconds of CPU time that the program took, without the judge's own work for a check."""
        return self.remote.spent

    def _overdue(self, patience: float) -> bool:
        """Ask the host, which sees the guest's CPU clock, whether a late guest gets more time."""
        if time.monotonic() >= self.deadline:
            return False
        waited = time.monotonic() - self.check_started
        self.control.send_json({"overdue": True, "waited": waited, "before": self.waited_before, "limit": self.limit})
        grant = self.control.receive_json()["grant"]
        if grant and self.remote.wire is not None:
            self.remote.wire.set_timeout(grant)
        return bool(grant)


class _CheckScope:
    """Surrounds each check in a judge: sets its limits, and raises once more what ended a check that swallowed it."""

    __slots__ = ("check", "run")

    def __init__(self, run: CheckRun, check: str) -> None:
        self.run = run
        self.check = check

    def __enter__(self) -> None:
        self.run.begin(self.check)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        swallowed = self.run.swallowed() if kind is None else None
        self.run.end()
        if not self.check:
            self.run.prepared()
        if swallowed is not None:
            raise swallowed


def _unjudgeable(why: NotPlain) -> Result:
    return {"outcome": "unjudgeable", "detail": str(why), "outward": why.outward}


def _result_from_program(raised: RaisedByProgram) -> Result:
    if raised.flood:
        return {"outcome": "output_flood", "detail": raised.message}
    if raised.name == "MemoryError":
        return {"outcome": "out_of_memory", "detail": "the memory limit was reached"}
    return results.raised_result(raised.name, raised.message, raised.lines, inside=True)
