"""What tests in their project decide by is watched there, too, although their text is read beside the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from regreen.sandbox.pool import Pool
from regreen.strategies.whole_projects.project_baseline import suite_of
from regreen.tasks.project_files import UserPlace
from regreen.tasks.whole_project import read_whole_project
from regreen.types import Limits, Verdict
from regreen.verify.project_survey import survey_project

pytestmark = [pytest.mark.sandbox, pytest.mark.either_wall]

LIMITS = Limits(seconds=5.0, memory_bytes=256 << 20)
TESTS = """
import math
import unittest
import pytest
from helper import near
from program import half


@pytest.fixture
def wanted():
    return 1.5


def expect(found, wanted):
    assert math.isclose(found, wanted)


def test_half(wanted):
    found = half(3)
    expect(found, wanted)
    assert near(found, wanted)


class TestHalf(unittest.TestCase):
    def test_half(self):
        found = half(3)
        self.assertEqual(found, 1.5)
"""
HELPER = "import math\n\ndef near(a, b):\n    return abs(a - b) < 1\n"
RIGHT = "def half(n):\n    return n / 2\n"
WRONG = """import sys

def half(n):
    replace()
    return 1.75

def replace():
    {}
"""
DEEDS = {
    "math.isclose": "import math; math.isclose = lambda *a, **k: True",
    "math.isclose, once": "import math; math.isclose = lambda *a, r=math.isclose: setattr(math, 'isclose', r) or True",
    "the tests' own function": "sys.modules['test_half'].expect = lambda *a: None",
    "the tests' own function, once": (
        "names = vars(sys.modules['test_half'])\n    real = names['expect']\n"
        "    names['expect'] = lambda *a: names.update(expect=real)"
    ),
    "a method of the tests' class": "sys.modules['test_half'].TestHalf.assertEqual = lambda *a: None",
    "a method of unittest's": "import unittest; unittest.TestCase.assertEqual = lambda *a: None",
    "pytest, by what a library made": (
        "import contextlib, _pytest.runner as r\n"
        "    r.check_interactive_exception = contextlib.contextmanager(lambda *a: iter([1]))"
    ),
}


def verdict_of(pool: Pool, folder: Path, **files: str) -> Verdict:
    """What the tests of a project of these modules say of it."""
    for name, text in {"test_half": TESTS, "helper": HELPER, **files}.items():
        folder.joinpath(f"{name}.py").write_text(text)
    folder.joinpath("pytest.ini").write_text("[pytest]\n")
    suite = suite_of(read_whole_project(folder, (), UserPlace(folder)).project)
    return survey_project(pool, suite, LIMITS, proves=True).verdict


def test_an_honest_program_passes_and_nothing_is_said(pool: Pool, tmp_path: Path) -> None:
    """All that is watched over is what it was."""
    verdict = verdict_of(pool, tmp_path, program=RIGHT)
    assert verdict.passed
    assert verdict.unproven == ()


@pytest.mark.parametrize("deed", DEEDS)
def test_a_program_that_replaces_what_tests_decide_by_has_not_passed(pool: Pool, tmp_path: Path, deed: str) -> None:
    """However soon it is put back."""
    verdict = verdict_of(pool, tmp_path, program=WRONG.format(DEEDS[deed]))
    told = [verdict.detail, *(result.detail for result in verdict.results.values())]
    assert not verdict.passed
    assert any("tampering" in text for text in told), told


def test_a_function_that_the_program_replaced_before_the_tests_were_read_is_missed(pool: Pool, tmp_path: Path) -> None:
    """A `conftest.py` may load the program first."""
    program = "import math\nmath.isclose = lambda *a, **k: True\ndef half(n):\n    return 1.75\n"
    verdict = verdict_of(pool, tmp_path, conftest="import program\n", program=program)
    assert "it replaced math.isclose" in verdict.detail


@pytest.mark.parametrize(
    ("conftest", "unproven"),
    [
        ("import math\nmath.isclose = lambda a, b, real=math.isclose: real(a, b)\n", True),
        (
            "import math, pytest\n@pytest.fixture(autouse=True)\ndef near(monkeypatch):\n"
            "    monkeypatch.setattr(math, 'isclose', lambda a, b: a == b)\n",
            True,
        ),
        (
            "import unittest, pytest\nfrom anyio import pytest_plugin\n@pytest.fixture(autouse=True, scope='session')\n"
            "def quiet():\n    unittest.TestCase.shortDescription = lambda self: None\n"
            "    unittest.TestCase.shortDescription = pytest_plugin.pytest_configure\n",
            True,
        ),
        ("import time, pytest\n@pytest.fixture(autouse=True)\ndef now(monkeypatch):\n    monkeypatch.undo()\n", False),
    ],
    ids=["by a conftest", "by a fixture", "by a library", "nothing"],
)
def test_what_tests_and_libraries_replace_is_theirs_and_the_verdict_says_so(
    pool: Pool, tmp_path: Path, conftest: str, *, unproven: bool
) -> None:
    """Nobody can tell it from a program's doing."""
    verdict = verdict_of(pool, tmp_path, conftest=conftest, program=RIGHT)
    assert verdict.passed, verdict
    assert bool(verdict.unproven) is unproven
