"""What is known to everybody, and so is neither made up nor taken from the checks?"""

from __future__ import annotations

import ast

import pytest

from regreen.select.overfitting import overfitting_score
from regreen.well_known import KNOWN_ROWS, KNOWN_TABLES, well_known_constants


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("month in (1, 3, 5, 7, 8, 10, 12)", 7),
        ("month in [4, 6, 9, 11]", 4),
        ("month in (1, 3, 5, 7, 9, 11)", 0),
        ("year % 400 == 0", 1),
        ("start_year % 4", 1),
        ("day % 400 == 0", 0),
        ("year % 7", 0),
        ("(x, y)", 0),
    ],
)
def test_constants_of_known_rows_and_rules_are_known(code: str, count: int) -> None:
    """A row that is known but for one number is not known at all."""
    assert len(well_known_constants(ast.parse(code))) == count


def test_no_table_has_two_entries_for_one_key_and_no_row_stands_twice() -> None:
    """Then one of them would be a slip."""
    assert len(set(KNOWN_ROWS)) == len(KNOWN_ROWS)
    assert all(table for table in KNOWN_TABLES)


def test_a_known_row_is_not_made_for_the_checks() -> None:
    """Though the checks have one of its numbers."""
    before = "def days(month):\n    return 31 if month in {} else 30\n"
    wrong, right, made = (before.format(row) for row in ("(1, 3, 5, 7, 9)", "(1, 3, 5, 7, 8, 10, 12)", "(1, 3, 5, 8)"))
    checks = "assert days(8) == 31"
    assert overfitting_score(wrong, right, checks) < overfitting_score(wrong, made, checks)
