"""Texts that are made of other texts are found from pairs, and hold no more literals than all pairs share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.propose.search.expressions import Expression
from regreen.propose.search.synthesis.terms import Term
from regreen.propose.search.synthesis.text_terms import text_results

FOUND = {
    "a replaced character": (("a b c", "x y"), ("a-b-c", "x-y"), 't.replace(" ", "-")'),
    "another case, too": (("A b", "C d e"), ("a-b", "c-d-e"), 't.lower().replace(" ", "-")'),
    "a longer replacement": (("a&b", "&&"), ("a&amp;b", "&amp;&amp;"), 't.replace("&", "&amp;")'),
    "a character that goes": (("1-2-3", "4-5"), ("123", "45"), 't.replace("-", "")'),
    "the last piece": (("a.tar.gz", "b.txt"), ("gz", "txt"), 't.split(".")[-1]'),
    "a word": (("Ada King", "Alan M Turing"), ("King", "M"), "t.split()[1]"),
    "a slice from the beginning": (("ab123", "cd45"), ("123", "45"), "t[2:]"),
    "a slice from both ends": (("<ab>", "<c>"), ("ab", "c"), "t[1:-1]"),
    "initials": (("ada king", "alan turing"), ("AK", "AT"), '"".join(word[0] for word in t.split()).upper()'),
    "words backwards": (("a b", "c d e"), ("b a", "e d c"), '" ".join(t.split()[::-1])'),
    "a prefix": (("a", "b"), ("id:a", "id:b"), 'f"id:{t}"'),
    "braces": (("a", "b"), ("{a}", "{b}"), 'f"{{{t}}}"'),
}


@pytest.mark.parametrize("name", FOUND)
def test_a_transformation_is_found_from_two_pairs(name: str) -> None:
    """As the field writes it."""
    given_texts, wanted, code = FOUND[name]
    found = [term.code.text for term in text_results([Term(Expression("t"), given_texts, 1)], wanted)]
    assert code in found


def test_texts_and_numbers_are_put_into_a_frame() -> None:
    """In the order in which they stand there."""
    terms = [Term(Expression("name"), ("ab", "c"), 1), Term(Expression("n"), (3, 14), 1)]
    assert [t.code.text for t in text_results(terms, ("ab (3)", "c (14)"))] == ['f"{name} ({n})"']


def test_what_is_to_come_out_is_no_literal() -> None:
    """One pair, or the same answer each time, tells nothing."""
    term = Term(Expression("t"), ("a", "b"), 1)
    assert text_results([term], ("x", "x")) == []
    assert text_results([term], ("x", 3)) == []
    assert text_results([Term(Expression("t"), ("a",), 1)], ("ab",)) == []


TEXT = st.text("ab -.{}\"'\\\n", max_size=6)


@given(st.lists(st.tuples(TEXT, TEXT), min_size=2, max_size=4))
def test_every_result_gives_the_texts_that_are_asked_for(pairs: list[tuple[str, str]]) -> None:
    """Whatever the characters are."""
    wanted = tuple(new for _, new in pairs)
    for term in text_results([Term(Expression("t"), tuple(old for old, _ in pairs), 1)], wanted):
        assert tuple(eval(term.code.text, {"t": old}) for old, _ in pairs) == wanted
