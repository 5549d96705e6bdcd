"""The program that a test file is about, where only the tests were named: the one module of the user that they use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from regreen.errors import TaskError
from regreen.syntax import parsed_or_none, walk_in_order
from regreen.tasks.own_tests import without_own_tests
from regreen.tasks.text_file import read_python

_TEST_NAME = re.compile(r"test_.+|.+_test|tests?|conftest")
_TOPS = (".git", "pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini")
_MOST_FOLDERS = 12


def is_test_file(path: Path) -> bool:
    """Whether a file is one of tests, by its name."""
    return path.suffix == ".py" and _TEST_NAME.fullmatch(path.stem) is not None


def program_of_tests(tests: Path) -> Path:
    """The file of the one module of the user's that a test file imports and uses; itself, if it holds a program, too.

    Raises TaskError, naming those that it could be, where there are several or none.
    """
    found = _modules_used(tests)
    if len(found) == 1:
        return found[0]
    if not found and without_own_tests(read_python(tests, "the test file")) is not None:
        return tests
    if not found:
        raise TaskError(
            f"{tests} is a file of tests, and which program they are for is not clear from its imports.",
            remedy=f"Name the program, too: regreen fix PROGRAM --tests {tests}",
        )
    raise TaskError(
        f"{tests} is a file of tests that use several modules: {', '.join(map(str, found))}.",
        remedy=f"Name the one to repair: regreen fix {found[0]} --tests {tests}",
    )


def _modules_used(tests: Path) -> list[Path]:
    """The files of the modules that a test file imports, and of which it uses what it imported; no test among them."""
    tree = parsed_or_none(read_python(tests, "the test file"))
    if tree is None:
        return []
    read = {node.id for node in walk_in_order(tree) if isinstance(node, ast.Name)}
    folders = list(_folders(tests))
    files = (_file_of(folders, module) for bound, module in _imports(tree) if bound == "*" or bound in read)
    return list(dict.fromkeys(file for file in files if file is not None and not is_test_file(file)))


def _imports(tree: ast.Module) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The name that each import binds, and the dotted names that may be its module, the longest first."""
    for node in walk_in_order(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.asname or alias.name.partition(".")[0], (alias.name,)) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            module = node.module
            yield from ((alias.asname or alias.name, (f"{module}.{alias.name}", module)) for alias in node.names)


def _folders(tests: Path) -> Iterator[Path]:
    """Where the user's modules are looked for: the folders of the tests and above, to the top of the project."""
    for folder in _upwards(tests):
        yield folder
        yield folder / "src"


def _upwards(tests: Path) -> Iterator[Path]:
    for folder in list(tests.absolute().parents)[:_MOST_FOLDERS]:
        yield folder
        if any((folder / top).exists() for top in _TOPS):
            return


def _file_of(folders: list[Path], modules: tuple[str, ...]) -> Path | None:
    """The file of the first of the modules that one of the folders holds, seen from the working folder."""
    for module in modules:
        for folder in folders:
            base = folder.joinpath(*module.split("."))
            for file in (base.with_name(f"{base.name}.py"), base / "__init__.py"):
                if file.is_file():
                    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
    return None
