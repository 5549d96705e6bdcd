"""Checks are kept as far from the program as they allow: calls first, then stand-ins, then one process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from regreen.types import Check, CheckResult, Isolation, Limits, Outcome, Suite, SuiteKind, Surface, Verdict
from regreen.verify.baseline import Reach, judge_by_need, judge_given

SUITE = Suite(SuiteKind.SCRIPT, "", (Check("a", "assert f()"),), surface=Surface(functions=("f",), live=("f",)))
WAYS = ["calls", "stand-ins", "shared"]


def way_of(suite: Suite) -> str:
    """How a suite is judged, in one word."""
    return "shared" if suite.isolation is Isolation.SHARED else WAYS[suite.surface.by_handles]


class PickyJudge:
    """A judge that can judge a suite in some ways only, and remembers what it was asked."""

    def __init__(self, able: Sequence[str], *, on_its_word: bool = False) -> None:
        self.able = able
        self.on_its_word = on_its_word
        self.asked: list[str] = []

    def judge(self, source: str, suite: Suite, limits: Limits, **_: Any) -> Verdict:
        """Passed, where the way will do."""
        self.asked.append(way_of(suite))
        fits = self.asked[-1] in self.able
        unproven = "its own word" if self.on_its_word else ""
        result = (
            CheckResult(Outcome.PASSED, unproven=unproven)
            if fits
            else CheckResult(Outcome.UNJUDGEABLE, detail="a live object")
        )
        return Verdict({"a": result}, suite.isolation)


@pytest.mark.parametrize("able", WAYS)
def test_each_way_is_tried_before_the_next(able: str) -> None:
    """What can be told by calls is never asked for with more."""
    judge = PickyJudge([able])
    verdict, used = judge_given(judge, "", SUITE, Limits(), {})
    assert (verdict.passed, way_of(used)) == (True, able)
    assert judge.asked == WAYS[: WAYS.index(able) + 1]


def test_the_reason_for_sharing_is_told() -> None:
    """The suite says what the check needed."""
    assert judge_given(PickyJudge(["shared"]), "", SUITE, Limits(), {})[1].reason == "a live object"


def test_stand_ins_need_no_leave_and_sharing_does() -> None:
    """A proposed program is never let into the process of the checks by its own doing."""
    judge = PickyJudge(["shared"])
    verdict, used = judge_by_need(judge, "", SUITE, Limits(), {}, reach=lambda: Reach.STAND_INS)
    assert (verdict.passed, way_of(used)) == (False, "stand-ins")
    assert judge.asked == ["calls", "stand-ins"]


def test_leave_is_asked_for_only_where_it_is_needed() -> None:
    """It may cost a verdict of its own."""
    asked: list[bool] = []
    judge_by_need(PickyJudge(["stand-ins"]), "", SUITE, Limits(), {}, reach=lambda: asked.append(True) or Reach.SHARED)
    assert asked == []


@pytest.mark.parametrize("given", Reach)
def test_a_proposed_program_is_taken_at_its_word_only_where_the_given_one_is(given: Reach) -> None:
    """An object that it returns in place of a number could say that nothing lies between it and the right one."""
    judge = PickyJudge(["stand-ins"], on_its_word=True)
    verdict, used = judge_by_need(judge, "", SUITE, Limits(), {}, reach=lambda: given)
    assert (verdict.passed, way_of(used)) == ((False, "calls") if given is Reach.CALLS else (True, "stand-ins"))
