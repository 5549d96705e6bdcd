"""Beside which program are repairs of one compared that does not parse?"""

from __future__ import annotations

from regreen.strategies.choosing.behaviours import parsed_near

BROKEN = "def f(a, b)\n    total = (a + b\n    return total\n"
MENDED = "def f(a, b):\n    total = (a + b)\n    return total\n"


def test_a_program_that_parses_is_compared_with_as_it_is() -> None:
    """However the repair looks."""
    assert parsed_near(MENDED, BROKEN) == MENDED


def test_syntax_is_mended_as_in_the_repair() -> None:
    """And nothing else: what the repair changes besides is what it is asked about."""
    repair = MENDED.replace("return total", "return total * 2")
    assert parsed_near(BROKEN, repair) == MENDED
    other = MENDED.replace("(a + b)", "a + b")
    assert parsed_near(BROKEN, other.replace("return total", "return -total")) == other


def test_what_nothing_mends_stays_as_it_is() -> None:
    """There is nothing to compare with then."""
    hopeless = "def ((((\n  class ]]] while\n in in in\n" * 5
    assert parsed_near(hopeless, "x = 1\n") == hopeless
