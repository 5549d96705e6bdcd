"""Text put before a program that is only judged: none, or the imports of the official evaluation.

The official evaluation of HumanEvalPack puts one fixed list of imports before each program, so that a program without
them may pass there. Rates with and without it are not comparable, so records name the prelude.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_OFFICIAL_MODULES = (
    *("math", "re", "sys", "copy", "datetime", "itertools", "collections", "heapq", "statistics", "functools"),
    "hashlib",
)
_OFFICIAL = "official"


@dataclass(frozen=True, slots=True)
class Prelude:
    """Text put before each program."""

    name: str
    text: str = ""

    @property
    def modules(self) -> tuple[str, ...]:
        """Names of the modules that it imports, each once."""
        tree = ast.parse(self.text)
        names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
        names += [str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        return tuple(dict.fromkeys(names))

    def before(self, source: str) -> str:
        """The program with the prelude before it."""
        return f"{self.text}\n{source}" if self.text else source


NO_PRELUDE = Prelude("none")


def official_prelude(path: Iterable[str]) -> Prelude:
    """The official prelude for an interpreter whose modules are in the folders of `path`.

    The two lines for numpy are left out where it is not installed: with them no program would pass.
    """
    numpy = ["import numpy", "import numpy as np"] * any((Path(folder) / "numpy").is_dir() for folder in path)
    lines = [f"import {name}" for name in _OFFICIAL_MODULES]
    return Prelude(
        _OFFICIAL,
        "\n".join([*lines, *numpy, "import string", "from typing import *", "from collections import *"]),
    )
