"""What one mutation does to the project's other modules, no later one meets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from regreen.sandbox.pool import Pool
from regreen.strategies.whole_projects.project_baseline import suite_of
from regreen.tasks.project_files import UserPlace
from regreen.tasks.whole_project import read_whole_project
from regreen.types import Edit, Limits
from regreen.verify.screener_pool import open_screeners
from regreen.verify.screening import ScreeningLimits

pytestmark = [pytest.mark.sandbox, pytest.mark.either_wall]

LIMITS = Limits(seconds=2.0, memory_bytes=256 << 20)
ALLOWANCE = ScreeningLimits(ticks=1_000_000, seconds=2.0)
PROGRAM = """import prices
from prices import PRICES, rate


def total(names):
    prices.asked += 1
    return sum(PRICES[name] for name in names) * rate(0)
"""
PRICES = """import functools

PRICES = {"tea": 3, "cake": 4}
asked = 0


class Rates:
    kept = []
    first = 2


@functools.lru_cache
def rate(kind):
    return [Rates.first + len(Rates.kept)][kind]
"""
TESTS = """import prices
from shop import total


def test_total():
    assert total(["tea", "cake"]) == 14


def test_prices_are_as_they_were():
    assert (len(prices.PRICES), prices.asked, prices.Rates.first, prices.Rates.kept) == (2, 1, 2, [])
"""
TOTAL, WHOLE = "test_shop.py::test_total", "test_shop.py::test_prices_are_as_they_were"
NOTHING = ("sum(", "sum( ")


@pytest.mark.parametrize(
    "harm",
    [
        ("PRICES[name] for", "PRICES.pop(name) for"),
        ("asked += 1", "asked += 100"),
        ("asked += 1", "Rates.first = 5"),
        ("asked += 1", "Rates.kept.append(1)"),
        ("import prices\n", "import prices\nprices.Rates.first = 7\n"),
    ],
    ids=lambda harm: harm[1].strip(),
)
def test_a_mutation_finds_the_other_modules_as_they_were_collected(
    harm: tuple[str, str], pool: Pool, tmp_path: Path
) -> None:
    """Tables, variables, classes, and what functions remember."""
    texts = {"pytest.ini": "[pytest]\n", "shop.py": PROGRAM, "prices.py": PRICES, "test_shop.py": TESTS}
    for name, text in texts.items():
        tmp_path.joinpath(name).write_text(text)
    project = read_whole_project(tmp_path, (), UserPlace(tmp_path)).targeting("shop.py", {})
    suite = suite_of(replace(project, is_tolerant=True), [TOTAL, WHOLE], module="shop")
    changes = (NOTHING, harm, NOTHING)
    mutations = [[Edit(PROGRAM.index(old), PROGRAM.index(old) + len(old), new)] for old, new in changes]
    with open_screeners(pool, PROGRAM, suite, LIMITS, {}, size=1) as team:
        before, harmed, after = team.screen(mutations, frozenset(), ALLOWANCE)
    assert before.passed == after.passed == {TOTAL, WHOLE}
    assert WHOLE not in harmed.passed


def test_a_program_that_registers_itself_is_collected_anew(pool: Pool, tmp_path: Path) -> None:
    """Run twice in one place, it would stand in the list twice."""
    program = PROGRAM + "\n\nprices.Rates.kept.append('shop')\n"
    tests = "import prices\nimport shop\n\n\ndef test_kept():\n    assert prices.Rates.kept == ['shop']\n"
    texts = {"pytest.ini": "[pytest]\n", "shop.py": program, "prices.py": PRICES, "test_shop.py": tests}
    for name, text in texts.items():
        tmp_path.joinpath(name).write_text(text)
    project = read_whole_project(tmp_path, (), UserPlace(tmp_path)).targeting("shop.py", {})
    check = "test_shop.py::test_kept"
    suite = suite_of(replace(project, is_tolerant=True), [check], module="shop")
    changes = (NOTHING, ("append('shop')", "append('other')"), NOTHING)
    mutations = [[Edit(program.index(old), program.index(old) + len(old), new)] for old, new in changes]
    with open_screeners(pool, program, suite, LIMITS, {}, size=1) as team:
        assert [bool(result.passed) for result in team.screen(mutations, frozenset(), ALLOWANCE)] == [True, False, True]
