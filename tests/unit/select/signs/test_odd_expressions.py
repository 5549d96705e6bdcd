"""Which expressions does nobody write, and what do they cost a repair that passes with them?"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from regreen.select.rank import RankedCandidate, rank_candidates
from regreen.select.signs.odd_expressions import (
    changed_defaults,
    fixed_indices,
    halves_of_sizes,
    implied_conditions,
    odd_ranges,
    odd_roundings,
    odd_strides,
    settled_expressions,
    shared_extremes,
    torn_ranges,
)
from regreen.types import Candidate

GIVEN = """\
def middle(xs, at, step=3):
    half = len(xs) // 2
    if at < 1 or at > 12:
        return xs[at:at + 2]
    return sum(xs[half + 1] for _ in range(step - 1)) / len(xs), xs[0]
"""


@pytest.mark.parametrize(
    ("old", "new", "fixed"),
    [
        ("xs[half + 1]", "xs[1]", 1),
        ("xs[half + 1]", "xs[-1]", 1),
        ("xs[half + 1]", "xs[half - 1]", 0),
        ("xs[half + 1]", "half", 0),  # no index at all
        ("xs[0]", "xs[1]", 0),  # was a number before
        ("xs[0]", "xs[half]", 0),
        ("xs[half + 1]", "xs[", 0),
    ],
)
def test_a_number_in_the_place_of_an_index_that_was_worked_out_is_noticed(old: str, new: str, fixed: int) -> None:
    """It passes where the checks ask about one place."""
    assert fixed_indices(GIVEN, GIVEN.replace(old, new)) == fixed


@pytest.mark.parametrize(
    ("new", "odd"), [("at - 2", 1), ("at + -2", 1), ("at + 3", 0), ("half", 0), ("half - 2", 0), ("at -", 0)]
)
def test_a_slice_that_ends_before_it_begins_is_noticed(new: str, odd: int) -> None:
    """So is a sum with less than nothing."""
    assert odd_ranges(GIVEN, GIVEN.replace("at + 2", new)) == odd


@pytest.mark.parametrize(("name", "shared"), [("min", 1), ("max", 1), ("abs", 0), ("sorted", 0)])
def test_an_extreme_is_not_divided_by_a_count(name: str, shared: int) -> None:
    """A sum is."""
    assert shared_extremes(GIVEN, GIVEN.replace("sum", name)) == shared


@pytest.mark.parametrize(
    ("old", "new", "torn"),
    [
        ("at > 12", "half > 12", 1),
        ("at < 1", "half < 1", 1),
        ("at > 12", "at > 11", 0),
        ("at < 1 or at > 12", "half < 1 or half > 12", 0),
        ("at < 1 or at > 12", "at < 1", 0),
        ("at > 12", "at >", 0),
    ],
)
def test_a_range_asks_about_one_value(old: str, new: str, torn: int) -> None:
    """Its two ends belong together."""
    assert torn_ranges(GIVEN, GIVEN.replace(old, new)) == torn


@pytest.mark.parametrize(("new", "changed"), [("step=4", 1), ("step=-3", 1), ("step=None", 0), ("step", 0), ("n=3", 0)])
def test_another_number_as_a_default_is_noticed(new: str, changed: int) -> None:
    """Another kind of default is another matter."""
    assert changed_defaults(GIVEN, GIVEN.replace("step=3", new)) == changed


def test_what_a_parameter_does_is_changed_rather_than_its_default() -> None:
    """Checks that leave the parameter out pass with either, and one token less is changed in the default."""
    default = RankedCandidate(Candidate(GIVEN.replace("step=3", "step=4"), "test"), 0.1)
    inside = RankedCandidate(Candidate(GIVEN.replace("step - 1", "step"), "test"), 0.1)
    assert rank_candidates([default, inside], GIVEN) == [inside, default]


@pytest.mark.parametrize(
    ("new", "odd"),
    [("(n + 3) // 5", 1), ("(n + 4) // 5", 0), ("(n + 2) // 5 * 5", 0), ("(n + 5) // 10", 0), ("(n + 1) // 2", 0)],
)
def test_division_is_led_to_by_what_rounds(new: str, odd: int) -> None:
    """By all but one, for rounding up, or by half, for the nearest."""
    assert odd_roundings("def f(n):\n    return n // 5\n", f"def f(n):\n    return {new}\n") == odd


@pytest.mark.parametrize(
    ("old", "new", "implied"),
    [
        ("at < 1 or", "at >= 1 or", 1),
        ("at < 1 or", "at > 1 and", 1),
        ("at < 1 or", "at <= 1 or", 0),
        ("at < 1 or", "half > 1 or", 0),
        ("at < 1 or", "at == 1 or", 0),
        ("at < 1 or", "at < or", 0),
    ],
)
def test_a_condition_that_another_one_makes_idle_is_noticed(old: str, new: str, implied: int) -> None:
    """`at >= 1 or at > 12` asks for the first alone."""
    assert implied_conditions(GIVEN, GIVEN.replace(old, new)) == implied


@pytest.mark.parametrize(
    ("after", "idle"),
    [
        ("y % 4 == 0 or y % 100 == 0", 1),
        ("y % 4 != 0 or y % 100 != 0", 1),
        ("y % 4 == 0 and y % 100 != 0", 0),
        ("y % 4 == 0 or y % 6 == 0", 0),
        ("y % 4 == 0 or x % 8 == 0", 0),
        ("y % 4 == 0 or", 0),
    ],
)
def test_what_a_multiple_divides_is_asked_twice(after: str, idle: int) -> None:
    """All that 100 divides is divided by 4."""
    assert implied_conditions("y % 4 == 0 or y % 100 > 0", after) == idle


@pytest.mark.parametrize(
    ("new", "settled"),
    [
        ("len('at')", 1),
        ("(3 + 2)", 1),
        ("max(1, 2)", 1),
        ("60 * 60", 0),
        ("2 ** 31", 0),
        ("ord('a')", 0),
        ("(at % 4 == 5)", 1),
        ("(at % 4 == -1)", 1),
        ("((at - 1) % 4 + 1 == 0)", 1),
        ("(at % 4 < 0)", 1),
        ("(at % 4 == 3)", 0),
        ("(at % 4 + 1 == 4)", 0),
        ("(at % half == 7)", 0),
        ("len(xs)", 0),
        ("(half + 2)", 0),
        ("len('at'", 0),
    ],
)
def test_what_is_known_before_it_runs_is_not_worked_out(new: str, settled: int) -> None:
    """But for products, which say how a number comes about."""
    assert settled_expressions(GIVEN, GIVEN.replace("sum(xs[half + 1] for _ in range(step - 1))", new)) == settled


@pytest.mark.parametrize(
    ("bounds", "count"), [("n, -1, -2", 1), ("0, n, 2", 1), ("n, -1, -1", 0), ("0, n, step", 0), ("n", 0)]
)
def test_a_range_that_goes_by_two(bounds: str, count: int) -> None:
    """Unless the given program does."""
    given = "for i in range(n, 0, -1):\n    go(i)\n"
    after = given.replace("n, 0, -1", bounds)
    assert odd_strides(given, after) == count
    assert odd_strides(after, after) == 0


@pytest.mark.parametrize(
    ("after", "odd"),
    [
        ("range(size, -1)", 1),
        ("range(size, 1)", 1),
        ("range(size - 1, -1, -1)", 0),
        ("range(-size, 0)", 0),
        ("range(0, size)", 0),
        ("len(rows[-1])", 1),
        ("len(rows[0])", 0),
        ("boxes[-box]", 1),
        ("boxes[-1]", 0),
        ("length * len(word)", 1),
        ("2 * len(word)", 0),
        ("-len(word)", 1),
        ("y - len(word)", 0),
        ("table[reversed(word)]", 1),
        ("table[word]", 0),
        ("-((at + 1) % 4)", 1),
        ("(at - 1) % 4", 0),
        ("word[0] if not word else size", 1),
        ("size if word else word[0]", 1),
        ("word[0] if word else size", 0),
        ("sum(word) / min(word)", 1),
        ("sum(word) / len(word)", 0),
    ],
)
def test_empty_ranges_other_rows_and_the_like_are_noticed(after: str, odd: int) -> None:
    """Where they were there before, somebody meant them."""
    assert odd_ranges("x = y\n", f"x = {after}\n") == odd
    assert odd_ranges(f"x = {after}\n", f"x = {after}\n") == 0


@pytest.mark.parametrize(
    ("sign", "made", "count"),
    [
        (halves_of_sizes, "(abs(n) // 60, n % 60)", 1),
        (halves_of_sizes, "(abs(n) // 60, abs(n) % 60)", 0),
        (halves_of_sizes, "(abs(n) // 60, n % 10)", 0),
    ],
)
def test_what_does_not_go_together_is_noticed(sign: Callable[[str, str], int], made: str, count: int) -> None:
    """Where it stands already, somebody meant it."""
    assert sign("ys = xs\n", f"ys = {made}\n") == count
    assert sign(f"ys = {made}\n", f"ys = {made}\n") == 0


@pytest.mark.parametrize(("part", "count"), [("xs[::2]", 1), ("xs[::-2]", 1), ("xs[::-1]", 0), ("xs[1:]", 0)])
def test_a_slice_goes_through_all_places(part: str, count: int) -> None:
    """As a range does."""
    assert odd_strides("ys = xs\n", f"ys = {part}\n") == count
