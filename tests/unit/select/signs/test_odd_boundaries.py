"""Boundaries that mean the same, numbers where a variable passes as well, and what people write."""

from __future__ import annotations

import pytest

from regreen.select.rank import RankedCandidate, rank_candidates
from regreen.select.signs.odd_boundaries import (
    crossed_chains,
    lopsided_pairs,
    numbers_for_names,
    odd_boundaries,
    odd_steps,
    stretched_steps,
    turned_steps,
)
from regreen.types import Candidate


@pytest.mark.parametrize(
    ("round_one", "odd"),
    [
        ("50 <= km", "49 < km"),
        ("km >= 50", "km > 49"),
        ("km < 100", "km <= 99"),
        ("km > 0", "km >= 1"),
        ("100 > km", "99 >= km"),
        ("10 <= km < 50", "9 < km < 50"),
        ("10 <= km < 50", "10 <= km <= 49"),
    ],
)
def test_the_round_boundary_is_preferred(round_one: str, odd: str) -> None:
    """Each says the same of whole numbers."""
    programs = [f"def f(km):\n    return {text}\n" for text in (odd, round_one)]
    assert odd_boundaries(programs) == [1, 0]


def test_boundaries_that_differ_are_left_alone() -> None:
    """No number is odd where no rounder one says the same."""
    assert odd_boundaries(["x < 49", "x < 50", "x <= 50", "y > 48", "x != 49", "x <"]) == [0] * 6
    assert odd_boundaries(["x > 49.0", "x >= 50"]) == [0, 0], "of numbers with a fraction it is not the same"
    assert odd_boundaries(["x > True", "x >= 2"]) == [0, 0]


def test_each_boundary_is_counted() -> None:
    """Two odd ones are worse than one."""
    texts = ["a < 50 and b < 10", "a <= 49 and b < 10", "a <= 49 and b <= 9"]
    assert odd_boundaries(texts) == [0, 1, 2]


BEFORE = "def chunks(items, size):\n    return [items[i : i + size] for i in range(0, len(items))]\n"
NUMBER, NAME = (BEFORE.replace("(items))", f"(items), {step})") for step in ("2", "size"))


def test_a_number_is_told_where_a_name_passes_in_its_place() -> None:
    """And only there: a number with no such rival is a number."""
    assert numbers_for_names(BEFORE, [NUMBER, NAME]) == [1, 0]
    assert numbers_for_names(BEFORE, [NUMBER, NAME.replace("0, len", "1, len")]) == [0, 0]
    assert numbers_for_names(BEFORE, [NUMBER]) == [0]


def test_nought_and_one_mean_themselves() -> None:
    """`return 0` is no variable that happens to be 0, and a number that stood there before is no new one."""
    before = "def f(n):\n    return n + 5\n"
    assert numbers_for_names(before, [before.replace("5", text) for text in ("0", "n")]) == [0, 0]
    assert numbers_for_names(before, [before.replace("n + 5", "5"), before.replace("n + 5", "n")]) == [0, 0]


def test_the_name_comes_first_though_the_number_is_likelier() -> None:
    """Whatever the checks ask with, another call would ask with something else."""
    number, name = (RankedCandidate(Candidate(text, "search:test"), p) for text, p in ((NUMBER, 0.3), (NAME, 0.1)))
    assert rank_candidates([number, name], BEFORE) == [name, number]


STEP = "def tries(n):\n    return list(range(n - 1))\n"
TURNED, DROPPED = STEP.replace("- 1", "+ 1"), STEP.replace(" - 1", "")


def test_a_step_is_turned_where_none_will_do() -> None:
    """Two off is no common slip; without the rival it may be right, and other numbers are no steps."""
    assert turned_steps(STEP, [TURNED, DROPPED]) == [1, 0]
    assert turned_steps(TURNED, [STEP, DROPPED]) == [1, 0]
    assert turned_steps(STEP, [TURNED, STEP.replace("- 1", "- 2")]) == [0, 0]
    wider = [text.replace("1", "7") for text in (STEP, TURNED, DROPPED)]
    assert turned_steps(wider[0], wider[1:]) == [0, 0]


def test_a_turned_step_is_seen_beside_another_change() -> None:
    """As long as the other one is the same where the step is dropped."""
    more = [text + "x = 1\n" for text in (TURNED, DROPPED)]
    assert turned_steps(STEP, more) == [1, 0]
    assert turned_steps(STEP, [more[0], DROPPED]) == [0, 0]


def test_no_step_comes_before_a_turned_one() -> None:
    """Though two tokens are changed for it, and its template is the less likely one."""
    turned, dropped = (RankedCandidate(Candidate(t, "search:test"), p) for t, p in ((TURNED, 0.04), (DROPPED, 0.03)))
    assert rank_candidates([turned, dropped], STEP) == [dropped, turned]


@pytest.mark.parametrize(
    ("test", "crossed"),
    [
        ("low <= x >= high", 1),
        ("low < x > high", 1),
        ("low <= x < high", 0),
        ("low >= x != high", 0),
        ("low == x != high", 1),
        ("low == x == high", 0),
        ("(", 0),
    ],
)
def test_a_chain_that_points_both_ways_is_odd(test: str, crossed: int) -> None:
    """Nobody writes one; `not` before the chain is what was lost."""
    given = "def f(low, x, high):\n    return low <= x <= high\n"
    assert crossed_chains(given, given.replace("low <= x <= high", test)) == crossed


@pytest.mark.parametrize(
    ("pair", "lopsided"),
    [
        ("a.start < b.end and b.start <= a.end", 1),
        ("a.start < b.end and b.start < a.end", 0),
        ("a.start < b.end and b.start <= b.end", 0),
        ("a.start < b.end and a.end <= 3", 0),
        ("a.start < b.end and b", 0),
        ("(", 0),
    ],
)
def test_half_of_a_pair_is_seldom_changed_alone(pair: str, lopsided: int) -> None:
    """What is asked of two objects one way round is asked of them the other way round as well."""
    given = "def overlap(a, b):\n    return a.start <= b.end and b.start <= a.end\n"
    assert lopsided_pairs(given, given.replace("a.start <= b.end and b.start <= a.end", pair)) == lopsided


@pytest.mark.parametrize("given", ["self.low <= high and low <= self.high", "a[0] <= b[1] and b[0] <= a[1]"])
def test_pairs_are_of_attributes_items_and_variables(given: str) -> None:
    """One of the two may hold its ends in variables."""
    assert lopsided_pairs(given, given.replace("<=", "<", 1)) == 1
    assert lopsided_pairs(given, given.replace("<=", "<")) == 0


@pytest.mark.parametrize(
    ("line", "odd"),
    [
        ("left -= 2", 1),
        ("left %= 1", 1),
        ("left += 1", 0),
        ("left -= size", 0),
        ("left = 1", 0),
        ("other -= 2", 0),
        ("(", 0),
    ],
)
def test_what_counts_by_one_goes_on_by_one(line: str, odd: int) -> None:
    """Up instead of down is a slip that people make, two for one is none."""
    given = "def f(left, size):\n    left -= 1\n    return left\n"
    assert odd_steps(given, given.replace("left -= 1", line)) == odd


STEPS = "def f(xs, at):\n    last = xs[::-1]\n    return last[at + 1] + sum(xs[at - 1 : at + 1]) - len(range(at + 1))\n"


@pytest.mark.parametrize(
    ("right", "wrong", "stretched"),
    [
        ("last[at + 1]", "last[at + 2]", 1),
        ("xs[::-1]", "xs[::-2]", 1),
        ("last[at + 1]", "last[at]", 0),
        ("last[at + 1]", "last[at - 1]", 0),
        ("at - 1 :", "at - 2 :", 0),
        ("range(at + 1)", "range(at + 2)", 0),
        ("last[at + 1]", "last[at +", 0),
    ],
)
def test_a_step_of_one_does_not_become_two(right: str, wrong: str, stretched: int) -> None:
    """But for the ends of ranges and slices, where it takes in one more."""
    assert stretched_steps(STEPS, STEPS.replace(right, wrong)) == stretched
    assert stretched_steps(STEPS.replace(right, wrong), STEPS) == 0
