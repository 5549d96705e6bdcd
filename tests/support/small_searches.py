"""Searches of small programs whose checks are written beside them."""

from __future__ import annotations

from collections.abc import Mapping

from regreen.strategies.resources import Resources
from regreen.strategies.searching.search_run import SearchRun
from regreen.strategies.session import RepairSession
from regreen.types import Task
from regreen.verify.suites import read_suite


def run_of(resources: Resources, source: str, checks: str, entry_point: str = "") -> tuple[RepairSession, SearchRun]:
    """A search that has not run, in a session that has seen how the program does."""
    suite = read_suite(checks, program=source, module="program", entry_point=entry_point, origin="checks")
    session = RepairSession(resources, Task("task", source, entry_point, suite))
    return session, SearchRun(session, source, session.examine(), budget=session.budget)


def with_slips(right: str, slips: Mapping[str, str]) -> str:
    """A program with other texts in the place of some, each of which stands in it once."""
    for text, wrong in slips.items():
        assert right.count(text) == 1
        right = right.replace(text, wrong)
    return right
