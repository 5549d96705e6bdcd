"""A whole project as it is read: what may be changed, who imports whom, which tests are named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from regreen.errors import TaskError
from regreen.tasks.project_files import UserPlace
from regreen.tasks.whole_project import WholeProject, narrowed, read_whole_project, widened, write_changes
from regreen.types import FileChange

FILES = {
    "pyproject.toml": "[tool.pytest.ini_options]\npython_files = ['check_*.py']\n",
    "setup.py": "",
    "src/app/__init__.py": "from .core import run\n",
    "src/app/core.py": "import os\nfrom app.data import ROWS\n\ndef run():\n    return ROWS\n",
    "src/app/data.py": "ROWS = []\n",
    "src/app/check_core.py": "from app import run\n",
    "tests/conftest.py": "",
    "tests/helpers.py": "",
    "tests/test_core.py": "from app.core import run\n",
}


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., WholeProject]:
    """Reads the project above, as seen from one of its folders."""
    for name, text in FILES.items():
        path = tmp_path / "top" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def project(*arguments: str, folder: str = ".") -> WholeProject:
        return read_whole_project(tmp_path / "top" / folder, arguments, UserPlace())

    return project


def test_modules_may_be_changed_and_tests_and_configuration_never(read: Callable[..., WholeProject]) -> None:
    """Whatever pytest takes for tests is one, by the project's own patterns too."""
    assert read().programs == {"src/app/__init__.py", "src/app/core.py", "src/app/data.py"}


def test_imports_lead_to_modules_wherever_they_are_imported_from(read: Callable[..., WholeProject]) -> None:
    """Relative ones, absolute ones, and those of tests."""
    whole = read()
    assert whole.imports_of("src/app/core.py") == {"src/app/data.py"}
    assert whole.imports_of("src/app/__init__.py") == {"src/app/core.py"}
    assert whole.imports_of("tests/test_core.py") == {"src/app/__init__.py", "src/app/core.py"} - {
        "src/app/__init__.py"
    }
    assert whole.project.preload == ("os",)


@pytest.mark.parametrize(
    ("arguments", "folder", "expected"),
    [
        ((), ".", ("tests/test_core.py",)),
        (("-q", "tests"), ".", ("-q", "tests/test_core.py")),
        (("-k", "tests", "tests/test_core.py::test_a"), ".", ("-k", "tests", "tests/test_core.py")),
        (("test_core.py",), "tests", ("../tests/test_core.py",)),
    ],
)
def test_tests_take_the_place_of_those_that_were_named(
    read: Callable[..., WholeProject], arguments: tuple[str, ...], folder: str, expected: tuple[str, ...]
) -> None:
    """Options stay, with their values, though these may look like folders."""
    project = read(*arguments, folder=folder).project
    assert narrowed(project, {"tests/test_core.py"}).arguments == expected


def test_nothing_is_written_where_one_file_has_changed(read: Callable[..., WholeProject]) -> None:
    """Neither that file nor the others."""
    whole = read()
    root = Path(whole.project.root)
    changes = []
    for path in ("src/app/core.py", "src/app/data.py"):
        before = whole.project.files[path]
        text = before.decode()
        changes.append(FileChange(path, text, text + "# new\n", before, before + b"# new\n"))
    (root / "src/app/data.py").write_text("ROWS = [1]\n", encoding="utf-8")
    with pytest.raises(TaskError, match="has changed since"):
        write_changes(str(root), changes)
    assert (root / "src/app/core.py").read_text(encoding="utf-8") == FILES["src/app/core.py"]
    (root / "src/app/data.py").write_text(FILES["src/app/data.py"], encoding="utf-8")
    write_changes(str(root), changes)
    assert (root / "src/app/data.py").read_text(encoding="utf-8").endswith("# new\n")


def test_a_folder_that_is_no_project_is_refused(tmp_path: Path) -> None:
    """With what to do."""
    with pytest.raises(TaskError, match="no Python file"):
        read_whole_project(tmp_path, (), UserPlace())
    with pytest.raises(TaskError, match="is no folder"):
        read_whole_project(tmp_path / "none", (), UserPlace())


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        ((), ()),
        (("tests/test_core.py::test_a", "-q"), ("-q",)),
        (("-k", "core", "-p", "no:x"), ("-p", "no:x")),
        (("-kcore", "-x", "--maxfail=1", "--maxfail", "2"), ()),
        (("--deselect", "tests/test_core.py::test_a", "--lf", "-c", "pyproject.toml"), ("-c", "pyproject.toml")),
        (("-m", "not slow", "tests"), ()),
    ],
)
def test_all_tests_are_those_that_no_argument_chooses(
    read: Callable[..., WholeProject], arguments: tuple[str, ...], left: tuple[str, ...]
) -> None:
    """What says how they are run stays."""
    assert widened(read(*arguments).project).arguments == left


def test_an_empty_module_can_not_be_changed(read: Callable[..., WholeProject]) -> None:
    """Nor is it an error: an `__init__.py` is often empty, and every import runs it."""
    project = read()
    assert project.can_change("src/app/core.py")
    assert not project.can_change("tests/conftest.py")
