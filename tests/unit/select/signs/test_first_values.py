"""Do first values stand out that nobody means?"""

from __future__ import annotations

import pytest

from regreen.select.signs.first_values import (
    lists_of_one,
    other_first_items,
    outer_values_begun_anew,
    skipped_items,
    small_least_values,
    tables_begun_anew,
)

BEST = "best = xs[0]\nfor x in xs:\n    if x > best:\n        best = x\n"


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        ("xs[0]", "xs[1]", 1),
        ("xs[0]", "xs[-1]", 1),
        ("xs[0]", "xs[first]", 0),
        ("xs[0]", "min(xs)", 0),
        ("x > best", "x in seen", 0),
        ("xs[0]", "xs[", 0),
    ],
)
def test_the_search_for_the_best_begins_with_the_first_item(old: str, new: str, count: int) -> None:
    """What is not compared may begin anywhere."""
    assert other_first_items(BEST, BEST.replace(old, new)) == count


def test_what_begins_elsewhere_already_may_go_on() -> None:
    """Only what a change brings counts."""
    later = BEST.replace("xs[0]", "xs[1]")
    assert other_first_items(later, later.replace("x > best", "x < best")) == 0


LEAST = "best = 0\nfor x in xs:\n    if x < best:\n        best = x\n"


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        ("best = 0", "best = 1", 1),
        ("best = 0", "best = 99", 0),
        ("best = 0", "best = xs[0]", 0),
        ("best = 0", 'best = float("inf")', 0),
        ("x < best", "x > best", 0),
        ("best = 0", "best = (", 0),
    ],
)
def test_the_least_one_does_not_begin_with_a_small_number(old: str, new: str, count: int) -> None:
    """A large one may be more than whatever comes."""
    assert small_least_values(LEAST, LEAST.replace(old, new)) == count


WALK = """
def sizes(grid):
    size = 0

    def walk(y, x):
        size = 1
        for place in around(y, x):
            walk(*place)
        return size

    return walk(0, 0)
"""


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        ("        size = 1", "        nonlocal size\n        size = 1", 1),
        ("        size = 1", "        nonlocal size\n        size += 1", 0),
        ("            walk(*place)", "            size += walk(*place)", 0),
    ],
    ids=["begun by each call", "counted by all calls", "each for itself"],
)
def test_calls_of_a_function_do_not_begin_what_they_share(old: str, new: str, count: int) -> None:
    """What they count together begins outside."""
    assert outer_values_begun_anew(WALK, WALK.replace(old, new)) == count


COLUMNS = """
def columns(board):
    lines = []
    for i in range(len(board)):
        column = []
        for row in board:
            column.append(row[i])
        lines.append(column)
    return lines
"""


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        ("        column = []\n        for row in board:\n", "        for row in board:\n            column = []\n", 1),
        ("        for row in board:\n", "        for row in board:\n            print(column)\n", 0),
        (
            "        column = []\n        for row in board:\n",
            "        for row in board:\n            column = [0]\n",
            0,
        ),
        (
            "        column = []\n        for row in board:\n",
            "        for row in board:\n            column = []\n            if column:\n                break\n",
            0,
        ),
    ],
)
def test_a_list_is_not_begun_for_its_one_item(old: str, new: str, count: int) -> None:
    """One that is read in the same round has a use there."""
    assert lists_of_one(COLUMNS, COLUMNS.replace(old, new)) == count


LIBRARY = """
class Library:
    def borrow(self, pupil, title):
        if self.number.get(pupil, 0) >= 3:
            return False
        self.number[pupil] = self.number.get(pupil, 0) + 1
        return True
"""


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        ("        if self", "        self.number = {}\n        if self", 1),
        ("        if self.number.get(pupil, 0) >= 3", "        self.number = {}\n        if pupil in self.number", 1),
        ("        if self", "        self.others = {}\n        if self", 0),
        ("        return True", "        self.number = {}\n        return True", 0),
        ("        if self", "        self.number = {}\n        self.number[title] = 0\n        if self", 0),
        ("        if self", "        self.number = {title: 0}\n        if self", 0),
        ("        if self", "        self.number = {\n        if self", 0),
    ],
)
def test_what_was_just_emptied_is_not_asked(old: str, new: str, count: int) -> None:
    """What was put into it since may be asked for."""
    assert tables_begun_anew(LIBRARY, LIBRARY.replace(old, new)) == count


@pytest.mark.parametrize(
    ("rest", "count"), [("xs[2:]", 1), ("xs[1:]", 0), ("ys[2:]", 0), ("xs[2]", 0), ("xs[:2]", 0), ("xs[2:", 0)]
)
def test_what_follows_the_first_one_is_not_left_out(rest: str, count: int) -> None:
    """Of another list anything may be."""
    given = "best = xs[0]\nfor x in xs[1:]:\n    best = max(best, x)\n"
    assert skipped_items(given, given.replace("xs[1:]", rest)) == count
