"""Tests below `conftest.py` files are judged behind the wall as plain pytest judges them in their folders."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from regreen.types import Isolation, Limits, Outcome, Suite
from regreen.verify.baseline import judge_given
from regreen.verify.judge import SandboxJudge
from regreen.verify.suites import read_suite

pytestmark = [pytest.mark.sandbox, pytest.mark.either_wall]

LIMITS = Limits(seconds=1.0, total_seconds=15.0)
PROGRAM = """\
import os

class Stock:
    def __init__(self, **items):
        self.items = items

    def take(self, name):
        if not self.items.get(name):
            raise LookupError(name)
        self.items[name] -= 1
        return self.items[name]

    @property
    def total(self):
        return sum(self.items.values())

def shop():
    return os.environ.get("SHOP", "none")
"""
OUTER = """\
import pytest
from program import Stock

@pytest.fixture
def stock():
    made = Stock(apple=2, pear=1)
    yield made
    assert made.total >= 2, "sold out"

@pytest.fixture(autouse=True)
def name_of_the_shop(monkeypatch):
    monkeypatch.setenv("SHOP", "test")

@pytest.fixture(scope="session")
def seen():
    return []
"""
INNER = """\
import pytest

@pytest.fixture
def stock(stock):
    stock.items["plum"] = 1
    return stock

@pytest.fixture(params=["apple", "kiwi"])
def fruit(request):
    return request.param
"""
TESTS = """\
import pytest
from program import shop

def test_total(stock):
    assert stock.total == 4

def test_take(stock, fruit, seen):
    seen.append(fruit)
    assert stock.take(fruit) == 1

def test_seen(seen):
    assert seen == ["apple", "kiwi"]

def test_the_fixture_above_fails(stock):
    stock.items.clear()

def test_shop():
    assert shop() == "test"
"""
EXPECTED = {
    "test_total": Outcome.PASSED,
    "test_take[apple]": Outcome.PASSED,
    "test_take[kiwi]": Outcome.RAISED,
    "test_seen": Outcome.PASSED,
    "test_the_fixture_above_fails": Outcome.FAILED,
    "test_shop": Outcome.PASSED,
}
"""What pytest says of the same three files in their folders."""


def outcomes(
    judge: SandboxJudge, conftests: Mapping[str, str], tests: str, program: str = PROGRAM
) -> tuple[dict[str, Outcome], Suite]:
    """The outcome of each check, and the suite by which it was judged."""
    suite = read_suite(tests, program=program, module="program", entry_point=None, conftests=[*conftests.items()])
    verdict, used = judge_given(judge, program, suite, LIMITS, {})
    return {check: result.outcome for check, result in verdict.results.items()}, used


def test_fixtures_of_conftests_are_set_up_behind_the_wall(judge: SandboxJudge) -> None:
    """Those that build on one another, for every test, with parameters, with an end, and for all tests once."""
    found, used = outcomes(judge, {"conftest.py": OUTER, "tests/conftest.py": INNER}, TESTS)
    assert found == EXPECTED
    assert used.isolation is Isolation.SEPARATE


def test_a_conftest_that_cannot_be_imported_fails_every_check(judge: SandboxJudge) -> None:
    """As where pytest comes to no test at all; what the program raises is told as the program's."""
    wrong = f"{OUTER}Stock(1)\n"
    found, _ = outcomes(judge, {"conftest.py": wrong, "tests/conftest.py": INNER}, TESTS)
    assert set(found.values()) == {Outcome.RAISED}
    found, _ = outcomes(judge, {"conftest.py": OUTER}, "def test_a(stock): ...\n", "raise ValueError\n")
    assert set(found.values()) == {Outcome.RAISED}


def test_a_program_that_looks_for_its_conftest_finds_none(judge: SandboxJudge) -> None:
    """Neither the fixtures nor what they expect are on its side of the wall."""
    program = (
        "import pathlib, sys\ndef found():\n    names = [str(path) for path in pathlib.Path('.').rglob('*')]\n"
        "    return [n for n in (*names, *sys.modules) if 'conftest' in n and not n.startswith('_pytest')]\n"
    )
    conftest = "import pytest\nfrom program import found\n@pytest.fixture\ndef secret():\n    return 7\n"
    tests = "def test_a(secret):\n    assert found() == [] and secret == 7\n"
    result, used = outcomes(judge, {"conftest.py": conftest}, f"from program import found\n{tests}", program)
    assert (result, used.isolation) == ({"test_a": Outcome.PASSED}, Isolation.SEPARATE)
