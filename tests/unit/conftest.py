"""A unit test starts no process: what needs one is on another shelf."""

from __future__ import annotations

import platform
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

SHELF = Path(__file__).parent
STARTS = frozenset({"subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system"})
"""Events of Python's audit hooks that tell of a new process."""
FONT_LIST = "fc-list"
"""What matplotlib starts once for each user, to learn which fonts there are; it keeps the answer."""

# Python asks `uname` for the processor's name once, and remembers it.
platform.platform()

unit_tests_running: list[str] = []


def _refuse_processes(event: str, args: tuple[Any, ...], starts: frozenset[str] = STARTS) -> None:
    # When Python ends, the names of this module are gone before the hook is.
    if event in starts and unit_tests_running and FONT_LIST not in args:
        pytest.fail(f"{unit_tests_running[-1]} starts a process ({event}): move it to tests/contract.")


sys.addaudithook(_refuse_processes)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Refuse processes while a test of this shelf runs, its fixtures included."""
    if not item.path.is_relative_to(SHELF):
        return (yield)
    unit_tests_running.append(item.nodeid)
    try:
        return (yield)
    finally:
        unit_tests_running.pop()
