"""Imports the `conftest.py` files of a suite from texts that came through the wall, as pytest asks for them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from regreen.sandbox.guest.runner.checks.check_runner import compile_tests

_NAME = "conftest"


class ConftestImporter(MetaPathFinder, Loader):
    """Lays the files out, one folder in the other, and has their code run with assertions of ours.

    pytest imports each by one and the same name, with its folder first on the path.
    """

    def __init__(self, top: Path, suite: dict[str, Any]) -> None:
        self.texts: dict[Path, str] = {}
        self.codes: dict[Path, CodeType] = {}
        self.innermost = top
        """The folder of the last one, which is that of the tests."""
        for name, text in suite["conftests"]:
            self.innermost = self.innermost / "below" if self.texts else top
            place = self.innermost / f"{_NAME}.py"
            self.texts[place] = text
            self.codes[place.resolve()], _ = compile_tests({**suite, "source": text, "origin": name}, flipped=False)
        self.run: Callable[[CodeType, ModuleType], None] | None = None

    def install(self, run: Callable[[CodeType, ModuleType], None]) -> None:
        """Put the files where pytest looks for them, and have it run their code by `run`."""
        for place, text in self.texts.items():
            place.parent.mkdir(exist_ok=True)
            place.write_text(text, encoding="utf-8")
        if self.run is None:
            sys.meta_path.insert(0, self)
        self.run = run

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Answer for the one whose folder is first on the path."""
        place = Path(sys.path[0], f"{_NAME}.py").resolve() if fullname == _NAME else None
        return spec_from_file_location(_NAME, place, loader=self) if place in self.codes else None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Use the default module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run the code. Raises whatever it raises."""
        assert self.run is not None
        self.run(self.codes[Path(module.__file__ or "")], module)
