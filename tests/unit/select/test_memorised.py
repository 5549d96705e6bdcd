"""Is a program that knows the answers by heart told from one that has a branch of its own?"""

from __future__ import annotations

import pytest

from regreen.select.memorised import memorises

GIVEN = "def f(n):\n    return n\n"
CHECKS = "def test_f():\n    assert f(2) == 'q-42-x'\n    assert f(3) == 'zebra7'\n    assert f(5) == 'q-42-x'\n"


@pytest.mark.parametrize(
    "after",
    [
        "def f(n):\n    if n == 2:\n        return 'q-42-x'\n    if n == 3:\n        return 'zebra7'\n    return n\n",
        "def f(n):\n    if n == 2:\n        return 'q-42-x'\n    return 'zebra7'\n",
        "def f(n):\n    if n in (2, 5):\n        return 'q-42-x'\n    return n\n",
        "def f(n):\n    return {2: 'q-42-x', 3: 'zebra7'}[n]\n",
        "def f(n):\n    return 'q-42-x' if n == 2 else 'zebra7' if n == 3 else n\n",
        "def f(n):\n    return 'zebra7' if n > 2 else 'q-42-x'\n",
    ],
)
def test_answers_that_stand_for_values_of_the_checks_are_no_repair(after: str) -> None:
    """By comparison, by a table, or by anything that tells the few values apart."""
    assert memorises(GIVEN, after, CHECKS)


@pytest.mark.parametrize(
    "after",
    [
        "def f(n):\n    if n == 2:\n        return 'q-42-x'\n    return n\n",
        "def f(n):\n    if n % 2 == 0:\n        return 'q-42-x'\n    if n % 3 == 0:\n        return 'zebra7'\n"
        "    return n\n",
        "def f(n):\n    if n == 7:\n        return 'q-42-x'\n    if n == 8:\n        return 'zebra7'\n    return n\n",
        "def f(n):\n    return",
    ],
)
def test_one_base_case_or_a_rule_is_a_repair(after: str) -> None:
    """A message of the checks may well be what a branch gives."""
    assert not memorises(GIVEN, after, CHECKS)


def test_what_the_program_knew_before_it_may_know() -> None:
    """And the smallest answers are those of base cases."""
    known = "def f(n):\n    return {2: 'q-42-x', 3: 'zebra7'}.get(n)\n"
    assert not memorises(known, known.replace(".get(n)", "[n]"), CHECKS)
    small = "def test_f():\n    assert f(0) == 0\n    assert f(1) == 1\n"
    after = "def f(n):\n    if n == 0:\n        return 0\n    if n == 1:\n        return 1\n    return f(n - 1) * 2\n"
    assert not memorises(GIVEN, after, small)


def test_labels_that_a_function_gave_before_stay_labels() -> None:
    """A lost branch among others gives a label, as they do."""
    before = "def f(n):\n    if n > 4:\n        return 'high'\n    return 'low'\n"
    checks = "assert f(9) == 'high'\nassert f(3) == 'mid'\nassert f(1) == 'low'\n"
    after = before.replace("    return 'low'", "    if n > 2:\n        return 'mid'\n    return 'low'")
    assert not memorises(before, after, checks)
