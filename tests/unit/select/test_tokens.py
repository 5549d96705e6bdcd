"""Program text as tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.select.tokens import edit_spans, lines_of, literal_texts, significant_tokens, spaced_tokens

scraps = st.lists(
    st.sampled_from(
        ["x", " ", "\n", "    ", "(", ")", "'a\\'", '"""', "#c", "1e-5", "**=", "\\\n", "\r\n", "\t", "é", "if"]
    )
).map("".join)


@given(st.text() | scraps)
def test_no_character_is_lost(source: str) -> None:
    """Tokens with their gaps, and lines, joined are the text again, whatever the text."""
    assert "".join(token.gap + token.text for token in spaced_tokens(source)) == source
    assert "".join(lines_of(source)) == source


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x=1", "x  =  1  # one\n"),
        ("f(a,b)", "f(\n    a,  # first\n    b)"),
        ("def f():\n    return 1\n", "def f():\n\n    # why\n    return 1\n\n\n"),
        ("x = a + \\\n    b", "x = a + b"),
        ("x = 1\r\n", "x = 1\n"),
    ],
)
def test_formatting_and_comments_carry_no_meaning(one: str, other: str) -> None:
    """Texts that Python reads alike have the same meaning."""
    assert significant_tokens(one) == significant_tokens(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("for x in y:\n    f()\n    g()", "for x in y:\n    f()\ng()"),
        ("x = 'a b'", "x = 'a  b'"),
        ("x = 1\ny = 2", "x = 1y = 2"),
        ("not x", "notx"),
        ("x = '# no comment'", "x = '# comment'"),
        ('x = """a\n b"""', 'x = """a\nb"""'),
    ],
)
def test_what_python_reads_differently_differs(one: str, other: str) -> None:
    """Indentation, strings and line ends between statements matter."""
    assert significant_tokens(one) != significant_tokens(other)


def test_literals_are_found_in_any_text() -> None:
    """Numbers and strings, but not the digits of a name or of a comment."""
    assert list(literal_texts('f(x1, 2.5e-3, \'a\', b"c") # 7 {"k": 0x1F]')) == ["2.5e-3", "'a'", 'b"c"']


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_spans_lead_from_one_sequence_to_the_other(before: list[str], after: list[str]) -> None:
    """Spans are in order, do not overlap, and replacing them in `before` gives `after`."""
    text, at = [], 0
    for span in edit_spans(before, after):
        assert span.start >= at
        assert before[span.start : span.end] != after[span.new_start : span.new_end]
        text += [*before[at : span.start], *after[span.new_start : span.new_end]]
        at = span.end
    assert [*text, *before[at:]] == after


@pytest.mark.parametrize(("before", "after"), [("x*9/5", "x*5/9"), ("f(a,b)", "f(b,a)"), ("ab", "ba")])
def test_two_items_that_changed_places_are_two_differences(before: str, after: str) -> None:
    """What is left of the text between them would make more of it."""
    assert sum(span.size for span in edit_spans(list(before), list(after))) == 2
