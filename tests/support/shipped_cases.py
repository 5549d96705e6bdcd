"""The cases of the benchmarks that ship with the package: their names at once, the rest when a test asks for it."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

from regreen.tasks.shipped import load_bundled, load_impossible
from regreen.types import Case
from regreen.verify.suites import read_suite


def _ids(shelf: str) -> list[str]:
    texts = [entry.read_text("utf-8") for entry in files(f"regreen.tasks.{shelf}").iterdir() if ".toml" in entry.name]
    return sorted(f"{shelf}/{table['id']}" for text in texts for table in tomllib.loads(text)["task"])


BUNDLED_IDS: Final = _ids("bundled")
IMPOSSIBLE_IDS: Final = _ids("impossible")


@functools.cache
def bundled() -> tuple[Case, ...]:
    """Every case that can be won."""
    return load_bundled(read_suite)


@functools.cache
def impossible() -> tuple[Case, ...]:
    """Every case that contradicts itself."""
    return load_impossible(read_suite)


@functools.cache
def by_id() -> Mapping[str, Case]:
    """All of them by their ids."""
    return {case.task.id: case for case in (*bundled(), *impossible())}
