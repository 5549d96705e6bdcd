"""What a server's tools answer: plain data with descriptions, of which no text is longer than it may be."""

from __future__ import annotations

from pydantic import BaseModel, Field

from regreen.models.completions import encodable
from regreen.report.safe_text import visible
from regreen.types import ProjectRepair, Repair, Suite, Verdict
from regreen.verify.check_failures import CheckFailure, check_failures

_SHOWN_CHECKS = 20
_SHOWN_TESTS = 50
_SHOWN_SUSPECTS = 10
_FAILURE_CHARACTERS = 2_000


class FailedCheck(BaseModel):
    """One check that does not pass."""

    check: str = Field(description="Its id: a test's name, or the line of an assert.")
    message: str = Field(description="What came of it, e.g. 'expected 3, got -1'.")
    place: str = Field(description="Where it ended, as FILE:LINE; empty when unknown.")
    code: str = Field(description="The line of the tests there; empty when unknown.")


class TestsReport(BaseModel):
    """What the tests say of a program."""

    __test__ = False

    passed: bool = Field(description="Whether every check passed.")
    checks_passed: int
    checks_total: int
    failed: list[FailedCheck] = Field(description=f"The first {_SHOWN_CHECKS} checks that do not pass.")
    failed_total: int
    output: str = Field(description="What the program and the tests printed, cut to length.")
    isolation: str = Field(
        description="'separate': the program never saw the checks, and cannot have faked the result; 'shared': tests "
        "and program ran in one process of the sandbox."
    )
    no_wall: str = Field(description="What the sandbox does not promise, where it is no wall; usually empty.")
    detail: str = Field(description="A finding about the program as a whole; usually empty.")
    seconds: float


class FunctionRepair(BaseModel):
    """What a repair of one program came to."""

    fixed: bool = Field(description="Whether there is a patch with which every check passes, run twice in the sandbox.")
    patch: str = Field(description="The proven patch, as `git apply` takes it in the served folder; empty without one.")
    source: str = Field(description="The repaired program, where it was given as text; else empty.")
    partial_patch: str = Field(
        description="Not proven right: turns some red checks green and none red. Only where nothing turns all green."
    )
    explanation: str = Field(description="What was red, what was suspected, changed and tried, and what is not sure.")
    likelihood: float | None = Field(description="How likely the patch is right, from 0 to 1; below 0.5, read it well.")
    stop: str = Field(description="Why it ended: fixed, nothing_red, seconds, candidates, exhausted, ...")
    failed_before: list[FailedCheck] = Field(description="The first checks that failed before anything was changed.")
    candidates: int = Field(description="Programs that were tried.")
    model_calls: int
    usd: float | None = Field(description="What the model cost; null where its price is not known.")
    seconds: float


class ProjectReport(BaseModel):
    """What a repair of a whole project came to."""

    fixed: bool = Field(description="Whether there is a patch with which every reliable test of the project passes.")
    outcome: str = Field(description="nothing_red, fixed, partly_fixed, not_fixed, tests_look_wrong or out_of_reach.")
    patch: str = Field(
        description="All changes, as `git apply` takes them in `root`; where not `fixed`, only some red tests pass."
    )
    root: str = Field(description="The project's top folder.")
    explanation: str
    likelihood: float | None = Field(description="How likely the patch is right, from 0 to 1; below 0.5, read it well.")
    red: list[str] = Field(description=f"The first {_SHOWN_TESTS} tests that failed before anything was changed.")
    red_total: int
    turned_green: int = Field(description="Red tests that pass with the patch.")
    aside: list[str] = Field(description="Tests that decide nothing (flaky, or red for another reason), and why.")
    suspects: list[str] = Field(description="Functions that may hold the fault, the most suspicious first.")
    allowed: list[str] = Field(description="Changed files that are no module of the project: the server allows them.")
    stop: str
    candidates: int
    model_calls: int
    usd: float | None = Field(description="What the model cost; null where its price is not known.")
    seconds: float


def report_tests(suite: Suite, verdict: Verdict, most: int) -> TestsReport:
    """The report of a verdict; `most` characters of output at the most."""
    failures = check_failures(suite, verdict)
    return TestsReport(
        passed=verdict.passed,
        checks_passed=verdict.checks_passed,
        checks_total=len(verdict.results),
        failed=_shown(failures),
        failed_total=len(failures),
        output=cut(visible(verdict.stdout + verdict.stderr), most),
        isolation=verdict.isolation.value,
        no_wall=verdict.no_wall,
        detail=cut(visible(verdict.detail), _FAILURE_CHARACTERS),
        seconds=round(verdict.seconds, 3),
    )


def report_repair(
    suite: Suite, repair: Repair, most: int, *, patch: str, partial_patch: str, source: str = ""
) -> FunctionRepair:
    """The report of a repair; no text of it has more than `most` characters."""
    return FunctionRepair(
        fixed=repair.fixed,
        patch=cut(encodable(patch), most),
        source=cut(encodable(source), most),
        partial_patch=cut(encodable(partial_patch), most),
        explanation=cut(visible(repair.explanation), most),
        likelihood=repair.likelihood,
        stop=repair.stop.value,
        failed_before=_shown(check_failures(suite, repair.before)),
        candidates=repair.cost.candidates,
        model_calls=repair.cost.model_calls,
        usd=repair.cost.usd,
        seconds=round(repair.cost.seconds, 3),
    )


def report_project(repair: ProjectRepair, most: int) -> ProjectReport:
    """The report of a project's repair; no text of it has more than `most` characters."""
    return ProjectReport(
        fixed=repair.fixed,
        outcome=repair.outcome.value,
        patch=cut(encodable(repair.diff), most),
        root=encodable(repair.root),
        explanation=cut(visible(repair.explanation), most),
        likelihood=repair.likelihood,
        red=[_short(test) for test in repair.red[:_SHOWN_TESTS]],
        red_total=len(repair.red),
        turned_green=len(repair.turned_green),
        aside=[
            _short(f"{', '.join(aside.tests[:5])}: {aside.reason}. {aside.remedy}".rstrip())
            for aside in repair.aside[:_SHOWN_CHECKS]
        ],
        suspects=[
            _short(f"{each.path}:{each.line} {each.name}: {each.reason}") for each in repair.suspects[:_SHOWN_SUSPECTS]
        ],
        allowed=[_short(change.path) for change in repair.changes if change.is_allowed],
        stop=repair.stop.value,
        candidates=repair.cost.candidates,
        model_calls=repair.cost.model_calls,
        usd=repair.cost.usd,
        seconds=round(repair.cost.seconds, 3),
    )


def cut(text: str, most: int) -> str:
    """The text, or its beginning and how much more there is."""
    if len(text) <= most:
        return text
    return f"{text[:most]}\n[cut: {len(text) - most} more characters; regreen mcp --max-output allows more]"


def _shown(failures: tuple[CheckFailure, ...]) -> list[FailedCheck]:
    return [
        FailedCheck(
            check=_short(failure.check),
            message=_short(failure.message),
            place=_short(failure.place),
            code=_short(failure.code),
        )
        for failure in failures[:_SHOWN_CHECKS]
    ]


def _short(text: str) -> str:
    return cut(visible(text), _FAILURE_CHARACTERS)
