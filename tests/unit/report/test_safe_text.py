"""Text that we do not trust, made fit for a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.report.safe_text import visible, visible_line

ANYTHING = st.text(st.characters(), max_size=30)
"""With control characters and lone surrogates."""


@given(ANYTHING)
def test_nothing_that_is_shown_can_act(text: str) -> None:
    """Every character prints, but for line ends and tabs; and it can be encoded."""
    shown = visible(text)
    assert all(character in "\n\t" or character.isprintable() for character in shown)
    shown.encode()
    assert visible(shown) == shown


HOSTILE = {
    "\x1b[2J\x1b]0;title\x07": "\\x1b[2J\\x1b]0;title\\x07",
    "\x9b31m": "\\x9b31m",
    "a\rb\x08c": "a\\rb\\x08c",
    "right\u202etfel": "right\\u202etfel",
    "\u2066x\u2069": "\\u2066x\\u2069",
    "zero\u200bwidth\ufeff": "zero\\u200bwidth\\ufeff",
    "line\u2028para\u2029": "line\\u2028para\\u2029",
    "tag\U000e0041": "tag\\U000e0041",
    "lone\udc80": "lone\\udc80",
    "no\xa0break": "no\\xa0break",
    "\x85": "\\x85",
}


@pytest.mark.parametrize("text", HOSTILE)
def test_what_would_act_is_shown_as_its_escape(text: str) -> None:
    """Escape sequences, overwriting, reordering, hiding."""
    assert visible(text) == HOSTILE[text]


@pytest.mark.parametrize("text", ["", "plain", "two\nlines\tand a tab", "déjà vu", "日本語", "🙂", "a\\nb"])
def test_honest_text_stays_as_it_is(text: str) -> None:
    """In any language."""
    assert visible(text) == text


@given(ANYTHING, st.integers(1, 40))
def test_a_line_is_one_line_of_at_most_its_length(text: str, limit: int) -> None:
    """Cut text says so."""
    shown = visible_line(text, limit)
    assert shown.isprintable()
    assert len(shown) <= limit
    if len(text) > limit:
        assert shown.endswith("…")
