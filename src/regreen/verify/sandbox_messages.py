"""The messages between the host and the processes that hold checks, built and read in one place."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from regreen.errors import SandboxError
from regreen.sandbox.guest.wire.connection import WireError
from regreen.types import NO_EXAMPLES, CheckResult, JudgeOptions, Outcome, Project, Suite, SuiteKind, Verdict

Message = dict[str, Any]

_TEXT_CHARACTERS = 4_000
"""Characters of any one text of a result that are kept."""
_DEFAULT_MODULE = "program"
_OUTCOMES = {outcome.value: outcome for outcome in Outcome}
_TEXTS = ("expected", "actual", "detail")
_HEXADECIMAL = re.compile(r"(?:[0-9a-f]{2}){0,8192}")
_MOST_PROPERTIES = 1_000
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+")


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """The judge's last message about a candidate: the results of its checks."""

    results: Mapping[str, CheckResult]
    stdout: str


@dataclass(frozen=True, slots=True)
class LateGuest:
    """The judge asks whether a guest that is past a limit gets more time."""

    limit: float
    """CPU seconds that the check may take."""
    waited: float
    """Wall seconds that it has taken."""
    waited_before: float
    """Wall seconds that the same guest took for earlier checks: an upper bound of the CPU seconds that these cost."""


@dataclass(frozen=True, slots=True)
class LostGuest:
    """The judge says that its guest gives no usable answer any more, and may ask for another one."""

    why: str
    """"closed", "overdue", "torn" or "oversize"."""
    detail: str
    limit: float
    """CPU seconds that the check had."""
    needs_another: bool
    """Whether checks are left for which the judge needs another guest."""


def suite_message(suite: Suite, companions: Mapping[str, str]) -> Message:
    """A suite, and the modules beside the program."""
    return {
        "kind": suite.kind.value,
        # A script is run from its steps alone, a project's tests from their files.
        "source": "" if suite.kind is SuiteKind.SCRIPT or suite.project else suite.source,
        "origin": suite.origin,
        "module": suite.module,
        "checks": [{"id": check.id} for check in suite.checks],
        "steps": [
            {"code": s.code, "check": s.check, "line": s.line, "want": s.want, "flags": s.flags, "scope": s.scope}
            for s in suite.steps
        ],
        "one_namespace": suite.one_namespace,
        "surface": asdict(suite.surface),
        "companions": _laid_out(suite, companions),
        "conftests": list(suite.conftests),
        "project": None if suite.project is None else _project_message(suite.project),
    }


def _laid_out(suite: Suite, companions: Mapping[str, str]) -> dict[str, str]:
    """The modules beside the program that are to be laid out; in a project they lie there already."""
    return {} if suite.project is not None else dict(companions)


def _project_message(project: Project) -> Message:
    """A project without its files, which come apart, and never to the one who judges."""
    return {
        "root": project.root,
        "target": project.target,
        "encoding": project.encoding,
        "folder": project.folder,
        "arguments": list(project.arguments),
        "import_folders": list(project.import_folders),
        "environment": dict(project.environment),
        "short_ids": project.short_ids,
        "is_tolerant": project.is_tolerant,
    }


def suite_json(suite: Suite, companions: Mapping[str, str]) -> str:
    """`suite_message` as text, whose length counts towards what one judge may hold."""
    return json.dumps(suite_message(suite, companions))


def numbered_suite(number: int, suite: str) -> bytes:
    """What a judge is sent once for each suite; `suite` comes from `suite_json`."""
    return f'{{"number": {number}, "suite": {suite}}}'.encode("ascii")


def program_message(source: str, suite: Suite, companions: Mapping[str, str], seed: int = 0) -> Message:
    """A program; the random numbers of the program and of the checks start from `seed`."""
    return {
        "source": source,
        "module": suite.module or _DEFAULT_MODULE,
        "filename": program_filename(suite),
        "companions": _laid_out(suite, companions),
        "seed": seed,
    }


def program_filename(suite: Suite) -> str:
    """The file name that the program has in tracebacks; in a project its path below the top folder."""
    if suite.project is not None:
        return suite.project.target
    return f"<{suite.module or _DEFAULT_MODULE}>"


def run_message(
    number: int, program: Message, options: JudgeOptions, *, compile_in_judge: bool, seconds_left: float
) -> Message:
    """The order to a judge to run its suite `number` on a program, whose guest's descriptor comes with it."""
    compiled = {**program, "compile": compile_in_judge}
    return {"number": number, "program": compiled, "seconds_left": seconds_left, **_options(options)}


def guest_end_message(outcome: Outcome, detail: str, cpu_seconds: float, *, another: bool) -> Message:
    """The answer to LostGuest: the result of the check; with `another`, a new guest's descriptor comes with it."""
    return {"outcome": outcome, "detail": detail, "again": another, "cpu_ns": round(cpu_seconds * 1e9)}


def grant_message(seconds: float) -> Message:
    """The answer to LateGuest: seconds that the guest still gets; 0 ends it."""
    return {"grant": seconds}


def shared_run_message(
    key: bytes,
    suite: Suite,
    program: Message,
    options: JudgeOptions,
    *,
    flipped: bool,
    skip: Collection[str],
    seconds_left: float,
    surveys: bool = False,
    traces: bool = False,
    proves: bool = True,
) -> Message:
    """The order to run a suite in the program's own process, but for the checks of `skip`; `key` signs the answers.

    With `surveys`, each result comes with what the check raised, and where that `traces`, with the functions it ran.
    Unless it `proves` anything, tampering is looked for after each file of tests, not after each test.
    """
    return {
        "key": key.hex(),
        **setup_message(suite, program, options.examples, shrinks=not flipped and not options.examples),
        "flipped": flipped,
        **_options(options),
        "skip": list(skip),
        "seconds_left": seconds_left,
        "surveys": surveys,
        "traces": traces,
        "proves": proves,
    }


def setup_message(
    suite: Suite, program: Message, examples: Mapping[str, Sequence[str]] = NO_EXAMPLES, *, shrinks: bool = False
) -> Message:
    """A suite with the program that it is run on.

    Property tests try `examples` first; a failing example is made smaller where it `shrinks`.
    """
    properties = {
        "examples": {key: list(v) for key, v in examples.items()},
        "shrinks": shrinks,
        "seed": program["seed"],
    }
    return {"suite": suite_message(suite, program["companions"]) | {"properties": properties}, "program": dict(program)}


def examples_from(plain: Any) -> dict[str, tuple[str, ...]]:
    """Failing examples of property tests as they came from the sandbox; none where they have no known form."""
    if not isinstance(plain, dict) or len(plain) > _MOST_PROPERTIES:
        return {}
    found = {str(key): tuple(map(str, values)) for key, values in plain.items() if isinstance(values, list)}
    return {key: texts for key, texts in found.items() if all(map(_HEXADECIMAL.fullmatch, (key, *texts)))}


def _options(options: JudgeOptions) -> Message:
    # The seed travels with the program.
    return {"fail_fast": options.fail_fast, "shorten_after_timeout": options.shorten_after_timeout}


def judge_message_from(plain: Any) -> JudgeReport | LateGuest | LostGuest:
    """A message of the judge as a value. Raises WireError, or SandboxError for results, where it has no known form."""
    try:
        if "results" in plain:
            return JudgeReport(results_from(plain["results"]), without_addresses(str(plain.get("stdout", ""))))
        if "overdue" in plain:
            return LateGuest(float(plain["limit"]), float(plain["waited"]), float(plain["before"]))
        return LostGuest(str(plain["lost"]), str(plain["detail"]), float(plain["limit"]), bool(plain["again"]))
    except (TypeError, KeyError, ValueError, OverflowError) as error:
        raise WireError(f"a message of no known form: {error!r}") from error


def results_from(plain: Any) -> dict[str, CheckResult]:
    """Results as they came from the sandbox, checked field by field. Raises SandboxError where they have no form."""
    if not isinstance(plain, dict):
        raise SandboxError("the sandbox sent results of no known form.")
    return {str(check): result_from(result) for check, result in plain.items()}


def result_from(plain: Any) -> CheckResult:
    """One result, its texts cut to length. Raises SandboxError where it has no known form."""
    try:
        return CheckResult(
            outcome=_OUTCOMES[plain["outcome"]],
            # Most checks pass, and a check that passes says nothing.
            **{name: _text(plain[name]) for name in _TEXTS if name in plain},
            unproven=_text(plain["unproven"]) if "unproven" in plain else "",
            test_line=_line(plain.get("test_line")),
            seconds=plain.get("ns", 0) / 1e9,
            cpu_seconds=plain.get("cpu_ns", 0) / 1e9,
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise SandboxError(f"the sandbox sent a result of no known form: {error}.") from error


def uniform_verdict(suite: Suite, outcome: Outcome, detail: str) -> Verdict:
    """The same result for every check."""
    return Verdict({check.id: CheckResult(outcome, detail=detail) for check in suite.checks}, detail=detail)


def beyond_sandbox(suite: Suite, refused: str) -> Verdict:
    """The verdict on a program that this sandbox does not run: nothing was decided."""
    detail = f"this sandbox does not run it ({refused})"
    every = uniform_verdict(suite, Outcome.UNJUDGEABLE, detail)
    return replace(every, isolation=suite.isolation, refused=refused)


def without_addresses(text: str) -> str:
    """The text without memory addresses, which would differ from run to run."""
    return _ADDRESS.sub("at 0x...", text)


def _line(value: Any) -> int | None:
    return value if type(value) is int and value > 0 else None


def _text(value: Any) -> str:
    text = str(value)
    return without_addresses(text if len(text) <= _TEXT_CHARACTERS else text[:_TEXT_CHARACTERS] + "…")
