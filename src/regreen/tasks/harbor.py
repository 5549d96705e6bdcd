"""Harbor task folders that are Python repairs: one buggy module, and one test file that imports it.

A folder holds `task.toml`, `instruction.md`, `environment/`, `tests/` and, optionally, `solution/`. No container is
built and no script is run: a task is taken only where its files alone show the program, its tests and the solution,
and every other one is reported with the reason.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from regreen.errors import TaskError
from regreen.syntax import parsed_or_none
from regreen.tasks.dataset import LoadedDataset, SkippedTask, SuiteReader
from regreen.tasks.text_file import read_python, read_utf8
from regreen.types import Case, Suite, SuiteKind, Task

_ID_PREFIX = "harbor/"
_CONFIG = "task.toml"
_MAX_FILES = 200
_OUTSIDE = frozenset({"subprocess", "os", "shutil", "socket", "requests", "urllib"})
"""Modules by which a test reaches beyond the program's functions: into files, processes or the network."""
_TEST_FILE = re.compile(r"test_.*\.py|.*_test\.py|conftest\.py")
_HEREDOC = re.compile(
    r"^cat[ \t]*>[ \t]*(?P<path>[^\s<]{1,400})[ \t]*<<-?[ \t]*(['\"]?)(?P<end>\w{1,80})\2[ \t]*\n", re.MULTILINE
)


class _Unsuitable(Exception):
    """A folder is no case; says why."""


def load(folder: Path, reader: SuiteReader, *, only: Collection[str] | None = None) -> LoadedDataset:
    """The cases of a task folder, or of the task folders in a folder; with `only`, those with these ids.

    Raises TaskError where none is a Python repair, or where the folder holds no tasks.
    """
    tasks = [path for path in _task_folders(folder) if only is None or _ID_PREFIX + path.name in only]
    cases: list[Case] = []
    skipped: list[SkippedTask] = []
    for path in tasks:
        try:
            cases.append(_case(path, reader))
        except (_Unsuitable, TaskError) as error:
            skipped.append(SkippedTask(path.name, str(error).rstrip(".")))
    if not cases and only is None:
        reasons = "; ".join(f"{task.name}: {task.why}" for task in skipped[:5])
        raise TaskError(
            f"none of the {len(skipped)} tasks in {folder} is a repair of one Python module ({reasons}).",
            remedy="Run them with Harbor itself.",
        )
    return LoadedDataset(tuple(cases), tuple(skipped))


def _task_folders(folder: Path) -> list[Path]:
    if (folder / _CONFIG).is_file():
        return [folder.absolute()]
    try:
        found = sorted(path for path in folder.iterdir() if (path / _CONFIG).is_file())
    except OSError as error:
        raise TaskError(f"{folder} cannot be read: {error.strerror or error}.", remedy="Check the path.") from None
    if not found:
        raise TaskError(
            f"{folder} holds no Harbor task: no folder in it has a {_CONFIG}.", remedy="Give the folder of the tasks."
        )
    return found


def _case(folder: Path, reader: SuiteReader) -> Case:
    config = _config(folder)
    program_path = _program(folder)
    program, module = read_python(program_path), program_path.stem
    tests_path = _tests(folder)
    tests = read_python(tests_path)
    _refuse_unusable_tests(tests, tests_path, module)
    origin = f"{folder.name}/tests/{tests_path.name}"
    hidden = reader(tests, program=program, module=module, entry_point=None, origin=origin)
    task = Task(
        id=_ID_PREFIX + folder.name,
        source=program,
        entry_point=None,
        suite=Suite(SuiteKind.SCRIPT, "", ()),
        statement=_instruction(folder),
        module=module,
    )
    return Case(task, hidden, _reference(folder, program_path.name), labels=_labels(config))


def _config(folder: Path) -> dict[str, Any]:
    path = folder / _CONFIG
    try:
        config = tomllib.loads(read_utf8(path))
    except tomllib.TOMLDecodeError as error:
        raise _Unsuitable(f"{_CONFIG} cannot be read ({error})") from None
    if config.get("steps"):
        raise _Unsuitable("it has several steps")
    return config


def _instruction(folder: Path) -> str:
    path = folder / "instruction.md"
    if not path.is_file():
        raise _Unsuitable("it has no instruction.md")
    return read_utf8(path).strip()


def _program(folder: Path) -> Path:
    """The one Python file of the environment that is no test."""
    found = [path for path in _python_files(folder / "environment") if not _TEST_FILE.fullmatch(path.name)]
    if len(found) != 1:
        what = "no Python file" if not found else f"{len(found)} Python files"
        raise _Unsuitable(f"environment/ holds {what}, and one module to repair is needed")
    if not found[0].stem.isidentifier():
        raise _Unsuitable(f"environment/ holds {found[0].name}, which no test can import by name")
    return found[0]


def _tests(folder: Path) -> Path:
    found = list(_python_files(folder / "tests"))
    if len(found) != 1 or not _TEST_FILE.fullmatch(found[0].name):
        what = ", ".join(path.name for path in found[:5]) or "no Python file"
        raise _Unsuitable(f"tests/ holds {what}, and one test file is needed")
    return found[0]


def _python_files(folder: Path) -> Iterator[Path]:
    """The Python files below a folder, without links, which may lead anywhere."""
    found = sorted(path for path in folder.rglob("*.py") if path.is_file() and not path.is_symlink())
    if len(found) > _MAX_FILES:
        raise _Unsuitable(f"{folder.name}/ holds more than {_MAX_FILES} Python files")
    return iter(found)


def _refuse_unusable_tests(tests: str, path: Path, module: str) -> None:
    tree = parsed_or_none(tests)
    if tree is None:
        raise _Unsuitable(f"tests/{path.name} is not valid Python")
    imported = set(_imported(tree))
    if module not in imported:
        raise _Unsuitable(f"tests/{path.name} does not import {module}")
    if beyond := sorted(imported & _OUTSIDE):
        raise _Unsuitable(f"tests/{path.name} uses {', '.join(beyond)}: it may need the container")


def _imported(tree: ast.Module) -> Iterator[str]:
    """The top packages of what a test file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def _reference(folder: Path, name: str) -> str:
    """The solved module, from a file of its name in `solution/` or from what solve.sh writes into one; else ""."""
    given = folder / "solution" / name
    if given.is_file():
        return read_python(given)
    script = folder / "solution" / "solve.sh"
    if not script.is_file():
        return ""
    return _heredoc_text(read_utf8(script), name)


def _heredoc_text(script: str, name: str) -> str:
    """The here-document that a shell script writes into a file of that name; "" where there is none."""
    for found in _HEREDOC.finditer(script):
        if found["path"].rpartition("/")[2].strip("'\"") == name:
            body = script[found.end() :].split("\n")
            if found["end"] in body:
                return "".join(f"{line}\n" for line in body[: body.index(found["end"])])
    return ""


def _labels(config: dict[str, Any]) -> dict[str, str]:
    metadata = config.get("metadata")
    known = metadata if isinstance(metadata, dict) else {}
    return {name: value for name, value in known.items() if isinstance(value, str) and len(value) <= 80}
