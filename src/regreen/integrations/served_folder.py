"""The folder whose files a server's callers may name, and no others."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from regreen.config import Settings
from regreen.environment import shown_variables, variable_names
from regreen.errors import TaskError
from regreen.strategies.user_task import read_user_task
from regreen.tasks.home import find_home
from regreen.tasks.local_task import ProgramFile, UserPlace
from regreen.tasks.program_of_tests import is_test_file, program_of_tests
from regreen.tasks.project_files import top_folder
from regreen.tasks.whole_project import WholeProject, read_whole_project
from regreen.types import Task

_PATTERN = frozenset("*?[")
_MAX_PATH_CHARACTERS = 1_000


class ServedFolder:
    """A folder with all that is in it; links that lead out of it are refused, as is every other way."""

    def __init__(self, root: Path) -> None:
        """Raises TaskError where there is no such folder."""
        self.root = Path(os.path.realpath(root))
        if not self.root.is_dir():
            raise TaskError(f"{root} is no folder.", remedy="Give the folder of the project.")

    def find(self, named: str) -> Path:
        """The file or folder of that name, seen from the folder or absolute, with no link in its path."""
        if "\0" in named or len(named) > _MAX_PATH_CHARACTERS:
            raise TaskError("A path holds a null character, or is very long.", remedy="Name a file of the project.")
        path = Path(os.path.realpath(self.root / named))
        if not path.is_relative_to(self.root):
            raise self._outside(named)
        try:
            is_there = path.exists()
        except OSError:
            is_there = False
        if not is_there:
            raise TaskError(f"There is no {named} in {self.root}.", remedy="Name a path as seen from there.")
        return path

    def find_tests(self, named: str) -> str:
        """The same for tests: a file, FILE::TEST or a folder."""
        path, colons, node = named.partition("::")
        if _PATTERN & set(path):
            raise TaskError(f"{named} is a pattern.", remedy="Name files or folders of tests.")
        return f"{self.find(path)}{colons}{node}"

    def read_task(
        self, program: str, tests: Sequence[str], keyword: str | None, entry_point: str | None, settings: Settings
    ) -> tuple[ProgramFile, Task]:
        """The task of turning the tests of a program green; a test file alone stands for the program that it tests.

        Raises TaskError where a path leads out of the folder, or something that has to be read lies outside.
        """
        path, chosen = self.find(program), [self.find_tests(each) for each in tests]
        if not chosen and path.is_file() and is_test_file(path):
            path, chosen = self.find(str(program_of_tests(path).absolute())), [str(path)]
        file, task = read_user_task(path, chosen, keyword, entry_point, settings)
        self._refuse_outside(file, task)
        return file, task

    def read_project(self, named: str, pytest_arguments: Sequence[str], settings: Settings) -> WholeProject:
        """The project that a folder is in. Raises TaskError where it reaches out of what is served."""
        folder = self.find(named)
        top = Path(os.path.realpath(top_folder(folder)))
        if not top.is_relative_to(self.root):
            raise self._not_all_served(folder, top)
        user_place = UserPlace(folder, shown_variables(settings.env), variable_names())
        return read_whole_project(folder, pytest_arguments, user_place)

    def name_of(self, path: Path) -> str:
        """A path as seen from the folder."""
        return Path(os.path.realpath(path)).relative_to(self.root).as_posix()

    def _refuse_outside(self, file: ProgramFile, task: Task) -> None:
        project = task.suite.project
        if project is not None and not Path(os.path.realpath(project.root)).is_relative_to(self.root):
            raise self._not_all_served(file.path, Path(project.root))
        # What is imported is found by the program's home, whose links may lead anywhere.
        for name in task.companions:
            home = find_home(file.path).root
            if not Path(os.path.realpath(home / name)).is_relative_to(self.root):
                raise self._outside(str(home / name))

    def _not_all_served(self, path: Path, top: Path) -> TaskError:
        return TaskError(
            f"{self.name_of(path)} belongs to the project in {top}, which is not all served.",
            remedy=f"Serve that folder: regreen mcp --root {top}",
        )

    def _outside(self, named: str) -> TaskError:
        return TaskError(
            f"{named} lies outside of the folder that is served, {self.root}.",
            remedy="Name a path inside it; links that lead out of it are not followed.",
        )
