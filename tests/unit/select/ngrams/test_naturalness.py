"""How natural programs read, and what that is good for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.select import NgramScorer

PROGRAM = """
def widths(rows, gap):
    total = 0
    for row in rows:
        total += len(row) + gap
    return total
"""


def versions(old: str, *new: str) -> list[float]:
    """What the scorer says of the program and of its versions with another piece."""
    assert PROGRAM.count(old) == 1
    return NgramScorer().log_probabilities([PROGRAM, *(PROGRAM.replace(old, piece) for piece in new)])


def test_what_people_write_is_likelier() -> None:
    """Each piece is likelier than the odd ones."""
    for old, *odd in [
        ("total = 0", "total = 7", "total = -1"),
        ("len(row)", "hash(row)", "-len(row)"),
        ("for row in rows", "for rows in row"),
        ("+=", "//="),
    ]:
        right, *wrong = versions(old, *odd)
        assert right > max(wrong), old


def test_the_words_of_the_program_are_likelier_than_new_ones() -> None:
    """A name that nobody has used elsewhere is known once the program has used it."""
    program = "def f(quux_bar, zork):\n    zork = quux_bar + 1\n    return {}\n"
    known, new = NgramScorer().log_probabilities([program.format("quux_bar"), program.format("barr_quux")])
    assert known > new + 2


def test_equal_programs_are_equally_likely() -> None:
    """Layout does not count, and scoring one program does not change how the next is scored."""
    scorer = NgramScorer()
    first, other, again = scorer.log_probabilities(
        [PROGRAM, PROGRAM.replace("+=", "-="), PROGRAM.replace("+ gap", "+  gap")]
    )
    assert first == again != other
    assert scorer.log_probabilities([PROGRAM]) == [0.0], "there is nothing to compare"
    assert scorer.log_probabilities([]) == []
    assert scorer.log_probabilities([PROGRAM, PROGRAM]) == pytest.approx([0.0, 0.0], abs=100)


@given(st.lists(st.text("ab=(+1 \n'", max_size=12), min_size=2, max_size=5))
def test_any_texts_are_compared(texts: list[str]) -> None:
    """No text fails; the order in which programs are given does not matter."""
    scorer = NgramScorer()
    found = scorer.log_probabilities(texts)
    assert all(nats <= 0 for nats in found)
    assert scorer.log_probabilities(texts[::-1]) == pytest.approx(found[::-1])
