"""The size of edits, and the lines that they touch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.select.edit_extent import changed_lines, edit_size, moved_tokens, repeated_tokens
from regreen.select.tokens import lines_of

texts = st.lists(
    st.sampled_from(["a", "b", "\n", "\r\n", "\x0c", "\u2028", "--- x", "\\ No", "@@ -1 +1 @@"]), max_size=25
).map("".join)


def test_sizes_count_tokens_and_not_formatting() -> None:
    """One changed operator is one token; spaces and comments are none."""
    before = "def f(a, b):\n    return a+b\n"
    assert edit_size(before, "def f(a, b):\n    return a - b  # not a sum\n").tokens == 1
    spaced = edit_size(before, "def f(a, b):\n    return a + b\n")
    assert (spaced.tokens, spaced.characters, spaced.lines) == (0, 0, 1)
    assert edit_size(before, before).lines == 0


def test_an_indentation_is_one_token() -> None:
    """Moving a statement out of a loop is a small edit, not none."""
    before = "for x in y:\n    f(x)\n    g(x)\n"
    assert edit_size(before, "for x in y:\n    f(x)\ng(x)\n").tokens == 1


def test_an_insertion_counts_what_it_inserts() -> None:
    """`abs(...)` around a name is three tokens: the name of the function and both brackets."""
    assert edit_size("x = a\n", "x = abs(a)\n").tokens == 3


@given(texts, texts)
def test_sizes_are_never_negative_and_zero_for_equal_texts(before: str, after: str) -> None:
    """An edit that changes something changes a line at least."""
    size = edit_size(before, after)
    assert min(size.tokens, size.characters, size.lines) >= 0
    assert (size.lines == 0) == (before == after)


@given(texts, texts)
def test_changed_lines_are_lines_of_the_old_text_or_just_past_it(before: str, after: str) -> None:
    """An insertion counts for the line in front of which it stands."""
    lines = changed_lines(before, after)
    assert (lines == ()) == (before == after)
    assert all(1 <= line <= len(lines_of(before)) + 1 for line in lines)


PAIR = """\
def pair(numbers, target):
    seen = {}
    for place, number in enumerate(numbers):
        seen[number] = place
        if target - number in seen:
            return seen[target - number], place
"""
LINE = "        seen[number] = place\n"


@pytest.mark.parametrize(
    ("after", "is_smaller"),
    [
        (PAIR.replace(LINE, "") + LINE, True),
        (PAIR.replace(LINE, "").replace("    for", LINE[4:] + "    for"), True),
        (PAIR.replace(LINE, ""), False),
        (PAIR.replace(LINE, "") + LINE.replace("place", "0"), False),
        (PAIR, False),
    ],
)
def test_a_move_is_one_decision(after: str, is_smaller: bool) -> None:
    """However long the lines are; what is changed as well is no mere move."""
    assert (moved_tokens(PAIR, after) > 0) is is_smaller


def test_lines_that_are_repeated_are_a_small_edit() -> None:
    """A block that stands in the loop, once more after it: what to repeat and where, and not each of its words."""
    block = "    if count > best_count_so_far:\n        best_count_so_far = count\n"
    before = f"for x in xs:\n{block}print(best_count_so_far)\n"
    after = before.replace("print", "if count > best_count_so_far:\n    best_count_so_far = count\nprint")
    tokens = edit_size(before, after).tokens
    assert 0 < tokens - repeated_tokens(before, after) < tokens
    assert repeated_tokens(before, after.replace("> best", ">= best", 1)) == 0
    assert repeated_tokens(before, before.replace("print", "pass\nprint")) == 0
