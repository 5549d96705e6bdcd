"""What prose says of ties, and what it decides."""

from __future__ import annotations

import ast

import pytest

from regreen.select.inputs.further_inputs import MadeInput
from regreen.select.inputs.scenarios import Scenario
from regreen.select.prose.stated_ties import tie_rule, tied_outcomes


@pytest.mark.parametrize(
    ("sentence", "place"),
    [
        ("If both are of the same length, return the first list.", 0),
        ("In case of a tie it returns the second.", 1),
        ("Where they are equal, keeps the former one.", 0),
        ("Returns the first one that is the same.", None),
        ("If equal, the sum is returned. Return the first.", None),
        ("If several words are equally long, return the last of them.", 1),
        ("Return the earliest one in case of several of the same length.", 0),
    ],
)
def test_the_rule_of_a_sentence(sentence: str, place: int | None) -> None:
    """It names the tie, and then which one is given back."""
    rule = tie_rule(["Two texts are compared.", sentence])
    assert (rule.place if rule else None) == place


def made(*calls: str) -> list[MadeInput]:
    """Inputs of these calls."""
    return [MadeInput(Scenario((), ast.parse(call, mode="eval").body)) for call in calls]


RULE = tie_rule(["If they are equally long, return the first."])
INPUTS = made("f('ab', 'c')", "f('ab', 'cd')", "f('x', 'y')")


@pytest.mark.parametrize(
    ("answers", "others", "places"),
    [
        (("'ab'", "'cd'", "'y'"), ("'ab'", "'ab'", "'x'"), {1: "'ab'", 2: "'x'"}),
        (("'ab'", "'cd'", "'x'"), ("'ab'", "'ab'", "'y'"), {}),
        (("'ab'", "'cd'", "'y'"), ("'ab'", "''", "'x'"), {}),
        (("'ab'",), ("'ab'",), {}),
    ],
)
def test_two_that_differ_in_ties_alone_are_told_apart(
    answers: tuple[str, ...], others: tuple[str, ...], places: dict[int, str]
) -> None:
    """One always gives the first of the two, the other one the second."""
    assert RULE is not None
    found = tied_outcomes(RULE, answers, others, INPUTS)
    assert {place: said.answer for place, said in found.items()} == places


@pytest.mark.parametrize(
    ("rule", "given"),
    [("If they are equally long, return the first.", "ab"), ("If equally long, return the last.", "cd")],
)
def test_items_of_the_only_argument_tie(rule: str, given: str) -> None:
    """Of a list, or of the words of a text, the earlier or the later one is meant."""
    read = tie_rule([rule])
    assert read is not None
    inputs = made("f(['x', 'ab', 'cd'])", "f('x ab, cd')", "f({'ab': 1, 'cd': 2})")
    found = tied_outcomes(read, ("'ab'",) * 3, ("'cd'",) * 3, inputs)
    assert [said.answer for said in found.values()] == [repr(given)] * 3
    assert tied_outcomes(read, ("'ab'", "'cd'"), ("'cd'", "'ab'"), inputs) == {}
    assert tied_outcomes(read, ("'ab'",), ("'abx'",), inputs) == {}
