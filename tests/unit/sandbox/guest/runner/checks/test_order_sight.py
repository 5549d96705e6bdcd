"""Which checks can see the order in which a set is gone through."""

from __future__ import annotations

import pytest

from regreen.sandbox.guest.runner.checks.order_sight import sees_order


@pytest.mark.parametrize(
    "text",
    [
        "assert list(f()) == [1]",
        "assert repr(f()) == '{1}'",
        "for x in f():\n    assert x",
        "assert [x for x in f()] == [1]",
        "assert [*f()] == [1]",
        "a, b = f()\nassert a == 1",
        "assert f'{f()}' == '{1}'",
        "assert '%s' % f() == '{1}'",
        "assert f().pop() == 1",
        "self.assertCountEqual(f(), [1])",
        "f(",
    ],
)
def test_what_goes_through_a_set_sees_its_order(text: str) -> None:
    """And what shows it, and a text that is no Python, of which nobody knows."""
    assert sees_order(["x = 1", text])


@pytest.mark.parametrize(
    "text", ["assert f() == {1, 2}", "assert 1 in f()", "assert len(f()) == 2", "x = f()\nassert x | {1} == x"]
)
def test_what_compares_sets_sees_no_order(text: str) -> None:
    """Equal sets are equal in any order."""
    assert not sees_order([text])
