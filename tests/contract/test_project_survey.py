"""A survey of a project's tests: how watchful it is, and what is made ready while it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from regreen.sandbox.pool import Pool, open_pool
from regreen.strategies.whole_projects.project_baseline import suite_of
from regreen.tasks.project_files import UserPlace
from regreen.tasks.whole_project import read_whole_project
from regreen.types import Limits, Suite
from regreen.verify.project_survey import survey_project
from regreen.verify.screener_ahead import screener_ahead

pytestmark = [pytest.mark.sandbox, pytest.mark.either_wall]

LIMITS = Limits(seconds=2.0, memory_bytes=256 << 20)
PROGRAM = """import sys

RUNNER = sys.modules["_pytest.runner"]
KEPT = RUNNER.check_interactive_exception


def replace():
    RUNNER.check_interactive_exception = print


def put_back():
    RUNNER.check_interactive_exception = KEPT
"""
IMPORTS = "from program import put_back, replace\n\n\n"
REPLACES = "def test_replaces():\n    replace()\n\n\n"
PUTS_BACK = "def test_puts_back():\n    put_back()\n\n\n"
RED = "def test_red():\n    assert put_back() == 1\n"


def suite(folder: Path, *files: str) -> Suite:
    """The suite of a project of that program and these files of tests."""
    texts = {"pytest.ini": "[pytest]\n", "program.py": PROGRAM}
    texts |= {f"test_{number}.py": IMPORTS + text for number, text in enumerate(files)}
    for name, text in texts.items():
        folder.joinpath(name).write_text(text)
    return suite_of(read_whole_project(folder, (), UserPlace(folder)).project)


def test_a_survey_that_proves_nothing_looks_for_tampering_after_each_file(pool: Pool, tmp_path: Path) -> None:
    """What one file leaves replaced is seen there, although another one puts it back."""
    tampering = suite(tmp_path, REPLACES, PUTS_BACK)
    assert "check_interactive_exception" in survey_project(pool, tampering, LIMITS, proves=False).verdict.detail


def test_a_survey_that_proves_nothing_looks_at_its_end(pool: Pool, tmp_path: Path) -> None:
    """The last file, too."""
    tampering = suite(tmp_path, PUTS_BACK + REPLACES)
    assert "check_interactive_exception" in survey_project(pool, tampering, LIMITS, proves=False).verdict.detail


@pytest.mark.parametrize("proves", [True, False])
def test_a_survey_that_proves_looks_after_each_test(pool: Pool, tmp_path: Path, *, proves: bool) -> None:
    """What the next test puts back is seen where anything depends on it."""
    tampering = suite(tmp_path, REPLACES + PUTS_BACK)
    verdict = survey_project(pool, tampering, LIMITS, proves=proves).verdict
    assert verdict.passed is not proves
    assert ("check_interactive_exception" in verdict.detail) is proves


def test_red_tests_are_told_at_once_and_a_server_is_ready_after_them(layers: str, tmp_path: Path) -> None:
    """One server, however many tests are red; none where none is."""
    green, red = suite(tmp_path, PUTS_BACK), suite(tmp_path, PUTS_BACK, RED, RED)
    with open_pool(layers=layers) as pool:
        for tests, is_red in ((green, False), (red, True)):
            with screener_ahead(pool, tests) as start:
                survey_project(pool, tests, LIMITS, proves=False, on_red=start)
            assert pool.has_idle_server is is_red
        with pool.lease():
            assert not pool.has_idle_server
