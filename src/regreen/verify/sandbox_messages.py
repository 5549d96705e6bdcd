"""The plain messages between the host and what runs in the sandbox, built and read in one place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from regreen.errors import SandboxError
from regreen.types import CheckResult, Isolation, JudgeOptions, Outcome, Suite, SuiteKind, Verdict

_TEXT_LIMIT = 4_000
"""Characters of any one text of a result that are kept."""
_PROGRAM = "program"
_OUTCOMES = {outcome.value: outcome for outcome in Outcome}
_TEXTS = ("expected", "actual", "detail")
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+")


def suite_message(suite: Suite, companions: Mapping[str, str]) -> dict[str, Any]:
    """A suite as the sandbox wants it."""
    return {
        "kind": suite.kind.value,
        # A script is run from its steps alone.
        "source": "" if suite.kind is SuiteKind.SCRIPT else suite.source,
        "origin": suite.origin,
        "module": suite.module,
        "checks": [{"id": check.id} for check in suite.checks],
        "steps": [
            {"code": s.code, "check": s.check, "line": s.line, "want": s.want, "flags": s.flags} for s in suite.steps
        ],
        "surface": asdict(suite.surface),
        "companions": dict(companions),
    }


def program_message(source: str, suite: Suite, companions: Mapping[str, str], seed: int = 0) -> dict[str, Any]:
    """A program as the sandbox wants it; the random numbers of the program and of the checks start from `seed`."""
    module = suite.module or _PROGRAM
    return {
        "source": source,
        "module": module,
        "filename": f"<{module}>",
        "companions": dict(companions),
        "seed": seed,
    }


def options_message(options: JudgeOptions) -> dict[str, Any]:
    """How to run the checks, as the sandbox wants it."""
    return {"fail_fast": options.fail_fast, "shorten_after_timeout": options.shorten_after_timeout}


def results_from(plain: Any) -> dict[str, CheckResult]:
    """Results as they came from the sandbox, checked field by field. Raises SandboxError where they have no form."""
    if not isinstance(plain, dict):
        raise SandboxError("the sandbox sent results of no known form.")
    return {str(check): result_from(result) for check, result in plain.items()}


def result_from(plain: Any) -> CheckResult:
    """One result, its texts cut to length."""
    try:
        return CheckResult(
            outcome=_OUTCOMES[plain["outcome"]],
            # Most checks pass, and a check that passes says nothing.
            **{name: _text(plain[name]) for name in _TEXTS if name in plain},
            seconds=plain.get("ns", 0) / 1e9,
            cpu_seconds=plain.get("cpu_ns", 0) / 1e9,
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise SandboxError(f"the sandbox sent a result of no known form: {error}.") from error


def uniform(suite: Suite, outcome: Outcome, detail: str, isolation: Isolation = Isolation.SEPARATE) -> Verdict:
    """The same result for every check."""
    results = {check.id: CheckResult(outcome, detail=detail) for check in suite.checks}
    return Verdict(results, isolation, detail=detail)


def without_addresses(text: str) -> str:
    """A text that is the same in every run: where an object lies in memory would make all that quotes it differ."""
    return _ADDRESS.sub("at 0x...", text)


def _text(value: Any) -> str:
    text = str(value)
    return without_addresses(text if len(text) <= _TEXT_LIMIT else text[:_TEXT_LIMIT] + "…")
