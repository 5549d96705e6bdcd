"""What the user answers to a question, also where it is none of the answers shown."""

from __future__ import annotations

import pytest

from regreen.select.behaviour import Behaviour
from regreen.select.inputs.further_inputs import MadeInput
from regreen.select.inputs.scenarios import read_scenarios
from regreen.select.questions import best_questions, keep_agreeing, said_value, with_answer
from regreen.types import Check, PossibleAnswer, Question, Step, Suite, SuiteKind

CODE = "assert f([1]) == 1"
SUITE = Suite(SuiteKind.SCRIPT, CODE, (Check("1", CODE),), (Step(CODE, "1"),))
(SCENARIO,) = read_scenarios(SUITE, {"f"})
INPUTS = [MadeInput(SCENARIO)]
QUESTION = Question(SCENARIO.words, (PossibleAnswer("1", CODE, 0.6), PossibleAnswer("True", CODE, 0.4)))


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("0", "0"),
        ("[ 1,2 ]", "[1, 2]"),
        ("None", "None"),
        ("ValueError", "raises ValueError"),
        ("f(3)", None),
        ("", None),
        ("print", None),
        ("KeyboardInterrupt", None),
    ],
)
def test_a_typed_answer_is_a_literal_or_an_exception(typed: str, value: str | None) -> None:
    """Everything else is nothing that a check could claim."""
    assert said_value(typed) == value


@pytest.mark.parametrize(("value", "place"), [("1", 0), ("True", 1), ("1.0", 0)])
def test_an_answer_that_was_shown_is_found_again(value: str, place: int) -> None:
    """As it is written, else by its value."""
    told = with_answer(QUESTION, INPUTS, value)
    assert (told.answered, told.answers) == (place, QUESTION.answers)


def test_another_answer_comes_with_its_check() -> None:
    """It was nobody's, so it has no likelihood; what no check can claim leaves the question open."""
    told = with_answer(QUESTION, INPUTS, "raises ValueError")
    assert told.answered == 2
    assert told.answers[2].check.startswith("try:\n    f([1])\nexcept ValueError:")
    assert told.answers[2].likelihood == 0
    assert with_answer(QUESTION, INPUTS, "<object>") == QUESTION


def test_behaviours_agree_by_value_where_none_agrees_to_the_letter() -> None:
    """1 is not True where a behaviour says 1, and 1.0 is 1 where none says 1.0."""
    one, true = (Behaviour((), (answer,), 0.0) for answer in ("1", "True"))
    assert keep_agreeing([one, true], INPUTS, QUESTION, "True") == [true]
    assert keep_agreeing([one], INPUTS, QUESTION, "1.0") == [one]
    assert keep_agreeing([one, true], INPUTS, QUESTION, "2") == []


@pytest.mark.parametrize(
    ("values", "checks"),
    [
        (("2", "2.0"), ("repr(f([1])) == '2'", "repr(f([1])) == '2.0'")),
        (("[1, 2]", "[1, 2.0]"), ("repr(f([1])) == '[1, 2]'", "repr(f([1])) == '[1, 2.0]'")),
        (("2", "3.0"), ("f([1]) == 2", "f([1]) == 3.0")),
        (("{1: 2}", "{1: 2.0}"), ("f([1]) == {1: 2}", "f([1]) == {1: 2.0}")),
        (("3", "33.33333333333333"), ("f([1]) == 3", "abs(f([1]) - 33.33333333333333) <= 3e-08")),
    ],
)
def test_a_check_for_one_answer_denies_the_others(values: tuple[str, str], checks: tuple[str, str]) -> None:
    """2.0 equals 2, so that their texts are compared; the text of a dict says nothing."""
    (question,) = best_questions([Behaviour((), (value,), 0.0, 0.5) for value in values], INPUTS)
    assert {answer.check for answer in question.answers} == {f"assert {check}\n" for check in checks}


def test_nobody_is_asked_about_rounding() -> None:
    """Two behaviours that differ by the order of additions alone here may differ truly for another input."""
    found = [Behaviour((), (value,), 0.0, 0.5) for value in ("0.3333333333333333", "0.33333333333333326")]
    assert best_questions(found, INPUTS) == []
