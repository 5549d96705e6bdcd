"""Answers of the checks that a program says by heart: that is no repair, whatever passes."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Final

from regreen.select.tokens import literal_texts
from regreen.syntax import UNPARSABLE, constant_text, parsed_or_none, walk

_LONG_TEXT: Final = 8
_LARGE_NUMBER: Final = 100
"""Shorter texts and smaller numbers are answers of many programs: `"odd"`, -1."""


def says_answer_by_heart(before: str, after: str, checks_text: str, said: str = "") -> bool:
    """Whether a new `return` gives a telling literal that stands once in the checks, and nowhere else.

    `said` is what is known of the task: what the program's text or the statement says may be returned. A literal in the
    place of another one is a text that was misspelt, and no new answer.
    """
    old, new = parsed_or_none(before), parsed_or_none(after)
    if old is None or new is None:
        return False
    had, has = Counter(_answers(old)), Counter(_answers(new))
    if sum(has.values()) <= sum(had.values()):
        return False
    known = Counter(_written(checks_text))
    return any(known[text] == 1 and _is_telling(text) and not _is_said(text, before + said) for text in has - had)


def _answers(tree: ast.Module) -> Iterator[str]:
    """The literals that the program returns as they stand."""
    for node in walk(tree):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Constant):
            yield constant_text(node.value.value)


def _written(text: str) -> Iterator[str]:
    for written in literal_texts(text):
        try:
            yield constant_text(ast.literal_eval(written))
        except UNPARSABLE:
            continue


def _is_telling(text: str) -> bool:
    try:
        value = ast.literal_eval(text)
    except ValueError:
        # `...` and `1e999` are literals, and what they are written as is none.
        return False
    if isinstance(value, str | bytes):
        return len(value) >= _LONG_TEXT
    return isinstance(value, int | float) and abs(value) >= _LARGE_NUMBER


def _is_said(text: str, said: str) -> bool:
    return str(ast.literal_eval(text)) in said
