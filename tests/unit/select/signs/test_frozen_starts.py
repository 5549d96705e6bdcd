"""Counters that nobody counts."""

from __future__ import annotations

import pytest

from regreen.select.cost import ranking_cost
from regreen.select.signs.frozen_starts import frozen_starts

BEFORE = """class A:
    def __init__(self):
        self.count = 0

    def add(self, x):
        return x
"""


@pytest.mark.parametrize(
    ("before", "after", "frozen"),
    [
        ("self.count = 0", "self.count = 1", 1),
        ("self.count = 0", "self.count = None", 1),
        ("return x", "self.count += 1", 0),
        ("self.count = 0", "self.count = x", 0),
        ("def add", "def sub", 0),
        ("class A:", "class A", 0),
    ],
)
def test_another_start_for_what_nothing_changes_is_told(before: str, after: str, frozen: int) -> None:
    """By another constant alone: a counter that is counted, or that begins with a parameter, is no such thing."""
    assert frozen_starts(BEFORE, BEFORE.replace(before, after)) == frozen


@pytest.mark.parametrize("line", ["self.count += 1", "self.count -= x", "self.count = x"])
def test_what_a_method_changes_may_begin_with_anything(line: str) -> None:
    """There another first value is a repair like any other."""
    before = BEFORE.replace("return x", line)
    assert frozen_starts(before, before.replace("= 0", "= 1")) == 0


def test_a_setting_may_have_been_the_wrong_one() -> None:
    """What began with another value than nothing was meant to begin with one."""
    assert frozen_starts(BEFORE.replace("= 0", "= 60"), BEFORE.replace("= 0", "= 90")) == 0


def test_counting_costs_less_than_another_start() -> None:
    """Although it is the larger edit."""
    counting = BEFORE.replace("return x", "self.count += 1\n        return x")
    assert ranking_cost(BEFORE, counting) < ranking_cost(BEFORE, BEFORE.replace("= 0", "= 1"))
