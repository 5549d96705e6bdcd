"""What is left of prose without the examples in it."""

from __future__ import annotations

import pytest

from regreen.propose.search.clues import gather_clues
from regreen.select.prose.prose_agreement import read_prose
from regreen.worked_examples import without_examples


@pytest.mark.parametrize(
    ("prose", "left"),
    [
        ("Adds 40. add(3) == 43", "Adds 40. "),
        ("Adds 40.\nadd(3) => 43\nadd([(1, 2)], 5) -> 7", "Adds 40.\n\n"),
        ('join("a(b", 1) returns "b"\nFrom 2 on.', "\nFrom 2 on."),
        ('join("a. B", 1) returns "a. B". From 2 on.', " From 2 on."),
        ("add([1, 2], by=3) gives [4, 5] (each 3 more). From 2 on.", " From 2 on."),
        ("add(xs=[1, 2]) gives [4, 5]", ""),
        ("Adds 40.\n\n    >>> add(3)\n    43\n    44\n\nFrom 2 on.", "Adds 40.\n\n\n\nFrom 2 on."),
        (">>> add(3)\n>>> add(4)\n5\n", "\n\n"),
        ("Doubled. Example: [1, [2]] gives 1 + 2 * 2 = 5\nAt most 9.", "Doubled. \nAt most 9."),
        ("For example: round it to 9 places.", "For example: round it to 9 places."),
        ("Input: items = [7, 8]\nOutput: 24 # 7 + 8\nAt most 9.", "\n\nAt most 9."),
        (
            "The mean of 2 (or 3) numbers; max(a, b) is at least 5.",
            "The mean of 2 (or 3) numbers; max(a, b) is at least 5.",
        ),
        ("f((" * 9, "f((" * 9),
        *[
            (prose, prose)
            for prose in (
                "dig(data, path, default=None) returns what is there, at most 9 deep.",
                'dig(data, by=".") -> list of at most 9 items',
                "oldest() returns the oldest of 9, or None.",
                "add(xs: list[int], by: int = 3) returns each 3 more.",
            )
        ],
    ],
)
def test_calls_with_their_answers_are_left_out(prose: str, left: str) -> None:
    """And nothing else is."""
    assert without_examples(prose) == left


def test_numbers_of_examples_say_no_rule() -> None:
    """They are inputs and outputs like those of checks: no program says `if n == 15` for them."""
    statement = "A limit of 40 holds.\nlimit(15) == 15\nlimit(99) == 40"
    assert gather_clues("def limit(n):\n    return n\n", statement=statement).numbers == ("40",)
    assert read_prose("", statement).numbers == {40.0}
