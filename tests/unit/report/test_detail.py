"""Blocks of lines: they cover both texts, and what they call equal is."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from regreen.report.detail import diff_blocks

TEXTS = st.lists(st.sampled_from("abc"), max_size=12).map("\n".join)


@given(TEXTS, TEXTS)
def test_blocks_cover_both_texts_in_order(before: str, after: str) -> None:
    """Without gaps, and equal blocks hold equal lines."""
    old, new = before.split("\n"), after.split("\n")
    i = k = 0
    for kind, start, end, fresh_start, fresh_end in diff_blocks(before, after):
        assert (start, fresh_start) == (i, k)
        i, k = end, fresh_end
        if kind == "=":
            assert old[start:end] == new[fresh_start:fresh_end]
    assert (i, k) == (len(old), len(new))


def test_a_changed_line_is_a_block_of_its_own() -> None:
    """With what stayed around it."""
    assert diff_blocks("a\nb\nc\n", "a\nB\nc\n") == [("=", 0, 1, 0, 1), ("~", 1, 2, 1, 2), ("=", 2, 4, 2, 4)]
    assert diff_blocks("a\nc", "a\nb\nc") == [("=", 0, 1, 0, 1), ("~", 1, 1, 1, 2), ("=", 1, 2, 2, 3)]


def test_equal_texts_are_one_block() -> None:
    """Also empty ones."""
    assert diff_blocks("a\nb", "a\nb") == [("=", 0, 2, 0, 2)]
    assert diff_blocks("", "") == [("=", 0, 1, 0, 1)]


def test_great_changes_are_told_soon() -> None:
    """Two long texts with nothing in common at their ends are not compared line by line."""
    before = "\n".join(f"line {n % 7}" for n in range(20_000))
    after = "\n".join(f"line {n % 5}" for n in range(1, 20_000))
    begun = time.monotonic()
    assert [block[0] for block in diff_blocks(before, after)].count("~") == 1
    assert time.monotonic() - begun < 2
