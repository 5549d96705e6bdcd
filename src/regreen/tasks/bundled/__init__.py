"""The benchmark that ships with Regreen: small pieces of everyday code, each with one or two bugs planted in it."""

from __future__ import annotations

from importlib.resources import files

from regreen.tasks.bundled.shelf import read_shelf
from regreen.tasks.reader import SuiteReader
from regreen.types import Case


def load(read_suite: SuiteReader) -> tuple[Case, ...]:
    """Every case of the benchmark, in a fixed order."""
    return read_shelf(files(__name__), "bundled", read_suite)
