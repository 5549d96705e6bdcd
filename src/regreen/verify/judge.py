"""Judging one program: every check by itself, in another process than the program's where the checks allow.

This is the host's part: it starts the processes, says what the end of one of them means, and puts the verdict
together. It never runs a line of the program and never reads a value of it.
"""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from regreen.errors import SandboxEnded, SandboxError, SandboxUnavailable, TaskError
from regreen.sandbox.guest.runner.timing.time_limits import WALL_FACTOR
from regreen.sandbox.guest.server_orders import INTERNAL_ERROR_STATUS
from regreen.sandbox.guest.wire.connection import Connection, ConnectionClosed, Overdue, WireError
from regreen.sandbox.pool import Pool, Wall, open_pool
from regreen.sandbox.server_pair import ServerPair, suite_key
from regreen.sandbox.server_process import ChildExit
from regreen.types import Confinement, Isolation, JudgeOptions, Limits, Outcome, Suite, SuiteKind, Verdict
from regreen.verify.plain_suites import is_plain_suite
from regreen.verify.sandbox_messages import (
    JudgeReport,
    LateGuest,
    LostGuest,
    Message,
    beyond_sandbox,
    grant_message,
    guest_end_message,
    judge_message_from,
    numbered_suite,
    program_message,
    run_message,
    suite_json,
    uniform_verdict,
)
from regreen.verify.shared_mode import SharedSession, need_pytest

_ENDED_ALL = "the program ended all of the sandbox that it ran in, twice: {}"
_CHECKS_HANG = "the checks themselves did not come to an end"
_GRACE_SECONDS = 10.0
"""Seconds of silence past all limits after which a judge is taken to hang by itself."""
_LEAST_GRANT_SECONDS = 0.05
"""A late guest with CPU time left gets at least this much more wall time."""
_MEMORY_SHARE = 0.8
"""A guest that crashed with more of its memory limit than this in use is taken to have run out of memory."""


class SandboxJudge:
    """The judge that runs checks in a pool of sandboxes; may be used from several threads."""

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
        started, wall = time.perf_counter(), self.pool.wall
        if suite.isolation is Isolation.SEPARATE:
            # Tests that can be judged behind the wall stand alone: nothing of their project is needed there.
            suite = suite.alone
        if refused := refusal(wall, source, suite, companions or {}, limits):
            return replace(beyond_sandbox(suite, refused), no_wall=wall.promise)
        program = program_message(source, suite, companions or {}, options.seed)
        try:
            verdict = self._attempt(program, suite, limits, options)
        except (SandboxUnavailable, TaskError):
            raise
        except SandboxError as error:
            verdict = self._attempt_again(error, program, suite, limits, options)
        return replace(verdict, seconds=time.perf_counter() - started, no_wall=wall.promise)

    def _attempt(self, program: Message, suite: Suite, limits: Limits, options: JudgeOptions) -> Verdict:
        session = SharedSession if suite.isolation is Isolation.SHARED else JudgingSession
        with self.pool.borrow() as pair:
            return session(pair, program, suite, limits, options).run()

    def _attempt_again(
        self, first: SandboxError, program: Message, suite: Suite, limits: Limits, options: JudgeOptions
    ) -> Verdict:
        """The verdict after a fault of the sandbox, whose servers were ended with it: these are new ones."""
        try:
            return self._attempt(program, suite, limits, options)
        except SandboxEnded as again:
            holder = "checks" if suite.isolation is Isolation.SHARED else "guests"
            if not isinstance(first, SandboxEnded) or {first.kind, again.kind} != {holder}:
                raise
            with self.pool.borrow() as pair:
                # Where the engine is not well, this raises: then it was not the program's doing.
                pair.guests.cpu_seconds()
            every = uniform_verdict(suite, Outcome.CRASHED, _ENDED_ALL.format(again))
            return replace(every, isolation=suite.isolation)


def refusal(wall: Wall, source: str, suite: Suite, companions: Mapping[str, str], limits: Limits) -> str:
    """What of a program, its suite or the modules beside it cannot be run behind this wall; empty where all can."""
    if wall.promise and suite.project is not None:
        return "tests in their project, whose files nobody has looked at"
    if wall.promise and limits.processes:
        return "programs that may start processes, which it could not end"
    return wall.refused(source, companions)


@contextlib.contextmanager
def open_judge(
    confinement: Confinement = Confinement(),
    *,
    layers: str | None = None,
    workers: int = 1,
    preload: Sequence[str] = (),
) -> Iterator[SandboxJudge]:
    """A judge for the block; the parameters are those of `open_pool`."""
    with open_pool(confinement, layers=layers, workers=workers, preload=preload) as pool:
        yield SandboxJudge(pool)


class JudgingSession:
    """One candidate in separate mode: the judge's process holds the checks, the guest's the program."""

    def __init__(self, pair: ServerPair, program: Message, suite: Suite, limits: Limits, options: JudgeOptions) -> None:
        self.pair = pair
        self.program = program
        self.suite = suite
        self.limits = limits
        self.options = options
        self.plain = is_plain_suite(suite) and not program["companions"]
        self.judges = pair.plain if self.plain else pair.others
        # A judge of steps lives on, and has paid for what the compiler touches; one of test modules is new each time.
        self.compile_in_judge = suite.kind is SuiteKind.SCRIPT
        self.guest_exit: ChildExit | None = None
        """The end of the last guest."""
        self.late: tuple[float, float] | None = None
        """What tells the check that the judge last asked more time for, and how long its guest had waited by then."""
        self.deadline: float | None = None
        """When the time for all checks is spent; it begins with the first judge that has the suite."""

    def run(self) -> Verdict:
        """Have the judge run the checks, and give the verdict."""
        connection, number = self._judge()
        try:
            report = self._converse(connection, number)
        except WireError as error:
            return self._without_report(error)
        if self.pair.guests.busy:
            self.guest_exit = self.pair.guests.reap(brief=True)
        surface = self.suite.surface
        if self.suite.kind is not SuiteKind.SCRIPT or surface.shares or surface.mirrors or self.limits.processes:
            # Test modules may change the judge's process, and so does what it shares with a program; steps run in a new
            # namespace. And descriptors that a program with processes has sent would stay open for as long as the
            # judge's end of the connection.
            self.judges.dismiss()
        ended = self.guest_exit
        return Verdict(
            results=report.results,
            isolation=Isolation.SEPARATE,
            stdout=report.stdout,
            stderr=ended.text if ended else "",
            exit_code=ended.exit_code if ended else None,
        )

    def _judge(self) -> tuple[Connection, int]:
        """The connection to a judge that has the suite, and the suite's number there."""
        companions = self.program["companions"]
        key = suite_key(self.suite, companions)
        found = self.judges.find(key, self.limits)
        if found is not None:
            return found
        if self.suite.kind is SuiteKind.PYTEST:
            need_pytest(self.judges.server, self.suite)
        suite = suite_json(self.suite, companions)
        connection, number = self.judges.assign(key, self.limits, len(suite), plain=self.plain)
        connection.set_timeout(self.limits.total_seconds + WALL_FACTOR * self.limits.seconds + _GRACE_SECONDS)
        try:
            connection.send(numbered_suite(number, suite))
            answer = connection.receive_json()
        except WireError as error:
            raise _judge_failed(self.judges.dismiss(gone=True), error) from error
        if "broken" in answer:
            self.judges.dismiss()
            raise TaskError(f"{self.suite.origin}: the checks cannot be run: {answer['broken']}.")
        return connection, number

    def _converse(self, connection: Connection, number: int) -> JudgeReport:
        """Send the program, and answer the judge's questions until it has the results."""
        now = time.monotonic()
        self.deadline = self.deadline or now + self.limits.total_seconds
        left = max(self.deadline - now, 0.0)
        order = run_message(
            number, self.program, self.options, compile_in_judge=self.compile_in_judge, seconds_left=left
        )
        self._send_with_guest(connection, order)
        while True:
            message = judge_message_from(connection.receive_json())
            if isinstance(message, JudgeReport):
                return message
            if isinstance(message, LateGuest):
                connection.send_json(grant_message(self._grant(message)))
            else:
                self._replace_guest(connection, message)

    def _send_with_guest(self, connection: Connection, message: Message) -> None:
        self.late = None
        with self.pair.new_guest(self.limits) as guest:
            connection.send_json(message, guest.fileno())

    def _grant(self, late: LateGuest) -> float:
        """Seconds that a late guest still gets: its own clock decides, and wall time bounds what sleeps."""
        used = self.pair.guests.cpu_seconds() - late.waited_before
        if used >= late.limit or late.waited - self._delayed(late) >= WALL_FACTOR * late.limit:
            return 0.0
        return max(late.limit - used, _LEAST_GRANT_SECONDS)

    def _delayed(self, late: LateGuest) -> float:
        """Seconds for which no processor was free for a late guest, since the judge first asked about this check.

        None count where it may start processes, whose time its own clock leaves out: it may be waiting for those.
        """
        if self.limits.processes:
            return 0.0
        delay = self.pair.guests.delay_seconds()
        if self.late is None or self.late[0] != late.waited_before:
            self.late = late.waited_before, delay
        return delay - self.late[1]

    def _replace_guest(self, connection: Connection, lost: LostGuest) -> None:
        ended = self.guest_exit = self.pair.guests.reap(gone=lost.why == "closed")
        answer = guest_end_message(*self._meaning(lost, ended), ended.cpu_seconds, another=lost.needs_another)
        if lost.needs_another:
            self._send_with_guest(connection, answer)
        else:
            connection.send_json(answer)

    def _meaning(self, lost: LostGuest, ended: ChildExit) -> tuple[Outcome, str]:
        """The outcome of the check during which a guest was lost, and the detail."""
        if lost.why == "overdue":
            return Outcome.TIMED_OUT, f"ran longer than {lost.limit:g} s"
        if lost.why in ("torn", "oversize"):
            return Outcome.FAILED, f"the program's process sent no usable answer: {lost.detail}"
        outcome, text = ended.describe()
        if outcome is Outcome.CRASHED and ended.memory_bytes > _MEMORY_SHARE * self.limits.memory_bytes:
            return Outcome.OUT_OF_MEMORY, "the memory limit was reached"
        return outcome, text

    def _without_report(self, error: WireError) -> Verdict:
        """The verdict when the judge's process hangs or is gone: the checks may have done it, or a fault of ours."""
        if self.compile_in_judge and (self.plain or not isinstance(error, Overdue)):
            # Compiling this program may have ended the judge: the next time, the guest compiles it, in the time that is
            # left. Checks that are not plain may hang by themselves, and would again.
            self._clear()
            self.compile_in_judge, self.guest_exit = False, None
            return self.run()
        if isinstance(error, Overdue):
            return self._undecided(Outcome.TIMED_OUT, _CHECKS_HANG)
        ended = self.judges.dismiss(gone=isinstance(error, ConnectionClosed))
        code = ended.exit_code if ended else None
        if code == -signal.SIGVTALRM:
            return self._undecided(Outcome.TIMED_OUT, _CHECKS_HANG)
        if code is None or code in (INTERNAL_ERROR_STATUS, -signal.SIGKILL):
            raise _judge_failed(ended, error) from error
        return self._undecided(Outcome.CRASHED, "the checks themselves ended the process that they run in")

    def _undecided(self, outcome: Outcome, detail: str) -> Verdict:
        """The same result for every check."""
        self._clear()
        return uniform_verdict(self.suite, outcome, detail)

    def _clear(self) -> None:
        """End the judge, and the guest if there is one."""
        self.judges.dismiss()
        if self.pair.guests.busy:
            self.pair.guests.reap()


def _judge_failed(ended: ChildExit | None, error: WireError) -> SandboxError:
    how = ended.describe()[1].replace("the program", "it") if ended else "it is gone"
    words = f"\n{ended.text}" if ended and ended.text else ""
    return SandboxError(f"the process that held the checks failed: {how} ({error}).{words}")
