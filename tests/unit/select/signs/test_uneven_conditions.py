"""Conditions out of step with what stands beside them."""

from __future__ import annotations

import pytest

from regreen.select.signs.uneven_conditions import uneven_turns, unfit_lengths, unguarded_operands

TURNS = "def f(a, b, c):\n    return a + b == c or b + c == a\n"


@pytest.mark.parametrize(
    ("right", "wrong", "uneven"),
    [
        ("b + c == a", "b + b == a", 1),
        ("b + c == a", "b == a", 1),
        ("b + c == a", "b + c == a or a + c == b", 0),
        ("b + c == a", "a > 0 or b + c == a", 0),
        ("b + c == a", "b + c ==", 0),
        ("b + c == a", "abs(b + c) == a", 0),
        ("or b + c == a", "", 0),
    ],
)
def test_each_variable_takes_its_turn(right: str, wrong: str, uneven: int) -> None:
    """A condition on one of them alone is no turn."""
    assert uneven_turns(TURNS, TURNS.replace(right, wrong)) == uneven
    assert uneven_turns(TURNS.replace(right, wrong), TURNS) == 0


def test_to_ask_whether_a_key_is_there_is_no_turn() -> None:
    """`key not in best or new < best[key]` names two of three variables, and all three."""
    source = "def f(best, key, new):\n    return key not in best\n"
    assert uneven_turns(source, source.replace("in best", "in best or new < best[key]")) == 0


def test_a_place_in_a_grid_takes_no_turns() -> None:
    """`0 <= y < len(grid) and 0 <= x < len(grid[0]) and grid[y][x]` names the grid, and a place or two, each time."""
    source = "def f(grid, y, x):\n    return grid[y][x]\n"
    asked = source.replace("return ", "return 0 <= y < len(grid) and 0 <= x < len(grid[0]) and ")
    assert uneven_turns(source, asked) == 0


@pytest.mark.parametrize(
    ("line", "unfit"),
    [
        ("return None if len(xs) < 3 else xs[1]", 1),
        ("return None if len(xs) < 2 else xs[1]", 0),
        ("return None if len(xs) <= 1 else xs[1]", 0),
        ("return xs[-2] if len(xs) > 2 else None", 1),
        ("return xs[-2] if len(xs) >= 2 else None", 0),
        ("return None if len(xs) < 3 else ys[1]", 0),
        ("return None if len(xs) < 3 else xs[n]", 0),
        ("return None if len(xs) == 3 else xs[1]", 0),
        ("if len(xs) < 2:\n        return 0\n    return xs[2]", 1),
        ("if len(xs) < 3:\n        return 0\n    return xs[2]", 0),
        ("if len(xs) < 2:\n        log()\n    return xs[2]", 0),
        ("return (", 0),
    ],
)
def test_a_length_fits_the_items_that_are_read(line: str, unfit: int) -> None:
    """Whichever branch reads them, and of whatever follows a branch that leaves."""
    assert unfit_lengths(f"def f(xs, ys, n):\n    {line}\n") == unfit


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        ("n is not None or n > most", 1),
        ("n is None or n > most", 0),
        ("n is None and n > most", 1),
        ("not xs and xs[0] == 1", 1),
        ("not xs or xs[0] == 1", 0),
        ("xs or xs.first", 1),
        ("not (not xs) and xs.first", 0),
        ("xs and n and xs[0]", 0),
        ("n == 1 or n > most", 0),
        ("self.top is None and self.top.next", 1),
        ("n is", 0),
    ],
)
def test_what_is_missing_is_not_used(condition: str, count: int) -> None:
    """An `or` goes on where its first operand is false, an `and` where it is true."""
    after = f"def f(self, n, xs, most):\n    return {condition}\n"
    assert unguarded_operands("def f(self, n, xs, most):\n    return n\n", after) == count
    assert unguarded_operands(after, after) == 0
