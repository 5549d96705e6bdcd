"""A task from the user's own files: one program, and the checks for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from regreen.errors import TaskError
from regreen.tasks.dataset import SuiteReader
from regreen.tasks.entry_point import docstring_of, entry_point_needed, refuse_unknown_entry_point
from regreen.tasks.home import find_home, home_of_module
from regreen.tasks.imported_modules import find_companions
from regreen.tasks.program_file import ProgramFile, read_program_file, write_if_unchanged
from regreen.tasks.text_file import LINE_END, decode_python, decode_utf8, read_bytes
from regreen.types import Suite, SuiteKind, Task

__all__ = ["CheckReaders", "ProgramFile", "build_task", "read_program_file", "write_if_unchanged"]


class DoctestReader(Protocol):
    """Anything that reads the examples in a program's docstrings as a suite."""

    def __call__(self, program: str, *, module: str, entry_point: str | None) -> Suite | None:
        """The suite of the examples; None where there are none."""
        ...


@dataclass(frozen=True, slots=True)
class CheckReaders:
    """The readers of checks, which the caller of `build_task` hands in."""

    suite: SuiteReader
    io_cases: SuiteReader
    doctests: DoctestReader
    guess_entry_point: Callable[[str, str], str | None]
    """(program, tests) -> the function that the tests are about; None when it is unclear."""


def build_task(
    program: ProgramFile, tests_path: Path | None, entry_point: str | None, *, readers: CheckReaders
) -> Task:
    """The task of turning `tests_path` green, or the program's doctest examples where no tests are given.

    Raises TaskError when the tests cannot be used or `entry_point` is not in the program.
    """
    if entry_point is not None:
        refuse_unknown_entry_point(program.path, program.text, entry_point)
    home = find_home(program.path)
    module = home.module
    if tests_path is None:
        tests_text, suite = "", _examples(program, module, entry_point, readers)
        entry_point = entry_point or readers.guess_entry_point(program.text, "")
    else:
        _refuse_same_file(program, tests_path)
        tests_text, is_python = _read_tests(tests_path)
        entry_point = entry_point or readers.guess_entry_point(program.text, tests_text if is_python else "")
        if not is_python and entry_point is None:
            raise entry_point_needed(program.path, program.text, tests_path)
        read = readers.suite if is_python else readers.io_cases
        suite = read(tests_text, program=program.text, module=module, entry_point=entry_point, origin=tests_path.name)
        tests_text = tests_text if is_python else ""
    home = home if suite.module is None else home_of_module(program.path, suite.module)
    if home.is_in_package:
        suite = replace(suite, module=home.module)
    return Task(
        id=program.path.name,
        source=program.text,
        entry_point=entry_point,
        suite=suite,
        statement=docstring_of(program.text, entry_point),
        module=module,
        companions=find_companions(home, program, tests_path, tests_text, with_conftest=suite.kind is SuiteKind.PYTEST),
    )


def _examples(program: ProgramFile, module: str, entry_point: str | None, readers: CheckReaders) -> Suite:
    suite = readers.doctests(program.text, module=module, entry_point=entry_point)
    if suite is None:
        raise TaskError(
            f"there is nothing to check {program.path} with: it has no doctest examples, and no tests were given.",
            remedy="Give a file of tests with --tests.",
        )
    return suite


def _read_tests(path: Path) -> tuple[str, bool]:
    """The text of a test file with "\\n" line ends, and whether it is Python (else JSON lines)."""
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
    return text, suffix == ".py"


def _refuse_same_file(program: ProgramFile, tests_path: Path) -> None:
    if tests_path.exists() and program.path.samefile(tests_path):
        raise TaskError(
            f"{tests_path} is given as the program and as its tests.",
            remedy=f"Move the tests into a file of their own that begins with `from {program.path.stem} import *`.",
        )
