"""Operands that nobody puts together, and parameters that a loop overwrites."""

from __future__ import annotations

import pytest

from regreen.select.cost import ranking_cost
from regreen.select.rank import RankedCandidate, rank_candidates
from regreen.select.signs.odd_operands import (
    added_times,
    bits_of_sums,
    broken_parallels,
    identities_for_equality,
    ordered_values,
    overwritten_parameters,
    repeated_operands,
    singled_out_values,
    uneven_roundings,
)
from regreen.types import Candidate

GIVEN = """\
def spread(text, low, high):
    found = 0
    for at in range(low, high):
        if text[at] != " " and at > found:
            found = max(found, text.count(text[at]))
    return found - low
"""


@pytest.mark.parametrize(
    ("right", "wrong", "repeated"),
    [
        ("text.count(text[at])", "text.count(text)", 1),
        ("max(found, text.count(text[at]))", "max(found, found)", 1),
        ("found - low", "found - found", 1),
        ("found - low", "found % 1", 1),
        ("found - low", "found & found", 1),
        ("at > found", "(at, at) > found", 1),
        ("at > found", "(at, low) > found", 0),
        ("at > found", "at == 2 and at == 3", 1),
        ("at > found", "(at != 2 or at != 3)", 1),
        ("at > found", "(at == 2 or at == 3)", 0),
        ("at > found", "text[at] != ' '", 1),
        ("at > found", "at > at", 1),
        ("at > found", "low - at > at", 1),
        ("at > found", "at > at + low", 1),
        ("at > found", "at > 2 * at", 0),
        ("at > found", "low - at > found", 0),
        ("found - low", "found * found + found", 0),
        ("found - low", "found % 1.0", 0),
        ("found - low", "found -", 0),
    ],
)
def test_an_operation_on_a_value_and_itself_is_noticed(right: str, wrong: str, repeated: int) -> None:
    """What it gives is known before it runs, but for sums and products, and for the part behind the point."""
    assert repeated_operands(GIVEN, GIVEN.replace(right, wrong)) == repeated


def test_what_was_repeated_before_is_nobodys_slip() -> None:
    """Only what is new counts."""
    odd = GIVEN.replace("found - low", "found - found")
    assert repeated_operands(odd, odd.replace("range(low", "range(0")) == 0


SIDES = "def closed(a, b, c):\n    return a + b < c or c > 3 or b + c < a or a + c < b\n"
ALIKE = "def closed(a, b, c):\n    return a + b < c or b + c < a or b > a + c\n"
SIDES_ALIKE = ALIKE.replace("b > a + c", "a + c < b")


@pytest.mark.parametrize(
    ("before", "right", "wrong", "broken"),
    [
        (ALIKE, "a + b < c", "a + b <= c", 1),
        (ALIKE, "a + b < c", "a * b < c", 1),
        (ALIKE, "<", "<=", 1),  # and `>` stays as it is
        (SIDES_ALIKE, "<", "<=", 0),
        (ALIKE, "a + b < c or ", "", 0),
        (SIDES, "a + b < c", "a + b <= c", 0),
        (ALIKE, "or b >", "or >", 0),
    ],
)
def test_one_of_several_conditions_that_asked_alike_is_changed_alone(
    before: str, right: str, wrong: str, broken: int
) -> None:
    """Where they asked in different ways before, or one is left out, nothing is broken."""
    assert broken_parallels(before, before.replace(right, wrong)) == broken


def test_all_of_them_are_changed_rather_than_one() -> None:
    """Three symbols cost less than one and the broken row."""
    one, all_of_them = (
        RankedCandidate(Candidate(text, "made"), 0.1)
        for text in (SIDES_ALIKE.replace("<", "<=", 1), SIDES_ALIKE.replace("<", "<="))
    )
    assert rank_candidates([one, all_of_them], SIDES_ALIKE) == [all_of_them, one]


def test_texts_are_not_put_in_an_order_where_they_were_compared_for_being_equal() -> None:
    """Of names nobody knows whether they are numbers."""
    same = "def same(one, other):\n    return sorted(one) == sorted(other) and one == other and one[1:] == other\n"
    assert ordered_values(same, same.replace("sorted(one) ==", "sorted(one) <=")) == 1
    assert ordered_values(same, same.replace("one[1:] ==", "one[1:] <")) == 1
    assert ordered_values(same, same.replace("one == other", "one <= other")) == 0
    assert ordered_values(same, same.replace("==", "!=")) == 0
    assert ordered_values(same, same.replace("return", "return (")) == 0


def test_an_order_turned_into_equality_is_odd_for_amounts() -> None:
    """What is left at 0, and a remainder, is compared so all the time; what was equal before is none."""
    free = "def free(goods, limit):\n    return goods >= limit or goods > 0 or goods % limit < 5 or goods == limit\n"
    assert singled_out_values(free, free.replace(">= limit", "== limit")) == 1
    assert singled_out_values(free, free.replace(">= limit", "!= limit")) == 1
    assert singled_out_values(free, free.replace("> 0", "== 0")) == 0
    assert singled_out_values(free, free.replace("< 5", "== 5")) == 0
    assert singled_out_values(free, free.replace("goods >= limit or ", "")) == 0
    assert singled_out_values(free, free.replace("return", "return (")) == 0


@pytest.mark.parametrize(
    ("line", "count"), [("low = at", 1), ("low = low + at", 0), ("low = 0", 0), ("last = at", 0), ("low += at", 0)]
)
def test_a_loop_that_overwrites_a_parameter_is_noticed(line: str, count: int) -> None:
    """A next value that is made of the one before, or a first one, is none."""
    after = GIVEN.replace("    return", f"        {line}\n    return")
    assert overwritten_parameters(GIVEN, after) == count
    assert ranking_cost(GIVEN, after) >= 4 * count


@pytest.mark.parametrize(
    ("right", "wrong", "broken"),
    [
        ("return 30", "return 30 + month", 1),
        ("return 30", "return 31", 0),
        ("month == 4", "month >= 4", 1),
        ("month == 2", "month in (2,)", 1),
        ("return 28", "return 28 if month else -month", 1),
    ],
)
def test_results_and_the_links_of_a_chain_are_rows_too(right: str, wrong: str, broken: int) -> None:
    """Where all results are constants, one that is worked out is unlike the others."""
    first = "def days(month):\n    if month == 2:\n        return 28\n"
    days = f"{first}    elif month == 4:\n        return 30\n    return 31\n"
    assert broken_parallels(days, days.replace(right, wrong)) == broken


def test_a_condition_that_was_asked_before_is_asked_again() -> None:
    """The second branch is never taken."""
    chain = "def f(n):\n    if n > 9:\n        return 2\n    elif n > 5:\n        return 1\n    return 0\n"
    assert repeated_operands(chain, chain.replace("> 5", "> 9")) == 1


@pytest.mark.parametrize(
    ("before", "after", "odd"),
    [
        ("found = x >= y\n", "found = bool(x) >= y\n", 1),
        ("found = x >= y\n", "found = (not x) >= y\n", 1),
        ("found = x >= y\n", "found = bool(x) == y\n", 0),
        ("seen = set()\nfound = x not in seen\n", "seen = set()\nfound = x != seen\n", 1),
        ("found = x not in seen\n", "found = x != seen\n", 0),
        ("found = x >= y\n", "found = bool(x >= y\n", 0),
    ],
)
def test_truth_has_no_order_and_an_item_is_no_collection(before: str, after: str, odd: int) -> None:
    """Of a name that nothing is known of, it may be a text, which equals its only character."""
    assert ordered_values(before, after) == odd


@pytest.mark.parametrize(
    ("after", "count"),
    [("sum(a) | sum(b)", 1), ("len(a) ^ x", 1), ("flags | x", 0), ("sum(a) + sum(b)", 0), ("(sum(a) |", 0)],
)
def test_amounts_have_no_bits(after: str, count: int) -> None:
    """Unless the given program looks at those."""
    assert bits_of_sums("total = 0\n", f"total = {after}\n") == count
    assert bits_of_sums(f"total = {after}\n", f"total = {after}\n") == 0


@pytest.mark.parametrize(
    ("columns", "count"), [("0 < c < n", 1), ("1 <= c < n", 1), ("0 <= c <= n", 1), ("0 <= c < n", 0), ("c < n", 0)]
)
def test_both_coordinates_are_asked_alike(columns: str, count: int) -> None:
    """A bound that one of them gets is seldom the one that is missing."""
    before = "def f(r, c, m, n):\n    return 0 <= r < m and 0 <= c < n and r != c\n"
    assert broken_parallels(before, before.replace("0 <= c < n", columns)) == count


def test_a_function_that_calls_itself_for_its_last_answer_is_as_before() -> None:
    """Of several constants that are returned, another one that is worked out is odd."""
    before = "def f(t):\n    if not t:\n        return True\n    if t.x:\n        return False\n    return True\n"
    below, other = (before[: -len("True\n")] + text for text in ("f(t.left) and f(t.right)\n", "g(t)\n"))
    assert (broken_parallels(before, below), broken_parallels(before, other)) == (0, 1)


@pytest.mark.parametrize(
    ("after", "odd"),
    [
        ("n = year // 4 - year // 100 + -(-year // 400)\n", 1),
        ("n = -(-year // 4) - -(-year // 100) - -(-year // 400)\n", 0),
        ("n = year // 4 + -(-day // 7)\n", 0),
        ("n = (year - 1) // 4 - (year - 1) // 100\n", 0),
        ("n = year // 4 - (\n", 0),
    ],
)
def test_one_value_is_not_rounded_both_ways(after: str, odd: int) -> None:
    """Of different values each may be rounded as it needs."""
    assert uneven_roundings("n = year // 4 - year // 100 + year // 400\n", after) == odd


@pytest.mark.parametrize(
    ("given", "made", "odd"),
    [
        ("now - since < span", "now + since < span", 1),
        ("self.clock() - since < span", "self.clock() + since < span", 1),
        ("now - since < span", "now - since <= span", 0),
        ("price - since < span", "price + since < span", 0),
        ("since < span", "now + since < span", 0),
        ("now - since < span", "now + since < (", 0),
    ],
)
def test_two_points_in_time_are_not_added_up(given: str, made: str, odd: int) -> None:
    """What was no difference may be a span, which is added to one."""
    assert added_times(f"x = {given}\n", f"x = {made}\n") == odd


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        ("a == b", "a is b", 1),
        ("a != b", "a is not b", 1),
        ("a == None", "a is None", 0),
        ("type(a) == int", "type(a) is int", 0),
        ("a is b", "a is b", 0),
        ("a == b", "a is c", 0),
    ],
)
def test_equal_values_need_not_be_one_object(before: str, after: str, count: int) -> None:
    """But for those of which there is one each, and classes."""
    program = "def f(a, b, c):\n    return {}\n"
    assert identities_for_equality(program.format(before), program.format(after)) == count
    assert identities_for_equality("def f(:", program.format(after)) == 0
