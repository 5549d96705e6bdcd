"""Do tests that are joined still ask what each of them asked?"""

from __future__ import annotations

import pytest

from regreen.tasks.joined_tests import joined_tests

VISIBLE = """
class Clock:
    now = 1


def twice(x):
    return 2 * x


def test_time():
    asked = [Clock().now, twice(1)]
    asked.Clock = "Clock"
"""


def test_what_both_define_otherwise_has_two_names() -> None:
    """Attributes, texts and what is defined alike keep theirs."""
    hidden = VISIBLE.replace("now = 1", "now = 5")
    joined = joined_tests(VISIBLE, hidden)
    assert joined.endswith(hidden.lstrip())
    first = joined.removesuffix(hidden.lstrip())
    assert (
        first
        == VISIBLE.replace("class Clock", "class Clock_visible").replace("[Clock()", "[Clock_visible()").rstrip() + "\n"
    )


def test_tests_of_one_name_both_run() -> None:
    """Of two functions of one name in a module, Python keeps the last."""
    joined = joined_tests("def test_a():\n    assert 1\n", "def test_a():\n    assert 2\n")
    assert joined == "def test_a_visible():\n    assert 1\ndef test_a():\n    assert 2\n"


@pytest.mark.parametrize(
    ("visible", "hidden"),
    [
        ("d = f(1)\nassert d == 1\n", "d = f(2)\nassert d == 2\n"),
        ("def test_a(:\n", "def test_a():\n    assert 1\n"),
        ("def test_a():\n    assert 1\n", "def test_b():\n    assert 1\n"),
    ],
)
def test_all_else_stays_as_it_was_written(visible: str, hidden: str) -> None:
    """Statements that run one by one, what does not parse, and what has names of its own."""
    assert joined_tests(visible, hidden) == visible + hidden
