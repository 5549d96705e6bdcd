"""Signs that a candidate was made for the checks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.select.overfitting import overfitting_score

BEFORE = '''
def grade(points, bonus):
    """Says "passed" from 50 points on."""
    total = points
    for extra in bonus:
        total += extra
    if total > 50:
        return "ok"
    return "failed"
'''

CHECKS = """
assert grade(17, [25]) == "failed"
assert grade(49, [1]) == "passed"
assert grade(-3, []) == "failed"
"""

SPECIAL = {
    "a special case for an input": (
        "    total = points\n",
        "    total = points\n    if points == 49: return 'passed'\n",
    ),
    "membership in inputs": ("if total > 50", "if total > 50 or points in (49, 17)"),
    "constant condition": ("if total > 50", "if True"),
    "dead operand": ("if total > 50", "if total > 50 or True"),
    "compared with itself": ("if total > 50", "if total == total"),
    "a branch gone": ('    if total > 50:\n        return "ok"\n', ""),
    "a loop gone": ("    for extra in bonus:\n        total += extra\n", ""),
    "everything gone": (BEFORE[BEFORE.index("    total") :], '    return "failed"\n'),
    "an odd number of the checks": ("total > 50", "total > 49"),
    "an exception swallowed": (
        "        total += extra\n",
        "        try:\n            total += extra\n        except TypeError:\n            pass\n",
    ),
    "any exception suppressed": (
        "        total += extra\n",
        "        with contextlib.suppress(TypeError):\n            total += extra\n",
    ),
    "any exception caught": (
        "        total += extra\n",
        "        try:\n            total += extra\n        except Exception:\n            total -= extra\n",
    ),
    "equal to everything": ("def grade", "class Text(str):\n    def __eq__(self, other): return True\ndef grade"),
}

HONEST = {
    "another comparison": ("total > 50", "total >= 50"),
    "a word of the docstring": ('"ok"', '"passed"'),
    "another operator": ("total += extra", "total -= extra"),
    "a common number": ("total > 50", "total > 50 - 1"),
    "a comprehension for a loop": (
        "    for extra in bonus:\n        total += extra\n",
        "    total += sum(e for e in bonus)\n",
    ),
    "a loop for a branch": (
        '    if total > 50:\n        return "ok"\n',
        "    while total > 50:\n        total -= 50\n",
    ),
    "an exception answered": (
        "        total += extra\n",
        "        try:\n            total += extra\n        except TypeError:\n            total += len(extra)\n",
    ),
    "a comparison that compares": (
        "def grade",
        "class Text(str):\n    def __eq__(self, other): return str(self) == other\ndef grade",
    ),
    "nothing": ("", ""),
}


@pytest.mark.parametrize("what", SPECIAL)
def test_a_special_case_is_noticed(what: str) -> None:
    """Each trick that passes the checks without doing the task raises the overfitting score."""
    assert overfitting_score(BEFORE, BEFORE.replace(*SPECIAL[what], 1), CHECKS) > 0


@pytest.mark.parametrize("what", HONEST)
def test_an_honest_edit_is_not_punished(what: str) -> None:
    """Edits of the kind that programmers make stay at 0."""
    assert overfitting_score(BEFORE, BEFORE.replace(*HONEST[what], 1), CHECKS) == 0.0


def test_a_hollow_body_is_worse_than_a_special_case_and_that_worse_than_a_borrowed_number() -> None:
    """The signs are graded."""
    hollow, case, number = (
        overfitting_score(BEFORE, BEFORE.replace(*SPECIAL[what], 1), CHECKS)
        for what in ("everything gone", "a special case for an input", "an odd number of the checks")
    )
    assert 1 > hollow > case > number > 0


def test_a_literal_corrected_inside_a_test_is_no_new_special_case() -> None:
    """Programs may well test for what the checks hand them; only a further test is suspect."""
    before = "def f(c):\n    if c == 'x':\n        return c\n    return None\n"
    assert overfitting_score(before, before.replace("'x'", "'<'"), "assert f('<') == '<'") < 0.2


def test_another_question_with_a_literal_of_the_checks_is_a_new_special_case() -> None:
    """Though the program tested for equality there before."""
    before = "def f(n, i):\n    if n - i == 0:\n        return i\n    return None\n"
    assert overfitting_score(before, before.replace("n - i == 0", "i == 5"), "assert f(15, 5) == 5") >= 0.5
    assert overfitting_score(before, before.replace("== 0", "== 5"), "assert f(15, 5) == 5") < 0.2


def test_a_long_text_of_the_checks_is_more_suspect_than_a_separator() -> None:
    """Nobody splits a version by another version."""
    before = "def f(text):\n    return text.split('.')\n"
    checks = "assert f('1;9') == ['1', '9'] and f('1.9.0;') and ';'"
    long, short = (overfitting_score(before, before.replace("'.'", new), checks) for new in ("'1.9.0;'", "';'"))
    assert long > 2 * short > 0


def test_two_special_cases_are_worse_than_one() -> None:
    """Signs add up as chances do."""
    one = BEFORE.replace("    total = points\n", "    total = points\n    if points == 49: return 'passed'\n", 1)
    two = one.replace("    total = points\n", "    total = points\n    if points == 17: return 'failed'\n", 1)
    assert overfitting_score(BEFORE, two, CHECKS) > overfitting_score(BEFORE, one, CHECKS)


def test_checks_may_be_any_text() -> None:
    """Doctests and JSON lines name literals as well as assert scripts do."""
    after = BEFORE.replace("    total = points\n", "    total = points\n    if points == 49: return 'passed'\n", 1)
    assert overfitting_score(BEFORE, after, ">>> grade(49, [1])\n'passed'\n") > 0.5
    assert overfitting_score(BEFORE, after, '{"args": [49, [1]], "expected": "passed"}') > 0.5


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_any_text_gets_a_number_from_0_to_below_1(before: str, after: str, checks: str) -> None:
    """Texts that are no programs count as not special, and nothing raises."""
    assert 0.0 <= overfitting_score(before, after, checks) <= 1.0
    assert overfitting_score(before, before, checks) == 0.0
