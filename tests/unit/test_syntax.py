"""Parsing is tried again where another thread disturbed it."""

from __future__ import annotations

import ast

import pytest

from regreen import syntax


def test_a_parse_that_another_thread_disturbed_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A SystemError says nothing about the text; the tree comes out all the same."""
    faults = [SystemError("recursion depth mismatch")] * 2
    real = ast.parse

    def disturbed(text: str) -> ast.Module:
        if faults:
            raise faults.pop()
        return real(text)

    monkeypatch.setattr(syntax.ast, "parse", disturbed)
    assert isinstance(syntax.parse("x = 1\n").body[0], ast.Assign)
    assert not faults


def test_text_that_is_no_python_is_said_to_be_none() -> None:
    """A fault of the text is no fault of ours."""
    with pytest.raises(SyntaxError):
        syntax.parse("x = = 1\n")
