"""What do checks that fail say of the exceptions that a program should not raise any more?"""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from regreen.strategies.choosing.behaviours import unmeant_exceptions
from regreen.strategies.session import RepairSession
from regreen.types import CheckResult, Outcome

REFUSING = 'def add(grade):\n    if grade > 5:\n        raise ValueError("no such grade")\n'


def session_of(program: str, outcome: Outcome, detail: str) -> RepairSession:
    """A session of a program of which one check is red."""
    results = {"check-1": CheckResult(outcome, detail=detail)}
    baseline = SimpleNamespace(verdict=SimpleNamespace(results=results))
    task = SimpleNamespace(source=program)
    return cast("RepairSession", SimpleNamespace(baseline=baseline, is_examined=True, task=task))


@pytest.mark.parametrize(
    ("program", "outcome", "detail", "unmeant"),
    [
        ("def f(xs):\n    return xs[0]\n", Outcome.RAISED, "IndexError: out of range (line 2)", ["raises IndexError"]),
        (REFUSING, Outcome.RAISED, "ValueError: no such grade (line 3)", []),
        (REFUSING, Outcome.RAISED, "KeyError: 'ann' (line 2)", ["raises KeyError"]),
        (REFUSING, Outcome.FAILED, "ValueError stands in a message", []),
    ],
)
def test_what_a_program_refuses_itself_may_be_refused(
    program: str, outcome: Outcome, detail: str, unmeant: list[str]
) -> None:
    """A failing check says that its input is fine, not that every other one is."""
    assert list(unmeant_exceptions(session_of(program, outcome, detail))) == unmeant
