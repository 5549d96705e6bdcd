"""Tests for `regreen.select.signs.odd_methods`."""

from __future__ import annotations

import pytest

from regreen.select.signs.odd_methods import (
    changed_accessors,
    dropped_answers,
    emptied_attributes,
    overwritten_settings,
)

BASKET = """
class Basket:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)

    def is_free(self, day):
        taken = [item for item in self.items if item == day]
        return not taken

    def check(self, day):
        if not self.is_free(day):
            raise ValueError(day)

    def book(self, day):
        self.check(day)
        self.items.append(day)

    def take(self):
        return self.items.pop()

    def count(self, day):
        total = 0
        for item in self.items:
            total += item == day
        return total

    def __len__(self):
        return len(self.items)


class Shelf:
    def __len__(self):
        return 3
"""
BROKEN = "class Basket(:"


LIMITER = """
class Limiter:
    def __init__(self, most, span=1):
        self.most = most
        self._span = span
        self.count = 0

    def allow(self, now):
        pass
"""


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("self.most = now", 1),
        ("self._span = now", 1),
        ("self.most = self.most - 1", 0),
        ("self.most = most", 0),
        ("self.count = now", 0),
    ],
)
def test_what_a_constructor_was_handed_is_not_set_to_something_else(line: str, count: int) -> None:
    """A new value for it, and one made of the old, are meant."""
    after = LIMITER.replace("pass", line)
    assert overwritten_settings(LIMITER, after) == count
    assert overwritten_settings(after, after) == 0
    assert overwritten_settings(LIMITER, BROKEN) == overwritten_settings(BROKEN, LIMITER) == 0


@pytest.mark.parametrize(
    ("shown", "count"),
    [("len(self.items) - 1", 1), ("len(self.items[1:])", 1), ("len(self.bag)", 0), ("self.items", 0)],
)
def test_what_a_method_shows_is_seldom_wrong(shown: str, count: int) -> None:
    """Another attribute is; one that worked something out before may do so in another way."""
    after = BASKET.replace("len(self.items)", shown)
    assert changed_accessors(BASKET, after) == count
    assert changed_accessors(after, after.replace("- 1", "- 2")) == 0
    assert changed_accessors(BASKET, BROKEN) == changed_accessors(BROKEN, BASKET) == 0


@pytest.mark.parametrize(
    ("name", "line", "count"),
    [
        ("add", "self.items = []", 1),
        ("add", "self.items = dict()", 1),
        ("add", "self.items.clear()", 1),
        ("add", "self.items.sort()", 0),
        ("add", "items.clear()", 0),
        ("add", "self.items = list(self.items)", 0),
        ("add", "self.items = [item]", 0),
        ("add", "items = []", 0),
        ("clear", "self.items = []", 0),
        ("add", "self.items = ", 0),
    ],
)
def test_only_methods_that_say_so_forget_what_others_filled(name: str, line: str, count: int) -> None:
    """A constructor begins it, and what is in the given program already does not count."""
    before = BASKET.replace("def add", f"def {name}")
    after = before.replace("self.items.append(item)", f"{line}\n        self.items.append(item)")
    assert emptied_attributes(before, after) == count
    assert emptied_attributes(after, after) == 0


@pytest.mark.parametrize(
    ("call", "count"),
    [
        ("self.is_free(day)", 1),
        ("self.count(day)", 1),
        ("self.take()", 0),
        ("self.check(day)", 0),
        ("self.add(day)", 0),
    ],
)
def test_whoever_asks_looks_at_the_answer(call: str, count: int) -> None:
    """What changes something, or refuses, is called for that."""
    after = BASKET.replace("        self.check(day)", f"        {call}")
    assert dropped_answers(BASKET, after) == count
    assert dropped_answers(BASKET, BROKEN) == 0
