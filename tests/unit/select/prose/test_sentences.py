"""Which sentences does a program say, and of what?"""

from __future__ import annotations

from regreen.select.prose.sentences import sentences_of
from regreen.select.prose.stated_boundaries import stated_boundaries

PROGRAM = '''"""Shipping. Free from 5000 cents on."""

LIMIT = 20  # kilograms, no more than a person lifts


class Parcel:
    """One parcel."""

    def cost(self):
        """At least 490 cents.

        Never more than 2000:
        - at most 3 steps
        >>> cost()
        """
        # Heavy ones
        # cost more than light ones.
        return 490
'''


def test_each_sentence_belongs_to_the_definition_that_it_stands_in() -> None:
    """The statement, docstrings and comments; lines of a list are sentences of their own, prompts are none."""
    found = [(sentence.text, sentence.scope) for sentence in sentences_of(PROGRAM, "Costs of parcels.")]
    assert found == [
        ("Costs of parcels.", ""),
        ("Shipping.", ""),
        ("Free from 5000 cents on.", ""),
        ("One parcel.", "Parcel"),
        ("At least 490 cents.", "Parcel.cost"),
        ("Never more than 2000:", "Parcel.cost"),
        ("- at most 3 steps", "Parcel.cost"),
        ("kilograms, no more than a person lifts", ""),
        ("Heavy ones cost more than light ones.", "Parcel.cost"),
    ]


def test_a_program_that_does_not_parse_leaves_the_statement() -> None:
    """Its own prose cannot be told from its text."""
    assert [sentence.text for sentence in sentences_of("def f(:\n    # no\n", "Adds two.")] == ["Adds two."]


def test_worked_examples_are_no_sentences() -> None:
    """They end with their line, whatever is said next; an arrow is no bound."""
    program = '''def f(xs):
    """The largest gap, at most 9.

    f([3, 8, 2]) => 5
    f([7]) => 0
    Of one number it is 0.
    """
    return 0
'''
    assert [sentence.text for sentence in sentences_of(program)] == [
        "The largest gap, at most 9.",
        "Of one number it is 0.",
    ]
    assert [bound.cut for bound in stated_boundaries(program)] == [9.5]


def test_constraints_say_nothing_of_what_is_to_be_done() -> None:
    """Up to the next heading."""
    statement = (
        "Return the longest run.\n\nExample 1: xs = [1]\n\n**Constraints:**\n\n1 <= xs.length <= 100\n"
        "- at most 9 letters\n\nFollow up: Use constant space."
    )
    said = [sentence.text for sentence in sentences_of("", statement)]
    assert said[0] == "Return the longest run."
    assert said[-1] == "Follow up: Use constant space."
    assert not any("100" in text or "letters" in text for text in said)
