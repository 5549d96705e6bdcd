"""Names that say what their variables hold."""

from __future__ import annotations

import pytest

from regreen.select.signs.denied_names import denied_names


def program(name: str, value: str) -> str:
    """A function that works out one value under a name."""
    return f"def f(xs, n):\n    {name} = {value}\n    return {name}\n"


@pytest.mark.parametrize(
    ("name", "before", "after", "count"),
    [
        ("mean", "sum(xs) / n", "len(xs) / n", 1),
        ("mean", "sum(xs) / n", "sum(xs) / (n - 1)", 0),
        ("largest_of_all", "max(xs)", "min(xs)", 1),
        ("lowestPrice", "min(xs)", "sorted(xs)[0]", 1),
        ("second", "xs[1]", "xs[-1]", 1),
        ("second", "xs[1]", "sorted(set(xs))[1]", 0),
        ("last", "xs[0]", "xs[n]", 0),
        ("mid", "n // 2", "n", 1),
        ("ordered", "sorted(xs)", "list(xs)", 1),
        ("value", "max(xs)", "min(xs)", 0),
    ],
)
def test_what_a_name_says_is_still_there(name: str, before: str, after: str, count: int) -> None:
    """Where the given program has it, and no other value is given to the variable."""
    assert denied_names(program(name, before), program(name, after)) == count
    assert denied_names("def f(:", program(name, after)) == denied_names(program(name, before), "def f(:") == 0


def test_a_variable_that_is_given_several_values_says_nothing() -> None:
    """It is the best so far, or begins with another value."""
    twice = "def f(xs):\n    largest = {}\n    for x in xs:\n        largest = x\n    return largest\n"
    assert denied_names(twice.format("max(xs)"), twice.format("min(xs)")) == 0
