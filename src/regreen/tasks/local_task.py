"""A task from the user's own files: one program, and the checks for it, on their own or in the project around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from regreen.errors import TaskError
from regreen.tasks.chosen_tests import ChosenTests, read_chosen_tests
from regreen.tasks.dataset import SuiteReader
from regreen.tasks.entry_point import docstring_of, entry_point_needed, refuse_unknown_entry_point
from regreen.tasks.home import find_home, home_of_module
from regreen.tasks.imported_modules import find_companions
from regreen.tasks.program_file import ProgramFile, read_program_file, write_if_unchanged
from regreen.tasks.project_files import (
    UserPlace,
    are_loaded,
    chosen_files,
    conftests_of,
    find_project_place,
    read_project,
    read_script_project,
    relative_path,
)
from regreen.tasks.project_needs import has_test_functions, is_self_contained
from regreen.tasks.text_file import LINE_END, decode_python, decode_utf8, read_bytes
from regreen.types import Isolation, Project, Suite, SuiteKind, Surface, Task

__all__ = [
    "CheckReaders",
    "ProgramFile",
    "UserPlace",
    "build_task",
    "read_chosen_tests",
    "read_program_file",
    "write_if_unchanged",
]


class DoctestReader(Protocol):
    """Anything that reads the examples in a program's docstrings as a suite."""

    def __call__(self, program: str, *, module: str, entry_point: str | None) -> Suite | None:
        """The suite of the examples; None where there are none."""
        ...


class ProjectSuiteReader(Protocol):
    """Anything that makes a suite of tests that pytest runs in their project."""

    def __call__(self, text: str, *, project: Project, module: str, origin: str) -> Suite:
        """The suite; `text` is that of all chosen test files, and nothing in it has to be understood."""
        ...


class TestFileReader(Protocol):
    """Anything that reads a test file as a suite, with the `conftest.py` files that it stands below."""

    def __call__(
        self,
        text: str,
        *,
        program: str,
        module: str,
        entry_point: str | None,
        origin: str = ...,
        conftests: Sequence[tuple[str, str]] = ...,
    ) -> Suite:
        """The suite; `conftests` are (name, text), the outermost first. Raises TaskError as a `SuiteReader` does."""
        ...


@dataclass(frozen=True, slots=True)
class CheckReaders:
    """The readers of checks, which the caller of `build_task` hands in."""

    suite: TestFileReader
    project_suite: ProjectSuiteReader
    io_cases: SuiteReader
    doctests: DoctestReader
    guess_entry_point: Callable[[str, str], str | None]
    """(program, tests) -> the function that the tests are about; None when it is unclear."""


def build_task(
    program: ProgramFile,
    tests: ChosenTests | None,
    entry_point: str | None,
    *,
    readers: CheckReaders,
    user_place: UserPlace | None = None,
) -> Task:
    """The task of turning `tests` green, or those apart in the program's file, or its doctest examples.

    Raises TaskError when the tests cannot be used or `entry_point` is not in the program.
    """
    if entry_point is not None:
        refuse_unknown_entry_point(program.path, program.text, entry_point)
    if program.own_tests is not None:
        return _own_tests_task(program, program.own_tests.text, entry_point, readers)
    if tests is None:
        return _examples_task(program, entry_point, readers)
    _refuse_same_file(program, tests)
    if tests.places[0].is_cases:
        return _cases_task(program, tests.places[0].path, entry_point, readers)
    return _tests_task(program, tests, entry_point, readers, user_place or UserPlace())


def _examples_task(program: ProgramFile, entry_point: str | None, readers: CheckReaders) -> Task:
    suite = _examples(program, find_home(program.path).module, entry_point, readers)
    return _task(program, suite, entry_point or readers.guess_entry_point(program.text, ""))


def _own_tests_task(program: ProgramFile, text: str, entry_point: str | None, readers: CheckReaders) -> Task:
    entry_point = entry_point or readers.guess_entry_point(program.text, text)
    module, origin = find_home(program.path).module, program.path.name
    suite = readers.suite(text, program=program.text, module=module, entry_point=entry_point, origin=origin)
    return _task(program, suite, entry_point, None, text)


def _cases_task(program: ProgramFile, path: Path, entry_point: str | None, readers: CheckReaders) -> Task:
    text = _read_tests(path)
    entry_point = entry_point or readers.guess_entry_point(program.text, "")
    if entry_point is None:
        raise entry_point_needed(program.path, program.text, path)
    module = find_home(program.path).module
    suite = readers.io_cases(text, program=program.text, module=module, entry_point=entry_point, origin=path.name)
    return _task(program, suite, entry_point, path)


def _tests_task(
    program: ProgramFile,
    tests: ChosenTests,
    entry_point: str | None,
    readers: CheckReaders,
    user_place: UserPlace,
) -> Task:
    place = find_project_place(program.path, tests)
    texts = {path: _read_tests(path) for path in chosen_files(place, tests)}
    if not texts:
        raise TaskError(
            f"{tests.name} holds no test file: none is named like {' or '.join(place.configuration.test_files)}.",
            remedy="Name the files of tests themselves.",
        )
    text, module = "\n".join(texts.values()), find_home(program.path).module
    entry_point = entry_point or readers.guess_entry_point(program.text, text)
    only = tests.only_file
    origin = relative_path(place, only) if only is not None else tests.name
    found = conftests_of(place, tests) if only is not None and has_test_functions(text) else []
    conftests = [(relative_path(place, path), _read_conftest(path)) for path in found]
    whole = "\n".join([*(each for _, each in conftests), text])
    alone = only is not None and is_self_contained(program, whole, only, place, found)
    alone = alone and are_loaded(place, found, tests, user_place)
    suite = None
    if alone and conftests:
        suite = readers.suite(
            text,
            program=program.text,
            module=module,
            entry_point=entry_point,
            origin=tests.name,
            conftests=conftests,
        )
    elif alone or (only is not None and not has_test_functions(text)):
        suite = readers.suite(text, program=program.text, module=module, entry_point=entry_point, origin=tests.name)
    else:
        _refuse_no_tests(text, tests)
    if suite is None or suite.kind is SuiteKind.PYTEST:
        project = read_project(place, program, tests, user_place)
        apart = suite
        suite = readers.project_suite(text, project=project, module=module, origin=origin)
        if apart is not None and _stands_alone(apart, program, only, whole, user_place):
            # Behind the wall it is judged by itself; in its project where that turns out to need more.
            suite = _apart(suite, apart)
    elif only is not None and not alone and suite.kind is SuiteKind.SCRIPT:
        project = read_script_project(place, program, tests, user_place)
        # A script that uses none of the program's names runs its file by itself: it is not to be loaded before that.
        sees_names = suite.one_namespace and suite.surface != Surface()
        suite = replace(suite, project=project, module=suite.module or module, origin=origin, **_IN_ONE_PROCESS)
        suite = replace(suite, one_namespace=sees_names)
    return _task(program, suite, entry_point, only, whole)


def _apart(suite: Suite, apart: Suite) -> Suite:
    """A suite in its project, to be judged behind the wall as the one that was read by itself."""
    return replace(
        suite,
        isolation=Isolation.SEPARATE,
        reason=apart.reason,
        surface=apart.surface,
        one_namespace=apart.one_namespace,
        conftests=apart.conftests,
    )


def _read_conftest(path: Path) -> str:
    """The text of a `conftest.py`, which may be empty, with "\\n" line ends."""
    return LINE_END.sub("\n", decode_python(read_bytes(path, "the tests' conftest"), path, "the tests' conftest").text)


def _stands_alone(suite: Suite, program: ProgramFile, tests: Path | None, text: str, user_place: UserPlace) -> bool:
    """Whether a suite that means the same outside of its project can be judged behind the wall.

    Modules beside the program are laid out on both sides: none may be one that both use, since it would be two.
    """
    if suite.isolation is Isolation.SHARED or suite.module is None or user_place.environment:
        return False
    home = home_of_module(program.path, suite.module)
    theirs = find_companions(home, replace(program, text=""), tests, text)
    ours = find_companions(home, program, tests, "")
    if suite.surface.shares and any(_CHANGES_ITS_PROCESS.search(module) for module in ours.values()):
        return False
    return not any(text.strip() for path, text in theirs.items() if path in ours)


_CHANGES_ITS_PROCESS = re.compile(r"\b(?:logging|warnings|symlink\w*|hardlink_to|chmod|mkfifo|putenv)\b")
"""Words by which a module beside the program may do to its process what the process of the checks is not told."""
_IN_ONE_PROCESS: Any = {
    "isolation": Isolation.SHARED,
    "reason": "the tests use what lies around them: they run in a copy of their project, and the program with them",
}


def _refuse_no_tests(text: str, tests: ChosenTests) -> None:
    """Raise TaskError where only pytest could run the tests, and there is nothing that it would run."""
    if not has_test_functions(text):
        raise TaskError(
            f"{tests.name} holds no test function, and only those can be run together or in a project.",
            remedy="Put the checks into functions named `test_...`, or give one file of plain asserts alone.",
        )


def _task(
    program: ProgramFile, suite: Suite, entry_point: str | None, tests: Path | None = None, text: str = ""
) -> Task:
    home = find_home(program.path)
    module = home.module
    home = home if suite.module is None else home_of_module(program.path, suite.module)
    if home.is_in_package:
        suite = replace(suite, module=home.module)
    is_shared_project = suite.project is not None and suite.isolation is Isolation.SHARED
    return Task(
        id=program.path.name,
        source=program.text,
        entry_point=entry_point,
        suite=suite,
        statement=docstring_of(program.text, entry_point),
        module=module,
        companions={} if is_shared_project else find_companions(home, program, tests, text),
    )


def _examples(program: ProgramFile, module: str, entry_point: str | None, readers: CheckReaders) -> Suite:
    suite = readers.doctests(program.text, module=module, entry_point=entry_point)
    if suite is None:
        raise TaskError(
            f"there is nothing to check {program.path} with: it holds no tests and no doctest examples, "
            "and none were given.",
            remedy=f"Give its tests: --tests {_tests_beside(program.path) or 'PATH'}",
        )
    return suite


def _tests_beside(program: Path) -> Path | None:
    """The test file that bears the program's name, beside it or in a folder of tests; None where there is none."""
    folders = (program.parent, program.parent / "tests", program.parent.parent / "tests")
    names = (f"test_{program.stem}.py", f"{program.stem}_test.py")
    return next((file for folder in folders for name in names if (file := folder / name).is_file()), None)


def _read_tests(path: Path) -> str:
    """The text of a test file with "\\n" line ends: Python, or JSON lines."""
    content = read_bytes(path, "the test file")
    suffix = path.suffix.lower()
    if suffix not in (".py", ".jsonl"):
        raise TaskError(
            f"the test file {path} is of an unknown kind.",
            remedy='Give a .py file of tests, or a .jsonl file of {"args": [...], "kwargs": {}, "expected": ...}.',
        )
    if suffix == ".jsonl":
        text = decode_utf8(content, path, "the test file")
    else:
        text = LINE_END.sub("\n", decode_python(content, path, "the test file").text)
    if not text.strip():
        raise TaskError(f"the test file {path} is empty.", remedy="Write at least one check into it.")
    return text


def _refuse_same_file(program: ProgramFile, tests: ChosenTests) -> None:
    for place in tests.places:
        if place.path.exists() and program.path.samefile(place.path):
            raise TaskError(
                f"{place.path} is given as the program and as its tests.",
                remedy=f"Move the tests into a file of their own that begins with `from {program.path.stem} import *`.",
            )
