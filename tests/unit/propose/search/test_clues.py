"""Clues: what checks, words and failures tell before the search begins."""

from __future__ import annotations

import pytest

from regreen.propose.search.clues import gather_clues
from regreen.propose.search.symptoms import SYMPTOMS, value_symptoms
from regreen.types import CheckResult, Outcome

SOURCE = (
    'def f(x):\n    """Rounds to `2` places, at least 5 of "ab", strictly ascending, or KeyError."""\n    return x\n'
)


def test_literals_of_the_checks_are_told_apart_by_side() -> None:
    """What goes in is not what is expected to come out."""
    clues = gather_clues(SOURCE, checks_text="assert f(3, 'in') == [-4, 'out']\nself.assertEqual(f(5), 6)\n")
    assert clues.outputs == ("-4", "4", "6") or set(clues.outputs) >= {"-4", "6"}
    assert {"3", "5"} <= set(clues.inputs)
    assert clues.input_strings == ("in",)
    assert clues.output_strings == ("out",)
    assert "f" in clues.keywords


def test_ordinals_are_numbers_of_the_prose() -> None:
    """What only looks like one is not."""
    said = "Every 4th year, but of the 100th only each 400th: 21st, 2nd, 3rd. No x5, 8kg, 5thing or v1.2.3."
    assert gather_clues("", statement=said).numbers == ("4", "100", "400", "21", "2", "3")


def test_the_prose_gives_numbers_strings_exceptions_and_hints() -> None:
    """Docstring and statement are read alike."""
    clues = gather_clues(SOURCE, statement="Returns twice the value, case-insensitive.")
    assert {"2", "5"} <= set(clues.numbers)
    assert "ab" in clues.strings
    assert "KeyError" in clues.exceptions
    assert {"inclusive", "strict", "ascending", "case", "round"} <= clues.hints


def test_failures_give_symptoms_and_lines() -> None:
    """Where a check raised, and how an answer was wrong."""
    failures = [
        CheckResult(Outcome.RAISED, detail="IndexError: list index out of range (line 7)"),
        CheckResult(Outcome.FAILED, expected="3", actual="4"),
        CheckResult(Outcome.TIMED_OUT),
    ]
    clues = gather_clues(SOURCE, failures=failures)
    assert clues.raised_lines == {7}
    assert {"index", "off_by_one", "hang"} <= clues.symptoms


@pytest.mark.parametrize(
    ("detail", "is_text"),
    [
        ("TypeError: unsupported operand type(s) for +: 'int' and 'str' (line 3)", True),
        ("TypeError: can't multiply sequence by non-int of type 'float' (line 3)", True),
        ("TypeError: '<' not supported between instances of 'str' and 'int' (line 3)", True),
        ("TypeError: 'NoneType' object is not iterable (line 3)", False),
        ("ValueError: 'str' is no 'int' (line 3)", False),
    ],
)
def test_a_text_in_the_place_of_a_number_is_to_be_converted(detail: str, *, is_text: bool) -> None:
    """The messages of TypeErrors name the kinds."""
    clues = gather_clues(SOURCE, failures=[CheckResult(Outcome.RAISED, detail=detail)])
    assert ("convert" in clues.symptoms) is is_text


@pytest.mark.parametrize("text", ["", "def (:", "\0", "assert f(", "x = '''"])
def test_nothing_to_read_is_no_error(text: str) -> None:
    """Programs and checks that do not parse still give what can be had."""
    clues = gather_clues(text, checks_text=text, statement=text)
    assert (clues.symptoms, clues.raised_lines) == (frozenset(), frozenset())


def test_a_collection_that_changed_under_a_loop_is_a_symptom() -> None:
    """Of a set, a dictionary or a deque; another RuntimeError is none."""
    details = ("Set changed size", "dictionary keys changed", "deque mutated")
    for detail in details:
        failure = CheckResult(Outcome.RAISED, detail=f"RuntimeError: {detail} during iteration (line 1)")
        assert "changed" in gather_clues("x = 1\n", failures=[failure]).symptoms
    other = CheckResult(Outcome.RAISED, detail="RuntimeError: no running event loop (line 1)")
    assert "changed" not in gather_clues("x = 1\n", failures=[other]).symptoms


@pytest.mark.parametrize(
    ("expected", "actual", "symptom"),
    [
        (3, None, "none"),
        (True, False, "negated"),
        (3, 4, "off_by_one"),
        (3, -3, "sign"),
        (1.5, 1.4, "rounding"),
        ([1], (1,), "kind"),
        ("Ab", "ab", "case"),
        ("a b", "ab", "space"),
        ([1, 2, 3], [3, 2, 1], "reversed"),
        ([1, 2, 3], [2, 1, 3], "order"),
        ([1, 2], [1, 2, 2], "repeats"),
        ([1, 2, 3], [1, 2], "end"),
        ([1, 2, 3], [2, 3], "start"),
        ({1, 2}, {1}, "shorter"),
        (3, "3", "convert"),
        ([{"n": 3}], [{"n": "3"}], "convert"),
        (3, 7, "larger"),
        (3.5, -1, "smaller"),
        ([1, (2, 3)], [1, (2, 5)], "larger"),
        ({"a": 1, "b": 2}, {"a": 1, "b": 0}, "smaller"),
        (100, 95, "close"),
    ],
)
def test_a_wrong_answer_shows_a_symptom(expected: object, actual: object, symptom: str) -> None:
    """How the actual value differs names the families of slips that do that."""
    shown = set(value_symptoms(expected, actual))
    assert symptom in shown
    assert shown - {f"kind:{type(expected).__name__}"} <= SYMPTOMS


@pytest.mark.parametrize(
    ("expected", "actual"), [([1, 2], [2, 1]), (True, False), ([1, "a"], [2, "b"]), ([1], [2, 3]), (3, None), (2, 2)]
)
def test_what_is_no_amount_is_neither_larger_nor_smaller(expected: object, actual: object) -> None:
    """Nor is what differs in both ways."""
    assert not {"larger", "smaller", "close"} & set(value_symptoms(expected, actual))


@pytest.mark.parametrize(
    ("expected", "actual", "symptoms"),
    [
        (10**400, 10**400 + 1, {"larger", "close", "off_by_one"}),
        (10**400, 0.5, {"smaller"}),
        (0.5, 10**400, {"larger"}),
    ],
)
def test_numbers_that_no_float_holds_are_compared(expected: float, actual: float, symptoms: set[str]) -> None:
    """Exactly, and with fractions, too."""
    shown = set(value_symptoms(expected, actual))
    assert shown - {"kind", f"kind:{type(expected).__name__}"} == symptoms


@pytest.mark.parametrize(
    ("detail", "outcome", "symptom"),
    [
        ("Failed: DID NOT RAISE <class 'ValueError'>", Outcome.FAILED, "not_raised"),
        ("AssertionError: ValueError not raised", Outcome.FAILED, "not_raised"),
        ("OSError: no such file", Outcome.RAISED, "raises"),
    ],
)
def test_exceptions_that_come_and_that_do_not_are_symptoms(detail: str, outcome: Outcome, symptom: str) -> None:
    """Whatever kind they are of."""
    shown = gather_clues("x = 1\n", failures=[CheckResult(outcome, detail=detail)]).symptoms
    assert symptom in shown
    assert shown <= SYMPTOMS


def test_numbers_of_prose_are_written_as_python_writes_them() -> None:
    """A number that begins with 0 is no number of Python's."""
    found = gather_clues(
        "def f():\n    return 1\n", statement="Agent 007 is -05 years old, at 0 or 00 and 0.5."
    ).numbers
    assert found == ("7", "-5", "0", "0.5")


@pytest.mark.parametrize(
    ("actual", "objects"),
    [("<program.Student object at 0x...>", ("Student",)), ("<Student object>", ("Student",)), ("'Student object'", ())],
)
def test_objects_that_checks_got_are_known_by_their_class(actual: str, objects: tuple[str, ...]) -> None:
    """As Python writes them where the class has no words of its own."""
    failure = CheckResult(Outcome.FAILED, expected="'bob'", actual=actual)
    assert gather_clues("def f():\n    return 1\n", failures=[failure]).objects == objects
