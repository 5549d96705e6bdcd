"""Tests that contradict each other."""

from __future__ import annotations

import pytest

from regreen.types import AsideKind
from regreen.verify.contradictions import contradicting_tests

PROGRAM = "def price(n):\n    return n * 2\n"
START = "from shop import price\n\n"


def reasons(text: str, *red: str, more: str = "") -> dict[str, str]:
    """Red test -> why it looks wrong; every other test is green."""
    files = {"tests/test_a.py": (START + text).encode(), "tests/test_b.py": more.encode()}
    tests = [
        f"{path}::{line.split()[1].partition('(')[0]}"
        for path, content in files.items()
        for line in content.decode().splitlines()
        if line.startswith("def ")
    ]
    files |= {"shop.py": PROGRAM.encode(), "till.py": PROGRAM.encode()}
    wrong = {f"tests/test_a.py::{name}" for name in red}
    found = contradicting_tests(files, tests, wrong, set(tests) - wrong)
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


def test_rows_are_known_by_their_place() -> None:
    """The second row alone is denied, whatever pytest calls it."""
    text = "import pytest\nfrom shop import price\n\n@pytest.mark.parametrize('n, due', [(1, 2), (2, 5)])\n"
    text += "def test_rows(n, due):\n    assert price(n) == due\n\ndef test_two():\n    assert price(2) == 4\n"
    files = {"test_a.py": text.encode(), "shop.py": PROGRAM.encode()}
    tests = ["test_a.py::test_rows[1-2]", "test_a.py::test_rows[odd name]", "test_a.py::test_two"]
    found = contradicting_tests(files, tests, {tests[1]}, {tests[0], tests[2]})
    assert [aside.tests for aside in found] == [(tests[1],)]


@pytest.mark.parametrize(
    "program",
    [
        "import random\n\ndef price(n):\n    return random.random()\n",
        "SEEN = []\n\ndef price(n):\n    SEEN.append(n)\n    return len(SEEN)\n",
        "SEEN = {}\n\ndef price(n):\n    kept = SEEN\n    kept[n] = 1\n    return len(kept)\n",
        "SEEN = [[]]\n\ndef price(n):\n    for kept in SEEN:\n        kept.append(n)\n    return len(SEEN[0])\n",
        "N = 0\n\ndef price(n):\n    global N\n    N += 1\n    return N\n",
        "def price(n, seen=[]):\n    seen.append(n)\n    return len(seen)\n",
        "class Till:\n    seen = []\n\ndef price(n):\n    Till.seen.append(n)\n    return len(Till.seen)\n",
        "from time import time\n\ndef price(n):\n    return time()\n",
        "from datetime import datetime\n\ndef price(n):\n    return datetime.now().second\n",
        "def price(n):\n    return open('rate').read()\n",
        "def price(n):\n    price.calls = n\n    return n\n",
        "from elsewhere import price\n",
        "@remember\ndef price(n):\n    return n\n",
        "def other():\n    return input()\n\ndef price(n):\n    return other()\n",
        "def price(n):\n    return hash(str(n))\n",
    ],
)
def test_a_program_that_may_answer_in_two_ways_contradicts_nothing(program: str) -> None:
    """It remembers, asks the world, or cannot be followed."""
    text = START + "def test_one():\n    assert price(2) == 4\n\ndef test_two():\n    assert price(2) == 5\n"
    files = {"test_a.py": text.encode(), "shop.py": program.encode()}
    tests = ["test_a.py::test_one", "test_a.py::test_two"]
    assert contradicting_tests(files, tests, {tests[1]}, {tests[0]}) == ()
