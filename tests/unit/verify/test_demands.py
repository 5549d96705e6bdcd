"""Which demands leave no value for both: what is said has to be sure, and silence never is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.verify.demands import Demand, excludes, near


def demand(relation: str, operand: Any = None) -> Demand:
    return Demand(relation, operand, "")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (demand("==", 4), demand("==", 5)),
        (demand("==", []), demand("is", None)),
        (demand("is", True), demand("is", False)),
        (demand("is", None), demand("is not", None)),
        (demand("==", 3), demand("!=", 3)),
        (demand("==", 3), demand("in", (1, 2))),
        (demand("==", 3), demand("not in", [3])),
        (demand("==", ""), demand("true")),
        (demand("is", True), demand("false")),
        (demand("true"), demand("false")),
        (demand("<", 3), demand(">", 3)),
        (demand("<=", 3), demand(">", 3)),
        (demand("==", 3), demand("<", 3)),
        (demand("==", 1.6), near(1.5)),
        (near(1.6), near(1.5)),
        (demand("raises"), demand("==", 3)),
    ],
)
def test_demands_that_exclude_each_other(one: Demand, other: Demand) -> None:
    """In either order."""
    assert excludes(one, other)
    assert excludes(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (demand("==", 1), demand("is", True)),
        (demand("==", 1), demand("==", 1.0)),
        (demand("<=", 3), demand(">=", 3)),
        (demand("<", 3), demand("<", 2)),
        (demand("!=", 3), demand("!=", 4)),
        (demand("in", (1, 2)), demand("not in", (1,))),
        (demand("is not", None), demand("false")),
        (demand("==", "a"), demand("<", 3)),
        (demand("==", 3), demand("in", "abc")),
        (demand("raises"), demand("raises")),
        (near(1.0), demand("==", 1.0000001)),
        (near(0.3333333), near(1 / 3)),
    ],
)
def test_demands_that_one_value_may_meet(one: Demand, other: Demand) -> None:
    """Or of which nobody can tell."""
    assert not excludes(one, other)
    assert not excludes(other, one)


VALUES = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["", "a", (), (1,), 0.5]))


@given(
    VALUES,
    VALUES,
    st.sampled_from(["==", "!=", "true", "false", "<", ">="]),
    VALUES,
    st.sampled_from(["==", "is", "<="]),
)
def test_what_a_value_meets_excludes_nothing_else_that_it_meets(
    value: Any, first: Any, relation: str, second: Any, other: str
) -> None:
    """A value that meets both is the proof that they go together."""
    one, two = demand(relation, first), demand(other, second)
    if meets(value, one) and meets(value, two):
        assert not excludes(one, two)


def meets(value: Any, wanted: Demand) -> bool:
    """As Python has it."""
    tests = {
        "==": lambda: value == wanted.operand,
        "is": lambda: value is wanted.operand,
        "!=": lambda: value != wanted.operand,
        "<": lambda: value < wanted.operand,
        "<=": lambda: value <= wanted.operand,
        ">=": lambda: value >= wanted.operand,
        "true": lambda: bool(value),
        "false": lambda: not value,
    }
    try:
        return bool(tests[wanted.relation]())
    except TypeError:
        return False
