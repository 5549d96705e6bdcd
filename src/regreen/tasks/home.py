"""The home of a program: the name under which it is imported, and the folder that it is imported from."""

from __future__ import annotations

import keyword
from dataclasses import dataclass
from pathlib import Path

_MAX_PACKAGE_DEPTH = 20
"""Nested packages around a program that are looked at."""


@dataclass(frozen=True, slots=True)
class Home:
    """A program's name and the folder that its imports are looked up in."""

    module: str
    """Dotted name, as in `import MODULE`; "program" where the file's own name is not importable."""
    root: Path

    @property
    def is_in_package(self) -> bool:
        return "." in self.module

    @property
    def package(self) -> tuple[str, ...]:
        """The package that the program's relative imports start from."""
        return tuple(self.module.split(".")[:-1])


def find_home(path: Path) -> Home:
    """The home of a program, derived from the `__init__.py` files around it."""
    if not _is_name(path.stem):
        return Home("program", path.parent)
    parts, folder = [path.stem], path.absolute().parent
    while (folder / "__init__.py").is_file() and _is_name(folder.name) and len(parts) < _MAX_PACKAGE_DEPTH:
        parts.insert(0, folder.name)
        folder = folder.parent
    return Home(".".join(parts), folder if len(parts) > 1 else path.parent)


def home_of_module(path: Path, module: str) -> Home:
    """The home of a program that its tests import as `module`; its own folder where the folders have other names."""
    *packages, last = module.split(".")
    folder = path.absolute().parent
    if last != path.stem or tuple(packages) != folder.parts[len(folder.parts) - len(packages) :]:
        return Home(module, path.parent)
    return Home(module, folder.parents[len(packages) - 1] if packages else path.parent)


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)
