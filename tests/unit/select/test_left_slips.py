"""Which plain slips of the given program does a repair leave?"""

from __future__ import annotations

from regreen.select.signs import signs_cost
from regreen.select.signs.odd_statements import left_slips

GIVEN = "def f(n):\n    table = [[0] * n] * n\n    table[0][0] = 1\n    return table is 'a'\n"


def test_what_is_left_is_counted_and_costs() -> None:
    """What the given program has not is no slip left."""
    half, whole = GIVEN.replace("is 'a'", "== 'a'"), "def f(n):\n    return n\n"
    assert left_slips(GIVEN, GIVEN) == 2
    assert left_slips(GIVEN, half) == 1
    assert left_slips(GIVEN, whole) == 0
    assert left_slips(whole, GIVEN) == 0
    assert signs_cost(GIVEN, GIVEN) > signs_cost(GIVEN, half)


def test_of_a_program_that_does_not_parse_nothing_is_known() -> None:
    """What its mending has is left."""
    assert left_slips(GIVEN.replace("(n):", "(n)"), GIVEN) == 2
