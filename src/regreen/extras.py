"""Modules of the optional extras, imported by name when they are used; no other place does so."""

from __future__ import annotations

import importlib
from typing import Any


def optional_module(name: str) -> Any:
    """The module, typed as Any because it may be missing when types are checked; raises ImportError without it.

    `name` is a constant of our own code, never text from outside.
    """
    return importlib.import_module(name)
