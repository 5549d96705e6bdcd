"""Functions that say yes or no and then give something else, and objects that are equal to too many."""

from __future__ import annotations

import pytest

from regreen.select.rank import RankedCandidate, rank_candidates
from regreen.select.signs.odd_answers import (
    answers_of_steps,
    ended_questions,
    half_answers,
    loosened_equalities,
    odd_answers,
    torn_answers,
)
from regreen.types import Candidate

GIVEN = """\
def may(user, roles):
    for role in roles:
        return role.allows(user)
    return False
"""
POINT = """\
class Point:
    def __eq__(self, other):
        return (self.x, self.y) == (other.x, other.y)
"""


@pytest.mark.parametrize(
    ("result", "odd"),
    [
        ("role", 1),
        ("user", 1),
        ("role.allows(user) + 1", 1),
        ("[role]", 1),
        ("1", 1),
        ("True", 0),
        ("not role.allows(user)", 0),
        ("role.allows(user) or user.is_chief", 0),
        ("(", 0),
    ],
)
def test_a_function_that_says_yes_or_no_gives_no_other_kind(result: str, odd: int) -> None:
    """A variable of a loop is true by chance; what a call gives may well be a truth value."""
    assert odd_answers(GIVEN, GIVEN.replace("role.allows(user)", result)) == odd


def test_a_function_that_gives_all_kinds_of_values_may_go_on() -> None:
    """One that never says True or False is asked for its value."""
    given = GIVEN.replace("return False", "return None")
    assert odd_answers(given, given.replace("role.allows(user)", "role")) == 0


@pytest.mark.parametrize(("by", "lost"), [("<=", 1), ("!=", 1), ("==", 0), ("(", 0)])
def test_an_equality_is_not_to_be_loosened(by: str, lost: int) -> None:
    """Another operator in `__eq__` makes too many objects equal, or too few."""
    assert loosened_equalities(POINT, POINT.replace("==", by)) == lost


def test_other_methods_may_compare_as_they_like() -> None:
    """Only `__eq__` says what equal means."""
    given = POINT.replace("__eq__", "is_at")
    assert loosened_equalities(given, given.replace("==", "<=")) == 0


def test_yes_for_every_role_comes_after_a_look_at_all_of_them() -> None:
    """`return role` is shorter, and passes where a check only asks whether it is true."""
    names = ("role", "role.allows(user) + 1")
    wrong = [GIVEN.replace("role.allows(user)", text) for text in names]
    right = GIVEN.replace("return role.allows(user)", "if role.allows(user):\n            return True")
    candidates = [RankedCandidate(Candidate(text, "search:x"), 0.1) for text in (*wrong, right)]
    assert rank_candidates(candidates, GIVEN)[0].candidate.source == right


def test_an_equality_is_not_to_be_turned_round() -> None:
    """`not` before the comparison is as bad as another operator."""
    assert loosened_equalities(POINT, POINT.replace("return (self", "return not (self")) == 1


@pytest.mark.parametrize(
    ("end", "gained"),
    [
        ("    return False", 0),
        ("    pass", 1),
        ("    raise LookupError", 0),
        ("    if user:\n        return False", 1),
        ("    if user:\n        return False\n    else:\n        raise LookupError", 0),
        ("    with user:\n        return False", 0),
        ("    try:\n        return False\n    except KeyError:\n        pass", 1),
        ("    try:\n        return False\n    except KeyError:\n        return True", 0),
        ("    while True:\n        role = user", 0),
        ("    for role in roles:\n        return False", 1),
        ("    (", 0),
    ],
)
def test_who_says_yes_says_no_in_words(end: str, gained: int) -> None:
    """A `return False` that is gone leaves None, which is as false to most checks."""
    given = GIVEN.replace("role.allows(user)", "True")
    assert half_answers(given, given.replace("    return False", end)) == gained
    assert half_answers(given.replace("    return False", "    pass"), given) == 0


TWICE = "def f(word):\n    if not word:\n        return 'none'\n    if word:\n        return word\n    return 'none'\n"


@pytest.mark.parametrize(
    ("old", "new", "torn"),
    [
        ("    return 'none'\n", "    return ''\n", 0),
        ("        return 'none'\n", "        return ''\n", 1),
        ("return word", "return 'word'", 0),
        ("return 'none'", "return (", 0),
    ],
)
def test_a_text_that_is_returned_twice_is_changed_twice(old: str, new: str, torn: int) -> None:
    """One of two alike was hardly meant to be another one."""
    after = TWICE.replace(old, new)
    assert torn_answers(TWICE, after) == torn


ROTATE = (
    "class Log:\n    def rotate(self):\n        for n in range(3):\n            self.old(n).replace(self.old(n + 1))\n"
)


@pytest.mark.parametrize(
    ("old", "new", "odd"),
    [
        ("            self.old(n).replace", "            return self.old(n).replace", 1),
        ("            self.old", "            if n:\n                return n\n            self.old", 0),
        ("            self.old(n).replace(self.old(n + 1))\n", "            pass\n        return self.old(n)\n", 0),
        ("rotate(self)", "rotate(log)", 0),
        ("            self.old(n).replace", "            return self.old(n.replace", 0),
    ],
)
def test_a_step_of_a_loop_is_no_answer(old: str, new: str, odd: int) -> None:
    """What comes of all rounds may be one, and so may what is found."""
    assert answers_of_steps(ROTATE, ROTATE.replace(old, new)) == odd


ALIKE = "def f(xs):\n    for x in xs:\n        if x < 0:\n            return False\n        print(x)\n    return True\n"


@pytest.mark.parametrize(
    ("old", "new", "odd"),
    [
        ("        print(x)\n", "        return True\n", 1),
        ("        print(x)\n", "        break\n", 0),
        ("    for", "    if not xs:\n        return True\n    for", 0),
        ("    return True\n", "    return xs\n", 0),
        ("        print(x)\n", "        return (\n", 0),
    ],
)
def test_a_loop_that_looks_for_what_speaks_against_it_does_not_end_before(old: str, new: str, odd: int) -> None:
    """Before it, whatever needs no question may be answered."""
    assert ended_questions(ALIKE, ALIKE.replace(old, new)) == odd
