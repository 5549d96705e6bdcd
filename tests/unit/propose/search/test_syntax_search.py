"""The mendings of a program that does not parse: each once, and the nearest to go on from."""

from __future__ import annotations

import ast
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples

from regreen.propose.search.mutation import Mutation, ScreenedMutation, ScreeningStatus, splice_edits
from regreen.propose.search.syntax_search import SyntaxSearch

BROKEN = "def f(x):\n    return (x + 1\n"


def test_a_program_that_does_not_parse_is_mended() -> None:
    """Every candidate parses, the likeliest first."""
    search = SyntaxSearch("def f(x)\n    return x\n")
    texts = [splice_edits(search.source, m.edits) for m in search.next_batch(5)]
    assert texts[0] == "def f(x):\n    return x\n"
    for text in texts:
        ast.parse(text)


def test_no_two_mendings_make_the_same_program() -> None:
    """Blanks and needless brackets make no other program; what is left out is counted."""
    search = SyntaxSearch(BROKEN)
    forms = [ast.dump(ast.parse(splice_edits(BROKEN, m.edits))) for m in search.next_batch(200)]
    assert len(set(forms)) == len(forms) > 3
    assert search.duplicates > 0


def screened(mending: Mutation, status: ScreeningStatus, passed: str = "", distance: float = 1.0) -> ScreenedMutation:
    """The result of a mending that passes the checks named by letters."""
    return ScreenedMutation(mending, status, frozenset(passed), distance)


def test_the_nearest_mendings_are_those_to_go_on_from() -> None:
    """More checks first, then likelier and nearer ones; what crashed or is no Python never."""
    search = SyntaxSearch(BROKEN)
    tried = [replace(mending, score=0.5) for mending in search.next_batch(6)]
    results = [("failed", "", 0.9), ("broken", "", 1.0), ("failed", "ab", 0.5), ("crashed", "abc", 0.1)]
    results += [("hung", "ab", 0.4), ("failed", "", 0.9)]
    search.learn([screened(m, *result) for m, result in zip(tried, results, strict=True)])  # type: ignore[arg-type]
    assert [one.mending for one in search.best(4)] == [tried[4], tried[2], tried[0], tried[5]]
    assert [one.ends for one in search.best(4)] == [False, True, True, True]
    assert len(search.best(2)) == 2


def test_a_likely_mending_comes_before_an_odd_one_that_is_a_little_nearer() -> None:
    """What hangs is nearer than what raises, and no better for it."""
    search = SyntaxSearch(BROKEN)
    first, second = search.next_batch(2)
    odd, likely = replace(first, score=0.1), replace(second, score=0.9)
    search.learn([screened(odd, "hung", distance=0.95), screened(likely, "failed")])
    assert [one.mending for one in search.best(2)] == [likely, odd]


@examples(0.15)
@given(st.text("abfx(=:+)\n \t'\"#é", max_size=40))
def test_any_text_is_taken(source: str) -> None:
    """Garbage in, at most no suggestion out."""
    for mutation in SyntaxSearch(source).next_batch(30):
        assert splice_edits(source, mutation.edits) != source
