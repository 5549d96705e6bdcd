"""Which files a server's callers may name."""

from __future__ import annotations

from pathlib import Path

import pytest

from regreen.config import Settings, load_settings
from regreen.errors import TaskError
from regreen.integrations.served_folder import ServedFolder

PROGRAM = "def one():\n    return 2\n"
TESTS = "from program import one\n\ndef test_one():\n    assert one() == 1\n"


@pytest.fixture
def settings() -> Settings:
    return load_settings({}, environ={})


@pytest.fixture
def folder(tmp_path: Path) -> ServedFolder:
    """A project beside which lies what is none of its business, with links that lead there."""
    root, beside = tmp_path / "project", tmp_path / "beside"
    for made in (root, beside):
        made.mkdir()
        (made / "pyproject.toml").touch()
    (root / "program.py").write_text(PROGRAM)
    (root / "test_program.py").write_text(TESTS)
    (beside / "secret.py").write_text("KEY = 'k'\n")
    (root / "link.py").symlink_to(beside / "secret.py")
    (root / "away").symlink_to(beside)
    (root / "within.py").symlink_to(root / "program.py")
    return ServedFolder(root)


@pytest.mark.parametrize(
    "named", ["../beside/secret.py", "link.py", "away/secret.py", "away", "/etc/passwd", "..", "away/../program.py"]
)
def test_no_way_leads_out(folder: ServedFolder, named: str) -> None:
    """Neither dots, nor an absolute path, nor a link, of which only the system knows where `..` leads."""
    with pytest.raises(TaskError, match="outside of the folder that is served"):
        folder.find(named)
    with pytest.raises(TaskError, match="outside of the folder that is served"):
        folder.find_tests(f"{named}::test_one")


@pytest.mark.parametrize("named", ["program.py", "./program.py", "within.py", "{root}/program.py"])
def test_what_is_in_the_folder_is_found(folder: ServedFolder, named: str) -> None:
    """Seen from it, by its absolute path, or by a link that stays inside."""
    assert folder.find(named.format(root=folder.root)) == folder.root / "program.py"


@pytest.mark.parametrize(
    ("named", "said"), [("x\0y", "null"), ("y" * 2_000, "long"), ("y" * 300, "no "), ("n.py", "no ")]
)
def test_a_name_of_nothing_is_refused(folder: ServedFolder, named: str, said: str) -> None:
    """Whatever the system would say of it."""
    with pytest.raises(TaskError, match=said):
        folder.find(named)


def test_patterns_are_refused(folder: ServedFolder) -> None:
    """They would be looked up by other rules."""
    with pytest.raises(TaskError, match="a pattern"):
        folder.find_tests("away/*.py")


def test_tests_alone_stand_for_their_program(folder: ServedFolder, settings: Settings) -> None:
    """As `regreen fix test_program.py` does it."""
    file, task = folder.read_task("test_program.py", (), None, None, settings)
    assert (file.text, len(task.suite.checks)) == (PROGRAM, 1)


def test_a_project_that_reaches_further_is_not_read(folder: ServedFolder, settings: Settings) -> None:
    """Its other files would be shown to the tests."""
    inner = folder.root / "inner"
    inner.mkdir()
    (inner / "program.py").write_text(PROGRAM)
    (inner / "test_it.py").write_text(f"import pytest\n{TESTS}")
    (folder.root / "conftest.py").write_text("import pytest\n\n@pytest.fixture\ndef it():\n    return 1\n")
    with pytest.raises(TaskError, match=r"belongs to the project in .* which is not all served"):
        ServedFolder(inner).read_task("program.py", ["test_it.py"], None, None, settings)


def test_a_project_is_served_whole_or_not_at_all(folder: ServedFolder, settings: Settings) -> None:
    """As long as its top folder is served, a folder in it will do."""
    inner = folder.root / "inner"
    inner.mkdir()
    whole = folder.read_project("inner", ["-k", "one"], settings)
    assert (whole.project.root, whole.project.folder) == (str(folder.root), "inner")
    assert "link.py" not in whole.project.files
    with pytest.raises(TaskError, match="not all served"):
        ServedFolder(inner).read_project(".", [], settings)
    with pytest.raises(TaskError, match="outside of the folder"):
        folder.read_project("away", [], settings)


def test_an_import_through_a_link_is_not_read(folder: ServedFolder, settings: Settings) -> None:
    """A module that the program imports may lie nowhere else."""
    (folder.root / "program.py").write_text(f"import link\n{PROGRAM}")
    with pytest.raises(TaskError, match=r"link\.py lies outside"):
        folder.read_task("program.py", ["test_program.py"], None, None, settings)


def test_there_has_to_be_a_folder(tmp_path: Path) -> None:
    """Before anything is served."""
    with pytest.raises(TaskError, match="is no folder"):
        ServedFolder(tmp_path / "nothing")
