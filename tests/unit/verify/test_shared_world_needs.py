"""What checks share with a program beside its answers is read from their text: and can it be kept alike?"""

from __future__ import annotations

import pytest

from regreen.types import Isolation, Suite
from regreen.verify.suites import read_suite

PROGRAM = "def f(x):\n    return x\n"
ALIKE = {
    "warnings": "import warnings\nwith warnings.catch_warnings(record=True) as w:\n    f(1)\nassert len(w) == 1\n",
    "log": "class T(TestCase):\n    def test_a(self):\n        with self.assertLogs():\n            f(1)\n",
    "files": "f(1)\nassert Path('a').read_text() == 'x'\n",
    "files by open": "f(1)\nassert open('a').read() == 'x'\n",
    "files by os": "import os\nf(1)\nassert os.path.exists('a')\n",
    "environment": "import os\ndef test_a():\n    os.environ['A'] = 'b'\n    assert f(1) == 2\n",
}
APART = {
    "a link": "f(1)\nPath('a').symlink_to('b')\nassert Path('a').exists()\n",
    "the mode of a file": "f(1)\nassert Path('a').stat().st_mode\n",
    "a module that may run files": "import yaml\nf(1)\nassert Path('a').read_text() == 'x'\n",
    "text that is run": "f(1)\nexec(open('a').read())\nassert f(1)\n",
    "the search path": "import sys\nsys.path.insert(0, '.')\nassert f(1) == open('a').read()\n",
    "the line of a warning": "import warnings\nwith warnings.catch_warnings() as w:\n    f(1)\nassert w[0].lineno\n",
    "the thread of a record": "import logging\nf(1)\nassert logging.lastResort.thread\n",
}
EARLY = "import os\nos.environ['A'] = 'b'\nfrom program import f\ndef test_a():\n    assert f(1) == 2\n"
LATE = "import os\ndef test_a():\n    os.environ['A'] = 'b'\n    from program import f\n    assert f(1) == 2\n"
HEAD = "from pathlib import Path\nfrom unittest import TestCase\nfrom program import f\n"


def suite_of(tests: str, program: str = PROGRAM) -> Suite:
    """The suite of a test text."""
    return read_suite(tests, program=program, module="program", entry_point=None)


@pytest.mark.parametrize("name", ALIKE)
def test_what_can_be_kept_alike_stays_behind_the_wall(name: str) -> None:
    """The part is named for the two processes."""
    suite = suite_of(HEAD + ALIKE[name])
    assert (suite.isolation, suite.surface.by_handles) == (Isolation.SEPARATE, True)
    assert name.partition(" ")[0] in suite.surface.shares


@pytest.mark.parametrize("name", APART)
def test_what_would_tell_one_process_from_two_is_shared(name: str) -> None:
    """So would what could run a file that the program wrote."""
    suite = suite_of(HEAD + APART[name])
    assert (suite.isolation, suite.surface.shares) == (Isolation.SHARED, ())


@pytest.mark.parametrize("tests", [EARLY, LATE])
def test_variables_that_are_set_before_the_program_is_imported_need_its_process(tests: str) -> None:
    """Behind the wall it is loaded before all."""
    assert suite_of(tests).isolation is Isolation.SHARED


@pytest.mark.parametrize(
    ("part", "program"),
    [
        ("warnings", "import warnings\ndef f(x):\n    warnings.simplefilter('error')\n"),
        ("warnings", "import warnings\ndef f(x):\n    warnings.warn('x', stacklevel=2)\n"),
        ("log", "import logging\nlogging.basicConfig()\ndef f(x):\n    logging.warning(x)\n"),
        ("files", "import os\ndef f(x):\n    os.symlink('a', x)\n"),
    ],
)
def test_a_program_that_does_more_to_its_process_than_is_told_is_shared(part: str, program: str) -> None:
    """Its own filters, handlers and links stay with it."""
    assert suite_of(HEAD + ALIKE[part], program).isolation is Isolation.SHARED


def test_a_path_that_is_only_text_shares_nothing() -> None:
    """Joining and comparing ask no file system."""
    suite = suite_of("from pathlib import Path\nfrom program import f\nassert f(Path('a')) / 'b' == Path('a/b')\n")
    assert (suite.isolation, suite.surface.shares) == (Isolation.SEPARATE, ())


def test_a_fixture_that_gives_a_folder_shares_files() -> None:
    """`tmp_path` is seen by both."""
    suite = suite_of(
        "import pytest\nfrom program import f\ndef test_a(tmp_path):\n    assert f(tmp_path) == tmp_path\n"
    )
    assert (suite.isolation, suite.surface.shares) == (Isolation.SEPARATE, ("files",))
