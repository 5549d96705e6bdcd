"""Tests that contradict each other, or themselves."""

from __future__ import annotations

import pytest

from regreen.types import AsideKind
from regreen.verify.contradictions import contradicting_tests

START = "from shop import price\n\n"


def reasons(text: str, *red: str, more: str = "") -> dict[str, str]:
    """Red test -> why it looks wrong; every other test is green."""
    files = {"tests/test_a.py": (START + text).encode(), "tests/test_b.py": more.encode()}
    tests = {
        f"{path}::{line.split()[1].partition('(')[0]}"
        for path, content in files.items()
        for line in content.decode().splitlines()
        if line.startswith("def ")
    }
    wrong = {f"tests/test_a.py::{name}" for name in red}
    found = contradicting_tests(files, wrong, tests - wrong)
    assert all(aside.kind is AsideKind.CONTRADICTION and aside.remedy for aside in found)
    return {test: aside.reason for aside in found for test in aside.tests}


def test_a_red_test_that_denies_a_green_one_looks_wrong() -> None:
    """The reason names both lines and both answers."""
    text = "def test_one():\n    assert price(2) == 4\n\ndef test_two():\n    assert price(2) == 5\n"
    assert reasons(text, "test_two") == {
        "tests/test_a.py::test_two": "line 7 expects 5 of price(2), and tests/test_a.py::test_one, which passes, "
        "expects 4 of it (line 4)"
    }


def test_two_red_tests_that_deny_each_other_both_look_wrong() -> None:
    """Which of them is, only the user knows."""
    text = "def test_one():\n    assert price(2) == 4\n\ndef test_two():\n    assert price(2) == 5\n"
    assert len(reasons(text, "test_one", "test_two")) == 2


def test_a_claim_about_constants_alone_looks_wrong() -> None:
    """No change of the program turns it green."""
    found = reasons("def test_it():\n    assert 2 == 3\n", "test_it")
    assert found == {"tests/test_a.py::test_it": "line 4 expects 3 of 2, whatever the program does"}


@pytest.mark.parametrize(
    ("text", "more"),
    [
        (
            "def test_it():\n    assert price(3) == 5\n",
            "from shop import price\n\ndef test_b():\n    assert price(2) == 4\n",
        ),
        (
            "def test_it():\n    assert price(2) == 5\n",
            "from till import price\n\ndef test_b():\n    assert price(2) == 4\n",
        ),
        ("def test_it(till):\n    assert till(2) == 5\n", "def test_b(till):\n    assert till(2) == 4\n"),
    ],
)
def test_other_calls_contradict_nothing(text: str, more: str) -> None:
    """Other arguments, another function by the same name, and what a fixture decides."""
    assert reasons(text, "test_it", more=more) == {}
