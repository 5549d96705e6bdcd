"""Which project a program is in, and which of its files pytest is shown."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from regreen.tasks.chosen_tests import ChosenTests, read_chosen_tests
from regreen.tasks.program_file import read_program_file
from regreen.tasks.project_files import UserPlace, find_project_place, read_project
from regreen.tasks.pytest_configuration import find_pytest_configuration
from regreen.types import Project


def put(folder: Path, *paths: str, **texts: str) -> None:
    """Write files, empty ones but for those of `texts`, in whose names "__" stands for "/"."""
    for path in (*paths, *(name.replace("__", "/") + ".py" for name in texts)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(texts.get(path.removesuffix(".py").replace("/", "__"), ""))


def chosen(*paths: Path) -> ChosenTests:
    found = read_chosen_tests([str(path) for path in paths])
    assert found is not None
    return found


def project(program: Path, *tests: Path, place: UserPlace | None = None) -> Project:
    found = find_project_place(program, chosen(*tests))
    return read_project(found, read_program_file(program), chosen(*tests), place or UserPlace(Path("/")))


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A project with a program and tests in folders of their own."""
    put(tmp_path / "shop", "pyproject.toml", "src/shop/__init__.py", "tests/conftest.py", "README.md")
    put(tmp_path / "shop", src__shop__cart="x = 1\n", tests__test_cart="def test(): ...\n")
    return tmp_path / "shop"


def test_the_nearest_folder_that_looks_like_a_project_s_top_is_shown(top: Path) -> None:
    """All of it but the program, which each candidate takes the place of; imports are looked up where it is from."""
    shown = project(top / "src/shop/cart.py", top / "tests/test_cart.py")
    assert shown.root == str(top)
    assert (shown.target, shown.folder, shown.import_folders) == ("src/shop/cart.py", ".", ("src",))
    assert sorted(shown.files) == [
        "README.md",
        "pyproject.toml",
        "src/shop/__init__.py",
        "tests/conftest.py",
        "tests/test_cart.py",
    ]


def test_pytest_runs_where_the_user_is_if_that_is_in_the_project(top: Path) -> None:
    """The paths of the tests are seen from there."""
    shown = project(top / "src/shop/cart.py", top / "tests", place=UserPlace(top / "src"))
    assert (shown.folder, shown.arguments) == ("src", ("../tests",))


SECRETS = (".env", ".env.local", "prod.env", "server.key", "id_rsa", "secrets.toml", ".git/config", ".aws/credentials")


def test_secrets_and_what_is_hidden_are_never_shown(top: Path) -> None:
    """By their names, wherever they lie; those that may be missed are named."""
    put(top, *SECRETS, *(f"tests/{name}" for name in SECRETS), ".venv/pyvenv.cfg", "own/pyvenv.cfg", "own/lib.py")
    shown = project(top / "src/shop/cart.py", top / "tests/test_cart.py")
    assert not [path for path in shown.files if any(Path(path).match(f"*{Path(name).name}") for name in SECRETS)]
    assert not [path for path in shown.files if path.startswith((".", "own/"))]
    assert shown.left_out["tests/server.key"] == "may be a secret"


def test_no_link_is_followed_out_of_the_project_or_to_what_is_hidden_in_it(top: Path, tmp_path: Path) -> None:
    """A link to a file of the project is shown as that file; links to folders are not entered."""
    put(tmp_path, "outside/passwords.txt")
    put(top, ".env")
    (top / "tests" / "far.txt").symlink_to(tmp_path / "outside" / "passwords.txt")
    (top / "tests" / "folder").symlink_to(tmp_path / "outside")
    (top / "tests" / "hidden.txt").symlink_to(top / ".env")
    (top / "tests" / "gone.txt").symlink_to(top / "nowhere")
    (top / "tests" / "near.py").symlink_to(top / "src" / "shop" / "cart.py")
    shown = project(top / "src/shop/cart.py", top / "tests/test_cart.py")
    assert {path for path in shown.files if path.startswith("tests/")} == {
        "tests/conftest.py",
        "tests/near.py",
        "tests/test_cart.py",
    }
    assert shown.files["tests/near.py"] == b"x = 1\n"
    assert shown.left_out["tests/far.txt"] == "a link out of the project"


def test_a_large_project_is_shown_in_part_what_is_near_first(top: Path) -> None:
    """Configuration and tests always come along; what does not fit is named."""
    put(top, *(f"data/{number}.txt" for number in range(2_100)))
    (top / "huge.bin").write_bytes(bytes((1 << 20) + 1))
    shown = project(top / "src/shop/cart.py", top / "tests/test_cart.py")
    assert len(shown.files) == 2_000
    assert {"tests/test_cart.py", "tests/conftest.py", "pyproject.toml", "src/shop/__init__.py"} <= set(shown.files)
    assert shown.left_out["huge.bin"] == "larger than 1 MiB"
    assert "beyond 2,000 files or 16 MiB" in shown.left_out.values()


def test_a_folder_of_many_things_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the folder for temporary files, or the user's own, only what lies beside program and tests is shown."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    put(tmp_path, "other/notes.txt", ".git/config", "beside.txt", prog="x = 1\n", test_prog="def test(): ...\n")
    shown = project(tmp_path / "prog.py", tmp_path / "test_prog.py")
    assert sorted(shown.files) == ["beside.txt", "test_prog.py"]


def test_equal_projects_are_judged_alike_and_others_apart(top: Path) -> None:
    """Every byte that is shown, and every setting, is part of the digest; what was left out is not."""
    paths = top / "src/shop/cart.py", top / "tests/test_cart.py"
    before = project(*paths)
    (top / ".env").write_text("KEY=1")
    assert project(*paths).digest == before.digest
    assert project(*paths, place=UserPlace(Path("/"), {"A": "1"})).digest != before.digest
    (top / "README.md").write_text("new")
    assert project(*paths).digest != before.digest
    assert repr(before) == f"Project({before.digest})"


CONFIGURATIONS = {
    "pytest.ini": ("[pytest]\nusefixtures = x\n", True),
    "pyproject.toml": ("[tool.pytest.ini_options]\nfilterwarnings = ['error']\n", True),
    "tox.ini": ("[pytest]\npython_files = check_*.py\nmarkers = a\n", False),
    "setup.cfg": ("[tool:pytest]\naddopts = -q\n", True),
}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_configuration_is_found_where_pytest_finds_it(tmp_path: Path, name: str) -> None:
    """In any of its files, above the tests; a file with nothing for pytest in it is passed over."""
    text, deciding = CONFIGURATIONS[name]
    put(tmp_path, name, "tests/unit/pyproject.toml")
    (tmp_path / name).write_text(text)
    found = find_pytest_configuration(tmp_path / "tests" / "unit")
    assert (found.path, found.is_deciding) == (tmp_path / name, deciding)
    assert found.test_files == (("check_*.py",) if name == "tox.ini" else ("test_*.py", "*_test.py"))
