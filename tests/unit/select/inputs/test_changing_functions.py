"""Which functions of a program leave something changed behind?"""

from __future__ import annotations

import pytest

from regreen.select.inputs.changing_functions import changing_functions

CART = """\
class Cart:
    def __init__(self):
        self.lines = []

    def add(self, name):
        self.lines.append(name)

    def add_all(self, names):
        for name in names:
            self.add(name)

    def total(self):
        found = {}
        for line in self.lines:
            found[line] = found.get(line, 0) + 1
        return sorted(found.items())

    def __len__(self):
        return len(self.lines)
"""


def test_what_an_object_remembers_is_changed_by_some_of_its_methods() -> None:
    """By those that they call, too; what a method gathers for itself is gone afterwards."""
    assert changing_functions(CART) == {"__init__", "add", "add_all"}


@pytest.mark.parametrize(
    ("body", "changes"),
    [
        ("xs[0] = 1", True),
        ("del xs[0]", True),
        ("xs.next.size += 1", True),
        ("heappush(xs, 1)", True),
        ("global count\n    count = 1", True),
        ("return xs.rows().pop()", True),
        ("ys = list(xs)\n    ys.sort()", False),
        ("ys = [1]\n    heappush(ys, 1)", False),
        ("for x in xs:\n        x = 1", False),
        ("return xs.count(1)", False),
    ],
)
def test_what_was_handed_over_may_be_changed(body: str, changes: bool) -> None:
    """Its parts and the globals, too; no copy of it."""
    assert changing_functions(f"def f(xs):\n    {body}\n") == ({"f"} if changes else set())


def test_what_is_no_program_changes_nothing() -> None:
    """It defines nothing."""
    assert changing_functions("def f(:") == frozenset()
