"""A project whose program others hold stays loaded while its functions change, in one session of pytest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from project_screening import screened_changes

from regreen.sandbox.pool import Pool
from regreen.strategies.whole_projects.project_baseline import suite_of
from regreen.tasks.project_files import UserPlace
from regreen.tasks.whole_project import read_whole_project
from regreen.types import Suite
from regreen.verify.screening import ScreeningLimits, ScreeningResult

pytestmark = [pytest.mark.sandbox, pytest.mark.either_wall]

ALLOWANCE = ScreeningLimits(ticks=1_000_000, seconds=2.0)
PROGRAM = """class Label:
    unit = "cm"

    def of(self, size):
        return f"{size} {self.unit}"


def label(size):
    return Label().of(size)


def price(size):
    return size + 2
"""
ROUTES = """from functools import partial

from shop import label, price

TABLE = {"label": partial(label), "price": partial(price)}
"""
CONFTEST = """import builtins
import pytest

SESSIONS = builtins.__dict__.setdefault("sessions_of_a_test", [])


def pytest_runtest_setup(item):
    if item.session not in SESSIONS:
        SESSIONS.append(item.session)


@pytest.fixture
def sessions():
    return SESSIONS


@pytest.fixture(scope="session")
def first_price():
    from routes import TABLE
    return TABLE["price"](1)
"""
TESTS = """from routes import TABLE


def test_label():
    assert TABLE["label"](1) == "1 in"


def test_price(first_price):
    assert first_price == 3


def test_one_session(sessions):
    assert len(sessions) == 1
"""
LABEL, PRICE, ONE_SESSION = (f"test_shop.py::test_{name}" for name in ("label", "price", "one_session"))
IN_BODY, IN_CLASS = ('f"{size} {self.unit}"', 'f"{size} in"'), ('"cm"', '"in"')
ABOVE = ('class Label:\n    unit = "cm"', 'class Inches:\n    unit = "in"\n\n\nclass Label(Inches):\n    size = 1')
WRONG_PRICE, NOTHING = ("size + 2", "size * 2"), ("size + 2", "2 + size")


def suite(folder: Path, tests: str = TESTS, routes: str = ROUTES, program: str = PROGRAM) -> Suite:
    """The suite of the project, its program under repair."""
    texts = {"pytest.ini": "[pytest]\n", "shop.py": program, "routes.py": routes, "conftest.py": CONFTEST}
    for name, text in {**texts, "test_shop.py": tests}.items():
        folder.joinpath(name).write_text(text)
    project = read_whole_project(folder, (), UserPlace(folder)).targeting("shop.py", {})
    return suite_of(project, [LABEL, PRICE, ONE_SESSION], module="shop")


def screened(
    pool: Pool,
    suite: Suite,
    *changes: tuple[str, str],
    program: str = PROGRAM,
    allowance: ScreeningLimits = ALLOWANCE,
) -> list[ScreeningResult]:
    """What is said of the program with each of these changes, one after another."""
    return screened_changes(pool, suite, program, changes, allowance)


def test_one_session_answers_for_all_changes_of_functions(pool: Pool, tmp_path: Path) -> None:
    """A session for each takes ten times as long; what a fixture of the project has made is made anew for each."""
    results = screened(pool, suite(tmp_path), NOTHING, IN_BODY, IN_CLASS, WRONG_PRICE, IN_BODY)
    same, right = {PRICE, ONE_SESSION}, {LABEL, PRICE, ONE_SESSION}
    assert [set(result.passed) for result in results] == [same, right, right, {ONE_SESSION}, right]


def test_another_class_is_loaded_anew_by_another_process(pool: Pool, tmp_path: Path) -> None:
    """And answers come in the order of the changes."""
    results = screened(pool, suite(tmp_path), NOTHING, ABOVE, NOTHING, ABOVE, IN_BODY)
    assert [LABEL in result.passed for result in results] == [False, True, False, True, True]


def test_another_class_is_left_for_later_where_it_is_not_to_be_loaded_anew(pool: Pool, tmp_path: Path) -> None:
    """To load it anew takes far longer than the others."""
    later = replace(ALLOWANCE, loads_anew=False)
    results = screened(pool, suite(tmp_path), NOTHING, ABOVE, IN_BODY, allowance=later)
    assert [result.status for result in results] == ["failed", "anew", "passed"]


KEPT = """from shop import Label, label, price

MADE = Label()
TABLE = {"label": MADE.of, "price": price}
"""
MAKING = PROGRAM.replace('    unit = "cm"\n', '    def __init__(self):\n        self.unit = "cm"\n')


def test_what_was_made_while_a_program_was_loaded_is_made_anew_to_know_for_certain(pool: Pool, tmp_path: Path) -> None:
    """In place the change does nothing: what it would have made otherwise is there already."""
    whole = suite(tmp_path, routes=KEPT, program=MAKING)
    later = replace(ALLOWANCE, loads_anew=False)
    (stale,) = screened(pool, whole, IN_CLASS, program=MAKING, allowance=later)
    (certain,) = screened(pool, whole, IN_CLASS, program=MAKING)
    assert (stale.status, LABEL in stale.passed) == ("stale", False)
    assert (certain.status, LABEL in certain.passed) == ("passed", True)


def test_a_program_that_tests_load_while_they_run_stays_loaded(pool: Pool, tmp_path: Path) -> None:
    """A web framework loads its views with the first request."""
    late = TESTS.replace("from routes import TABLE\n", "").replace(
        "():\n    assert TABLE", "():\n    from routes import TABLE\n    assert TABLE"
    )
    results = screened(pool, suite(tmp_path, late), IN_BODY, NOTHING, IN_BODY)
    assert [set(result.passed) for result in results] == [
        {LABEL, PRICE, ONE_SESSION},
        {PRICE, ONE_SESSION},
        {LABEL, PRICE, ONE_SESSION},
    ]


FILLED = """TABLE = {}


def route(function):
    assert function.__name__ not in TABLE
    TABLE[function.__name__] = function
    return function
"""


def test_a_table_that_takes_no_name_twice_is_filled_once(pool: Pool, tmp_path: Path) -> None:
    """The program could not be loaded anew beside it."""
    program = "from routes import route\n\n\n" + PROGRAM.replace("def label", "@route\ndef label")
    tests = "import shop\n" + TESTS.replace("(first_price)", "()").replace("first_price", "shop.price(1)")
    whole = suite(tmp_path, tests, FILLED, program)
    for result in screened(pool, whole, IN_BODY, IN_BODY, program=program):
        assert result.passed == {LABEL, PRICE, ONE_SESSION}
