"""Edits told in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.select import change_in_words


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("if a < b:\n    c\n", "if a <= b:\n    c\n", "`<` became `<=` in line 1"),
        ("a\nexit(0)\n", "a\n0.0\n", "`exit(0)` became `0.0` in line 2"),
        ("a\nb\n", "a\n", "removed `b` in line 2"),
        ("a\n", "a\nb\n", "inserted `b` in line 2"),
        ("def f():\nreturn 3\n", "def f():\n    return 3\n", "`return` was indented otherwise in line 2"),
        ("x = '''\n\n'''\ny = 1 + 2\n", "x = '''\n\n'''\ny = 1 - 2\n", "`+` became `-` in line 4"),
        ("a = 1\nb = 2\n", "a = 3\nb = 4\n", "`1` became `3` in line 1; `2` became `4` in line 2"),
        ("a  # x\n", "a\n", ""),
    ],
)
def test_a_change_is_told_by_its_tokens_and_lines(before: str, after: str, told: str) -> None:
    """What went, what came and where; comments and spacing are no change."""
    assert change_in_words(before, after) == told


@given(st.text(), st.text())
def test_any_two_texts_can_be_told_apart(before: str, after: str) -> None:
    """Programs that do not parse are told about too."""
    assert isinstance(change_in_words(before, after), str)
    assert change_in_words(before, before) == ""
