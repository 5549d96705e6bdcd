"""The user's own files as a task: one program, and the tests that are named for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from regreen.config import Settings
from regreen.environment import shown_variables, variable_names
from regreen.tasks.local_task import (
    CheckReaders,
    ProgramFile,
    UserPlace,
    build_task,
    read_chosen_tests,
    read_program_file,
)
from regreen.types import Task
from regreen.verify.bindings import guess_entry_point
from regreen.verify.doctests import read_doctests
from regreen.verify.io_cases import read_io_cases
from regreen.verify.suites import read_project_suite, read_suite

_READERS = CheckReaders(read_suite, read_project_suite, read_io_cases, read_doctests, guess_entry_point)


def read_user_task(
    program: Path, tests: Sequence[str], keyword: str | None, entry_point: str | None, settings: Settings
) -> tuple[ProgramFile, Task]:
    """The program's file, and the task of turning its tests green.

    Where none are named they are those that stand in the file itself, else its doctest examples. Raises TaskError where
    either cannot be used.
    """
    file = read_program_file(program)
    chosen = read_chosen_tests(list(tests), keyword)
    if chosen is None or (chosen.only_file is not None and chosen.only_file.samefile(program)):
        file = file.apart_from_tests()
    user_place = UserPlace(environment=shown_variables(settings.env), variables=variable_names())
    return file, build_task(file, chosen, entry_point, readers=_READERS, user_place=user_place)
