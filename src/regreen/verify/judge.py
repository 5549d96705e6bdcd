"""Judging one program: every check, each by itself, behind the wall where the checks allow.

This is the host's part. It starts the processes, says what the end of one of them means, and puts the verdict
together; it never reads a value of the program and never runs a line of it.
"""

from __future__ import annotations

import contextlib
import json
import signal
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from regreen.errors import SandboxError, SandboxUnavailable, TaskError
from regreen.sandbox.guest.runner.time_limits import WALL_FACTOR
from regreen.sandbox.guest.server_orders import INTERNAL_ERROR_STATUS
from regreen.sandbox.guest.wire.connection import Connection, ConnectionClosed, Overdue, WireError
from regreen.sandbox.pool import Pool, ServerPair, open_pool, suite_key
from regreen.sandbox.server_process import ChildExit
from regreen.types import Isolation, JudgeOptions, Limits, Outcome, Suite, SuiteKind, Verdict
from regreen.verify.plain_suites import is_plain_suite
from regreen.verify.sandbox_messages import (
    options_message,
    program_message,
    results_from,
    suite_message,
    uniform,
    without_addresses,
)
from regreen.verify.shared_mode import judge_shared, need_pytest

_HANGS = "the checks themselves did not come to an end"
_GRACE_SECONDS = 10.0
"""How long a judge may be silent past all limits before it is taken to hang by itself."""


class SandboxJudge:
    """Judges programs in a pool of sandboxes; may be used from several threads."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    def judge(
        self,
        source: str,
        suite: Suite,
        limits: Limits,
        *,
        companions: Mapping[str, str] | None = None,
        options: JudgeOptions = JudgeOptions(),
    ) -> Verdict:
        """Run the checks of the suite against `source`, beside which the modules of `companions` lie.

        Raises SandboxError when the sandbox fails twice in a row, TaskError when the checks cannot be run at all.
        """
        started = time.perf_counter()
        program = program_message(source, suite, companions or {}, options.seed)
        try:
            verdict = self._once(program, suite, limits, options)
        except (SandboxUnavailable, TaskError):
            raise
        except SandboxError:
            # The servers that failed were ended with the error: these are new ones.
            verdict = self._once(program, suite, limits, options)
        return replace(verdict, seconds=time.perf_counter() - started)

    def _once(self, program: Mapping[str, Any], suite: Suite, limits: Limits, options: JudgeOptions) -> Verdict:
        with self.pool.borrow() as pair:
            if suite.isolation is Isolation.SHARED:
                return judge_shared(pair, program, suite, limits, options)
            return JudgingSession(pair, program, suite, limits, options).hold()


@contextlib.contextmanager
def open_judge(*, layers: str | None = None, workers: int = 1, python: str | None = None) -> Iterator[SandboxJudge]:
    """A judge for the block; `layers` is "namespaces", "landlock" or None for the best there is."""
    with open_pool(workers=workers, layers=layers, python=python) as pool:
        yield SandboxJudge(pool)


class JudgingSession:
    """One candidate in separate mode: a judge on one side, a guest on the other."""

    def __init__(
        self,
        pair: ServerPair,
        program: Mapping[str, Any],
        suite: Suite,
        limits: Limits,
        options: JudgeOptions,
        *,
        again: bool = False,
    ) -> None:
        self.pair = pair
        self.plain = is_plain_suite(suite) and not program["companions"]
        self.judges = pair.plain if self.plain else pair.others
        # Only where the checks themselves cannot end their process is it clear what did.
        self.program = {**program, "compile": self.plain and not again}
        self.suite = suite
        self.limits = limits
        self.options = options
        self.ended: ChildExit | None = None

    def hold(self) -> Verdict:
        """Conduct the hearing and give the verdict."""
        wire, number = self._judge()
        order = {"number": number, "program": self.program, **options_message(self.options)}
        try:
            self._send_guest(wire, order)
            message = self._converse(wire)
        except WireError as error:
            if self.program["compile"]:
                # The compiling of this text may have ended the judge: the next one leaves that to the guest.
                self._clear()
                return JudgingSession(self.pair, self.program, self.suite, self.limits, self.options, again=True).hold()
            return (
                self._undecided(Outcome.TIMED_OUT, _HANGS) if isinstance(error, Overdue) else self._judge_ended(error)
            )
        if self.pair.guests.busy:
            self.ended = self.pair.guests.reap(brief=True)
        if self.suite.kind is not SuiteKind.SCRIPT:
            # Test modules may leave traces in the judge's process; statements run in a namespace of their own.
            self.judges.dismiss()
        return self._verdict(message)

    def _judge(self) -> tuple[Connection, int]:
        """The connection to a judge that holds this suite, and the suite's number there."""
        key = suite_key(self.suite, self.program["companions"])
        known = self.judges.find(key, self.limits)
        if known is not None:
            return known
        if self.suite.kind is SuiteKind.PYTEST:
            need_pytest(self.judges.server)
        suite = json.dumps(suite_message(self.suite, self.program["companions"]))
        wire, number = self.judges.assign(key, self.limits, len(suite), plain=self.plain)
        wire.set_timeout(self.limits.total_seconds + WALL_FACTOR * self.limits.seconds + _GRACE_SECONDS)
        try:
            wire.send(f'{{"number": {number}, "suite": {suite}}}'.encode("ascii"))
            answer = wire.receive_json()
        except WireError as error:
            raise self._judge_died(self.judges.dismiss(gone=True), error) from error
        if "broken" in answer:
            self.judges.dismiss()
            raise TaskError(f"{self.suite.origin}: the checks cannot be run: {answer['broken']}.")
        return wire, number

    def _send_guest(self, wire: Connection, message: Mapping[str, Any]) -> None:
        with self.pair.new_guest(self.limits) as guest:
            wire.send_json(message, guest.fileno())

    def _converse(self, wire: Connection) -> Mapping[str, Any]:
        """Answer the judge's questions until it has the results."""
        while True:
            message = wire.receive_json()
            try:
                if "results" in message:
                    return message  # type: ignore[no-any-return]
                if "overdue" in message:
                    wire.send_json({"grant": self._grant(message)})
                else:
                    self._replace_guest(wire, message)
            except (TypeError, KeyError, ValueError, OverflowError) as error:
                raise WireError(f"a message of no known form: {error!r}") from error

    def _grant(self, overdue: Mapping[str, Any]) -> float:
        """Seconds that a late guest still gets: its own clock decides, and wall time bounds what sleeps."""
        limit, waited = float(overdue["limit"]), float(overdue["waited"])
        used = self.pair.guests.cpu_seconds() - float(overdue["before"])
        if used >= limit or waited >= WALL_FACTOR * limit:
            return 0.0
        return max(limit - used, 0.05)

    def _replace_guest(self, wire: Connection, lost: Mapping[str, Any]) -> None:
        self.ended = self.pair.guests.reap(gone=lost["lost"] == "closed")
        outcome, detail = self._meaning(lost, self.ended)
        spent = round(self.ended.cpu_seconds * 1e9)
        answer = {"outcome": outcome, "detail": detail, "again": lost["again"], "cpu_ns": spent}
        if lost["again"]:
            self._send_guest(wire, answer)
        else:
            wire.send_json(answer)

    def _meaning(self, lost: Mapping[str, Any], ended: ChildExit) -> tuple[Outcome, str]:
        if lost["lost"] == "overdue":
            return Outcome.TIMED_OUT, f"ran longer than {float(lost['limit']):g} s"
        if lost["lost"] in ("torn", "oversize"):
            return Outcome.FAILED, f"the program's process sent no usable answer: {lost['detail']}"
        outcome, text = ended.describe()
        if outcome is Outcome.CRASHED and ended.memory_bytes > 0.8 * self.limits.memory_bytes:
            return Outcome.OUT_OF_MEMORY, "the memory limit was reached"
        return outcome, text

    def _judge_ended(self, error: WireError) -> Verdict:
        """What it means that the judge's process is gone: the checks may have ended it, or a fault of ours."""
        ended = self.judges.dismiss(gone=isinstance(error, ConnectionClosed))
        code = ended.exit_code if ended else None
        if code == -signal.SIGVTALRM:
            return self._undecided(Outcome.TIMED_OUT, _HANGS)
        if code is None or code in (INTERNAL_ERROR_STATUS, -signal.SIGKILL):
            raise self._judge_died(ended, error) from error
        return self._undecided(Outcome.CRASHED, "the checks themselves ended the process that they run in")

    def _undecided(self, outcome: Outcome, detail: str) -> Verdict:
        """The same for every check: the process that knew more is gone, or is ended here."""
        self._clear()
        return uniform(self.suite, outcome, detail)

    def _clear(self) -> None:
        """End the judge, and the guest if there is one."""
        self.judges.dismiss()
        if self.pair.guests.busy:
            self.pair.guests.reap()

    def _judge_died(self, ended: ChildExit | None, error: WireError) -> SandboxError:
        how = ended.describe()[1].replace("the program", "it") if ended else "it is gone"
        words = f"\n{ended.text}" if ended and ended.text else ""
        return SandboxError(f"the process that held the checks failed: {how} ({error}).{words}")

    def _verdict(self, message: Mapping[str, Any]) -> Verdict:
        ended = self.ended
        return Verdict(
            results=results_from(message["results"]),
            isolation=Isolation.SEPARATE,
            stdout=without_addresses(str(message.get("stdout", ""))),
            stderr=ended.text if ended else "",
            exit_code=ended.exit_code if ended else None,
        )
