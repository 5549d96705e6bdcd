"""Which changes bring numbers that nobody means?"""

from __future__ import annotations

import pytest

from regreen.select.signs.odd_numbers import (
    asked_when_empty,
    bits_among_numbers,
    defaults_compared,
    doubled_signs,
    dropped_remainders,
    kept_off_by_one,
    negative_lengths,
    nudged_constants,
    torn_neighbours,
)


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        ("x /= 1024\n", "x /= 1023\n", 1),
        ("x = y % 60\n", "x = y % 61\n", 1),
        ("x = y * 100\n", "x = y * 10\n", 0),
        ("x = y // 61\n", "x = y // 60\n", 0),
        ("if x > 60:\n    y = 1\n", "if x > 59:\n    y = 1\n", 0),
        ("x = y + 100\n", "x = y + 99\n", 0),
        ("x = y * 3\n", "x = y * 4\n", 0),
        ("M = 10 ** 9 + 7\nx = y % M\n", "M = 10 ** 2 + 7\nx = y % M\n", 1),
        ("M = 10 ** 9 + 7\nx = y % M\n", "M = 10 ** 9 + 7\nx = y % (M + 1)\n", 1),
        ("M = 998244353\nx = pow(y, 2, M)\n", "M = 998244353\nx = pow(y, 2, M - 1)\n", 1),
        ("M = 10 ** 9 + 7\nx = y % M\n", "M = 10 ** 9 + 7\nx = (y - 1) % M\n", 0),
        ("x = (\n", "x = y / 99\n", 0),
    ],
)
def test_what_everybody_knows_is_seldom_one_off(before: str, after: str, count: int) -> None:
    """Where it scales something; a boundary may well be."""
    assert nudged_constants(before, after) == count


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        ("x = a * (b + 1)\n", "x = a * (b | 1)\n", 1),
        ("x = a + b % c\n", "x = a | b % c\n", 1),
        ("x = a - f(b)\n", "x = a & ~f(b)\n", 1),
        ("x = a + b + 1\n", "x = (a | b) + 1\n", 1),
        ("x = a | 2\n", "x = (a | b) + 1\n", 0),
        ("x = a << 1\n", "x = a | 1\n", 0),
        ("x = a - b\n", "x = a | b\n", 0),
        ("x = a == 1 or b\n", "x = (a == 1) | b\n", 0),
    ],
)
def test_bits_come_by_themselves_where_numbers_are_reckoned_with(before: str, after: str, count: int) -> None:
    """Not where the program works with bits, nor of sets and truth values."""
    assert bits_among_numbers(before, after) == count


@pytest.mark.parametrize(
    ("after", "count"),
    [
        ("rows, columns = -len(g), len(g[0])\n", 1),
        ("n = -len(g)\n", 1),
        ("key = lambda w: -len(w)\n", 0),
        ("last = g[-len(w):]\n", 0),
    ],
)
def test_no_length_is_below_zero(after: str, count: int) -> None:
    """A key of an order may be."""
    assert negative_lengths("rows, columns = len(g), len(g[0])\n", after) == count


@pytest.mark.parametrize(
    ("last", "count"), [("(-1, 0)", 0), ("(1, 1)", 1), ("(-1, -1)", 1), ("(-1, 0), (1, 1)", 0), ("step", 0)]
)
def test_the_four_steps_belong_together(last: str, count: int) -> None:
    """A fifth is another matter."""
    steps = "STEPS = [(0, 1), (1, 0), (0, -1), {}]\n"
    assert torn_neighbours(steps.format("(-1, 0)"), steps.format(last)) == count


@pytest.mark.parametrize(
    ("after", "count"),
    [
        ("if len(p) < 1 and p[0] == '0':\n    x = 1\n", 1),
        ("if not p and p[-1]:\n    x = 1\n", 1),
        ("if len(p) == 0 and p[0]:\n    x = 1\n", 1),
        ("if not p or p[0]:\n    x = 1\n", 0),
        ("if not p and q[0]:\n    x = 1\n", 0),
        ("if not p and p[1:]:\n    x = 1\n", 0),
        ("if len(p) < 2 and p[0]:\n    x = 1\n", 0),
    ],
)
def test_what_is_empty_has_no_first_item(after: str, count: int) -> None:
    """Nobody asks for it then."""
    assert asked_when_empty("if len(p) > 1 and p[0] == '0':\n    x = 1\n", after) == count


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        ("x = a - b\n", "x = a - -b\n", 1),
        ("x = a - b\n", "x = a + -f(b)\n", 1),
        ("x = a - b\n", "x = a + b\n", 0),
        ("x = a - b\n", "x = a - -1\n", 0),
        ("x = a - -b\n", "x = c - -b\n", 1),
        ("x = a - -b\n", "x = a - -b\ny = 1\n", 0),
        ("x = (\n", "x = a - -b\n", 0),
    ],
)
def test_nobody_takes_away_what_has_a_minus(before: str, after: str, count: int) -> None:
    """The other sign says so in less."""
    assert doubled_signs(before, after) == count


KEPT = "class A:\n    def __init__(self, lives):\n        {}\n"


@pytest.mark.parametrize(
    ("kept", "count"),
    [
        ("self.lives = lives + 1", 1),
        ("self._lives = lives - 2", 1),
        ("self.lives = lives * 2", 0),
        ("self.left = lives - 1", 0),
        ("self.lives = lives + lives", 0),
    ],
)
def test_what_is_given_is_kept_as_it_is(kept: str, count: int) -> None:
    """Under its own name, that is."""
    assert kept_off_by_one(KEPT.format("self.lives = lives"), KEPT.format(kept)) == count


@pytest.mark.parametrize(
    ("after", "count"),
    [
        ("x = old[k] != new.get(k, 1)\n", 1),
        ("x = new.get(k, 'a') == old[k]\n", 1),
        ("x = old[k] != new.get(k)\n", 0),
        ("x = old[k] != new.get(k, 0)\n", 0),
        ("x = new.get(k, 2) == 3\n", 0),
        ("x = new.get(k, 1) > old[k]\n", 0),
    ],
)
def test_a_default_that_says_something_is_seldom_compared(after: str, count: int) -> None:
    """It is there to please a check."""
    assert defaults_compared("x = old[k] != new[k]\n", after) == count


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [("n * 2 % MOD", "n * 2", 1), ("n % 10007", "n", 1), ("n % 10", "n", 0), ("n % m", "n", 0), ("n", "n % MOD", 0)],
)
def test_a_modulus_is_taken_for_a_reason(before: str, after: str, count: int) -> None:
    """By a large number, or a constant; other remainders may be too many."""
    assert dropped_remainders(f"def f(n, m):\n    return {before}\n", f"def f(n, m):\n    return {after}\n") == count
    assert dropped_remainders(f"def f(n, m):\n    return {before}\n", "def f(:") == 0
