"""Values that are read where nobody means to."""

from __future__ import annotations

import pytest

from regreen.select.cost import ranking_cost
from regreen.select.signs.stray_reads import stray_reads

GIVEN = """\
def drop(old, seen):
    kept = [key for key in old if key not in seen]
    for key in kept:
        seen.append(key)
    else:
        print(key)
    return len(kept)
"""


@pytest.mark.parametrize(
    ("right", "wrong", "strays"),
    [
        ("len(kept)", "len(key)", 1),
        ("seen.append(key)", "kept = seen.append(key)", 1),
        ("return len(kept)", "return kept.sort()", 1),
        ("return len(kept)", "return key + key", 2),
        ("len(kept)", "len(seen)", 0),
        ("seen.append(key)", "key in seen or seen.append(key)", 0),
        ("len(kept)", "max(kept, key=lambda key: seen.append(key))", 0),
        ("return len(kept)", "key = 1; return key", 0),
        ("return len(kept)", "kept.sort(", 0),
    ],
)
def test_none_of_a_change_and_the_variable_of_a_loop_are_no_values(right: str, wrong: str, strays: int) -> None:
    """Inside the loop, in `else` of the loop, in a comprehension and where it is bound anew, a variable is one."""
    assert stray_reads(GIVEN, GIVEN.replace(right, wrong)) == strays


def test_a_later_loop_has_variables_of_its_own() -> None:
    """What the one before it left is stray there, too; an inner loop may read what the outer one has."""
    program = (
        "def f(pairs, rows):\n    for a in pairs:\n        print(a)\n    for b in rows:\n        rows.append({})\n"
    )
    assert stray_reads(program.format("b"), program.format("a")) == 1
    nested = "def f(rows):\n    for row in rows:\n        for x in row:\n            print({})\n"
    assert stray_reads(nested.format("x"), nested.format("row")) == 0


def test_only_what_is_new_counts() -> None:
    """The program as it is may have its reasons, and methods of its own."""
    odd = GIVEN.replace("len(kept)", "len(key)")
    assert stray_reads(odd, odd.replace("append", "add")) == 0
    own = "class Box:\n    def insert(self, x):\n        return x\n\n\ndef put(box, x):\n    box.insert(x)\n"
    assert stray_reads(own, own.replace("    box.", "    return box.")) == 0


def test_a_stray_value_costs_more_than_one_of_the_same_size_that_is_none() -> None:
    """So that `len(key)` comes after `len(seen)`."""
    assert ranking_cost(GIVEN, GIVEN.replace("len(kept)", "len(key)")) > ranking_cost(
        GIVEN, GIVEN.replace("len(kept)", "len(seen)")
    )


def test_a_name_that_is_read_no_more_costs_more_than_one_that_never_was() -> None:
    """Somebody meant it to be read."""
    before = "def f(a, b, c):\n    return a + b\n"
    assert ranking_cost(before, before.replace("b\n", "a\n")) > ranking_cost(before, before.replace("+", "-")) + 2


def test_a_filter_that_asks_nothing_about_its_items_is_astray() -> None:
    """`text.isalnum()` says the same of every letter."""
    before = "def f(text):\n    return [c for c in text if c.isalnum()]\n"
    assert stray_reads(before, before.replace("c.isal", "text.isal")) == 1
    assert stray_reads(before, before.replace("c.isalnum()", "c in text")) == 0
    assert stray_reads(before.replace("c.isal", "text.isal"), before) == 0
