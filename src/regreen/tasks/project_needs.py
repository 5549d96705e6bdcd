"""Whether tests mean by themselves what they mean in their project: by their text, and what lies around them.

Those that do can be judged behind the wall, in another process than the program. The others need pytest in a copy of
the project: where in doubt, they do.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from regreen.syntax import FUNCTIONS, parsed_or_none
from regreen.tasks.home import find_home
from regreen.tasks.imported_modules import imported_names
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

    Scripts of plain asserts do: pytest would not run them.
    """
    tree = parsed_or_none(tests)
    if tree is None or not has_test_functions(tests):
        return True
    if conftests or place.configuration.is_deciding or _names_files(tree) or _names_files(parsed_or_none(program.text)):
        return False
    if any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree)):
        return False
    return _imports_program_alone(program, tests, tests_path, place)


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


def _imports_program_alone(program: ProgramFile, tests: str, tests_path: Path, place: ProjectPlace) -> bool:
    """Whether the tests import the program by its own name, and nothing else that only their project has."""
    home = find_home(program.path)
    names = set(imported_names(tests, ()))
    direct = any(name[-1] == program.path.stem for name in names)
    others = {name[0] for name in names if program.path.stem not in name}
    folders = {tests_path.absolute().parent, place.common, place.root}
    beside = any(_has_module(folder, name) for folder in folders - {home.root.absolute()} for name in others)
    return not beside and (direct or not any(_has_module(home.root, name) for name in others))


def _has_module(folder: Path, name: str) -> bool:
    return (folder / f"{name}.py").is_file() or (folder / name).is_dir()
