"""Changes that take a condition away are told, and trusted less."""

from __future__ import annotations

import pytest

from regreen.select.signs.lost_conditions import cautious_likelihood, loses_condition

GUARDED = "def f(a):\n    if a is None and a:\n        raise ValueError\n    return [n for n in a if n]\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    if a is None and a:\n        raise ValueError\n", ""),
        ("a is None and a", "a is None"),
        (" if n]", "]"),
        ("if a is None and a", "if True"),
    ],
)
def test_a_lost_condition_is_seen(old: str, new: str) -> None:
    """A branch, one side of `and`, a filter, and what became a constant."""
    assert loses_condition(GUARDED, GUARDED.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a is None and a", "a is not None and a"),
        ("None and a", "None or a"),
        ("[n for", "a and [n for"),
    ],
)
def test_a_changed_or_added_condition_is_none(old: str, new: str) -> None:
    """It asks as much as before."""
    assert not loses_condition(GUARDED, GUARDED.replace(old, new))


def test_a_program_that_does_not_parse_asks_nothing() -> None:
    """Whatever mends it adds conditions."""
    assert not loses_condition("def f(:", GUARDED)


def test_such_a_change_is_less_likely_right() -> None:
    """What was 77 % likely is a guess; another change keeps its likelihood."""
    assert cautious_likelihood(GUARDED, "def f(a):\n    return a\n", 0.77) == pytest.approx(0.456, abs=0.001)
    assert cautious_likelihood(GUARDED, GUARDED.replace("None", "0"), 0.77) == 0.77
