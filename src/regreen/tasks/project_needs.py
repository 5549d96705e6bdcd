"""Whether tests mean by themselves what they mean in their project: by their text, and what lies around them.

Those that do can be judged behind the wall, in another process than the program. The others need pytest in a copy of
the project: where in doubt, they do.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from regreen.syntax import FUNCTIONS, parsed_or_none
from regreen.tasks.home import find_home
from regreen.tasks.imported_modules import find_companions, imported_names, looks_like_tests, package_of_file
from regreen.tasks.program_file import ProgramFile
from regreen.tasks.project_files import ProjectPlace

_FILE_NAMES = frozenset(
    "__file__ open Path read_text read_bytes resources get_data getcwd listdir scandir environ".split()
)
"""Names in a program or its tests that may stand for a file beside them, or a variable."""


def is_self_contained(
    program: ProgramFile, tests: str, tests_path: Path, place: ProjectPlace, conftests: Sequence[Path]
) -> bool:
    """Whether these tests, all in one file, mean the same outside of their project.

    For a script of plain asserts, which pytest would not run, neither a conftest nor pytest's configuration counts.
    """
    tree = parsed_or_none(tests)
    if tree is None:
        return True
    if has_test_functions(tests):
        if conftests or place.configuration.is_deciding:
            return False
        if any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree)):
            return False
    if _names_files(tree) or _names_files(parsed_or_none(program.text)):
        return False
    if _imports_from_tests(program, tests, tests_path, place) or _is_imported_back(program, tests):
        return False
    return _imports_program_alone(program, tests, tests_path, place, is_script=not has_test_functions(tests))


def has_test_functions(text: str) -> bool:
    """Whether pytest may find something to run in a text; yes where it is no Python."""
    tree = parsed_or_none(text)
    if tree is None:
        return True
    return any(
        node.name.startswith("test")
        if isinstance(node, FUNCTIONS)
        else isinstance(node, ast.ClassDef) and (node.name.startswith("Test") or bool(node.bases))
        for node in ast.walk(tree)
    )


def _names_files(tree: ast.Module | None) -> bool:
    for node in ast.walk(tree) if tree else ():
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name in _FILE_NAMES:
            return True
    return False


def _imports_program_alone(
    program: ProgramFile, tests: str, tests_path: Path, place: ProjectPlace, *, is_script: bool
) -> bool:
    """Whether the tests import the program by its own name, and nothing else that only their project has.

    A script may be written as if it stood below the program, and not import it.
    """
    home = find_home(program.path)
    names = set(imported_names(tests, ()))
    direct = any(name[-1] == program.path.stem for name in names)
    others = {name[0] for name in names if program.path.stem not in name}
    folders = {tests_path.absolute().parent, place.common, place.root}
    beside = any(_has_module(folder, name) for folder in folders - {home.root.absolute()} for name in others)
    return not beside and (direct or is_script or not any(_has_module(home.root, name) for name in others))


def _imports_from_tests(program: ProgramFile, tests: str, tests_path: Path, place: ProjectPlace) -> bool:
    """Whether the tests import a module that looks like one of tests: no such module is shown beside a program."""
    folders = {tests_path.absolute().parent, place.common, place.root, find_home(program.path).root.absolute()}
    names = [name for name in imported_names(tests, ()) if looks_like_tests("/".join(name) + ".py")]
    return any(_has_module(folder.joinpath(*name[:-1]), name[-1]) for folder in folders for name in names)


def _is_imported_back(program: ProgramFile, tests: str) -> bool:
    """Whether a module that the tests import imports the program in its turn, other than the program's own package."""
    home = find_home(program.path)
    ours = tuple(home.module.split("."))
    packages = {"/".join((*ours[:depth], "__init__.py")) for depth in range(len(ours))}
    others = find_companions(home, replace(program, text=""), None, tests).items()
    return any(ours in imported_names(text, package_of_file(path)) for path, text in others if path not in packages)


def _has_module(folder: Path, name: str) -> bool:
    return (folder / f"{name}.py").is_file() or (folder / name).is_dir()
