"""The judge: holds the checks of one task, and asks a guest for every answer of the program.

It talks to the host over `control`: first comes the suite, then one message a candidate with the descriptor of its
guest. When a guest is lost, the host says what became of it and sends another, and the judge goes on with the next
check in the same namespace.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Sequence
from functools import partial
from types import ModuleType
from typing import Any

from regreen.sandbox.guest.runner import results, time_limits
from regreen.sandbox.guest.runner.assertions import Witness
from regreen.sandbox.guest.runner.call_prefetch import Question
from regreen.sandbox.guest.runner.captured_output import CappedText
from regreen.sandbox.guest.runner.check_timer import Watch
from regreen.sandbox.guest.runner.program_module import install_companions, seed_random
from regreen.sandbox.guest.runner.results import Result
from regreen.sandbox.guest.runner.stubs import (
    FromGuest,
    GuestLost,
    NotPlain,
    Remote,
    empty_stub,
    fetch_constants,
    stub_module,
)
from regreen.sandbox.guest.runner.suite_runner import Bench, Runner, ended, prepare
from regreen.sandbox.guest.wire.connection import Closed, Wire

Plain = dict[str, Any]
STDOUT_KEPT = 1 << 16
"""Characters of printed text that go into a verdict."""


def main(fd: int, limits: Plain) -> None:
    """Serve one suite, or some plain ones by their numbers, until the host hangs up."""
    time_limits.install()
    watch = Watch()
    control = Wire.of(fd)
    benches: dict[int, tuple[Plain, Runner, ModuleType]] = {}
    trial: Trial | None = None
    with contextlib.suppress(Closed):
        while True:
            order = control.receive_json(with_fds=True)
            if trial is not None:
                # No earlier: a guest that is hung up on wakes to come to its end, and the host is about to end it.
                trial.let_go()
            if "suite" in order:
                _take_seat(control, order["suite"], benches, order["number"])
            else:
                trial = Trial(control, watch, *benches[order["number"]], order, limits)
                trial.conduct()


def _take_seat(control: Wire, suite: Plain, benches: dict[int, tuple[Plain, Runner, ModuleType]], number: int) -> None:
    """Compile a suite and tell the ids of its checks, or why it cannot be run."""
    install_companions(suite["companions"])
    try:
        runner = prepare(suite)
    except (SyntaxError, ValueError, RecursionError, ImportError) as error:
        control.send_json({"broken": f"{type(error).__name__}: {error}"})
        return
    benches[number] = suite, runner, empty_stub(suite)
    control.send_json({"ids": runner.ids})


class Trial:
    """One candidate before the judge."""

    def __init__(
        self,
        control: Wire,
        watch: Watch,
        suite: Plain,
        runner: Runner,
        module: ModuleType,
        order: Plain,
        limits: Plain,
    ) -> None:
        self.control = control
        self.watch = watch
        self.suite = suite
        self.runner = runner
        self.module = module
        self.program = order["program"]
        self.fail_fast = order["fail_fast"]
        self.shorten_after_timeout = order["shorten_after_timeout"]
        self.seconds = limits["seconds"]
        self.hurried_seconds = time_limits.hurried(limits["seconds"])
        self.deadline = time.monotonic() + limits["total_seconds"]
        self.output = CappedText(limits["output_bytes"])
        self.remote = Remote(self._overdue)
        self.waited_before = 0.0
        """Wall seconds that this guest has taken for earlier checks: it cannot have used more CPU than that."""
        self.told_before = 0
        """Nanoseconds of CPU time that earlier guests say they took."""
        self.check_started = time.monotonic()
        self.stop: Result | None = None
        """The result of every check that is left, once there is no point in going on."""
        self._adopt()

    def conduct(self) -> None:
        """Run the checks and report."""
        sys.modules[self.module.__name__] = self.module
        sys.stdout = sys.stderr = self.output
        if self.runner.throws_dice:
            seed_random(self.program["seed"])
        found: dict[str, Result] = {}

        def report(check: str, result: Result) -> bool:
            found[check] = result
            if self.shorten_after_timeout and result["outcome"] == "timed_out":
                self.seconds = self.hurried_seconds
            return not self.fail_fast or result["outcome"] == "passed"

        self._load()
        bench = Bench(self.module, self._ended, partial(Around, self), clock=self._spent)
        self.runner.run(bench, self._wanted, report)
        if not self.fail_fast or all(r["outcome"] == "passed" for r in found.values()):
            self._fill(found)
        self.control.send_json({"results": found, "stdout": self.output.take()[:STDOUT_KEPT]})

    def _fill(self, found: dict[str, Result]) -> None:
        left = self.stop or {"outcome": "timed_out", "detail": "the time for all checks together was spent before"}
        for check in self.runner.ids:
            if check not in found:
                found[check] = left

    def _wanted(self, check: str) -> bool:
        return self.stop is None and time.monotonic() < self.deadline

    def _load(self) -> None:
        """Load the program in its guest; what it raises is the result of every check."""
        self.check_started = time.monotonic()
        stub_module(self.remote, self.suite, self.module)
        ahead = self._foreseen()
        try:
            if self.suite["surface"]["constants"]:
                self.remote.load(self.program)
                fetch_constants(self.remote, self.suite, self.module)
                self.remote.ask_ahead(ahead)
            else:
                self.remote.load(self.program, ahead)
        except GuestLost as lost:
            self.stop = self._report(lost, again=False)
        except BaseException as error:  # noqa: BLE001  whatever the program raises is its result
            self.stop = self._ended(error) or ended(error, Witness())
        self.waited_before += time.monotonic() - self.check_started

    def _foreseen(self) -> Sequence[Question]:
        """The questions that are sure to come, from the check after the one that is running."""
        questions, check = self.runner.questions, self.remote.check
        if not check:
            return questions
        # Where this one is not among them, the checks whose questions are known are over.
        begin = next((n + 1 for n, q in enumerate(questions) if q.check == check), len(questions))
        return questions[begin:]

    def begin(self, check: str) -> None:
        """A check begins."""
        self.check_started = time.monotonic()
        self.remote.check = check
        if self.remote.wire is not None:
            self.remote.wire.be_patient(self.seconds)
        # Waiting for the guest costs the judge no CPU: this bounds the checks' own loops.
        self.watch.begin(self.seconds)

    def end(self) -> None:
        """The check is over."""
        self.watch.end()
        self.waited_before += time.monotonic() - self.check_started

    def _ended(self, error: BaseException) -> Result | None:
        if self.stop is not None:
            return dict(self.stop)
        if self.remote.lost is not None:
            return self._report(self.remote.lost, again=True)
        if isinstance(error, NotPlain):
            return {"outcome": "unjudgeable", "detail": str(error), "outward": error.outward}
        told = getattr(error, "__regreen__", None)
        return _told(told) if isinstance(told, FromGuest) else None

    def _report(self, lost: GuestLost, *, again: bool) -> Result:
        """Tell the host that the guest is lost; it answers what that means, and may send another guest."""
        self.let_go()
        told = self.remote.spent - self.told_before
        more = again and self.stop is None
        self.control.send_json({"lost": lost.why, "detail": lost.detail, "again": more, "limit": self.seconds})
        answer = self.control.receive_json(with_fds=True)
        result: Result = {"outcome": answer["outcome"], "detail": answer["detail"]}
        if again:
            # The guest did not live to tell what this check took of its time.
            result["cpu_ns"] = max(0, answer["cpu_ns"] - told)
        if answer["again"]:
            self._adopt()
            self._load()
        return result

    def _adopt(self) -> None:
        self.remote.wire, self.remote.lost = Wire.of(self.control.take_fd()), None
        self.remote.asked.clear()
        self.remote.wire.be_patient(self.seconds)
        self.waited_before, self.told_before = 0.0, self.remote.spent

    def let_go(self) -> None:
        """Hang up on the guest."""
        if self.remote.wire is not None:
            self.remote.wire.close()
            self.remote.wire = None

    def _spent(self) -> int:
        """Nanoseconds of CPU time that the program took: what the judge itself does for a check is no cost of it."""
        return self.remote.spent

    def _overdue(self, patience: float) -> bool:
        """Ask the host, which sees the guest's CPU clock, whether a late guest gets more time."""
        waited = time.monotonic() - self.check_started
        self.control.send_json({"overdue": True, "waited": waited, "before": self.waited_before, "limit": self.seconds})
        grant = self.control.receive_json()["grant"]
        if grant and self.remote.wire is not None:
            self.remote.wire.be_patient(grant)
        return bool(grant)


class Around:
    """What surrounds each check in a judge: its limit, and a guest that must not have been lost on the way."""

    __slots__ = ("check", "trial")

    def __init__(self, trial: Trial, check: str) -> None:
        self.trial = trial
        self.check = check

    def __enter__(self) -> None:
        self.trial.begin(self.check)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.trial.end()
        if kind is None and self.trial.remote.lost is not None:
            raise self.trial.remote.lost


def _told(told: FromGuest) -> Result:
    if told.flood:
        return {"outcome": "output_flood", "detail": told.message}
    if told.name == "MemoryError":
        return {"outcome": "out_of_memory", "detail": "the memory limit was reached"}
    return results.raised(told.name, told.message, told.lines, inside=True)
