"""Whether tests mean by themselves what they mean in their project: by their text, and what lies around them.

Those that do can be judged behind the wall, in another process than the program. The others need pytest in a copy of
the project: where in doubt, they do.
"""

from __future__ import annotations

import ast
import glob
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from regreen.syntax import FUNCTIONS, parsed_or_none
from regreen.tasks.home import find_home
from regreen.tasks.imported_modules import find_companions, imported_names, looks_like_tests, package_of_file
from regreen.tasks.program_file import ProgramFile
from regreen.tasks.project_files import ProjectPlace

_FILE_NAMES = frozenset("__file__ resources get_data getcwd cwd home listdir scandir".split())
"""Names in a program or its tests that may stand for a file beside them."""
_OPENERS = frozenset("open Path read_text read_bytes".split())
"""Names that open what they are given: a file beside the tests, or one in a folder of the tests' own."""
_OWN_FOLDERS = frozenset("tmp_path tmp_path_factory TemporaryDirectory mkdtemp".split())
_OWN_VARIABLES = frozenset({"setenv", "delenv"})
_LONGEST_PATH = 200


def is_self_contained(
    program: ProgramFile, tests: str, tests_path: Path, place: ProjectPlace, conftests: Sequence[Path] = ()
) -> bool:
    """Whether these tests, all in one file or in one with its conftests, mean the same outside of their project.

    `tests` is the text of all of them. For a script of plain asserts, which pytest would not run, pytest's
    configuration does not count.
    """
    tree = parsed_or_none(tests)
    if tree is None:
        return not conftests
    if has_test_functions(tests):
        if place.configuration.is_deciding:
            return False
        if any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree)):
            return False
    folders = _folders(tests_path, place, conftests)
    if _uses_files_or_variables(program, tree, folders):
        return False
    if _imports_from_tests(program, tests, folders) or _is_imported_back(program, tests):
        return False
    return _imports_program_alone(program, tests, folders, is_script=not has_test_functions(tests))


def _folders(tests_path: Path, place: ProjectPlace, conftests: Sequence[Path]) -> set[Path]:
    """The folders in which tests may have something beside them."""
    return {*(path.absolute().parent for path in (tests_path, *conftests)), place.common, place.root}


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


def _uses_files_or_variables(program: ProgramFile, tests: ast.Module, folders: Collection[Path]) -> bool:
    """Whether the program or its tests may use files beside them, or variables that the tests do not set themselves."""
    trees = [tests, *filter(None, [parsed_or_none(program.text)])]
    named, set_up = {name for tree in trees for name in _names(tree)}, {*_names(tests)}
    if named & _FILE_NAMES or ("environ" in named and set_up.isdisjoint(_OWN_VARIABLES)):
        return True
    if named.isdisjoint(_OPENERS):
        return False
    if set_up.isdisjoint(_OWN_FOLDERS) or not has_test_functions(ast.unparse(tests)):
        return True
    near = {program.path.absolute().parent, *folders}
    return any(_stands_for_file(text, near) for tree in trees for text in _texts(tree))


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg


def _texts(tree: ast.Module) -> Iterator[str]:
    """The texts in a tree, those in f-strings included, but for docstrings; "." for a path of nothing."""
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value
        elif (
            isinstance(node, ast.Call) and not node.args and isinstance(node.func, ast.Name) and node.func.id == "Path"
        ):
            yield "."


def _stands_for_file(text: str, folders: Collection[Path]) -> bool:
    """Whether a text is the path of something that lies in one of these folders, or a part of it."""
    if not text or len(text) > _LONGEST_PATH or "\0" in text or "\n" in text:
        return False
    try:
        ends = f"*{glob.escape(text)}"
        return any((folder / text).exists() or ("." in text and any(folder.glob(ends))) for folder in folders)
    except (OSError, ValueError, NotImplementedError):
        # An absolute path, or what no path can be: the one is a file elsewhere, the other none.
        return Path(text).is_absolute()


def _imports_program_alone(program: ProgramFile, tests: str, folders: Collection[Path], *, is_script: bool) -> bool:
    """Whether the tests import the program by its own name, and nothing else that only their project has.

    A script may be written as if it stood below the program, and not import it.
    """
    home = find_home(program.path)
    names = set(imported_names(tests, ()))
    direct = any(name[-1] == program.path.stem for name in names)
    others = {name[0] for name in names if program.path.stem not in name}
    beside = any(_has_module(folder, name) for folder in {*folders} - {home.root.absolute()} for name in others)
    return not beside and (direct or is_script or not any(_has_module(home.root, name) for name in others))


def _imports_from_tests(program: ProgramFile, tests: str, folders: Collection[Path]) -> bool:
    """Whether the tests import a module that looks like one of tests: no such module is shown beside a program."""
    near = {*folders, find_home(program.path).root.absolute()}
    names = [name for name in imported_names(tests, ()) if looks_like_tests("/".join(name) + ".py")]
    return any(_has_module(folder.joinpath(*name[:-1]), name[-1]) for folder in near for name in names)


def _is_imported_back(program: ProgramFile, tests: str) -> bool:
    """Whether a module that the tests import imports the program in its turn, other than the program's own package."""
    home = find_home(program.path)
    ours = tuple(home.module.split("."))
    packages = {"/".join((*ours[:depth], "__init__.py")) for depth in range(len(ours))}
    others = find_companions(home, replace(program, text=""), None, tests).items()
    return any(ours in imported_names(text, package_of_file(path)) for path, text in others if path not in packages)


def _has_module(folder: Path, name: str) -> bool:
    return (folder / f"{name}.py").is_file() or (folder / name).is_dir()
