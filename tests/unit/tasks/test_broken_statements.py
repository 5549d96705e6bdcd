"""Statements that are cut off are found one by one, and whole ones are left in peace."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.tasks.broken_statements import broken_statements

WHOLE = "import math\n\n\n@mark\ndef test_a():\n    assert f(1) == [\n        2,\n    ]\n\n\nassert f(\n    3\n) == 4\n"
BROKEN = {
    "assert f(": [(1, "assert f(")],
    "x = 1\nassert f(2) ==\nassert f(3) == 4": [(2, "assert f(2) ==")],
    "assert f('a\nassert f(1)\nassert [": [(1, "assert f('a"), (3, "assert [")],
    "def test_a():\n    assert f(1\n\ndef test_b():\n    assert f(2)": [(2, "assert f(1")],
    "if x:\n    y = 1\nz = 2\nelse:\n    y = 3": [(4, "else:")],
    "\0": [(1, "\0")],
}


@pytest.mark.parametrize("text", BROKEN)
def test_each_broken_statement_is_told_with_its_line(text: str) -> None:
    """The line where it stops to be Python, and its text."""
    assert [(part.line, part.text) for part in broken_statements(text)] == BROKEN[text]


def test_whole_text_has_none() -> None:
    """Brackets over several lines and decorators included."""
    assert broken_statements(WHOLE) == ()
    assert broken_statements("") == ()


def test_the_words_say_what_kind_it_is() -> None:
    """An assert that is cut off is not just any error."""
    (cut,) = broken_statements("assert f(1, ")
    (other,) = broken_statements("for x in:\n    pass")
    assert str(cut).startswith("line 1 is an incomplete assert: `assert f(1,`")
    assert str(other).startswith("line 1 is no Python: `for x in:`")


@given(st.integers(1, len(WHOLE)))
def test_something_is_told_wherever_a_text_is_cut(end: int) -> None:
    """If, and only if, what is left is no Python; and the line is one of the text's."""
    text = WHOLE[:end]
    try:
        ast.parse(text)
        parses = True
    except SyntaxError:
        parses = False
    found = broken_statements(text)
    assert bool(found) is not parses
    assert all(1 <= part.line <= text.count("\n") + 1 for part in found)
