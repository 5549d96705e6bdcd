"""What the user answers to a question is a check from then on: the search goes on with it where nothing gives it."""

from __future__ import annotations

import sys

import pytest

from regreen.config import load_settings
from regreen.strategies import repair_task
from regreen.types import Question, Repair, Stop, Task
from regreen.verify.doctests import read_doctests
from regreen.verify.suites import read_suite

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
PROGRAM = """\
def total(xs):
    found = 0
    for x in xs:
        if x > 10:
            found -= x
    return found
"""
CHECKS = "assert total([20]) == 20\nassert total([]) == 0\n"
SHOWN = '    """Sum.\n\n    >>> total([20])\n    20\n    >>> total([])\n    0\n    """\n'
EXAMPLES = PROGRAM.replace(":\n", f":\n{SHOWN}", 1)


def repaired(task: Task, value: str, candidates: int) -> tuple[Repair, list[Question]]:
    """The repair where the user gives this answer to the first question, and none to further ones."""
    asked: list[Question] = []

    def ask(question: Question) -> str | None:
        asked.append(question)
        return value if len(asked) == 1 else None

    settings = load_settings({"max_candidates": candidates, "workers": 1})
    return repair_task(task, settings=settings, ask=ask), asked


def script() -> Task:
    """The program with a script of checks."""
    suite = read_suite(CHECKS, program=PROGRAM, module="program", entry_point="total")
    return Task("total", PROGRAM, "total", suite)


def test_the_search_goes_on_with_an_answer_that_nothing_gave() -> None:
    """The answer counts among the checks that the repair passes, and the effort of both searches is told."""
    repair, asked = repaired(script(), "5", 9_000)
    assert repair.stop is Stop.FIXED
    assert repair.chosen is not None
    assert repair.chosen.verdict.checks_passed == len(repair.before.results) == 3
    assert repair.questions[0].answers[-1].value == "5"
    assert 600 < repair.cost.candidates <= 9_000
    assert len(asked) >= 1
    assert "which nothing that passed gives" in repair.explanation


def test_where_no_program_gives_the_answer_nothing_is_handed_over() -> None:
    """What passes all but the answer is known to be wrong."""
    repair, _ = repaired(script(), "'never'", 700)
    assert (repair.stop, repair.chosen, repair.likelihood) == (Stop.CANDIDATES, None, None)
    assert repair.cost.candidates <= 700


def test_examples_in_a_docstring_take_no_further_check() -> None:
    """Then nothing is handed over, and the check is told."""
    suite = read_doctests(EXAMPLES, module="total", entry_point="total")
    assert suite is not None
    repair, _ = repaired(Task("total", EXAMPLES, "total", suite), "'never'", 2_000)
    assert (repair.stop, repair.chosen) == (Stop.EXHAUSTED, None)
    assert "== 'never'`, which nothing that passed gives" in repair.explanation
