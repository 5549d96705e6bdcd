"""Which words of a text were wrong, by what a failing check wanted?"""

from __future__ import annotations

import pytest

from regreen.propose.search.text_differences import differing_texts
from regreen.types import CheckResult, Outcome


def failure(actual: object, expected: object) -> CheckResult:
    """A check that got one value and wanted another."""
    return CheckResult(Outcome.FAILED, expected=repr(expected), actual=repr(actual))


@pytest.mark.parametrize(
    ("actual", "expected", "changed"),
    [
        ("Hello, Ann", "Hi, Ann", [("Hello", "Hi")]),
        (["deposit: 30"], ["withdraw: 30"], [("deposit", "withdraw")]),
        ({"a": ("x y",), "b": "z"}, {"a": ("x-y",), "c": "u"}, [(" ", "-")]),
        ("a,b", "a, b", [(",", ", "), ("b", " b")]),
        ("a , b", "a, b", [("a ", "a"), (" ,", ",")]),
        ("same", "same", []),
        (["a"], ["a", "b"], []),
        ("1", 1, []),
        ("a b c d e f g h", "1 2 3 4 5 6 7 8", []),
    ],
)
def test_words_that_differ_are_told(actual: object, expected: object, changed: list[tuple[str, str]]) -> None:
    """Wherever they stand in a value."""
    assert list(differing_texts([failure(actual, expected)])) == changed


def test_what_is_no_plain_value_tells_nothing() -> None:
    """An object, an exception, a check that hangs."""
    odd = CheckResult(Outcome.FAILED, expected="<A object>", actual="'a'")
    assert differing_texts([odd, CheckResult(Outcome.TIMED_OUT)]) == ()
