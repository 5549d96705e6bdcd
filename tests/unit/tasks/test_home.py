"""Where a program lives."""

from __future__ import annotations

from pathlib import Path

import pytest

from regreen.tasks.home import find_home, home_of_module


@pytest.fixture
def module(tmp_path: Path) -> Path:
    """A module two packages deep, in a folder that is none."""
    folder = tmp_path / "src" / "outer" / "inner"
    folder.mkdir(parents=True)
    for package in (folder, folder.parent):
        (package / "__init__.py").touch()
    path = folder / "rates.py"
    path.touch()
    return path


def test_packages_give_a_module_its_dotted_name(module: Path, tmp_path: Path) -> None:
    """`__init__.py` files tell how far the name goes, and where imports begin."""
    home = find_home(module)
    assert (home.module, home.root, home.package) == ("outer.inner.rates", tmp_path / "src", ("outer", "inner"))


def test_a_file_beside_no_package_is_named_by_itself(tmp_path: Path) -> None:
    """Its own folder is where imports begin, and a name that cannot be imported is replaced."""
    assert find_home(tmp_path / "rates.py").module == "rates"
    assert find_home(tmp_path / "my-rates.py").module == "program"
    assert find_home(tmp_path / "class.py").module == "program"
    assert not find_home(tmp_path / "rates.py").is_in_package


def test_the_name_that_tests_use_decides_where_imports_begin(module: Path, tmp_path: Path) -> None:
    """With or without `__init__.py`, as long as the folders bear the names."""
    assert home_of_module(module, "inner.rates").root == module.parent.parent
    assert home_of_module(module, "src.outer.inner.rates").root == tmp_path
    assert home_of_module(module, "rates").root == module.parent
    assert home_of_module(module, "elsewhere.rates").root == module.parent
    assert home_of_module(module, "outer.inner.other").root == module.parent
