"""What crosses between the host and the processes that hold checks."""

from __future__ import annotations

from typing import Any

import pytest

from regreen.errors import SandboxError
from regreen.sandbox.guest.wire.connection import WireError
from regreen.types import CheckResult, Outcome
from regreen.verify.sandbox_messages import JudgeReport, LateGuest, LostGuest, judge_message_from


def test_messages_of_a_judge_become_values() -> None:
    """Each kind is told by its fields."""
    report = {"results": {"a": {"outcome": "failed", "actual": "<f at 0x7f01>"}}, "stdout": "<g at 0x7f02>"}
    assert judge_message_from(report) == JudgeReport(
        {"a": CheckResult(Outcome.FAILED, actual="<f at 0x...>")}, "<g at 0x...>"
    )
    late = {"overdue": True, "waited": 2, "before": 0.5, "limit": 1}
    assert judge_message_from(late) == LateGuest(limit=1.0, waited=2.0, waited_before=0.5)
    lost = {"lost": "closed", "detail": "", "again": True, "limit": 1}
    assert judge_message_from(lost) == LostGuest("closed", "", 1.0, needs_another=True)


@pytest.mark.parametrize("message", [None, 3, [], {}, {"overdue": True}, {"lost": "closed", "limit": "soon"}])
def test_a_message_of_no_known_form_is_an_error_of_the_wire(message: Any) -> None:
    """The judge's process is not believed to keep to the form."""
    with pytest.raises(WireError, match="no known form"):
        judge_message_from(message)


@pytest.mark.parametrize("results", [None, {"a": None}, {"a": {"outcome": "splendid"}}, {"a": {"outcome": 1}}])
def test_results_of_no_known_form_are_a_fault_of_the_sandbox(results: Any) -> None:
    """They are never taken for an outcome."""
    with pytest.raises(SandboxError, match="no known form"):
        judge_message_from({"results": results})
