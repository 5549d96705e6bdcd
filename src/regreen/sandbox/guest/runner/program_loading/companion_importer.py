"""Imports the user's other modules from texts that the host sent: none of their files is visible in the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import PurePosixPath
from types import ModuleType


class CompanionImporter(MetaPathFinder, Loader):
    """Finds and loads modules whose texts are given by their paths."""

    def __init__(self, texts: Mapping[str, str], rewrite: Callable[[str], str] | None = None) -> None:
        self.rewrite = rewrite
        """Applied to each text that is run; to no other one, of a project's thousands."""
        # pytest reads its own files from disk, and refuses one that is found elsewhere.
        own = {path: text for path, text in texts.items() if path != "conftest.py"}
        self.texts = {_module_name(path): (path, text) for path, text in own.items()}
        self.packages = {name for name, (path, _) in self.texts.items() if path.endswith("__init__.py")}
        for name in tuple(self.texts):
            self.packages.update(_parents(name))

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Answer for the modules whose texts were sent, and for the folders that hold them."""
        if fullname not in self.texts and fullname not in self.packages:
            return None
        return spec_from_loader(fullname, self, is_package=fullname in self.packages)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Use the default module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's text; a folder without one is an empty package."""
        path, text = self.texts.get(module.__name__, ("", ""))
        module.__file__ = path
        if self.rewrite is not None:
            text = self.rewrite(text)
        exec(compile(text, path, "exec", dont_inherit=True), module.__dict__)


def _module_name(path: str) -> str:
    pure = PurePosixPath(path)
    parts = pure.parent.parts if pure.name == "__init__.py" else pure.with_suffix("").parts
    return ".".join(parts)


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:n]) for n in range(1, len(parts))]
