"""Turning a program's text into a live module, inside the sandbox."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import PurePosixPath
from types import CodeType, ModuleType


class Companions(MetaPathFinder, Loader):
    """Imports the user's other modules from texts that came along: no file of theirs is visible in here."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = {_module_name(path): (path, text) for path, text in texts.items()}
        self.packages = {name for name, (path, _) in self.texts.items() if path.endswith("__init__.py")}
        for name in tuple(self.texts):
            self.packages.update(_parents(name))

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Answer for the modules that came along, and for the folders that hold them."""
        if fullname not in self.texts and fullname not in self.packages:
            return None
        return spec_from_loader(fullname, self, is_package=fullname in self.packages)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Use the default module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run the text that came along; a mere folder is empty."""
        path, text = self.texts.get(module.__name__, ("", ""))
        module.__file__ = path
        exec(compile(text, path, "exec", dont_inherit=True), module.__dict__)


def install_companions(texts: Mapping[str, str]) -> None:
    """Let the process import these modules, before any that are installed."""
    if texts:
        sys.meta_path.insert(0, Companions(texts))


def fresh_module(name: str, filename: str) -> ModuleType:
    """An empty module, known to `sys.modules` under its name (and as an attribute of its parent package)."""
    parent, _, child = name.rpartition(".")
    if parent and parent not in sys.modules:
        fresh_module(parent, parent).__path__ = []
    module = ModuleType(name)
    module.__file__ = filename
    sys.modules[name] = module
    if parent:
        setattr(sys.modules[parent], child, module)
    return module


def run_program(source: str | CodeType, name: str, filename: str) -> ModuleType:
    """Execute a program as a module. Raises whatever the program raises, SyntaxError too."""
    code = compile(source, filename, "exec", dont_inherit=True) if isinstance(source, str) else source
    module = fresh_module(name, filename)
    exec(code, module.__dict__)
    return module


def show_lines(filename: str, source: str) -> None:
    """Let tracebacks (and doctest, inspect) find the text of a module that is no file."""
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)


def _module_name(path: str) -> str:
    pure = PurePosixPath(path)
    parts = pure.parent.parts if pure.name == "__init__.py" else pure.with_suffix("").parts
    return ".".join(parts)


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:n]) for n in range(1, len(parts))]
