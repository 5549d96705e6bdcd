"""Proving a data set: what is as it should be, what is not, and what could not be told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from regreen.errors import SandboxError
from regreen.evaluate.dataset_check import Finding, prove
from regreen.types import Case, CheckResult, Isolation, JudgeOptions, Limits, Outcome, Suite, Verdict

Make = Callable[..., Case]


@dataclass
class Judge:
    """Passes a program that is the suite's text, or that is "live" where it shares a process with the checks."""

    seen: list[tuple[str, str, Isolation]] = field(default_factory=list)
    companions: list[Any] = field(default_factory=list)

    def judge(
        self,
        source: str,
        suite: Suite,
        limits: Limits,
        *,
        companions: Mapping[str, str] | None = None,
        options: JudgeOptions = JudgeOptions(),
    ) -> Verdict:
        self.seen.append((source, suite.source, suite.isolation))
        self.companions.append(companions)
        if source == "burns":
            raise SandboxError("the jail burns")
        if source == "stops":
            raise KeyboardInterrupt
        if source == "silent":
            return Verdict({}, detail="line 1: invalid syntax")
        if suite.source == "live" and suite.isolation is Isolation.SEPARATE:
            return Verdict({"only": CheckResult(Outcome.UNJUDGEABLE, detail="a live object")})
        passed = source == suite.source or (source == "right" and suite.source == "live")
        result = CheckResult(Outcome.PASSED if passed else Outcome.FAILED, "1", "2")
        return Verdict({"first": CheckResult(Outcome.PASSED), "only": result}, suite.isolation)


def found(judge: Judge, *cases: Case) -> tuple[Finding, ...]:
    return prove(cases, judge, Limits()).findings


def test_a_reference_near_the_limit_is_warned_of(make_case: Make) -> None:
    """It is sound here and today; on a slower machine its check would be ended."""

    class Slow(Judge):
        def judge(self, source: str, suite: Suite, limits: Limits, **more: Any) -> Verdict:
            verdict = super().judge(source, suite, limits, **more)
            slow = {name: replace(result, cpu_seconds=1.7) for name, result in verdict.results.items()}
            return replace(verdict, results=slow)

    proof = prove([make_case("shelf/a", visible="right")], Slow(), Limits(seconds=2.0))
    assert (proof.exit_status, proof.bad) == (0, ())
    (warned,) = proof.values()["warnings"]
    assert warned["warnings"][0] == "the reference takes 1.7 of 2 s in the hidden check first"
    assert prove([make_case("shelf/a")], Slow(), Limits(seconds=9.0)).values()["warnings"] == []


def test_a_reference_that_passes_and_a_bug_that_fails_are_as_it_should_be(make_case: Make) -> None:
    """The reference has to pass what may be seen and what is kept apart too."""
    case = make_case("shelf/a", visible="right", extra="right")
    (finding,) = found(judge := Judge(), case)
    assert finding == Finding("shelf/a")
    assert [text for source, text, _ in judge.seen if source == "right"] == ["right"] * 3


BAD = {
    "hidden": (
        {"visible": "", "hidden": "other"},
        "the reference fails the hidden check only (failed: 2 instead of 1)",
    ),
    "visible": ({"visible": "other"}, "the reference fails the visible check only (failed: 2 instead of 1)"),
    "extra": ({"visible": "", "extra": "other"}, "the reference fails the extra check only (failed: 2 instead of 1)"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_reference_that_fails_is_told_with_the_check(make_case: Make, kind: str) -> None:
    """And with what it said."""
    given, problem = BAD[kind]
    (finding,) = found(Judge(), make_case("shelf/a", **given))
    assert finding.problems == (problem,)
    assert prove([make_case("shelf/a", **given)], Judge(), Limits()).exit_status == 1


def test_a_bug_that_passes_is_told(make_case: Make) -> None:
    """Nothing can be repaired there."""
    case = make_case("shelf/a", visible="")
    (finding,) = found(Judge(), replace(case, task=replace(case.task, source="right")))
    assert finding.problems == ("the program with the bug passes every hidden check",)


def test_a_reference_for_which_nothing_runs_is_told(make_case: Make) -> None:
    """No checks at all are no pass."""
    (finding,) = found(Judge(), replace(make_case("shelf/a", visible=""), reference="silent"))
    assert finding.problems == ("the reference passes no hidden check, for none was run: line 1: invalid syntax",)


def test_a_case_without_reference_has_only_its_bug_checked(make_case: Make) -> None:
    """As those have that nobody can solve."""
    (finding,) = found(judge := Judge(), replace(make_case("shelf/a"), reference=""))
    assert (finding.is_good, finding.has_reference) == (True, False)
    assert {source for source, _, _ in judge.seen} == {"wrong"}


def test_live_objects_put_the_checks_into_the_program_s_process(make_case: Make) -> None:
    """For both programs, and it is counted."""
    case = make_case("shelf/a", visible="", hidden="live")
    proof = prove([case], judge := Judge(), Limits())
    assert proof.findings[0].isolation is Isolation.SHARED
    assert judge.seen[-1] == ("right", "live", Isolation.SHARED)
    assert proof.values()["shared"] == 1


def test_other_modules_of_the_task_go_along(make_case: Make) -> None:
    """A program may import them."""
    case = make_case("shelf/a")
    found(judge := Judge(), replace(case, task=replace(case.task, companions={"node.py": "x = 1"})))
    assert all(companions == {"node.py": "x = 1"} for companions in judge.companions)


def test_a_fault_of_the_machine_is_apart(make_case: Make) -> None:
    """It says nothing of the case, and the others are checked."""
    broken = replace(make_case("shelf/a"), reference="burns")
    proof = prove([broken, make_case("shelf/b", visible="")], Judge(), Limits(), workers=2)
    assert (proof.exit_status, [finding.task_id for finding in proof.errors]) == (3, ["shelf/a"])
    assert proof.errors[0].error == "SandboxError: the jail burns"
    assert proof.values() == {
        "cases": 2,
        "good": 1,
        "without_reference": 0,
        "shared": 0,
        "bad": [],
        "warnings": [],
        "errors": [{"task_id": "shelf/a", "message": "SandboxError: the jail burns"}],
        "interrupted": False,
    }


def test_an_interrupt_keeps_what_was_found(make_case: Make) -> None:
    """At once, or after what is under way."""
    good, stops = make_case("shelf/a", visible=""), replace(make_case("shelf/b", visible=""), reference="stops")
    proof = prove([good, stops], Judge(), Limits())
    assert (proof.exit_status, [finding.task_id for finding in proof.findings]) == (130, ["shelf/a"])
    drain = threading.Event()
    proof = prove([good, good], Judge(), Limits(), drain=drain, finished=lambda finding: drain.set())
    assert proof.findings


def test_findings_stand_in_the_data_set_s_order(make_case: Make) -> None:
    """Whichever ended first."""
    cases = [make_case(f"shelf/{number}", visible="") for number in range(20)]
    told: list[str] = []
    proof = prove(cases, Judge(), Limits(), workers=4, finished=lambda finding: told.append(finding.task_id))
    assert [finding.task_id for finding in proof.findings] == [case.task.id for case in cases]
    assert sorted(told) == sorted(case.task.id for case in cases)
