"""What a program and its checks share beside objects, kept alike in two processes: files, variables, log levels.

Each side tells what changed on it with its next message, and each takes over what the other has told. Neither reaches
more of the other than its working folder, the variables of its environment, and the levels of its loggers.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from regreen.sandbox.guest.wire.codec_format import BadMessage, Unplain
from regreen.sandbox.guest.wire.folder_image import FolderImage

SHARED_WARNINGS, SHARED_LOG, SHARED_FILES, SHARED_ENVIRONMENT = "warnings", "log", "files", "environment"
"""The parts of the world that can be kept alike (`Surface.shares`)."""
_SUITE_FOLDER = "suite"
"""Where the tests themselves lie, on their side: it is never shown to the program."""
_OWN_VARIABLES = ("PYTEST_", "PYTHON", "LD_")
"""How variables begin that are about one process alone; what pytest says there may tell expected values."""
_LONGEST = 1 << 16
_ELSEWHERE = "the working folder, which has another name in each process here"


class SharedWorld:
    """One side's view of what is shared: `parts` says what is.

    The program's side is told the working folder and the variables as they were on the other before all; what is not
    so there, the program has changed while it was loaded. Raises Unplain where the two cannot be alike.
    """

    def __init__(self, parts: Collection[str], root: str = "", environment: Mapping[str, str] | None = None) -> None:
        self.parts = frozenset(parts)
        self.is_program = environment is not None
        self.root = root or os.getcwd()  # noqa: PTH109 - a Path would cost more than the call
        self.first = dict(environment) if environment is not None else _shown(os.environ), _levels()
        if self.parts & {SHARED_FILES, SHARED_ENVIRONMENT} and self.first[0].get("HOME") != os.environ.get("HOME"):
            raise Unplain(_ELSEWHERE)
        self.spared = (
            {_SUITE_FOLDER, *(item.name for item in Path(self.root).iterdir())} if not self.is_program else set()
        )
        self.renew()

    def renew(self) -> None:
        """Begin with another process on the other side, which knows of no change yet."""
        self.place, (self.environment, self.levels) = self.root, self.first
        self.files = FolderImage(self.root, self.spared) if SHARED_FILES in self.parts else None

    def told(self) -> tuple[Any, ...]:
        """What the program's side begins with."""
        return tuple(sorted(self.parts)), self.root, self.first[0]

    def changes(self) -> tuple[Any, ...]:
        """What changed here since the last message, as plain data; () for nothing. Raises Unplain."""
        if not self.parts & {SHARED_FILES, SHARED_ENVIRONMENT, SHARED_LOG}:
            return ()
        told = self._place(), self._variables(), self._levels(), self.files.changes() if self.files else ((), ())
        return () if told == (None, {}, {}, ((), ())) else told

    def apply(self, told: Any) -> None:
        """Take over what changed on the other side. Raises BadMessage for what no honest side tells, and Unplain."""
        if type(told) is not tuple or len(told) not in (0, 4):
            raise BadMessage("a world of another shape")
        if not told:
            return
        place, variables, levels, files = told
        if type(files) is not tuple or len(files) != 2 or (files != ((), ()) and self.files is None):
            raise BadMessage("changes of files of another shape")
        if self.files is not None:
            self._keep_imports_out()
            self.files.apply(*files)
        self._enter(place)
        self._set_variables(variables)
        self._set_levels(levels)

    def _keep_imports_out(self) -> None:
        """No import of the checks may find what the program has written. Raises Unplain where one could."""
        own = f"{self.root}/{_SUITE_FOLDER}"
        searched = (os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100
        if not self.is_program and any(f"{entry}/".startswith(f"{self.root}/") and entry != own for entry in searched):
            raise Unplain("files that the checks could import")

    def _place(self) -> str | None:
        if not self.parts & {SHARED_FILES, SHARED_ENVIRONMENT}:
            return None
        before, self.place = self.place, os.getcwd()  # noqa: PTH109
        return None if self.place == before else self.place

    def _enter(self, place: Any) -> None:
        if place is None:
            return
        if type(place) is not str or not self.parts & {SHARED_FILES, SHARED_ENVIRONMENT}:
            raise BadMessage("a working folder of another shape")
        below = place.removeprefix(self.root).strip("/")
        known = self.files is not None and below in self.files.known
        if not place.startswith(self.root) or (below and not known):
            raise Unplain("a working folder that only one process has")
        try:
            os.chdir(place)
        except OSError:
            raise Unplain("a working folder that only one process has") from None
        self.place = place

    def _variables(self) -> dict[str, str | None]:
        if SHARED_ENVIRONMENT not in self.parts:
            return {}
        before, self.environment = self.environment, _shown(os.environ)
        if before == self.environment:
            return {}
        names = before.keys() | self.environment.keys()
        return {n: self.environment.get(n) for n in sorted(names) if before.get(n) != self.environment.get(n)}

    def _set_variables(self, variables: Any) -> None:
        if type(variables) is not dict or (variables and SHARED_ENVIRONMENT not in self.parts):
            raise BadMessage("variables of another shape")
        for name, value in variables.items():
            if type(name) is not str or (value is not None and type(value) is not str):
                raise BadMessage("variables of another shape")
            if name.startswith(_OWN_VARIABLES) or len(name) + len(value or "") > _LONGEST:
                raise BadMessage("a variable that is not shared")
            try:
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
            except (OSError, ValueError) as error:
                raise BadMessage("a variable that cannot be") from error
        self.environment = _shown(os.environ)

    def _levels(self) -> dict[str, int]:
        if SHARED_LOG not in self.parts or self.is_program:
            return {}
        before, self.levels = self.levels, _levels()
        names = before.keys() | self.levels.keys()
        return {name: self.levels.get(name, 0) for name in sorted(names) if before.get(name) != self.levels.get(name)}

    def _set_levels(self, levels: Any) -> None:
        if type(levels) is not dict or (levels and not self.is_program):
            raise BadMessage("levels of another shape")
        for name, level in levels.items():
            if name == _ALL:
                logging.disable(level)
            else:
                logging.getLogger(name).setLevel(level)


_ALL = "\0all"
"""What stands for the level below which no logger says anything."""


def _levels() -> dict[str, int]:
    """The levels of all loggers that have one of their own, by name; the root's is ""."""
    root = logging.getLogger()
    named = root.manager.loggerDict.items()
    found = {name: logger.level for name, logger in named if isinstance(logger, logging.Logger) and logger.level}
    return {"": root.level, _ALL: root.manager.disable, **found}


def _shown(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if not name.startswith(_OWN_VARIABLES)}
