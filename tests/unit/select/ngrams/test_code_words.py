"""Programs as words: what is told apart, and what is not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from regreen.select.ngrams.code_words import DEEPER, NEW_LINE, SHALLOWER, WORD_CLASSES, code_words, word_class


def test_layout_comments_and_docstrings_say_nothing() -> None:
    """Two layouts of one program are the same words."""
    plain = 'def f(a):\n    """One."""\n    if a:\n        return "x"\n    return 1\n'
    other = "def f( a ) :  # why\n  '''Another\n  text.'''\n\n  if a:\n      return 'x'\n  return 1"
    assert code_words(plain) == code_words(other)


def test_blocks_are_words_of_their_own() -> None:
    """What leaves a block reads differently from what stays in it."""
    assert code_words("if a:\n    b\nc\n") == ["if", "a", ":", NEW_LINE, DEEPER, "b", NEW_LINE, SHALLOWER, "c"]


def test_strings_keep_what_they_hold_and_lose_their_quotes() -> None:
    """`'x'`, `r"x"` and `"x"` are one word; f-strings and bytes are others."""
    words = code_words("f('x', \"x\", r'x', f'x', b'x')")
    assert [word for word in words if word.endswith('"')] == ['"x"', '"x"', '"x"', 'f"x"', 'b"x"']


def test_every_kind_of_word_has_its_class() -> None:
    """A word outside the vocabulary is known by its kind."""
    words = ["total", "_Point", "LIMIT", "17", "0x1f", "1.5", '"some text"', 'f"{a}"', 'b"raw"', "€"]
    classes = ["<name>", "<Name>", "<NAME>", "<int>", "<int>", "<float>", "<text>", "<f>", "<bytes>", "<other>"]
    assert list(map(word_class, words)) == classes


@given(st.text(max_size=60))
def test_any_text_has_words_with_classes(text: str) -> None:
    """No text fails, however broken."""
    assert all(word_class(word) in WORD_CLASSES for word in code_words(text))
