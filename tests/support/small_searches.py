"""Searches of small programs whose checks are written beside them."""

from __future__ import annotations

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
