"""Loads a program when its tests import it: after what they do before that, as in plain Python."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any

from regreen.sandbox.guest.runner.program_loading.program_module import introduce_parents

FindProgram = Callable[[str, Sequence[str] | None], ModuleSpec | None]
"""The spec of the program, for its dotted name and the folders of its package."""


class ProgramImporter(MetaPathFinder, Loader):
    """Finds one program under its name, and watches over the run of its text."""

    def __init__(
        self,
        name: str,
        find: FindProgram,
        around: Callable[[], AbstractContextManager[Any]],
        loaded: Callable[[], None],
    ) -> None:
        self.name = name
        self.find = find
        self.around = around
        """Entered around each run of the text: limits, and a look at what it changed."""
        self.loaded = loaded
        """Called after each run that raised nothing."""
        self.inner: Any = None
        """What runs the text."""
        self.error: BaseException | None = None
        """What the last run raised."""

    def install(self) -> None:
        """Have the program found from now on, before any other module of its name."""
        sys.modules.pop(self.name, None)
        sys.meta_path.insert(0, self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Answer for the program alone."""
        spec = self.find(fullname, path) if fullname == self.name else None
        if spec is not None:
            self.inner, spec.loader = spec.loader, self
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Use the default module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run the program's text. Raises whatever that raises, SyntaxError too."""
        self.error = None
        if module.__spec__ is not None:
            module.__loader__ = module.__spec__.loader = self.inner
        try:
            with self.around():
                self.inner.exec_module(module)
        except BaseException as error:
            self.error = error
            raise
        self.loaded()


class ProgramText(Loader):
    """Runs a program whose text came through the wall."""

    def __init__(self, program: dict[str, Any]) -> None:
        self.program = program

    def find(self, fullname: str, path: Sequence[str] | None) -> ModuleSpec | None:
        """The program, whatever its name is."""
        return spec_from_loader(fullname, self)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Use the default module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run the text in the module."""
        filename = self.program["filename"]
        # As where the program is loaded before its tests: it has no loader that it could ask for anything.
        module.__spec__ = module.__loader__ = None
        module.__file__ = filename
        exec(compile(self.program["source"], filename, "exec", dont_inherit=True), module.__dict__)


def find_text(program: dict[str, Any]) -> FindProgram:
    """Finds a program by its text; the packages that its name says it is in are there from now on, and empty."""
    introduce_parents(program["module"])
    return ProgramText(program).find
