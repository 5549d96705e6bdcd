"""Tasks that no program can solve, because their checks contradict each other: any pass convicts the harness."""

from __future__ import annotations

from importlib.resources import files

from regreen.tasks.bundled.shelf import read_shelf
from regreen.tasks.reader import SuiteReader
from regreen.types import Case


def load(read_suite: SuiteReader) -> tuple[Case, ...]:
    """Every case of the collection, in a fixed order. There is no reference: it is empty text."""
    return read_shelf(files(__name__), "impossible", read_suite)
