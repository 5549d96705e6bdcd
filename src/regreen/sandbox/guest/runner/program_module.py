"""Turning a program's text into a live module, inside the sandbox."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

SEED = 0
"""What the dice of a server start from, and so those of each child that is not told otherwise."""


def install_companions(texts: Mapping[str, str]) -> None:
    """Let the process import these modules, before any that are installed."""
    if texts:
        # Few programs have any, and importlib's own modules are many.
        from regreen.sandbox.guest.runner.companion_importer import CompanionImporter

        sys.meta_path.insert(0, CompanionImporter(texts))


def seed_random(seed: int) -> None:
    """Give this process dice of its own: a fork starts with those of its server, and every run would be the same."""
    if (dice := sys.modules.get("random")) is not None:
        dice.seed(seed)


def fresh_module(name: str, filename: str) -> ModuleType:
    """An empty module, known to `sys.modules` under its name (and as an attribute of its parent package)."""
    module = ModuleType(name)
    introduce(module, module.__dict__, name, filename)
    return module


def introduce(module: ModuleType, names: dict[str, Any], name: str, filename: str) -> None:
    """Let this process know a module, whose own names are given, under its name: as `fresh_module` does."""
    names["__name__"], names["__file__"] = name, filename
    if "." in name:
        parent, _, child = name.rpartition(".")
        if parent not in sys.modules:
            fresh_module(parent, parent).__path__ = []
        setattr(sys.modules[parent], child, module)
    sys.modules[name] = module


def run_program(source: str, name: str, filename: str) -> ModuleType:
    """Execute a program as a module. Raises whatever the program raises, SyntaxError too."""
    code = compile(source, filename, "exec", dont_inherit=True)
    module = fresh_module(name, filename)
    exec(code, module.__dict__)
    return module
