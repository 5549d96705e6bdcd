"""Judging in shared mode, where checks need live objects: the candidate's own process holds the checks.

What is reported there is believed only as far as it can be controlled: messages carry a proof that they come from the
code that ran before the candidate, and a program that passes is run once more with every assertion flipped. An
assertion that holds both ways convicts it.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from typing import Any

from regreen.errors import SandboxError, TaskError
from regreen.sandbox.guest.runner.shared_process import sign
from regreen.sandbox.guest.runner.time_limits import WALL_FACTOR
from regreen.sandbox.guest.wire.connection import Connection, ConnectionClosed, Overdue, WireError
from regreen.sandbox.pool import ServerPair
from regreen.sandbox.server_process import SandboxServer
from regreen.types import CheckResult, Isolation, JudgeOptions, Limits, Outcome, Suite, SuiteKind, Verdict
from regreen.verify.negative_controls import must_fail_flipped
from regreen.verify.sandbox_messages import Message, result_from, shared_run_message, without_addresses

_GRACE_SECONDS = 2.0
"""How long the process may be silent past a check's limit before it is taken to hang."""
_COLLECTION = "collection"
"""The id that stands for all checks of tests that could not be collected."""
_CONTROLS = 2
"""How often a suspect is put to the test."""
_PLUGINS = ("anyio.pytest_plugin", "_hypothesis_pytestplugin", "pytest_asyncio.plugin", "pytest_mock")
"""Plugins of pytest that many have, and that import much: done once, before the processes that each run a session."""
_LATE = "the time for all checks together was spent before"
_GONE = "it was not run: the tests did not offer it"
_TAMPERED = "tampering: {}. The program reached into the checks that share its process, so nothing it passed counts"


class SharedSession:
    """One candidate in shared mode: its own process runs the checks, once as they are and then flipped."""

    def __init__(self, pair: ServerPair, program: Message, suite: Suite, limits: Limits, options: JudgeOptions) -> None:
        self.pair = pair
        self.program = program
        self.suite = suite
        self.limits = limits
        self.options = options

    def run(self) -> Verdict:
        """Run the suite, and its negative controls if everything passed."""
        self.pair.others.dismiss()
        if self.suite.kind is SuiteKind.PYTEST:
            need_pytest(self.pair.others.server)
        verdict = _SharedRun(self).run()
        return self._controlled(verdict) if verdict.passed else verdict

    def _controlled(self, verdict: Verdict) -> Verdict:
        """The verdict, unless a check passes flipped as well, each time: random numbers may let it pass once."""
        convicted = must_fail_flipped(self.suite, verdict.results)
        for _ in range(_CONTROLS):
            if convicted:
                control = _SharedRun(self, flipped=True).run()
                if control.detail:
                    return _tampered(verdict, control.detail)
                convicted &= {check for check, r in control.results.items() if r.outcome is Outcome.PASSED}
        return _tampered(verdict, f"{min(convicted)} passes with its assertion flipped, too") if convicted else verdict


def need_pytest(server: SandboxServer) -> None:
    """Have pytest ready in a server. Raises TaskError when the program's Python has none."""
    missing = server.ensure_imported(["pytest", *_PLUGINS])
    if "pytest" in missing:
        raise TaskError(
            f"the tests need pytest, and {server.interpreter.executable} has none ({missing['pytest']}).",
            remedy="Install pytest there, or name another interpreter with --python.",
        )


class _Tampered(Exception):
    """A message came that the code from before the candidate did not send."""


class _SharedRun:
    """One pass over a suite, with a new process after each one that was lost."""

    def __init__(self, session: SharedSession, *, flipped: bool = False) -> None:
        self.pair = session.pair
        self.program = session.program
        self.suite = session.suite
        self.limits = session.limits
        self.flipped = flipped
        # Every check of a control is heard, within its full time.
        self.options = JudgeOptions() if flipped else session.options
        self.ids = [check.id for check in self.suite.checks]
        self.deadline = time.monotonic() + self.limits.total_seconds
        self.results: dict[str, CheckResult] = {}
        self.loaded = False
        """Whether the process at hand has loaded the program."""
        self.stdout = self.stderr = ""
        self.exit_code: int | None = None

    def run(self) -> Verdict:
        """Go on until every check has a result."""
        try:
            while not self._attempt() and time.monotonic() < self.deadline:
                pass
        except _Tampered as error:
            return _tampered(self._verdict(), str(error))
        self._fill()
        return self._verdict()

    def _fill(self) -> None:
        """A check without a result has not passed, whatever the reason."""
        if self.options.fail_fast and any(r.outcome is not Outcome.PASSED for r in self.results.values()):
            return
        late = time.monotonic() >= self.deadline
        left = CheckResult(Outcome.TIMED_OUT, detail=_LATE) if late else CheckResult(Outcome.UNJUDGEABLE, detail=_GONE)
        for check in self.ids:
            self.results.setdefault(check, left)

    def _attempt(self) -> bool:
        """One process; True when it came to the end."""
        key = secrets.token_bytes(16)
        wire = self.pair.others.server.spawn("shared", self.limits)
        self.loaded, charged = False, self._charged()
        wire.set_timeout(self.limits.seconds * WALL_FACTOR + _GRACE_SECONDS)
        why = "done"
        try:
            wire.send_json(self._message(key))
            if self._listen(wire, key):
                return True
        except Overdue:
            why = "overdue"
        except ConnectionClosed:
            why = "closed"
        except WireError as error:
            raise _Tampered(f"a message of no known form ({error})") from error
        finally:
            wire.close()
            ended = self.pair.others.server.reap(gone=why == "closed")
            self.exit_code, self.stderr = ended.exit_code, ended.text
        outcome, detail = ended.describe()
        if why == "overdue":
            outcome, detail = Outcome.TIMED_OUT, f"ran longer than {self.limits.seconds:g} s"
        # Loading is no check's own.
        spent = max(0.0, ended.cpu_seconds - self._charged() + charged) if self.loaded else 0.0
        return self._blame(CheckResult(outcome, detail=detail, cpu_seconds=spent))

    def _charged(self) -> float:
        """CPU seconds that the checks are known to have cost so far."""
        return sum(result.cpu_seconds for result in self.results.values())

    def _blame(self, result: CheckResult) -> bool:
        """Give the end of the process to the check that was running; True when none is left.

        A program that ends while it loads does so for all of them, and one that ends after the last check spoils that.
        """
        left = [check for check in self.ids if check not in self.results]
        blamed = left[:1] if self.loaded else left
        blamed_all = blamed or self.ids[-1:] or [_COLLECTION]
        self.results.update(dict.fromkeys(blamed_all, result))
        return len(left) <= len(blamed) or self.options.fail_fast

    def _message(self, key: bytes) -> Message:
        return shared_run_message(
            key,
            self.suite,
            self.program,
            self.options,
            flipped=self.flipped,
            skip=self.results,
            seconds_left=max(self.deadline - time.monotonic(), 0.0),
        )

    def _listen(self, wire: Connection, key: bytes) -> bool:
        """Take results until the run says that it is done."""
        number = 0
        while True:
            message = _proven(wire.receive_json(), key, number)
            number += 1
            if "check" in message:
                self._take(message)
            elif "every" in message:
                self.results.update(dict.fromkeys(self.ids or [_COLLECTION], _result(message["every"])))
            elif "loaded" in message:
                self.loaded = True
            elif "broken" in message:
                raise TaskError(f"{self.suite.origin}: the checks cannot be run: {message['broken']}.")
            else:
                self.stdout = without_addresses(str(message.get("stdout", "")))
                return True

    def _take(self, message: Mapping[str, Any]) -> None:
        check = str(message["check"])
        if check in self.results or (self.ids and check not in self.ids):
            raise _Tampered("a result came that was not asked for")
        self.results[check] = _result(message.get("result"))

    def _verdict(self) -> Verdict:
        return Verdict(
            results=dict(self.results),
            isolation=Isolation.SHARED,
            stdout=self.stdout,
            stderr=self.stderr,
            exit_code=self.exit_code,
        )


def _proven(message: Any, key: bytes, number: int) -> Mapping[str, Any]:
    """The content of a message whose proof is right. Raises _Tampered otherwise."""
    try:
        payload, proof = message
        if not secrets.compare_digest(sign(key, number, payload.encode("ascii")), proof):
            raise _Tampered("a result came without its proof")
        content = json.loads(payload)
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        raise _Tampered("a message of no known form") from error
    if not isinstance(content, dict):
        raise _Tampered("a message of no known form")
    return content


def _result(plain: Any) -> CheckResult:
    try:
        return result_from(plain)
    except SandboxError as error:
        raise _Tampered("a result of no known form") from error


def _tampered(verdict: Verdict, how: str) -> Verdict:
    detail = how if how.startswith("tampering") else _TAMPERED.format(how)
    results = {check: CheckResult(Outcome.FAILED, detail=detail) for check in verdict.results}
    return Verdict(
        results or {"tampering": CheckResult(Outcome.FAILED, detail=detail)},
        verdict.isolation,
        stdout=verdict.stdout,
        stderr=verdict.stderr,
        exit_code=verdict.exit_code,
        detail=detail,
    )
