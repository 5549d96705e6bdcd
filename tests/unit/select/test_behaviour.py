"""Which behaviour is the best, what is asked about it, and how likely is it right?"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from regreen.select import RankedCandidate
from regreen.select.behaviour import Behaviour, rank_behaviours
from regreen.select.inputs.further_inputs import MadeInput
from regreen.select.inputs.scenarios import read_scenarios
from regreen.select.likelihood import RepairEvidence, likelihood_of
from regreen.select.prose.stated_examples import DocumentedExample
from regreen.select.questions import best_questions, keep_agreeing, next_question
from regreen.types import Candidate, Check, Step, Suite, SuiteKind

ASSERTS = [f"assert f({n}) == 0" for n in range(4)]
INPUTS = [
    MadeInput(scenario)
    for scenario in read_scenarios(
        Suite(SuiteKind.SCRIPT, "", tuple(Check(a, a) for a in ASSERTS), tuple(Step(a, a) for a in ASSERTS)), {"f"}
    )
]
"""f(0) to f(3)."""


def candidate(name: str) -> RankedCandidate:
    """A candidate that is told from others by its text."""
    return RankedCandidate(Candidate(name, "search:test"))


def ranked(
    *programs: tuple[str, float, tuple[str, ...]],
    given: tuple[str, ...] = ("1",) * 4,
    expected: Sequence[str] = ("0",),
    edges: Sequence[int] = (),
    failed_with: Sequence[str] = (),
    excused: Sequence[frozenset[str]] = (),
) -> list[Behaviour]:
    """The behaviours of programs with these names, costs and answers."""
    priced = [(candidate(name), cost) for name, cost, _ in programs]
    answers = [answers for *_, answers in programs]
    return rank_behaviours(priced, answers, given, edges, expected, failed_with=failed_with, excused=excused)


def names(behaviours: Sequence[Behaviour]) -> list[list[str]]:
    """The candidates of each behaviour, in order."""
    return [[member.candidate.source for member in behaviour.members] for behaviour in behaviours]


def test_candidates_that_answer_alike_are_one_behaviour() -> None:
    """The cheapest of them stands for it, and the shares of all add up."""
    found = ranked(("a", 1, ("1", "1")), ("b", 2, ("2", "2")), ("c", 3, ("1", "1")))
    assert names(found) == [["a", "c"], ["b"]]
    assert found[0].best == candidate("a")
    assert found[0].share > found[1].share
    assert sum(behaviour.share for behaviour in found) == pytest.approx(1)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("0.30000000000000004", "0.3", True),
        ("[1, 41.66458335648159]", "[1, 41.6645833564816]", True),
        ("1.2345678901234567e+20", "1.2345678901234566e+20", True),
        ("0.30000001", "0.3", False),
        ("12345678901234567", "12345678901234568", False),
        ("'v1.12345678901234567'", "'v1.12345678901234568'", False),
    ],
)
def test_rounding_makes_no_behaviour(one: str, other: str, alike: bool) -> None:
    """Twelve digits of a fraction count, and all of a whole number and of a text."""
    assert len(ranked(("a", 1, (one,)), ("b", 1, (other,)))) == (1 if alike else 2)


@pytest.mark.parametrize("strange", ["None", "raises KeyError", "['x']", "hangs", "True"])
def test_what_neither_checks_nor_program_suggest_comes_later(strange: str) -> None:
    """A new exception, or a kind of value that nobody has asked for, costs more than a few tokens."""
    assert names(ranked(("a", 1, ("1", strange)), ("b", 5, ("1", "7")))) == [["b"], ["a"]]


@pytest.mark.parametrize(
    ("answer", "given", "expected", "edges"),
    [
        ("None", "None", ("0",), ()),
        ("raises KeyError", "raises IndexError", ("0",), ()),
        ("raises KeyError", "1", ("0", "raises Exception"), ()),
        ("raises KeyError", "1", ("0",), (1,)),
        ("None", "1", ("0", "None"), ()),
        ("None", "1", (), ()),
        ("<Stack>", "1", ("0",), ()),
    ],
)
def test_what_they_suggest_is_not_strange(
    answer: str, given: str, expected: Sequence[str], edges: Sequence[int]
) -> None:
    """Not where the program gives it already, a check expects it, the input may not be meant, or nobody can tell."""
    programs = ("a", 1.0, ("1", answer)), ("b", 5.0, ("1", "7"))
    assert names(ranked(*programs, given=("1", given), expected=expected, edges=edges)) == [["a"], ["b"]]


def test_a_fraction_among_whole_numbers_is_hardly_strange() -> None:
    """5.0 is what a division gives for 5; a text costs more."""
    found = ranked(("whole", 4, ("2",)), ("half", 0, ("2.5",)), ("text", 0, ("'2'",)), given=("1",), expected=("0",))
    assert names(found) == [["half"], ["whole"], ["text"]]


def test_a_kind_that_the_program_gives_for_another_question_is_not_strange() -> None:
    """`box.put(1)` gives None where `box.count` gives a number, and a check may ask of one of them alone."""
    programs = ("a", 1.0, ("3", "None")), ("b", 5.0, ("3", "7"))
    assert names(ranked(*programs, given=("None", "raises KeyError"))) == [["a"], ["b"]]
    assert names(ranked(*programs, given=("3", "raises KeyError"))) == [["b"], ["a"]]


@pytest.mark.parametrize(("said", "first"), [("1", "a"), ("7", "b"), ("7.0", "b"), ("raises KeyError", "a")])
def test_an_example_in_the_prose_outweighs_what_a_change_costs(said: str, first: str) -> None:
    """Unless all that passes contradicts it."""
    priced = [(candidate("a"), 1.0), (candidate("b"), 9.0)]
    found = rank_behaviours(
        priced, [("1",), ("7",)], ("3",), (), ("0",), {0: DocumentedExample(INPUTS[0].scenario, said, said)}
    )
    assert found[0].best == candidate(first)


def test_an_exception_of_a_kind_that_the_program_raises_elsewhere_is_not_strange() -> None:
    """Some inputs are beyond what it is for; another kind is still news."""
    given = ("1", "raises IndexError", "1", "1")
    usual = ("right", 2, ("0", "raises IndexError", "raises IndexError", "2"))
    plain = ("plain", 3, ("0", "raises IndexError", "3", "2"))
    assert names(ranked(usual, plain, given=given)) == [["right"], ["plain"]]
    new = ("right", 2, ("0", "raises IndexError", "raises KeyError", "2"))
    assert names(ranked(new, plain, given=given)) == [["plain"], ["right"]]


@pytest.mark.parametrize("answer", ["hangs", "raises ZeroDivisionError"])
def test_what_is_excused_says_nothing_against_who_gives_it(answer: str) -> None:
    """Where it is, and nothing else there; elsewhere, what does not end is as bad as an exception."""
    right, other = ("right", 2, ("1", "1", "1", answer)), ("other", 4, ("1", "1", "1", "1"))
    nothing: frozenset[str] = frozenset()
    assert names(ranked(right, other, excused=[nothing, nothing, nothing, frozenset({answer})])) == [
        ["right"],
        ["other"],
    ]
    assert names(ranked(right, other, excused=[frozenset({answer}), nothing])) == [["other"], ["right"]]
    crashed = ("crashed", 2, ("1", "1", "1", "raises KeyError"))
    assert names(ranked(crashed, other, excused=[frozenset({answer})] * 4)) == [["other"], ["crashed"]]


def test_an_exception_for_an_input_that_may_not_be_meant_costs_less() -> None:
    """An empty list may not be meant; what was answered before, and no more, is the worse all the same."""
    given = ("0", "1", "2")
    raising, plain = ("raising", 2, ("raises IndexError", "3", "4")), ("plain", 3, ("0", "3", "5"))
    assert names(ranked(raising, plain, given=given, edges=(0,))) == [["plain"], ["raising"]]
    far = ("plain", 6, ("0", "3", "5"))
    assert names(ranked(raising, far, given=given, edges=(0,))) == [["raising"], ["plain"]]
    assert names(ranked(raising, far, given=given)) == [["plain"], ["raising"]]


@pytest.mark.parametrize("fault", ["hangs", "raises IndexError"])
def test_what_is_wrong_with_the_program_excuses_no_candidate(fault: str) -> None:
    """That it hangs, or ends with what its checks fail with."""
    given = ("1", fault, "1", "1")
    spread = ("spread", 2, ("0", "4", fault, "2"))
    plain = ("plain", 3, ("0", "4", "3", "2"))
    assert names(ranked(spread, plain, given=given, failed_with=["raises IndexError"])) == [["plain"], ["spread"]]


def test_an_exception_that_checks_fail_with_is_not_left_in_other_cases() -> None:
    """Unless it is for a question that may not be meant; another exception is none of them."""
    priced = [(candidate("half"), 1.0), (candidate("whole"), 3.0)]
    answers = [("0", "raises IndexError"), ("0", "1")]
    given = ("raises IndexError",) * 2

    def first(edges: tuple[int, ...], failed: str) -> str:
        found = rank_behaviours(priced, answers, given, edges, ("0",), failed_with={f"raises {failed}"})
        return found[0].best.candidate.source

    assert first((), "IndexError") == "whole"
    assert first((1,), "IndexError") == "half"
    assert first((), "KeyError") == "half"


def test_a_sentence_outweighs_less_than_an_example() -> None:
    """It may have been misread: enough against it, and what contradicts it comes first all the same."""
    for far, is_certain, first in ((3.0, False, "b"), (9.0, False, "a"), (9.0, True, "b")):
        said = DocumentedExample(INPUTS[0].scenario, "7", "words", is_certain=is_certain)
        priced = [(candidate("a"), 0.0), (candidate("b"), far)]
        found = rank_behaviours(priced, [("1",), ("7",)], ("3",), (), ("0",), {0: said})
        assert found[0].best == candidate(first)


def test_the_input_that_divides_the_likely_is_asked_about() -> None:
    """With a check for each answer; one that tells nothing, or whose answer nobody can write down, is not asked."""
    found = ranked(("a", 1, ("1", "<A>", "2", "5")), ("b", 1, ("1", "<B>", "3", "5")))
    question = next_question(found, INPUTS)
    assert question is not None
    assert question.input == "f(2)"
    assert [(answer.value, answer.check) for answer in question.answers] == [
        ("2", "assert f(2) == 2\n"),
        ("3", "assert f(2) == 3\n"),
    ]
    assert names(keep_agreeing(found, INPUTS, question, "3")) == [["b"]]


def test_what_is_unlikely_is_not_asked_about() -> None:
    """A reader's time is dear."""
    assert best_questions(ranked(("a", 1, ("1",)), ("b", 30, ("2",))), INPUTS) == []
    assert best_questions(ranked(("a", 1, ("1",))), INPUTS) == []


def test_at_most_three_questions_are_asked() -> None:
    """Each about behaviours that the answers before it leave."""
    answers = [("1", "1", "1", "1"), ("2", "1", "1", "1"), ("1", "2", "1", "1"), ("1", "1", "2", "1")]
    found = best_questions(ranked(*((str(n), 1.0, answer) for n, answer in enumerate(answers))), INPUTS)
    assert len(found) == 3
    assert len({question.input for question in found}) == 3


def test_evidence_makes_a_repair_likelier() -> None:
    """More checks and a greater lead do; what often passes by chance, or is made of what checks show, takes away."""
    before, small = "def f(x):\n    return x - 1\n", "def f(x):\n    return x + 1\n"
    special = "def f(x):\n    if x == 17:\n        return 99\n    return x - 1\n"

    def likelihood(source: str, share: float, checks: int, origin: str = "search:a", plausible: int = 4) -> float:
        behaviour = Behaviour((RankedCandidate(Candidate(source, origin), 0.05),), (), 0.0, share)
        return likelihood_of(behaviour, RepairEvidence(before, "assert f(17) == 99", checks, plausible))

    usual = likelihood(small, 0.8, 3)
    assert 0 < usual < 1
    assert likelihood(small, 0.8, 12) > usual > likelihood(small, 0.8, 1)
    assert likelihood(small, 0.99, 3) > usual > likelihood(small, 0.3, 3)
    assert usual >= likelihood(small, 0.8, 3, "search:a+b")
    assert usual >= likelihood(special, 0.8, 3)
    assert likelihood(small, 0.8, 3, plausible=1) >= usual >= likelihood(small, 0.8, 3, plausible=40)
    assert likelihood(small, 0.8, 3, "search:take_off") > usual > likelihood(small, 0.8, 3, "search:insert_update")
    assert usual > likelihood(small, 0.8, 3, "search:synthesised")
    assert likelihood(small, 0.8, 3, "search:syntax+a") > usual == likelihood(small, 0.8, 3, "search:plain_slips")


def test_a_kind_of_answer_that_prose_shows_is_nothing_new() -> None:
    """An example of it is as good as a check."""
    priced = [(candidate("numbers"), 2.0), (candidate("texts"), 1.0)]
    answers = [("(1, 10)",), ("('1', '10')",)]
    shown = DocumentedExample(INPUTS[0].scenario, "(1, 10)", "(1, 10) for 0", is_certain=False)
    for documented, first in (({}, "texts"), ({0: shown}, "numbers")):
        found = rank_behaviours(priced, answers, ("('1', '10')",), (), ("True",), documented)
        assert found[0].best.candidate.source == first


def test_programs_that_were_asked_nothing_are_not_taken_for_one() -> None:
    """Where no question can be made of the checks, as of tests with fixtures, the cheapest has no share for all."""
    priced = [(candidate("a"), 2.0), (candidate("b"), 2.0), (candidate("c"), 3.0)]
    found = rank_behaviours(priced, [(), (), ()], (), (), ())
    assert [behaviour.best.candidate.source for behaviour in found] == ["a", "b", "c"]
    assert found[0].share == found[1].share > found[2].share
    assert all(behaviour.answers == () for behaviour in found)


def test_programs_of_which_no_question_shows_that_they_changed_are_not_taken_for_one() -> None:
    """Red checks say that each of them does something else than before; whether the same, nobody has seen."""
    same = ("1", "1")
    priced = [(candidate(name), cost) for name, cost in (("a", 1.0), ("b", 2.0), ("c", 3.0), ("d", 4.0))]
    found = rank_behaviours(priced, [same, same, ("2", "1"), ("2", "1")], same, (), ("0",), unmoved=same)
    assert names(found) == [["a"], ["b"], ["c", "d"]]
    assert found[0].answers == same
