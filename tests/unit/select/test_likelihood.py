"""How much red checks ask for."""

from __future__ import annotations

from math import log

import pytest

from regreen.select.behaviour import Behaviour
from regreen.select.likelihood import RepairEvidence, asked_bits, likelihood_of
from regreen.select.prose.prose_agreement import read_prose
from regreen.select.rank import RankedCandidate
from regreen.types import Candidate, CheckResult, Outcome


def failed(expected: str = "", detail: str = "") -> CheckResult:
    """A red check that asked for a value."""
    return CheckResult(Outcome.FAILED, expected, "0", detail)


@pytest.mark.parametrize("expected", ["True", "None", "[]", "''"])
def test_what_any_other_behaviour_comes_upon_is_one_bit(expected: str) -> None:
    """A condition that is right by chance gives it."""
    assert asked_bits([failed(expected)]) == 1


def test_an_exception_is_one_bit() -> None:
    """Whether it was raised or missed: there or not there."""
    raised = CheckResult(Outcome.RAISED, detail="KeyError: 'a'")
    assert asked_bits([raised]) == asked_bits([failed(detail="DID NOT RAISE ValueError")]) == 1


def test_longer_answers_ask_for_more_and_several_for_their_sum() -> None:
    """Up to a bound: most of a long text stood in the answer before."""
    short, long = asked_bits([failed("12")]), asked_bits([failed("[1, 2, 3]")])
    assert 1 < short < long <= 6
    assert asked_bits([failed("'" + "x" * 1000 + "'")]) == 6
    assert asked_bits([failed("12"), failed("[1, 2, 3]")]) == pytest.approx(short + long)
    assert asked_bits([]) == 1


def test_what_unittest_says_of_two_values_is_read() -> None:
    """It names no expected one; the shorter counts."""
    assert asked_bits([failed(detail="6 != 1234567")]) == asked_bits([failed("6")])
    assert asked_bits([failed(detail="Lists differ: [1, 2] != [1]")]) == asked_bits([failed("[1]")])


def test_what_a_long_module_leaves_unread_is_no_flaw_of_its_repair() -> None:
    """Of a small program that reads a parameter nowhere, a part may well be missing."""
    others = "".join(f"def step_{number}(x):\n    return x + {number}\n\n\n" for number in range(20))
    unread = "def hook(event, context):\n    return event\n\n\n"
    read = unread.replace("return event", "return event, context")
    slip, repair = "def f(x):\n    return x - 1\n", "def f(x):\n    return x + 1\n"

    def likelihood(around: str) -> float:
        best = RankedCandidate(Candidate(around + repair, "search:swap_operator"), 0.05)
        evidence = RepairEvidence(around + slip, "assert f(1) == 2", 3, 2)
        return likelihood_of(Behaviour((best,), (), 0.0, 0.8), evidence)

    cost_in_small = likelihood(read) - likelihood(unread)
    cost_in_long = likelihood(others + read) - likelihood(others + unread)
    assert cost_in_small > 2 * cost_in_long >= 0


def test_what_the_docstrings_of_a_long_module_say_of_others_tells_little_of_a_repair() -> None:
    """Nor is anything known of how much less likely it is in ten thousand lines than in a thousand."""
    others = "".join(f"def step_{number}(x):\n    return x + {number}\n\n\n" for number in range(20))
    stated = 'def limit(x):\n    """Return True if x is at least 18."""\n    return x > 18\n\n\n'
    slip, repair = "def f(x):\n    return x - 1\n", "def f(x):\n    return x + 1\n"

    def log_odds(around: str) -> float:
        best = RankedCandidate(Candidate(around + repair, "search:swap_operator"), 0.05)
        prose = read_prose(around + slip)
        evidence = RepairEvidence(around + slip, "assert f(1) == 2", 3, 2, prose)
        said = likelihood_of(Behaviour((best,), (), 0.0, 0.8), evidence)
        return log(said / (1 - said))

    kept = stated.replace("x > 18", "x >= 18")
    assert log_odds(kept) - log_odds(stated) > 2 * (log_odds(others + kept) - log_odds(others + stated)) >= 0
    assert log_odds(others * 12) == pytest.approx(log_odds(others * 25), rel=0.01)
