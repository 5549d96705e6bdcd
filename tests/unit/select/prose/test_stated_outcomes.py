"""Which answers to which calls do sentences give?"""

from __future__ import annotations

import ast

import pytest

from regreen.select.inputs.scenarios import Scenario
from regreen.select.prose.stated_outcomes import documented_outcomes


def said(text: str, call: str = "f([1, 2], 3)", header: str = "items, size=1") -> list[tuple[str, str]]:
    """The calls and answers that a docstring of `f` gives, beside a check with this call."""
    program = f'def f({header}):\n    """{text}"""\n    return None\n'
    scenario = Scenario((), ast.parse(call, mode="eval").body)
    return [(outcome.scenario.words, outcome.answer) for outcome in documented_outcomes(program, "", [scenario])]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Raises ValueError if size is less than 1.", ("f([1, 2], 0)", "raises ValueError")),
        ("Returns None if items is empty.", ("f([], 3)", "None")),
        ("If `items` is empty, returns an empty list.", ("f([], 3)", "[]")),
        ("Gives -1 when size is negative, else the place.", ("f([1, 2], -1)", "-1")),
        ("When size is zero, it raises a `TypeError`.", ("f([1, 2], 0)", "raises TypeError")),
        ("The result is True if size is at least 5.", ("f([1, 2], 5)", "True")),
        ("False for size above 9.", ("f([1, 2], 10)", "False")),
        ("Chunks; 0 if size is None.", ("f([1, 2], None)", "0")),
    ],
)
def test_a_sentence_with_a_condition_becomes_a_question(text: str, outcome: tuple[str, str]) -> None:
    """A call of the checks with the value put in."""
    assert said(text) == [outcome]


@pytest.mark.parametrize(
    ("text", "call", "header", "outcome"),
    [
        ("The mean, or None for an empty list.", "f([1])", "values", ("f([])", "None")),
        ("0 if there are no values.", "f([1])", "values", ("f([])", "0")),
        ("An empty string if the name is empty.", "f('a b')", "text", ("f('')", "''")),
        ("If a is greater than b, return 0.", "f(1, 4)", "a, b", ("f(5, 4)", "0")),
        ("Returns None if `b` < `a`.", "f(3, 4)", "a, b", ("f(3, 2)", "None")),
        ("None if size is zero.", "f(x=2, size=4)", "x, size", ("f(x=2, size=0)", "None")),
    ],
)
def test_the_only_parameter_is_meant_by_any_noun(text: str, call: str, header: str, outcome: tuple[str, str]) -> None:
    """And keywords stay keywords."""
    header = header.replace("text", "name")
    assert said(text.replace("An empty", "an empty"), call, header) == [outcome]


@pytest.mark.parametrize(
    "text",
    [
        "Returns the items if there are any.",
        "None if the world is empty of joy.",
        "Raises ValueError if anything is wrong.",
        "Takes 3 for granted.",
        "Returns True if size is prime.",
        "None for an empty list.",
    ],
)
def test_what_is_not_understood_is_left_out(text: str) -> None:
    """Other conditions, no literal, and more than one parameter that it may speak of."""
    assert said(text) == []


def test_what_a_check_asks_already_is_not_asked_again() -> None:
    """The check is surer than the sentence."""
    assert said("None if the list is empty.", "f([])", "items") == []


def test_what_a_sentence_says_is_not_certain_and_is_quoted() -> None:
    """So that it weighs less than an example, and can be shown."""
    program = "def f(items):\n    return 0\n"
    scenario = Scenario((), ast.parse("f([1])", mode="eval").body)
    outcome, *_ = documented_outcomes(program, "Counts. None if the list is empty.", [scenario])
    assert (outcome.is_certain, outcome.quote) == (False, "None if the list is empty.")
