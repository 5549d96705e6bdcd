"""What the traced run of a program tells."""

from __future__ import annotations

import pytest

from regreen.types import CheckResult, Outcome, Visit
from regreen.verify.screening import ProgramTrace, may_be_left_out, may_be_reordered, visits_from
from regreen.verify.suites import read_suite


def test_checks_that_hang_say_nothing_of_how_long_the_others_take() -> None:
    """Not even those that hang in the tests' own lines, where no line of the program was running."""
    results = {
        "quick": CheckResult(Outcome.PASSED, cpu_seconds=0.25),
        "wrong": CheckResult(Outcome.FAILED, cpu_seconds=0.5),
        "loops": CheckResult(Outcome.TIMED_OUT, cpu_seconds=100.0),
    }
    assert ProgramTrace(results, coverage={}, raised={}, hung={}).green_seconds == 0.75


PROGRAM = "def f(n):\n    return n\n"
ORDERS = {
    "assertions alone": ("from program import f\nassert f(1) == 1\nassert f(2) == 2\n", True),
    "functions": ("def test_one():\n    assert f(1) == 1\ndef test_two():\n    assert f(2) == 2\n", True),
    "a name that is made before": ("n = f(1)\nassert n == 1\nassert f(2) == 2\n", False),
    "a name that is made on the way": ("assert (n := f(1)) == 1\nassert f(n) == 1\n", False),
}


@pytest.mark.parametrize("kind", ORDERS)
def test_checks_that_may_need_each_other_are_run_together(kind: str) -> None:
    """What one statement of a script leaves, a later one may use."""
    tests, free = ORDERS[kind]
    assert may_be_reordered(read_suite(tests, program=PROGRAM, module="program", entry_point=None)) is free


def test_a_check_that_prepares_something_for_others_is_not_left_out() -> None:
    """The box is made in the step of the first check; the second one takes nothing with it."""
    suite = read_suite(
        "box = f(1)\nassert box == 2\nassert f(3) == 3\nassert box == 1\n",
        program=PROGRAM,
        module="program",
        entry_point=None,
    )
    first, second, _ = (check.id for check in suite.checks)
    assert not may_be_left_out(suite, {first})
    assert may_be_left_out(suite, {second})


def told(compared: tuple[str | None, str | None], *calls: tuple[str | None, bool]) -> dict[str, object]:
    """The answer of a screener for one check: a visit of line 3 in each call."""
    visits = [{"line": 3, "call": n, "values": {"n": str(n), "odd": "inf"}} for n, _ in enumerate(calls)]
    ends = [{"returned": returned, "is_outer": is_outer} for returned, is_outer in calls]
    return {"visits": visits, "calls": ends, "compared": compared}


def test_a_visit_tells_what_its_call_should_return() -> None:
    """What was expected of the last call of a red check, what the others returned, and nothing of inner calls."""
    answer = {
        "red": told(("[2]", "[3]"), ("[1]", True), ("7", False), ("[2]", True)),
        "green": told((None, None), ("5", True)),
    }
    visits = visits_from(answer, {"green"})
    assert [visit.should_return for visit in visits] == [([1],), (), ([3],), (5,)]
    assert visits[0] == Visit("red", True, 3, 0, {"n": 0}, ([1],))


def test_where_something_else_was_compared_nothing_is_known() -> None:
    """The result of no call of the program, or nothing at all."""
    for compared in (("9", "3"), (None, None)):
        assert [visit.should_return for visit in visits_from({"red": told(compared, ("2", True))}, set())] == [()]
