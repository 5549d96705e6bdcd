"""Judging in shared mode, where checks need live objects: the candidate's own process holds the checks.

What is reported there is believed only as far as it can be controlled: messages carry a proof that they come from the
code that ran before the candidate, and a program that passes is run once more with every assertion flipped. An
assertion that holds both ways convicts it.
"""

from __future__ import annotations

import ast
import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from regreen.errors import TaskError
from regreen.sandbox.guest.shared import sign
from regreen.sandbox.guest.wire import Closed, Overdue, Wire, WireError
from regreen.sandbox.pool import Pair
from regreen.sandbox.workers import Server
from regreen.types import CheckResult, Isolation, Limits, Outcome, Suite, SuiteKind, Verdict
from regreen.verify.orders import Manner, result_from, suite_order

WALL_FACTOR = 3.0
GRACE_SECONDS = 2.0
TAMPERED = "tampering: {}. The program reached into the checks that share its process, so nothing it passed counts"


def judge(pair: Pair, program: Mapping[str, Any], suite: Suite, limits: Limits, manner: Manner) -> Verdict:
    """Run the suite in the candidate's process, and its negative control if everything passed."""
    pair.dismiss()
    if suite.kind is SuiteKind.PYTEST:
        need_pytest(pair.judges)
    verdict = _Session(pair, program, suite, limits, manner).run()
    if not verdict.passed:
        return verdict
    convicted = _flipped_passes(_Session(pair, program, suite, limits, Manner(), flipped=True).run(), suite)
    return _tampered(verdict, f"{convicted} passes with its assertion flipped, too") if convicted else verdict


def need_pytest(server: Server) -> None:
    """Have pytest ready in a server. Raises TaskError when the program's Python has none."""
    missing = server.ensure_imported(["pytest"])
    if missing:
        raise TaskError(
            f"the tests need pytest, and {server.interpreter.executable} has none ({missing['pytest']}).",
            remedy="Install pytest there, or name another interpreter with --python.",
        )


class _Tampered(Exception):
    """A message came that the code from before the candidate did not send."""


class _Session:
    """The runs that it takes to go through one suite: a new process after each one that was lost."""

    def __init__(
        self,
        pair: Pair,
        program: Mapping[str, Any],
        suite: Suite,
        limits: Limits,
        manner: Manner,
        *,
        flipped: bool = False,
    ) -> None:
        self.pair = pair
        self.program = program
        self.suite = suite
        self.limits = limits
        self.flipped = flipped
        self.manner = manner
        self.results: dict[str, CheckResult] = {}
        self.stdout = self.stderr = ""
        self.exit_code: int | None = None

    def run(self) -> Verdict:
        """Go on until every check has a result."""
        try:
            while not self._attempt():
                pass
        except _Tampered as error:
            return _tampered(self._verdict(), str(error))
        return self._verdict()

    def _attempt(self) -> bool:
        """One process; True when it came to the end."""
        key = secrets.token_bytes(16)
        wire = self.pair.judges.spawn("shared", self.limits)
        wire.be_patient(self.limits.seconds * WALL_FACTOR + GRACE_SECONDS)
        why = "closed"
        try:
            wire.send_json(self._order(key))
            if self._listen(wire, key):
                return True
        except Overdue:
            why = "overdue"
        except Closed:
            pass
        except WireError as error:
            raise _Tampered(f"a message of no known form ({error})") from error
        finally:
            wire.close()
            ended = self.pair.judges.reap()
            self.exit_code, self.stderr = ended.exit_code, ended.text
        outcome, detail = ended.describe()
        if why == "overdue":
            outcome, detail = Outcome.TIMED_OUT, f"ran longer than {self.limits.seconds:g} s"
        return self._blame(outcome, detail)

    def _blame(self, outcome: Outcome, detail: str) -> bool:
        """Give the end of the process to the check that was running; True when none is left."""
        left = [check.id for check in self.suite.checks if check.id not in self.results]
        self.results[left[0] if left else "collection"] = CheckResult(outcome, detail=detail)
        return len(left) <= 1 or self.manner.fail_fast

    def _order(self, key: bytes) -> dict[str, Any]:
        return {
            "key": key.hex(),
            "suite": suite_order(self.suite, self.program["companions"]),
            "program": dict(self.program),
            "flipped": self.flipped,
            **asdict(self.manner),
            "skip": list(self.results),
        }

    def _listen(self, wire: Wire, key: bytes) -> bool:
        """Take results until the run says that it is done."""
        number = 0
        while True:
            message = _proven(wire.receive_json(), key, number)
            number += 1
            if "check" in message:
                self.results[str(message["check"])] = result_from(message["result"])
            elif "every" in message:
                result = result_from(message["every"])
                self.results.update({c.id: result for c in self.suite.checks} or {"collection": result})
            elif "broken" in message:
                raise TaskError(f"{self.suite.origin}: the checks cannot be run: {message['broken']}.")
            else:
                self.stdout = str(message.get("stdout", ""))
                return True

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
    except (TypeError, ValueError, AttributeError) as error:
        raise _Tampered("a message of no known form") from error
    if not isinstance(content, dict):
        raise _Tampered("a message of no known form")
    return content


def _flipped_passes(control: Verdict, suite: Suite) -> str | None:
    """The first check whose plain assertion holds although it claims the opposite."""
    texts = {check.id: check.code for check in suite.checks}
    for check, result in control.results.items():
        if result.outcome is Outcome.PASSED and has_plain_assert(texts.get(check, "")):
            return check
    return None


def has_plain_assert(code: str) -> bool:
    """Whether the check's text holds an assertion that is sure to be reached when nothing raises."""
    try:
        body: list[ast.stmt] = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError):
        return False
    if len(body) == 1 and isinstance(body[0], ast.FunctionDef | ast.AsyncFunctionDef):
        body = body[0].body
    return any(isinstance(statement, ast.Assert) for statement in body)


def _tampered(verdict: Verdict, how: str) -> Verdict:
    detail = TAMPERED.format(how)
    results = {check: CheckResult(Outcome.FAILED, detail=detail) for check in verdict.results}
    return Verdict(
        results or {"tampering": CheckResult(Outcome.FAILED, detail=detail)},
        verdict.isolation,
        stdout=verdict.stdout,
        stderr=verdict.stderr,
        exit_code=verdict.exit_code,
        detail=detail,
    )
