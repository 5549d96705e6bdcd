"""Which tests mean by themselves what they mean in their project."""

from __future__ import annotations

from pathlib import Path

import pytest

from regreen.tasks.local_task import CheckReaders, UserPlace, build_task, read_chosen_tests, read_program_file
from regreen.types import Isolation, Task
from regreen.verify.bindings import guess_entry_point
from regreen.verify.doctests import read_doctests
from regreen.verify.io_cases import read_io_cases
from regreen.verify.suites import read_project_suite, read_suite

READERS = CheckReaders(read_suite, read_project_suite, read_io_cases, read_doctests, guess_entry_point)

STORE = "def put(folder, name):\n    (folder / name).write_text('x')\n"
FOLDER = "def test_a(tmp_path):\n    put(tmp_path, 'new.txt')\n    assert (tmp_path / 'new.txt').read_text() == 'x'\n"
VARIABLE = "import os\ndef put():\n    return os.environ.get('APP_LEVEL')\n"


def task_of(folder: Path, program: str, tests: str, **beside: str) -> Task:
    """The task of a program `store.py` with its tests, and modules beside the two."""
    texts = {"store": program, "test_store": f"import pytest\nfrom store import put\n{tests}", **beside}
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    chosen = read_chosen_tests([str(folder / "test_store.py")])
    return build_task(read_program_file(folder / "store.py"), chosen, None, readers=READERS)


def test_files_in_a_folder_of_the_tests_own_need_no_project(tmp_path: Path) -> None:
    """`tmp_path` is given to both processes alike."""
    suite = task_of(tmp_path, STORE, FOLDER).suite
    assert (suite.isolation, suite.surface.shares) == (Isolation.SEPARATE, ("files",))


@pytest.mark.parametrize(
    ("program", "tests", "beside"),
    [
        (STORE, FOLDER.replace("new", "data"), {"data.txt": "1"}),
        (STORE, FOLDER + "def test_b():\n    assert open('fixtures')\n", {"fixtures/x": "1"}),
        (STORE, FOLDER + "    ends = '.csv'\n", {"rates.csv": "1"}),
        (STORE, FOLDER + "def test_b():\n    from pathlib import Path\n    assert Path()\n", {}),
        (STORE, FOLDER + "def test_b():\n    assert __file__\n", {}),
        (STORE, FOLDER + "def test_b():\n    assert open('/etc/hostname')\n", {}),
        (STORE, "def test_a(request):\n    assert open('new.txt')\n", {}),
    ],
)
def test_files_that_may_lie_in_the_project_need_it(
    tmp_path: Path, program: str, tests: str, beside: dict[str, str]
) -> None:
    """A name of something there, a part of one, or a path from elsewhere."""
    for name, text in beside.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert task_of(tmp_path, program, tests).suite.isolation is Isolation.SHARED


def test_variables_that_the_tests_set_need_no_project(tmp_path: Path) -> None:
    """Those that they do not set may be the user's."""
    setting = "def test_a(monkeypatch):\n    monkeypatch.setenv('APP_LEVEL', 'x')\n    assert put() == 'x'\n"
    assert task_of(tmp_path, VARIABLE, setting).suite.isolation is Isolation.SEPARATE
    asking = "@pytest.fixture\ndef one():\n    return put()\ndef test_a(one):\n    assert one is None\n"
    assert task_of(tmp_path, VARIABLE, asking).suite.isolation is Isolation.SHARED


USING = "import helpers\ndef put(x):\n    return helpers.one(x)\n"
PUTTING = "@pytest.fixture\ndef n():\n    return 1\ndef test_a(n):\n    assert put(n) == 2\n"


def test_modules_beside_the_program_are_laid_out_with_it(tmp_path: Path) -> None:
    """pytest runs apart from both."""
    task = task_of(tmp_path, USING, PUTTING, helpers="def one(x):\n    return x + 1\n")
    assert task.suite.isolation is Isolation.SEPARATE
    assert task.companions == {"helpers.py": "def one(x):\n    return x + 1\n"}


def test_a_module_that_both_use_needs_one_process(tmp_path: Path) -> None:
    """Its state would be there twice; the program and pytest then find it in the project."""
    more = "import data\n" + PUTTING
    task = task_of(tmp_path, USING, more, helpers="import data\ndef one(x):\n    return x\n", data="KEPT = []\n")
    assert (task.suite.isolation, task.companions) == (Isolation.SHARED, {})


def test_a_module_that_logs_is_not_seen_by_a_test_of_the_log(tmp_path: Path) -> None:
    """It may have handlers or levels of its own."""
    watching = "def test_a(caplog):\n    assert put(1) == 1\n    assert caplog.messages == []\n"
    assert task_of(tmp_path, USING, watching, helpers="import logging\n").suite.isolation is Isolation.SHARED
    assert task_of(tmp_path, USING, watching, helpers="one = abs\n").suite.isolation is Isolation.SEPARATE


CONFTEST = "import pytest\nfrom store import put\n@pytest.fixture\ndef putting():\n    return put\n"
BELOW = "def test_a(putting):\n    assert putting(1) == 1\n"
ECHO = "def put(value):\n    return value\n"


def test_conftests_come_along_behind_the_wall_the_outermost_first(tmp_path: Path) -> None:
    """The tests of a folder and their fixtures, whichever of the two imports the program."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "conftest.py").write_text("# Nothing yet.\n")
    (tmp_path / "tests" / "test_store.py").write_text(BELOW)
    (tmp_path / "store.py").write_text(ECHO)
    chosen = read_chosen_tests([str(tmp_path / "tests" / "test_store.py")])
    suite = build_task(read_program_file(tmp_path / "store.py"), chosen, None, readers=READERS).suite
    assert (suite.isolation, suite.module, suite.one_namespace) == (Isolation.SEPARATE, "store", False)
    assert suite.conftests == (("conftest.py", CONFTEST), ("tests/conftest.py", "# Nothing yet.\n"))
    assert suite.project is not None


@pytest.mark.parametrize(("started_in", "is_apart"), [(".", True), ("elsewhere", True), ("tests", False)])
def test_a_conftest_that_pytest_would_not_load_is_left_to_it(tmp_path: Path, started_in: str, is_apart: bool) -> None:
    """It looks no higher than where it is started, unless a file configures it."""
    for name in (".git", "tests", "elsewhere"):
        (tmp_path / name).mkdir()
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "tests" / "test_store.py").write_text(BELOW)
    (tmp_path / "store.py").write_text(ECHO)
    chosen = read_chosen_tests([str(tmp_path / "tests" / "test_store.py")])
    program = read_program_file(tmp_path / "store.py")
    place = UserPlace(working_folder=tmp_path / started_in)
    for _ in range(2):
        suite = build_task(program, chosen, None, readers=READERS, user_place=place).suite
        assert (suite.isolation is Isolation.SEPARATE) is is_apart
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        is_apart = True


@pytest.mark.parametrize(
    ("conftest", "beside"),
    [
        ("def pytest_configure(config):\n    pass\n", {}),
        ("pytest_plugins = ['helpers']\n", {}),
        ("from store import *\n", {}),
        ("def put():\n    return 2\n", {}),
        ("import helpers\n", {"tests/helpers": "", "helpers": "import store\n"}),
        ("import store, os\nHERE = os.path.dirname(__file__)\n", {}),
        ("import store, mock\n", {}),
        ("import store\nfrom unittest import mock\nSPY = mock.create_autospec(store.put)\n", {}),
        ("x = (\n", {}),
    ],
)
def test_conftests_that_do_more_need_the_project(tmp_path: Path, conftest: str, beside: dict[str, str]) -> None:
    """Hooks, plugins, another meaning of a name, files and modules beside them, replaced parts."""
    (tmp_path / "tests").mkdir()
    suite = task_of(tmp_path, ECHO, "def test_a():\n    assert put(1) == 1\n", conftest=conftest, **beside).suite
    assert suite.isolation is Isolation.SHARED
    assert suite.conftests == ()
