"""What a model is told of a run of its code."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from regreen.strategies.feedback import CHECKS, report
from regreen.types import Check, CheckResult, Outcome, Suite, SuiteKind, Task, Verdict

TASK = Task("t", "", None, Suite(SuiteKind.SCRIPT, "", (Check("c", "assert f() == 1"),)))
FENCE = re.compile(r"^`{3,}$", re.MULTILINE)


def test_each_failing_check_is_told_and_what_was_printed() -> None:
    """Expected against actual, in a fence; the program's output in another."""
    verdict = Verdict({"c": CheckResult(Outcome.FAILED, "1", "2")}, stdout="hello\n")
    assert report(TASK, verdict).split("\n") == [
        "0 of 1 checks pass.",
        "```",
        "`assert f() == 1`: expected 1, got 2.",
        "```",
        "It printed:",
        "```",
        "hello",
        "```",
    ]


@given(st.text("`ab\n:", max_size=40), st.text("`ab\n", max_size=40), st.integers(1, 400))
def test_no_output_and_no_error_leaves_its_fence(printed: str, raised: str, times: int) -> None:
    """However long it is and wherever it is cut: what opens a fence closes it."""
    results = {f"c{n}": CheckResult(Outcome.RAISED, detail=raised * times) for n in range(CHECKS + 1)}
    told = report(TASK, Verdict(results, stdout=printed * times))
    fences, inside = FENCE.findall(told), ""
    for line in told.split("\n"):
        if inside:
            inside = "" if line == inside else inside
        elif line.startswith("```"):
            inside = line
        else:
            assert line in ("0 of 9 checks pass.", "... and 1 more fail.", "It printed:"), line
    assert not inside
    assert len(fences) >= 2
    assert len(told) < 8_400
