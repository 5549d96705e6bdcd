"""The program and the tests that a command line names, as a task."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.tasks.local_task import ProgramFile
    from regreen.types import Task


def read_task(
    target: Path, tests: list[str], keyword: str | None, entry_point: str | None, settings: Settings
) -> tuple[ProgramFile, Task]:
    """The program's file, and the task of turning its tests (its doctest examples, where there are none) green."""
    from regreen.strategies.user_task import read_user_task

    if not tests:
        target, tests = _with_program(target, settings)
    program, task = read_user_task(target, tests, keyword, entry_point, settings)
    if program.own_tests is not None:
        _notice(f"{target} holds tests of its own: they decide, and stay as they are.", settings)
    _say_what_is_shown(task, settings)
    return program, task


def _with_program(target: Path, settings: Settings) -> tuple[Path, list[str]]:
    """The program and its tests, where what was named as the program is a file of tests."""
    from regreen.tasks.program_of_tests import is_test_file, program_of_tests

    if not is_test_file(target) or not target.is_file():
        return target, []
    program = program_of_tests(target)
    if program == target:
        return target, []
    _notice(
        f"{target} holds tests; the one module of yours that they use is taken for the program: {program}", settings
    )
    return program, [str(target)]


def _notice(said: str, settings: Settings) -> None:
    """Tell what was understood, beside the results."""
    from rich.text import Text

    from regreen.cli.console import notices, print_wrapped
    from regreen.report.safe_text import visible_line

    print_wrapped(notices(settings), Text(visible_line(said, 1000)))


def _say_what_is_shown(task: Task, settings: Settings) -> None:
    """With -v, list the files of the project that the tests may see, and what is left out."""
    from rich.text import Text

    from regreen.cli.console import notices
    from regreen.report.safe_text import visible_line

    project = task.suite.project
    if project is None or not settings.verbose:
        return
    out = notices(settings)
    what = f"pytest runs in a copy of {project.root} that holds the program and {len(project.files)} files:"
    shown = [*project.files, *(f"not shown: {path} ({reason})" for path, reason in project.left_out.items())]
    for line in (what, *(f"  {name}" for name in shown)):
        out.print(Text(visible_line(line, 500)), soft_wrap=True)
