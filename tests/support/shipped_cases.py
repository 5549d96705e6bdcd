"""The cases of the benchmarks that ship with the package, read once for all tests of a process."""

from __future__ import annotations

from typing import Final

from regreen.tasks.shipped import load_bundled, load_impossible
from regreen.types import Case
from regreen.verify.suites import read_suite

BUNDLED: Final = load_bundled(read_suite)
IMPOSSIBLE: Final = load_impossible(read_suite)


def case_id(case: Case) -> str:
    """How a test that is asked of each case is told apart."""
    return case.task.id
