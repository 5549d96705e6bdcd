"""Which arguments a program changes in place."""

from __future__ import annotations

import pytest

from regreen.select.cost import ranking_cost
from regreen.select.inputs.side_effects import (
    changed_arguments,
    changed_defaults_kept,
    changes_what_is_given,
    copied_defaults,
    newly_changed_arguments,
)

GIVEN = "def walk(graph, node):\n    return graph.get(node, [])\n"
TAKING = GIVEN.replace("get", "pop")


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("xs.sort()", True),
        ("xs[0] = 1", True),
        ("del xs[0]", True),
        ("xs.index(1)", False),
        ("ys = xs[0]", False),
        ("xs = list(xs); xs.sort()", False),
        ("self.append(1)", False),
    ],
)
def test_what_changes_an_argument_in_place_is_told_from_what_only_reads_it(line, changes):
    source = f"def f(self, xs):\n    {line}\n"
    assert (("f", "xs") in changed_arguments(source)) is changes
    assert ("f", "self") not in changed_arguments(source)


def test_only_arguments_count_that_the_given_program_leaves_as_they_are():
    assert newly_changed_arguments(GIVEN, TAKING) == 1
    assert newly_changed_arguments(TAKING, TAKING.replace("[]", "()")) == 0
    assert newly_changed_arguments(GIVEN, "def walk(") == 0


def test_a_change_that_empties_what_it_is_given_costs_more_than_one_of_the_same_size_that_does_not():
    assert ranking_cost(GIVEN, TAKING) >= ranking_cost(GIVEN, GIVEN.replace("[]", "()")) + 5


@pytest.mark.parametrize(
    ("line", "copied"),
    [("rows = list(rows)", 1), ("rows = sorted(rows)", 0), ("names = list(names)", 0), ("(", 0)],
)
def test_a_copy_for_the_sake_of_a_default_is_seen(line: str, copied: int) -> None:
    """Of a parameter whose default is a list; others may be copied as one likes."""
    given = "def add(names, rows=[]):\n    rows.append(names)\n    return rows\n"
    assert copied_defaults(given, given.replace("    rows.append", f"    {line}\n    rows.append")) == copied


@pytest.mark.parametrize(
    ("default", "kept", "change", "found"),
    [
        ("[]", "xs", "self.xs.append(x)", 1),
        ("[]", "list(xs)", "self.xs.append(x)", 0),
        ("None", "xs", "self.xs.append(x)", 0),
        ("[]", "xs", "return self.xs", 0),
        ("{}", "xs", "self.xs[x] = 1", 1),
        ("[", "xs", "self.xs.append(x)", 0),
    ],
)
def test_a_default_that_all_objects_share_and_change_is_a_flaw(
    default: str, kept: str, change: str, found: int
) -> None:
    """Not where it is copied, nor where no method changes it."""
    source = f"class A:\n    def __init__(self, xs={default}):\n        self.xs = {kept}\n\n"
    assert changed_defaults_kept(source + f"    def m(self, x):\n        {change}\n") == found


@pytest.mark.parametrize(
    ("handed", "changes"), [("cells", False), ("land", True), ("list(land)", True), ("", True), ("spread", True)]
)
def test_what_a_function_made_for_another_is_not_what_it_was_given(handed: str, changes: bool) -> None:
    """It may be changed; a parameter that is handed on may not."""
    spread = "def spread(cells):\n    cells[0] = 1\n    return spread(cells[1:]) if cells[1:] else 1\n\n\n"
    pond = f"def pond(land):\n    cells = list(land)\n    return spread({handed})\n"
    assert changes_what_is_given(spread + pond) is changes
    assert changes_what_is_given(spread) is True
    assert changes_what_is_given(spread.replace("cells):", "*, cells):") + pond) is True
    assert changes_what_is_given("def f(xs):\n    return xs\n") is False
