"""Runs a script of plain asserts in a project that is laid out on disk, as `python tests.py` in its place would."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from regreen.sandbox.guest.runner.checks.check_runner import ProgramUnderTest
from regreen.sandbox.guest.runner.checks.script_runner import ScriptRunner
from regreen.sandbox.guest.runner.program_loading.program_importer import FindProgram
from regreen.sandbox.guest.runner.projects.project_folder import FolderRestorer
from regreen.sandbox.guest.runner.projects.project_imports import ProjectImports, TargetInterception
from regreen.sandbox.guest.runner.syntax_trees import syntax_tree


class ProjectScriptRunner(ScriptRunner):
    """A script whose program is the file that lies in its place; a screener loads it from other code."""

    lies_in_file = True

    def __init__(self, suite: dict[str, Any], *, flipped: bool = False) -> None:
        super().__init__(suite, flipped=flipped)
        self.project = suite["project"]
        self.file = f"{self.place}/{self.origin}"
        self.target = f"{self.place}/{self.project['target']}"
        # As Python does: the folder of the script comes first.
        sys.path.insert(0, str(Path(self.file).parent))
        self.imports = ProjectImports(
            self.place, (), self.project["texts"], flipped=flipped, counted=suite.get("counted", False)
        )
        self.imports.set_test_files(())
        self.interception = TargetInterception(self.target)
        self.is_loaded_first = self.one_namespace or any(_imports(step["code"], self.module) for step in suite["steps"])
        """Whether the program is there before the script runs; where that only runs its file, nothing loads it."""
        self.restorer: FolderRestorer | None = None
        self.path_before = list(sys.path)
        sys.meta_path.insert(0, self.imports)

    @property
    def reads_file(self) -> bool:
        """Whether somebody has read the program's file."""
        return self.restorer is not None and self.restorer.is_read

    @property
    def place(self) -> str:
        """The project's top folder."""
        return str(self.project["place"])

    def load(self, codes: Sequence[CodeType]) -> ModuleType:
        """A program made of these codes, in a project as it was. Raises what they raise."""
        if self.restorer is None:
            self.restorer = FolderRestorer(self.project)
            self.restorer.watch()
        self.restorer.restore()
        self.restorer.lay_out(self.text)
        self.interception.codes = codes
        self.interception.install()
        self.imports.forget()
        sys.path[:] = self.path_before
        importlib.invalidate_caches()
        return self.load_program("", self.module, self.target) if self.is_loaded_first else ModuleType(self.module)

    def load_program(self, source: str, name: str, filename: str) -> ModuleType:
        """The program in its file, as a module of its own name, imported as Python does. Raises what it raises.

        Where its name cannot be imported, or leads elsewhere, its file is run as a module of that name.
        """
        if _leads_to(name, self.target):
            return importlib.import_module(name)
        spec = spec_from_file_location(name, self.target)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def program_finder(self, program: dict[str, Any]) -> FindProgram | None:
        """Python's own import, where it leads to the program's file, and through no package that might load it."""
        is_found = "." not in program["module"] and _leads_to(program["module"], self.target)
        return PathFinder.find_spec if is_found else None

    def _names(self, subject: ProgramUnderTest, scope: str) -> dict[str, Any]:
        names = super()._names(subject, scope)
        names["__file__"] = self.file
        return names


def _imports(code: str, module: str) -> bool:
    """Whether a statement imports this module, or a package of it."""
    top = module.partition(".")[0]
    named: list[str] = []
    for node in ast.walk(syntax_tree(code)):
        if isinstance(node, ast.Import):
            named += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            named += [node.module or "", *(alias.name for alias in node.names)]
    return any(name.partition(".")[0] == top or name == module.rpartition(".")[2] for name in named)


def _leads_to(name: str, file: str) -> bool:
    """Whether importing a name loads the file; its packages are imported to learn that."""
    try:
        spec = find_spec(name)
    except (ImportError, AttributeError, ValueError):
        return False
    return spec is not None and spec.origin is not None and Path(spec.origin).resolve() == Path(file).resolve()
