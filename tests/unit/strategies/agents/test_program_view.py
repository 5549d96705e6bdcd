"""Which lines of a program a prompt shows."""

from __future__ import annotations

import pytest

from regreen.strategies.agents.program_view import (
    definitions,
    lines_in_question,
    shown_lines,
    uses_definitions,
    with_line_numbers,
)

SOURCE = '''import functools
import json as plain
from math import *

RATE = 3
OTHER = 4


def twice(x):
    return RATE * x


def unused(x):
    return plain.dumps(OTHER)


class Shelf:
    """Keeps boxes."""

    width = 2

    def __init__(self):
        self.boxes = []

    @functools.cache
    def volume(self):
        return twice(self.side()) * len(self.boxes)

    def side(self):
        return self.width

    def label(self):
        return "shelf"
'''
LINES = SOURCE.rstrip("\n").split("\n")


def shown(name: str | None, characters: int = 10_000, source: str = SOURCE) -> set[str]:
    """The lines in question that hold anything."""
    lines = source.split("\n")
    return {lines[number - 1].strip() for number in lines_in_question(source, name, characters)} - {""}


def test_a_function_is_shown_with_what_it_uses() -> None:
    """Constants and functions, also those that these use; nothing else."""
    assert shown("twice") == {"RATE = 3", "def twice(x):", "return RATE * x"}
    assert shown("unused") == {"import json as plain", "OTHER = 4", "def unused(x):", "return plain.dumps(OTHER)"}


def test_a_method_is_shown_with_its_class() -> None:
    """Its head, what makes its attributes, and the methods that it calls."""
    text = shown("Shelf.volume")
    assert {"class Shelf:", "def __init__(self):", "def side(self):", "@functools.cache", "RATE = 3"} <= text
    assert not {"def label(self):", "def unused(x):", "OTHER = 4"} & text


def test_what_is_nearer_comes_first_where_there_is_little_room() -> None:
    """The definition itself is there however long it is."""
    assert shown("twice", 0) == {"def twice(x):", "return RATE * x"}
    room = len("".join(LINES[24:27])) + 200
    assert "def label(self):" not in shown("Shelf.volume", room)
    assert "class Shelf:" in shown("Shelf.volume", room)


def test_a_docstring_gives_way_where_the_definition_alone_is_too_long() -> None:
    """And only one on lines of its own, beside which there is something else."""
    shown = 'def f(x):\n    """Of\n    two lines."""\n    return x\n'
    assert lines_in_question(shown, "f", 1_000) == {1, 2, 3, 4}
    assert lines_in_question(shown, "f", 20) == {1, 4}
    for whole in ('def f(x): """Of one line."""\n', 'def f(x):\n    """Alone."""\n', 'def f(x):\n    "a"; return x\n'):
        assert lines_in_question(whole, "f", 1) == set(range(1, whole.count("\n") + 1))


@pytest.mark.parametrize("name", [None, "nobody"])
def test_without_a_definition_every_line_is_in_question(name: str | None) -> None:
    """Nothing is left out for want of a name, or where the text is no Python."""
    assert lines_in_question(SOURCE, name, 10) == frozenset(range(1, SOURCE.count("\n") + 2))
    assert lines_in_question("def f(:", "f", 1) == {1}
    assert definitions("def f(:") == {}


@pytest.mark.parametrize(
    ("name", "uses"),
    [("twice", False), ("Shelf.volume", True), ("Shelf", True), ("unused", False), ("nobody", False), (None, False)],
)
def test_whether_a_definition_uses_others(name: str | None, uses: bool) -> None:
    """A class's own methods are none."""
    assert uses_definitions(SOURCE, name) is uses


def test_a_function_that_calls_itself_ends() -> None:
    """So do two that call one another."""
    source = "def odd(n):\n    return n and even(n - 1)\n\n\ndef even(n):\n    return not n or odd(n - 1)\n"
    assert lines_in_question(source, "odd", 1_000) == {1, 2, 5, 6}


def test_what_is_left_out_is_said_and_lines_keep_their_numbers() -> None:
    """Blank lines between are simply gone."""
    assert shown_lines(["a", "b", "", "c"], {1, 2, 4}, numbered=False) == "a\nb\n\nc"
    assert shown_lines(["a", "b", "c", "d"], {1, 4}, numbered=True) == "1| a\n# [lines 2 to 3 are not shown]\n4| d"
    assert with_line_numbers("a\nb", 9) == " 9| a\n10| b"
