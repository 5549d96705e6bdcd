"""Tests for `regreen.select.signs.unmeant_calls`."""

from __future__ import annotations

import pytest

from regreen.select.signs import signs_cost
from regreen.select.signs.unmeant_calls import (
    dropped_calls,
    escaped_bars,
    rare_spellings,
    spread_items,
    taking_questions,
    undone_writing,
)

BROKEN = "def f(:"
ROOM = (
    "class Room:\n    def _check(self, start):\n        if start < 0: raise ValueError\n"
    "    def book(self, start):\n        self._check(start)\n        self.at = start\n"
    "    def move(self, start):\n        self._check(start)\n        self._check(self.at)\n        self.at = start\n"
)


@pytest.mark.parametrize(
    ("after", "count"),
    [
        ('p = re.escape("|".join(words))', 1),
        ('p = "|".join(words)\nq = f"({re.escape(p)})"', 1),
        ('p = "|".join(map(re.escape, words))', 0),
        ('p = re.escape(",".join(words))', 0),
        (BROKEN, 0),
    ],
)
def test_alternatives_are_escaped_one_by_one(after: str, count: int) -> None:
    """A bar that is escaped is no choice any more."""
    assert escaped_bars('p = "|".join(words)', after) == count
    assert escaped_bars(after, after) == 0


@pytest.mark.parametrize(
    ("after", "count"),
    [
        ("if left.pop(c, 0) > 0: n += 1", 1),
        ("x = a if queue.popleft() else b", 1),
        ("while left.pop(c, 0) > 0: n += 1", 0),
        ("if left.get(c, 0) > 0: left.pop(c)", 0),
        ("if pop(c): n += 1", 0),
        ("stack.append(c)\nif stack.pop() != c: n += 1", 0),
        ("stack.append(c)\nif stack.pop() != c: stack.pop()", 1),
        (BROKEN, 0),
    ],
)
def test_a_question_seldom_takes_away(after: str, count: int) -> None:
    """Loops may take what they go on with."""
    assert taking_questions("if left.get(c, 0) > 0: n += 1", after) == count
    assert taking_questions(after, after) == 0


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        ("x = y.lower()", "x = y.title()", 1),
        ("x = y.lower()", "x = y.upper()", 0),
        ('"""Capitalises words."""\nx = y.lower()', '"""Capitalises words."""\nx = y.capitalize()', 0),
        ("x = y.lower()", "x = y.title(3)", 0),
        ("x = y.lower()", BROKEN, 0),
    ],
)
def test_texts_are_seldom_spelt_otherwise(before: str, after: str, count: int) -> None:
    """Unless prose or names speak of it."""
    assert rare_spellings(before, after) == count


@pytest.mark.parametrize(
    ("use", "count"),
    [("done[name]", 1), ("name in done", 1), ("done in name", 0), ("name[0]", 0)],
)
def test_what_is_a_key_is_no_row_of_items(use: str, count: int) -> None:
    """Whose letters somebody would add one by one."""
    before = f"def f(path, name, done):\n    path.append(name)\n    return {use}\n"
    after = before.replace("append", "extend")
    assert spread_items(before, after) == count
    assert spread_items(after, after) == 0
    assert spread_items(before, BROKEN) == 0


@pytest.mark.parametrize(
    ("dropped", "put", "count"),
    [
        (
            "        self._check(start)\n        self.at = start\n    def move",
            "        self.at = start\n    def move",
            1,
        ),
        ("        self._check(self.at)\n", "", 0),
        ("        self._check(start)\n        self.at", "        self.ok = self._check(start)\n        self.at", 0),
        ("        if start < 0: raise ValueError\n", "        pass\n", 0),
    ],
)
def test_a_check_is_seldom_too_much(dropped: str, put: str, count: int) -> None:
    """Where a function calls it once; one of two may be."""
    assert dropped in ROOM
    assert dropped_calls(ROOM, ROOM.replace(dropped, put)) == count


def test_a_call_that_moves_is_not_dropped() -> None:
    """Its old place was the wrong one."""
    moved = ROOM.replace("raise ValueError", "self.warn()") + "    def warn(self):\n        pass\n"
    before = moved.replace("self.warn()", "raise ValueError").replace("self.at = start\n", "self.warn()\n", 1)
    after = moved.replace("self.at = start\n", "pass\n", 1)
    assert dropped_calls(before, after) == 0
    assert dropped_calls(before, before.replace("        self.warn()\n", "        pass\n", 1)) == 1
    assert dropped_calls(BROKEN, ROOM) == dropped_calls(ROOM, BROKEN) == 0


def test_a_check_that_is_left_out_costs_more_than_one_that_is_right() -> None:
    """So that what hands over one thing more is chosen."""
    before = ROOM.replace("        self._check(self.at)\n", "")
    dropped = before.replace(
        "        self._check(start)\n        self.at = start\n    def move", "        self.at = start\n    def move"
    )
    assert signs_cost(before, dropped) > signs_cost(before, before.replace("start < 0", "start < self.at"))


WRITER = "TABLE = (('<', '&lt;'), ('&', '&amp;'))\n\ndef f(text):\n    return escape(text)\n"


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        (WRITER, WRITER.replace("escape(text)", "html.unescape(escape(text))"), 1),
        (WRITER, WRITER.replace("escape(text)", "escape(text.strip())"), 0),
        (WRITER.replace("text)\n", "html.unescape(text))\n"), WRITER.replace("text)\n", "html.unescape(text))\n"), 0),
        ("def f(text):\n    return text\n", "def f(text):\n    return html.unescape(text)\n", 0),
        (WRITER, BROKEN, 0),
    ],
    ids=["read back", "another change", "so before", "written nowhere", "no program"],
)
def test_what_writes_signs_otherwise_is_not_meant_to_read_them_back(before: str, after: str, count: int) -> None:
    """To a program that reads alone it is as good as another call."""
    assert undone_writing(before, after) == count
