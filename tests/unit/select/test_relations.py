"""Which relations between inputs and answers are noticed, and what does it cost to break one?"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.select.behaviour import rank_behaviours
from regreen.select.inputs.further_inputs import MadeInput
from regreen.select.inputs.scenarios import Scenario
from regreen.select.rank import RankedCandidate
from regreen.select.relations import NO_RELATIONS, read_relations
from regreen.types import Answers, Candidate


def asked(call: str, expected: str | None = None, *, is_edge: bool = False) -> MadeInput:
    """A call as a question; with an answer, that of a check."""
    return MadeInput(Scenario((), ast.parse(call, mode="eval").body, expected), is_edge)


SORTING = [asked("f([5, 4])"), asked("f([9, 8, 7])"), asked("f([])", is_edge=True), asked("f([3, 1, 2])", "[1, 2, 3]")]


@pytest.mark.parametrize(
    ("answers", "is_kept"),
    [
        (("[4, 5]", "[7, 8, 9]", "[]", "[1, 2, 3]"), True),
        (("[4, 5]", "raises IndexError", "None", "[1, 2, 3]"), True),  # other costs are for these
        (("[5, 4]", "[7, 8, 9]", "[]", "[1, 2, 3]"), False),  # not in order
        (("[4, 5]", "[7, 8]", "[]", "[1, 2, 3]"), False),  # an item is lost
        (("[4, 5]", "[7, 8, 9]", "[0]", "[1, 2, 3]"), True),  # the empty list may not be meant
        ((), True),  # it ended the process
    ],
)
def test_what_holds_of_the_checks_examples_is_asked_of_the_answers(answers: Answers, is_kept: bool) -> None:
    """An example of three items that were put in order tells that they are kept, and that they are in order."""
    assert (read_relations(SORTING, ("[5, 4]", "[7]", "None", "[1]")).cost(answers) == 0) is is_kept


@pytest.mark.parametrize(
    ("expected", "answer", "is_kept"),
    [
        ("0", "False", False),
        ("1", "True", False),
        ("True", "1", False),
        ("0", "0", True),
        ("False", "False", True),
        ("2", "2.0", True),  # a fraction has a cost of its own
        ("0", "raises ValueError", True),
        ("[0]", "[False]", True),
        ("'no'", "False", True),
    ],
)
def test_a_truth_value_is_no_number_where_a_check_says_which(expected: str, answer: str, is_kept: bool) -> None:
    """They are equal, so the check passes; nobody writes the one for the other."""
    relations = read_relations([asked("f(7)"), asked("f(8)", expected)], ("3", expected))
    assert (relations.cost(("True", answer)) == 0) is is_kept


@pytest.mark.parametrize(
    "examples",
    [
        [asked("f([2, 1])", "[1, 2]")],  # by chance
        [asked("f([1, 2, 3])", "[1, 2, 3]")],  # nothing was put in order
        [asked("f([3, 1, 2])", "[1, 2]"), asked("f([3, 1, 2, 0])", "[0, 1, 2, 3]")],  # not always
        [asked("f([3, 1, 2])", "raises Exception")],
        [asked("f([3, 1, 2], key=g)", "[1, 2, 3]")],  # of another kind of call
        [asked("f('cab')", "'abc'")],
        [asked("f([3, 'a', 2])", "[4, 5, 6]")],
        [],
    ],
)
def test_examples_that_tell_nothing_ask_nothing(examples: Sequence[MadeInput]) -> None:
    """Few items, other calls and other values are no relation."""
    made = [asked("f([5, 4, 6])"), *examples]
    answers = ("[0]", *(example.scenario.expected or "" for example in examples))
    assert read_relations(made, ("1",) * len(made)).cost(answers) == 0


ORDERLESS = [asked("f([1, 2], 0)"), asked("f([2, 1], 0)"), asked("f([3, 4], 1)"), asked("f([4, 3], 1)")]


@pytest.mark.parametrize(
    ("before", "after", "is_kept"),
    [
        (("1", "1", "2", "2"), ("3", "3", "4", "4"), True),
        (("1", "1", "2", "2"), ("3", "4", "4", "4"), False),
        (("1", "2", "2", "2"), ("3", "4", "4", "4"), True),  # it made a difference before
        (("1", "1", "1", "1"), ("3", "4", "4", "4"), True),  # nothing made one
    ],
)
def test_where_the_order_made_no_difference_it_makes_none(before: Answers, after: Answers, is_kept: bool) -> None:
    """The program as it is asks all items alike, for all its faults."""
    assert (read_relations(ORDERLESS, before).cost(after) == 0) is is_kept


def test_rows_have_their_places() -> None:
    """The rows of a grid in another order are another grid."""
    made = [asked(f"f([[{a}], [{b}]])") for a, b in ("12", "21", "34", "43")]
    assert read_relations(made, ("1", "1", "2", "2")).cost(("3", "4", "5", "6")) == 0


@pytest.mark.parametrize(
    ("before", "after", "is_kept"),
    [("[]", "['']", False), ("[]", "()", True), ("[]", "raises ValueError", True), ("['']", "['', '']", True)],
)
def test_nothing_comes_of_nothing_where_nothing_did(before: str, after: str, is_kept: bool) -> None:
    """An empty text has no words, and not one that is empty."""
    relations = read_relations([asked("f('', 3)", is_edge=True), asked("f('a', 3)")], (before, "['a']"))
    assert (relations.cost((after, "['a']")) == 0) is is_kept


@pytest.mark.parametrize(
    ("question", "is_kept"), [("f('ab', {})", True), ("f('', {'a': 1})", False), ("f(3, [])", False)]
)
def test_an_empty_table_beside_a_text_says_little(question: str, is_kept: bool) -> None:
    """What comes first is what a function is asked about."""
    relations = read_relations([asked(question, is_edge=True), asked("f('a', {'a': 2})")], ("''", "'b'"))
    assert (relations.cost(("'x'", "'b'")) == 0) is is_kept


def test_an_object_may_remember_more_than_nothing() -> None:
    """What was handed to it before the empty text."""
    setup = ast.parse("s = f('')\ns.add('b')").body
    made = MadeInput(Scenario(tuple(setup), ast.parse("s.last()", mode="eval").body))
    assert read_relations([made], ("''",)).cost(("'b'",)) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [("[3, 1]", "[1, 3]"), ("[('a', 1), ('b', 1)]", "[('b', 1), ('a', 1)]"), ("{3: 1, 1: 1}", "{1: 1, 3: 1}")],
)
def test_where_prose_says_which_of_equal_ones_counts_the_order_makes_no_difference(one: str, other: str) -> None:
    """Even if it makes one to the program as it is; and only where prose says so."""
    made, given = [asked(f"f({one})"), asked(f"f({other})")], ("3", "1")
    stated = read_relations(made, given, ties_by_value=True)
    assert stated.cost(given) > 0 == stated.cost(("1", "1"))
    assert read_relations(made, given).cost(given) == 0


def test_rows_of_a_grid_keep_their_places_whatever_prose_says() -> None:
    """What stands in a grid is no list of equal ones."""
    made = [asked("f([[1, 2], [3, 4]])"), asked("f([[3, 4], [1, 2]])")]
    assert read_relations(made, ("3", "1"), ties_by_value=True).cost(("3", "1")) == 0


def test_a_behaviour_that_breaks_a_relation_costs_more() -> None:
    """Though its best candidate costs less."""
    cheap, dear = (RankedCandidate(Candidate(text, "test")) for text in ("x = 1", "x = 2"))
    answers = [("[4, 5]", "[7]", "[]", "[1, 2, 3]"), ("[4, 5]", "[7, 8, 9]", "[]", "[1, 2, 3]")]
    relations = read_relations(SORTING, ("[]",) * 4)
    for known, first in ((NO_RELATIONS, cheap), (relations, dear)):
        found = rank_behaviours([(cheap, 1.0), (dear, 3.0)], answers, ("[]",) * 3, (), (), relations=known)
        assert found[0].best == first


@given(st.lists(st.lists(st.integers(-9, 9), max_size=5), max_size=6))
def test_a_program_that_sorts_breaks_nothing(lists: list[list[int]]) -> None:
    """Whatever it is asked, and whatever the program did before."""
    made = [asked(f"f({items})") for items in lists] + SORTING[3:]
    answers = (*(repr(sorted(items)) for items in lists), "[1, 2, 3]")
    for before in (answers, ("[]",) * len(made), ("1",) * len(made)):
        assert read_relations(made, before).cost(answers) == 0
