"""Judging in shared mode, for checks that need live objects: the candidate's own process runs the checks.

Reports from there are believed only with evidence: each message is signed with a key that arrives before the candidate
loads, and a program that passes is run again with every assertion flipped. A check that passes both ways convicts it.
"""

from __future__ import annotations

import hmac
import json
import os
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regreen.errors import SandboxError, TaskError
from regreen.sandbox.guest.runner.checks.check_runner import COLLECTION
from regreen.sandbox.guest.runner.timing.time_limits import COLLECTION_FACTOR, WALL_FACTOR
from regreen.sandbox.guest.wire.connection import Connection, ConnectionClosed, Overdue, WireError
from regreen.sandbox.guest.wire.signed_message import sign
from regreen.sandbox.memory_file import memory_file
from regreen.sandbox.server_pair import ServerPair
from regreen.sandbox.server_process import SandboxServer
from regreen.types import CheckResult, Isolation, JudgeOptions, Limits, Outcome, Suite, SuiteKind, Verdict
from regreen.verify.negative_controls import must_fail_flipped
from regreen.verify.sandbox_messages import Message, examples_from, result_from, shared_run_message, without_addresses

_GRACE_SECONDS = 2.0
"""Seconds of silence past a check's limit after which the process is taken to hang."""
_NAME_CHARACTERS = 200
_CONTROLS = 2
"""Runs with flipped assertions that a check must pass before its program is convicted."""
_PYTEST_MODULES = (
    "_argcomplete assertion cacheprovider capture debugging doctest faulthandler helpconfig junitxml legacypath "
    "logging monkeypatch pastebin python recwarn reports setuponly setupplan skipping stepwise subtests terminal "
    "threadexception tmpdir tracemalloc unittest unraisableexception warnings"
).split()
_RUNNERS = tuple(
    f"regreen.sandbox.guest.runner.{name}"
    for name in (
        "projects.project_folder projects.project_imports projects.project_runner projects.rebinding "
        "pytest_sessions.open_session pytest_sessions.pytest_runner pytest_sessions.recollection "
        "pytest_sessions.stand_in_module tampering.vetting"
    ).split()
)
_PLUGINS = (
    *(f"_pytest.{name}" for name in _PYTEST_MODULES),
    *("anyio.pytest_plugin", "_hypothesis_pytestplugin", "pytest_asyncio.plugin", "pytest_mock", "pytest_timeout"),
    *("pytest_cov.plugin", "xdist.plugin", "xdist.newhooks", "xdist.looponfail"),
)
"""What a session of pytest imports of itself, and common plugins: once, before the processes of sessions are forked."""
_HYPOTHESIS = re.compile("hypothesis")
_DRAWS_TEXTS = re.compile(r"\b(?:text|characters|emails|from_regex|from_type|builds)\b")
_SLOW = {
    "hypothesis": (_HYPOTHESIS,),
    "regreen.sandbox.guest.runner.checks.hypothesis_tables": (_HYPOTHESIS, _DRAWS_TEXTS),
}
"""What takes long to import -> words of tests that use it, all of which are there: imported once, before any fork."""
_UNCONTROLLED = "it shares the program's process, and no flipped assertion is sure to be reached"
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
            need_pytest(self.pair.others.server, self.suite)
        verdict = SharedRun(self).run()
        return self._controlled(verdict) if verdict.passed else verdict

    def _controlled(self, verdict: Verdict) -> Verdict:
        """The verdict, unless a check passes flipped as well, each time: random numbers may let it pass once."""
        convicted = controlled = must_fail_flipped(self.suite, verdict.results)
        for _ in range(_CONTROLS):
            if convicted:
                control = SharedRun(self, flipped=True).run()
                if control.detail:
                    return _tampered(verdict, control.detail)
                convicted &= {check for check, r in control.results.items() if r.outcome is Outcome.PASSED}
        if convicted:
            return _tampered(verdict, f"{min(convicted)} passes with its assertion flipped, too")
        told = verdict.results.items()
        return replace(verdict, results={c: r if c in controlled else _uncontrolled(r) for c, r in told})


def _uncontrolled(result: CheckResult) -> CheckResult:
    return replace(result, unproven=result.unproven or _UNCONTROLLED)


def need_pytest(server: SandboxServer, suite: Suite) -> None:
    """Have pytest ready in a server. Raises TaskError when the program's Python has none."""
    slow = (name for name, words in _SLOW.items() if all(word.search(suite.source) for word in words))
    own = suite.project.preload if suite.project is not None else ()
    missing = server.ensure_imported(["pytest", *_RUNNERS, *_PLUGINS, *slow, *own])
    if "pytest" in missing:
        raise TaskError(
            f"the tests need pytest, and {server.python} has none ({missing['pytest']}).",
            remedy="Install pytest there, or name another interpreter with --python.",
        )


class _Tampered(Exception):
    """A message was not sent by the code that holds the key."""


class SharedRun:
    """One pass over a suite, with a new process after each one that was lost."""

    def __init__(self, session: SharedSession, *, flipped: bool = False) -> None:
        self.pair = session.pair
        self.program = session.program
        self.suite = session.suite
        self.limits = session.limits
        self.flipped = flipped
        # A control runs every check, and with its full time.
        self.options = JudgeOptions() if flipped else session.options
        # As a dictionary, which keeps their order and finds one of thousands at once.
        self.ids = dict.fromkeys(check.id for check in self.suite.checks)
        self.deadline = time.monotonic() + self.limits.total_seconds
        self.results: dict[str, CheckResult] = {}
        self.loaded = False
        """Whether the current process has loaded the program."""
        self.stdout = self.stderr = ""
        self.exit_code: int | None = None
        self.examples: Mapping[str, tuple[str, ...]] = {}

    def run(self) -> Verdict:
        """Start processes until every check has a result or the time is spent."""
        try:
            while not self._attempt() and time.monotonic() < self.deadline:
                pass
        except _Tampered as error:
            return _tampered(self._verdict(), str(error))
        self._fill()
        return self._verdict()

    @property
    def seconds_left(self) -> float:
        """Seconds until the time for all checks is spent."""
        return max(self.deadline - time.monotonic(), 0.0)

    def _fill(self) -> None:
        """Give every check without a result one that is not a pass."""
        if self.options.fail_fast and any(r.outcome is not Outcome.PASSED for r in self.results.values()):
            return
        late = time.monotonic() >= self.deadline
        left = CheckResult(Outcome.TIMED_OUT, detail=_LATE) if late else CheckResult(Outcome.UNJUDGEABLE, detail=_GONE)
        for check in self.ids:
            self.results.setdefault(check, left)

    def _attempt(self) -> bool:
        """Run the checks that are left in one process; True when none is left after it."""
        key = os.urandom(16)
        connection = self.pair.others.server.spawn("shared", self.limits)
        self.loaded, charged = False, self._charged()
        connection.set_timeout(self.limits.seconds * WALL_FACTOR + _GRACE_SECONDS)
        why = "done"
        try:
            self._send(connection, key)
            if self._listen(connection, key):
                return True
        except Overdue:
            why = "overdue"
        except ConnectionClosed:
            why = "closed"
        except WireError as error:
            raise _Tampered(f"a message of no known form ({error})") from error
        finally:
            connection.close()
            ended = self.pair.others.server.reap(gone=why == "closed")
            self.exit_code, self.stderr = ended.exit_code, ended.text
        outcome, detail = ended.describe()
        if why == "overdue":
            outcome, detail = Outcome.TIMED_OUT, f"ran longer than {self.limits.seconds:g} s"
        # The time that loading took belongs to no check.
        spent = max(0.0, ended.cpu_seconds - self._charged() + charged) if self.loaded else 0.0
        return self._blame(CheckResult(outcome, detail=detail, cpu_seconds=spent))

    def _charged(self) -> float:
        """CPU seconds of the checks with a result."""
        return sum(result.cpu_seconds for result in self.results.values())

    def _blame(self, result: CheckResult) -> bool:
        """Give the result of the process's end to the check that was running; True when no check is left.

        When the process ends while the program loads, all checks get it; when it ends after the last check, that one.
        """
        left = [check for check in self.ids if check not in self.results]
        blamed = left[:1] if self.loaded else left
        blamed_all = blamed or [*self.ids][-1:] or [COLLECTION]
        self.results.update(dict.fromkeys(blamed_all, result))
        return len(left) <= len(blamed) or self.options.fail_fast

    def _send(self, connection: Connection, key: bytes) -> None:
        project = self.suite.project
        if project is None:
            connection.send_json(self._message(key))
            return
        with memory_file(project.archive) as archive:
            # The tests are imported first, and what they import, in one silence.
            connection.set_timeout(self.limits.seconds * WALL_FACTOR * COLLECTION_FACTOR + _GRACE_SECONDS)
            connection.send_json(self._message(key), archive)

    def _message(self, key: bytes) -> Message:
        return shared_run_message(
            key,
            self.suite,
            self.program,
            self.options,
            flipped=self.flipped,
            skip=self.results,
            seconds_left=self.seconds_left,
        )

    def _listen(self, connection: Connection, key: bytes) -> bool:
        """Receive results until the run is complete."""
        number = 0
        while True:
            message = _verified(connection.receive_json(), key, number)
            number += 1
            if "check" in message:
                self._take(message)
            elif "every" in message:
                found = [*self.ids] or [str(check) for check in message.get("ids", ())]
                self.results.update(dict.fromkeys(found or [COLLECTION], _result(message["every"])))
            elif "loaded" in message:
                self._take_loaded(message)
                connection.set_timeout(self.limits.seconds * WALL_FACTOR + _GRACE_SECONDS)
            elif "tampered" in message:
                raise _Tampered(f"it replaced {str(message['tampered'])[:_NAME_CHARACTERS]}")
            elif "prepared" in message:
                continue
            elif "broken" in message and number == 1:
                raise TaskError(f"{self.suite.origin}: the checks cannot be run: {message['broken']}.")
            else:
                self.stdout = without_addresses(str(message.get("stdout", "")))
                self.examples = examples_from(message.get("examples"))
                return True

    def _take_loaded(self, message: Mapping[str, Any]) -> None:
        self.loaded = True

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
            examples=self.examples,
        )


def _verified(message: Any, key: bytes, number: int) -> Mapping[str, Any]:
    """The content of a message whose signature is right. Raises _Tampered otherwise."""
    try:
        payload, proof = message
        if not hmac.compare_digest(sign(key, number, payload.encode("ascii")), proof):
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
