"""What prose writes out, and whether a program still says it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.select.prose.prose_agreement import prose_cost, read_prose
from regreen.select.prose.stated_values import (
    departures,
    lost_comparisons,
    stated_comparisons,
    stated_divisors,
    stated_rows,
    undivided,
)


@pytest.mark.parametrize(
    ("line", "lacking"),
    [
        ("return n % 3 == 0", 1),
        ("return n % 3 == 0 and n % 4 == 0", 0),
        ("return n % 3 + sum(range(0, n, 4))", 0),
        ("return xs[::4] + xs[::3]", 0),
        ("return n % size", 0),
        ("return (", 0),
    ],
)
def test_multiples_that_nothing_looks_for(line: str, lacking: int) -> None:
    """A program that divides by no constant may find them in another way."""
    divisors = stated_divisors("Multiples of 3 are left out, if they are divisible by 4.")
    assert divisors == {3, 4}
    assert undivided(divisors, f"def f(n, xs, size):\n    {line}\n") == lacking


@pytest.mark.parametrize(
    ("shown", "far"),
    [
        ("(1, 3, 5, 7)", 0),
        ("[7, 5, 3, 1]", 0),
        ("(1, 2, 3, 5, 7)", 1),
        ("{1, 3, 5}", 1),
        ("(1, 3, 5, 8)", 1),
        ("(1, 3)", 0),
        ("(1, 3, x, 7)", 0),
        ("(2, 4, 6, 8)", 0),
    ],
)
def test_a_collection_is_a_row_of_the_prose_or_another_one(shown: str, far: int) -> None:
    """One value too many, too few or exchanged is a slip."""
    rows = stated_rows("The odd ones (1, 3, 5, 7), not 'a' and 'b'.")
    assert rows == {frozenset({1, 3, 5, 7})}
    assert departures(rows, f"x = 9\nchosen = {shown}\n") == far


def test_what_python_would_not_read_is_read() -> None:
    """Months of two digits, backslashes, and numbers beyond all floats."""
    assert stated_rows("Of 01, 02, 03.") == {frozenset({1, 2, 3})}
    assert stated_rows(r"One of '\x', '\N' or 'a'.") == {frozenset({"\\x", "\\N", "a"})}
    large = f"def f(x):\n    return x > {'9' * 400} or x < -{'9' * 400}\n"
    assert prose_cost(read_prose(large, "At least 5, and > 0."), large, large.replace(">", "<")) >= 0


def test_texts_are_written_out_as_well() -> None:
    """With "or" before the last one."""
    assert stated_rows("It is 'a', 'e' or 'i'.") == {frozenset({"a", "e", "i"})}


@pytest.mark.parametrize(
    ("after", "lost"), [("x > 0", 0), ("x >= 0", 1), ("x <= 0", 1), ("x > 0.0", 0), ("x > y", 1), ("x >", 0)]
)
def test_a_comparison_in_symbols_is_kept(after: str, lost: int) -> None:
    """Turned round it says the opposite."""
    stated = stated_comparisons("How many have a sum > 0, f(2) -> 3.")
    assert stated == {"> 0.0"}
    assert lost_comparisons(stated, "x > 0\n", f"{after}\n") == lost


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Entries that are not 0 are kept.", {"= 0.0"}),
        ("True where it is 7.", {"= 7.0"}),
        ("Is left out if it is equal to 3.5.", {"= 3.5"}),
        ("The price is 20 % more.", set()),
        ("There are 2 or 3 of them.", set()),
    ],
)
def test_what_is_asked_for_being_equal_is_read_in_words(text: str, stated: set[str]) -> None:
    """Amounts with a unit, and choices, are no comparison."""
    assert stated_comparisons(text) == stated


@pytest.mark.parametrize(("after", "lost"), [("x != 1", 1), ("x == 0", 0), ("x != 0 and y", 0), ("x > 0", 1)])
def test_a_number_that_prose_names_is_still_asked_for(after: str, lost: int) -> None:
    """Whichever way round: a sentence that negates may be misread."""
    assert lost_comparisons(stated_comparisons("Kept if it is not 0."), "x != 0\n", f"{after}\n") == lost


def test_each_of_them_counts_in_the_choice() -> None:
    """The program that says what prose writes out costs least."""
    before = "def f(xs):\n    return [x for x in xs if x > 0 and x in (1, 2, 3, 5) and x % 7]\n"
    prose = read_prose(before, "Those that are > 0, of 1, 3, 5, but no multiple of 7.")
    right = before.replace("1, 2, 3", "1, 3")
    wrong = [right.replace("> 0", "< 0"), before, right.replace("x % 7", "x % 6")]
    assert all(prose_cost(prose, before, right) < prose_cost(prose, before, other) for other in wrong)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_read(said: str, program: str) -> None:
    """Whatever people write."""
    assert undivided(stated_divisors(said), program) >= 0
    assert departures(stated_rows(said), program) >= 0
    assert lost_comparisons(stated_comparisons(said), program, program) == 0
