"""A project whose tests use the program while they are imported is collected anew for each mutation, in one session."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from project_screening import LIMITS, screened_changes

from regreen.sandbox.pool import Pool
from regreen.strategies.whole_projects.project_baseline import suite_of
from regreen.tasks.project_files import UserPlace
from regreen.tasks.whole_project import read_whole_project
from regreen.types import Edit, Suite
from regreen.verify.screener_pool import open_screeners
from regreen.verify.screening import ScreeningLimits, ScreeningResult

pytestmark = [pytest.mark.sandbox, pytest.mark.either_wall]

ALLOWANCE = ScreeningLimits(ticks=1_000_000, seconds=2.0)
PROGRAM = "def sizes():\n    return [1, 2]\n\n\ndef label(size):\n    return f'{size} cm'\n"
CONFTEST = """import builtins
import pytest

from shop import label

FIRST = label(1)
SESSIONS = builtins.__dict__.setdefault("sessions_of_a_test", [])


@pytest.fixture
def sessions(request):
    if request.session not in SESSIONS:
        SESSIONS.append(request.session)
    return SESSIONS


@pytest.fixture
def first():
    return FIRST
"""
TESTS = """import pytest
from shop import sizes


@pytest.mark.parametrize("size", sizes())
def test_size(size):
    assert size < 3


def test_first(first):
    assert first == "1 in"


def test_one_session(sessions):
    assert len(sessions) == 1
"""
HOOKS = "\n\ndef pytest_configure(config):\n    config.addinivalue_line('markers', 'slow: so')\n"
SIZE_1, SIZE_2, FIRST = "test_shop.py::test_size[1]", "test_shop.py::test_size[2]", "test_shop.py::test_first"
ONE_SESSION = "test_shop.py::test_one_session"
NOTHING, RIGHT, LARGE = ("[1, 2]", "[1,  2]"), ("cm", "in"), ("2]", "3]")
BROKEN = ("[1, 2]", "[1, 2].no")
"""What mutations replace, and by what."""


def suite(folder: Path, conftest: str, tests: str = TESTS, *more: str, program: str = PROGRAM) -> Suite:
    """The suite of the project, its program under repair."""
    for name, text in {"pytest.ini": "[pytest]\n", "shop.py": program, "conftest.py": conftest}.items():
        folder.joinpath(name).write_text(text)
    folder.joinpath("test_shop.py").write_text(tests)
    project = read_whole_project(folder, (), UserPlace(folder)).targeting("shop.py", {})
    checks = [SIZE_1, SIZE_2, FIRST, ONE_SESSION, *more]
    return suite_of(replace(project, is_tolerant=True), checks, module="shop")


def screened(
    pool: Pool,
    suite: Suite,
    *changes: tuple[str, str],
    program: str = PROGRAM,
    allowance: ScreeningLimits = ALLOWANCE,
) -> list[ScreeningResult]:
    """What is said of the program with each of these changes, one after another."""
    return screened_changes(pool, suite, program, changes, allowance)


def test_what_tests_and_conftests_make_of_a_program_is_that_of_each_mutation(pool: Pool, tmp_path: Path) -> None:
    """Cases, constants of a conftest and what its fixtures return, in whatever order mutations come."""
    results = screened(pool, suite(tmp_path, CONFTEST), NOTHING, RIGHT, LARGE, NOTHING, RIGHT)
    sizes = {SIZE_1, SIZE_2}
    expected = [sizes, {*sizes, FIRST}, {SIZE_1}, sizes, {*sizes, FIRST}]
    assert [set(result.passed) - {ONE_SESSION} for result in results] == expected


def test_the_session_stays_open_for_all_mutations(pool: Pool, tmp_path: Path) -> None:
    """Starting one costs several times as much as collecting."""
    results = screened(pool, suite(tmp_path, CONFTEST), NOTHING, RIGHT, LARGE)
    assert all(ONE_SESSION in result.passed for result in results)


LAZY = """
class Lazy:
    def __getattribute__(self, name):
        raise RuntimeError("not configured")


SETTINGS = Lazy()
"""


def test_objects_that_cannot_be_asked_for_their_class_are_let_be(pool: Pool, tmp_path: Path) -> None:
    """Django's settings raise as long as they are not configured, wherever a module of the project holds them."""
    conftest = CONFTEST.replace("label(1)", "'1 in'") + LAZY
    tests = TESTS.replace('@pytest.mark.parametrize("size", sizes())', '@pytest.mark.parametrize("size", [1, 2])')
    assert conftest != CONFTEST + LAZY
    for result in screened(pool, suite(tmp_path, conftest, tests.replace("size < 3", "size in sizes()")), LARGE, RIGHT):
        assert ONE_SESSION in result.passed


@pytest.mark.parametrize("hooks", ["", HOOKS])
def test_what_a_program_does_while_it_is_loaded_is_no_checks_time(pool: Pool, tmp_path: Path, hooks: str) -> None:
    """It is loaded anew for each mutation, and its tables take more ticks than a check may."""
    program = "TABLE = {n: n for n in range(5_000)}\n\n\n" + PROGRAM
    allowance = ScreeningLimits(ticks=200, seconds=2.0)
    whole = suite(tmp_path, CONFTEST + hooks, program=program)
    for result in screened(pool, whole, RIGHT, RIGHT, program=program, allowance=allowance):
        assert {SIZE_1, SIZE_2, FIRST} <= result.passed


def test_a_mutation_that_does_not_load_leaves_the_session_as_it_was(pool: Pool, tmp_path: Path) -> None:
    """The next one is collected as if there had been none before."""
    broken, right = screened(pool, suite(tmp_path, CONFTEST), BROKEN, RIGHT)
    assert not broken.passed
    assert right.passed == {SIZE_1, SIZE_2, FIRST, ONE_SESSION}


def test_a_conftest_with_hooks_is_given_a_session_for_each_mutation(pool: Pool, tmp_path: Path) -> None:
    """It would be told twice of what it has been told."""
    first, second = screened(pool, suite(tmp_path, CONFTEST + HOOKS), RIGHT, RIGHT)
    assert FIRST in first.passed
    assert FIRST in second.passed
    assert ONE_SESSION not in second.passed


def test_files_that_tests_leave_in_their_temporary_folders_are_gone_with_the_next_mutation(
    pool: Pool, tmp_path: Path
) -> None:
    """pytest would list what thousands of mutations have left, for each folder that it makes."""
    tests = TESTS + "\n\ndef test_folder(tmp_path):\n    assert len(list(tmp_path.parent.glob('test_folder*'))) <= 2\n"
    folder = "test_shop.py::test_folder"
    results = screened(pool, suite(tmp_path, CONFTEST, tests, folder), RIGHT, NOTHING, RIGHT)
    assert all(folder in result.passed for result in results)


ELSEWHERE = """import builtins
import pytest

IMPORTS = builtins.__dict__.setdefault("imports_of_a_test", [])
IMPORTS.append(1)


class TestLabel:
    @pytest.mark.parametrize("size", [1, 2])
    def test_end(self, size, first):
        assert first.endswith("in")
"""
COUNTED = """

def test_imports():
    import builtins
    assert len(builtins.imports_of_a_test) <= 2
"""


def test_only_the_files_of_the_tests_that_are_run_are_collected(pool: Pool, tmp_path: Path) -> None:
    """Most mutations fail what they are made for, and what they might break is never asked."""
    ends = [f"test_elsewhere.py::TestLabel::test_end[{size}]" for size in (1, 2)]
    imports = "test_shop.py::test_imports"
    tmp_path.joinpath("test_elsewhere.py").write_text(ELSEWHERE)
    checks = suite(tmp_path, CONFTEST, TESTS + COUNTED, imports, *ends)
    edits = [[Edit(PROGRAM.index(old), PROGRAM.index(old) + len(old), new)] for old, new in (NOTHING, NOTHING, RIGHT)]
    with open_screeners(pool, PROGRAM, checks, LIMITS, {}, size=1) as team:
        limits = replace(ALLOWANCE, late=frozenset(ends), late_ticks=1_000_000, late_seconds=2.0)
        wrong, again, right = team.screen(edits, frozenset(), limits)
    assert wrong.passed == again.passed == {SIZE_1, SIZE_2, ONE_SESSION, imports}
    assert right.passed == {SIZE_1, SIZE_2, ONE_SESSION, FIRST, imports, *ends}
