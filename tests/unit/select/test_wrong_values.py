"""What the checks compare is asked with wrong values, where a change touches how values are compared."""

from __future__ import annotations

from regreen.select.wrong_values import changes_comparison, changes_equality, wrong_comparisons
from regreen.verify.suites import read_suite

POINT = (
    "class Point:\n    def __init__(self, x):\n        self.x = x\n"
    "    def __eq__(self, other):\n        return self.x == other.x\n"
)
NAMES = {"Point", "moved"}


def asked(tests: str) -> list[str]:
    """The questions, each on one line."""
    suite = read_suite(tests, program=POINT, module="program", entry_point=None)
    return [scenario.words for scenario in wrong_comparisons(suite, NAMES)]


def test_a_result_is_compared_with_objects_of_other_literals() -> None:
    """On either side, with what leads to it."""
    assert asked("def test_one():\n    p = Point(1)\n    assert p.moved(2) == Point(3)\n") == [
        "p = Point(1); bool(p.moved(2) == Point(7922))"
    ]
    assert asked("assert Point('a') == moved(2)\n") == ["bool(moved(2) == Point('a?'))"]


def test_where_equality_itself_is_checked_nothing_is_asked() -> None:
    """Two objects that are made to be compared, and values that are none of the program's."""
    assert asked("assert Point(1) == Point(1)\n") == []
    assert asked("assert moved(2) == [3]\nassert moved(2) != Point(3)\n") == []


def test_only_methods_that_compare_count_as_changes_of_comparison() -> None:
    """Another body of `__eq__`, or none."""
    assert changes_comparison(POINT, POINT.replace("self.x == other.x", "True"))
    assert changes_comparison(POINT, POINT.partition("    def __eq__")[0])
    assert not changes_comparison(POINT, POINT.replace("self.x = x", "self.x = -x"))


def test_the_order_of_values_is_not_their_equality() -> None:
    """A change of `__lt__` makes no two values equal."""
    ordered = f"{POINT}\n    def __lt__(self, other):\n        return self.x < other.x\n"
    assert not changes_equality(ordered, ordered.replace("<", "<="))
    assert changes_equality(ordered, ordered.replace("self.x == other.x", "True"))
