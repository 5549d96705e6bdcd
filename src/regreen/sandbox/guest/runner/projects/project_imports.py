"""Imports in a project that is laid out on disk: test modules get our assertions, and a screener its own program.

All else is Python's and pytest's own importing, in whichever mode the project's configuration asks for.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import os
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from fnmatch import fnmatch
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import decode_source
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

from regreen.sandbox.guest.runner.checks.assertions import RECORDER, AssertionRecorder, rewrite_assertions
from regreen.sandbox.guest.runner.checks.check_runner import defined_in
from regreen.sandbox.guest.runner.checks.traceback_lines import program_lines
from regreen.sandbox.guest.runner.pytest_sessions.stand_in_module import StandInModule
from regreen.sandbox.guest.runner.syntax_trees import syntax_tree
from regreen.sandbox.guest.runner.timing.ticks import add_ticks, add_turns

if TYPE_CHECKING:
    from regreen.sandbox.guest.runner.tampering.tamper_watch import TamperWatch

_NO_SUCH_NAME = re.compile(r"cannot import name '([^']+)' from '([^']+)'")
_TEST_FILES = ("test_*.py", "*_test.py")
"""pytest's default of `python_files`."""


class ProjectImports(MetaPathFinder):
    """Finds the modules of a project that are not to be loaded as they stand: tests, and in a screener all of them."""

    def __init__(
        self,
        place: str,
        named: Collection[str],
        texts: Mapping[str, bytes],
        *,
        flipped: bool,
        counted: bool,
        vetted: bool = False,
    ) -> None:
        self.place = place
        self.texts = texts
        """What the modules of the project held before the program was loaded, which may write into their files."""
        self.named = named
        """Absolute paths of files that are tests whatever they are called."""
        self.flipped = flipped
        self.counted = counted
        """Whether the code takes ticks."""
        self.vetted = vetted
        """Whether operands go through the recorder, and test functions tell it of their end."""
        self.proven: set[str] = set()
        """The test functions that surely do, as "tests/test_a.py.test_b"."""
        self.builtins: Mapping[str, Any] | None = None
        """The built-in names of test modules, where they are not to be those of the program."""
        self.recorder = AssertionRecorder()
        """What the assertions of test modules loaded from now on are told to."""
        self.test_files: Sequence[str] = _TEST_FILES
        """Patterns of the names of test files."""
        self.tests: list[ModuleType] = []
        """The test modules that were loaded."""
        self.watch: TamperWatch | None = None
        """Told what tests decide by, and before the first module of the project is loaded, where somebody watches."""
        self.codes: dict[str, tuple[bytes, CodeType]] = {}
        """Path -> the text of a module and its code, for the next time that it is loaded."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module of the project with a loader of ours; None for every other one."""
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or not spec.origin or type(spec.loader) is not SourceFileLoader:
            return None
        if not spec.origin.startswith(f"{self.place}/"):
            return None
        if self.watch is not None:
            self.watch.start()
        is_test = spec.origin in self.named or any(fnmatch(Path(spec.origin).name, each) for each in self.test_files)
        if not (is_test or self.counted or Path(spec.origin).name == "conftest.py"):
            return None
        spec.loader = _ProjectLoader(fullname, spec.origin, self, is_test=is_test)
        return spec

    def set_test_files(self, patterns: Sequence[str]) -> None:
        """Take over pytest's `python_files`; a name without a pattern is one."""
        self.test_files = tuple(patterns)

    def replace_recorder(self, recorder: AssertionRecorder) -> None:
        """Have the assertions of all test modules told to another recorder."""
        self.recorder = recorder
        for module in self.tests:
            module.__dict__[RECORDER] = recorder

    def forget(self) -> None:
        """Unload all modules of the project, so that they are loaded anew."""
        self.tests.clear()
        for name, module in tuple(sys.modules.items()):
            if self.holds(module):
                del sys.modules[name]

    def holds(self, module: object) -> bool:
        """Whether a module was loaded from the project's files."""
        file = getattr(module, "__file__", None)
        return isinstance(file, str) and file.startswith(f"{self.place}/")


class _ProjectLoader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, imports: ProjectImports, *, is_test: bool) -> None:
        super().__init__(fullname, path)
        self.imports = imports
        self.is_test = is_test
        self.is_of_tests = is_test or Path(path).name == "conftest.py"
        self.code: CodeType | None = None

    def get_code(self, fullname: str) -> CodeType:
        """The module's code, rewritten."""
        text = self.imports.texts.get(self.path) or self.get_data(self.path)
        # Whoever watches learns from each module as it is loaded.
        known = self.imports.codes.get(self.path) if self.imports.watch is None else None
        if known is None or known[0] != text:
            known = self.imports.codes[self.path] = text, self._compiled(text)
        return known[1]

    def _compiled(self, text: bytes) -> CodeType:
        tree = syntax_tree(text, self.path)
        if self.imports.watch is not None and self.is_of_tests:
            self.imports.watch.learn([*ast.walk(tree)])
        if self.imports.counted:
            tree = add_turns(tree) if self.is_of_tests else add_ticks(tree, decode_source(text))
        if self.is_test:
            if self.imports.vetted and not self.imports.flipped:
                self._vet(tree)
            tree = rewrite_assertions(tree, flipped=self.imports.flipped)
        self.code = code = compile(tree, self.path, "exec", dont_inherit=True)
        return code

    def _vet(self, tree: ast.Module) -> None:
        # Not in the processes that judge behind the wall: each page more is one to copy.
        from regreen.sandbox.guest.runner.tampering.vetting import vet_tests

        file = os.path.relpath(self.path, self.imports.place)
        self.imports.proven.update(f"{file}.{test}" for test in vet_tests(tree))

    def exec_module(self, module: ModuleType) -> None:
        """Run the code in the module."""
        if self.is_test:
            if self.imports.builtins is not None:
                module.__dict__["__builtins__"] = self.imports.builtins
            self.imports.recorder.origins.add(self.path)
            module.__dict__[RECORDER] = self.imports.recorder
            self.imports.tests.append(module)
        super().exec_module(module)
        if self.imports.watch is not None and self.code is not None and self.is_of_tests:
            self.imports.watch.learn_own(vars(module), defined_in(self.code))


class TargetInterception:
    """Runs given code in the place of the program's file, however it comes to be loaded: for screeners alone."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.codes: Sequence[CodeType] | None = None
        """What is run; None for the file as it stands."""
        self.is_stand_in = False
        """Whether the modules made of it get a stand-in for every name that they lack, and load whatever is raised."""
        self.installed = False
        self.loaded: list[ModuleType] = []
        """The modules that were made of it."""
        self.before: Callable[[], None] | None = None
        """Called each time before it is run."""
        self.after: Callable[[], None] | None = None
        """Called each time once it was run."""

    def install(self) -> None:
        """Do so from now on, in this process."""
        if self.installed:
            return
        self.installed = True
        ordinary: Callable[[Any, ModuleType], None] = SourceFileLoader.exec_module

        def exec_module(loader: Any, module: ModuleType) -> None:
            if os.path.normpath(loader.path) != self.target:
                ordinary(loader, module)
                return
            self.loaded.append(module)
            if self.before is not None:
                self.before()
            with contextlib.suppress(*((Exception,) if self.is_stand_in else ())):
                if self.codes is None:
                    ordinary(loader, module)
                for code in self.codes or ():
                    exec(code, module.__dict__)
            if self.is_stand_in:
                module.__class__ = StandInModule
            if self.after is not None:
                self.after()

        SourceFileLoader.exec_module = exec_module  # type: ignore[method-assign,assignment]


class MissingName:
    """A name that the tests could not import from the program: as long as it lacks it, no test can be collected."""

    def __init__(self, error: ImportError, target: str) -> None:
        self.error = error
        found = _NO_SUCH_NAME.search(str(error))
        self.name, self.module = found.groups() if found and error.path == target else ("", "")

    def is_still_missing(self) -> bool:
        """Whether the program, which is imported for that, lacks it; not where that cannot be told."""
        if not self.name:
            return False
        try:
            return not hasattr(importlib.import_module(self.module), self.name)
        except (Exception, SystemExit):  # noqa: BLE001  then a session will say what is wrong
            return False


class BrokenLoading:
    """What was raised while the program was loaded: as long as anything is, no test that needs it can be collected."""

    def __init__(self, error: BaseException, target: str, loaded: Sequence[ModuleType]) -> None:
        self.error = error
        is_its_own = bool(loaded) and bool(program_lines(error.__traceback__, target))
        self.module = loaded[-1].__name__ if is_its_own else ""

    def is_still_broken(self) -> bool:
        """Whether importing the program, as it is now, raises; not where that cannot be told."""
        if not self.module:
            return False
        try:
            importlib.import_module(self.module)
        except ModuleNotFoundError as error:
            if error.name and f"{self.module}.".startswith(f"{error.name}."):
                return False
            self.error = error
        except (Exception, SystemExit) as error:  # noqa: BLE001  whatever it raises is the result of every check
            self.error = error
        else:
            return False
        return True
