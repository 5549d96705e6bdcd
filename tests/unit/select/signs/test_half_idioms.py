"""Which programs have one half of an idiom?"""

from __future__ import annotations

import pytest

from regreen.select.signs.half_idioms import (
    half_answered,
    half_leap_rules,
    ordinals_without_teens,
    unkept_bests,
    unlike_lookups,
    unlike_quotients,
    unmade_parents,
    walks_begun_again,
)

LEAP = "def f(year):\n    return year % 4 == 0 and year % 100 != 0\n"
CLASSES = (
    "class Account:\n    def __init__(self, owner):\n        self.owner = owner\n\n\n"
    "class Savings(Account):\n    def __init__(self, owner):\n        self.owner = owner\n"
)
WALK = "def f(self, word):\n    node = self.root\n    for c in word:\n        node = self.root.get(c)\n    return node"


@pytest.mark.parametrize(
    ("rule", "count"),
    [
        ("year % 4 == 0 and year % 100 != 0", 1),
        ("year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)", 0),
        ("year % 4 == 0", 1),
        ("day % 4 == 0", 0),
        ("year % 4 == 0 and day % 100 != 0", 1),
    ],
)
def test_the_rule_of_leap_years_has_three_parts(rule: str, count: int) -> None:
    """A year that 4 is asked of is asked for 100 and 400, too; of anything else, one rule says nothing of others."""
    assert half_leap_rules(f"def f(year, day):\n    return {rule}\n") == count


@pytest.mark.parametrize(
    ("rule", "count"),
    [
        ("{1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')", 1),
        ("{1: 'st', 2: 'nd', 3: 'rd'}.get(n % 20, 'th')", 1),
        ("'th' if 10 < n % 100 < 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')", 0),
        ("{1: 'st', 2: 'nd'}.get(n % 10, 'th')", 0),
    ],
)
def test_the_endings_of_ordinals_ask_for_the_teens(rule: str, count: int) -> None:
    """The 11th, the 112th: whoever writes all four endings has them."""
    assert ordinals_without_teens(f"def f(n):\n    return {rule}\n") == count
    assert ordinals_without_teens("def") == 0


@pytest.mark.parametrize(
    ("call", "count"),
    [("self.kind = 1", 1), ("super().__init__(owner)", 0), ("Account.__init__(self, owner)", 0)],
)
def test_a_parent_is_made_first(call: str, count: int) -> None:
    """Where it has a constructor, that of a child calls it."""
    assert unmade_parents(f"{CLASSES}        {call}\n") == count


def test_a_parent_without_a_constructor_needs_no_call() -> None:
    """Nor one that the program does not define."""
    assert unmade_parents(CLASSES.replace("def __init__(self, owner)", "def begin(self, owner)", 1)) == 0
    assert unmade_parents(CLASSES.replace("Savings(Account)", "Savings(Exception)")) == 0


@pytest.mark.parametrize(
    ("step", "count"),
    [("self.root.get(c)", 1), ("node.get(c)", 0), ("self.other.get(c)", 0), ("self.root.get(node)", 0)],
)
def test_a_walk_goes_on(step: str, count: int) -> None:
    """The next step begins where the last one ended."""
    assert walks_begun_again(WALK.replace("self.root.get(c)", step)) == count


@pytest.mark.parametrize(
    ("statement", "count"),
    [("print(b)", 1), ("b", 1), ("return b", 0), ("raise ValueError(b)", 0), ("log.append(b)", 0), ("return", 0)],
)
def test_every_branch_answers(statement: str, count: int) -> None:
    """What is printed in one of them is no answer."""
    body = f"if a > b:\n        return a\n    if b > a:\n        {statement}\n    else:\n        return 0"
    assert half_answered(f"def f(a, b):\n    {body}\n") == count


def test_what_does_not_parse_has_none() -> None:
    """It is no program."""
    assert half_leap_rules("def") + unmade_parents("def") + walks_begun_again("def") + half_answered("def") == 0


@pytest.mark.parametrize(
    ("first", "kept", "count"),
    [
        ("-1", "winner = name", 1),
        ('-float("inf")', "winner = name", 1),
        ("-1", "winner = name\n            top = mark", 0),
        ("10", "winner = name", 0),
        ("read(info)", "winner = name", 0),
        ("-1", "count += 1", 0),
    ],
)
def test_the_best_so_far_is_kept(first: str, kept: str, count: int) -> None:
    """A limit is another number, and never changes."""
    loop = f"    for name, mark in marks:\n        if mark > top:\n            {kept}\n"
    assert unkept_bests(f"def f(marks):\n    top = {first}\n{loop}    return winner\n") == count


@pytest.mark.parametrize(
    ("asked", "count"), [("word in counts", 1), ("word not in counts", 1), ("clean in counts", 0), ("word in seen", 0)]
)
def test_the_key_that_is_used_is_asked_for(asked: str, count: int) -> None:
    """Both branches use another one where it is not."""
    source = f"def f(word, clean):\n    if {asked}:\n        counts[clean] += 1\n    else:\n        counts[clean] = 1\n"
    assert unlike_lookups(source) == count
    assert unlike_lookups(source.replace("counts[clean] = 1", "counts[word] = 1")) == 0


@pytest.mark.parametrize(
    ("quotient", "rest", "count"),
    [
        ("int(n / 100)", "n % 100", 1),
        ("int(n / 100)", "n % 10", 0),
        ("n // 100", "n % 100", 0),
        ("int(m / 100)", "n % 100", 0),
        ("int(n / )", "n % 100", 0),
    ],
)
def test_a_quotient_that_is_cut_off_has_another_rest(quotient: str, rest: str, count: int) -> None:
    """Below zero they do not belong together."""
    assert unlike_quotients(f"def f(m, n):\n    return {quotient}, {rest}\n") == count
