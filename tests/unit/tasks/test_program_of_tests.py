"""Which program is meant where only its tests were named?"""

from __future__ import annotations

from pathlib import Path

import pytest

from regreen.errors import TaskError
from regreen.tasks.program_of_tests import is_test_file, program_of_tests


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a package below src, a module beside it, and a folder of tests."""
    for name in ("pyproject.toml", "src/shop/__init__.py", "src/shop/cart.py", "tools.py", "tests/test_helpers.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_tests(text: str) -> Path:
    path = Path("tests/test_cart.py")
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("from shop.cart import total\ndef test(): assert total([]) == 0\n", "src/shop/cart.py"),
        ("from shop import cart\ndef test(): assert cart.total([]) == 0\n", "src/shop/cart.py"),
        ("import shop.cart as c, json\ndef test(): assert c.total([]) == 0\n", "src/shop/cart.py"),
        ("from shop import total\nassert total([]) == 0\n", "src/shop/__init__.py"),
        ("from tools import *\nassert total([]) == 0\n", "tools.py"),
        ("import tools\nfrom shop.cart import total\nassert total([]) == 0\n", "src/shop/cart.py"),
        ("import pytest\nfrom tests import test_helpers\nimport tools\nassert tools.x, test_helpers\n", "tools.py"),
    ],
)
def test_the_one_module_that_is_imported_and_used_is_the_program(project: Path, text: str, program: str) -> None:
    """Below src, beside the tests or above them; modules of Python, of others and of tests do not count."""
    assert program_of_tests(write_tests(text)) == Path(program)


def test_several_modules_are_listed(project: Path) -> None:
    """The user chooses; the message has the command to type."""
    with pytest.raises(TaskError) as told:
        program_of_tests(write_tests("import tools\nfrom shop.cart import total\nassert total(tools.x) == 0\n"))
    assert "tools.py, src/shop/cart.py" in str(told.value)
    assert told.value.remedy.endswith("regreen fix tools.py --tests tests/test_cart.py")


@pytest.mark.parametrize("text", ["def test():\n    assert 1\n", "import json\njson.loads('')\n", "def ("])
def test_without_any_the_user_is_asked_for_the_program(project: Path, text: str) -> None:
    """Also where the tests cannot be read as Python."""
    with pytest.raises(TaskError, match=r"regreen fix PROGRAM --tests tests/test_cart\.py"):
        program_of_tests(write_tests(text))


def test_tests_are_known_by_their_name() -> None:
    """As pytest knows them, and `tests.py`."""
    assert all(map(is_test_file, map(Path, ["test_a.py", "x/a_test.py", "tests.py", "conftest.py"])))
    assert not any(map(is_test_file, map(Path, ["a.py", "contest.py", "test_a.txt", "latest.py"])))
