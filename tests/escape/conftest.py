"""What the escape tests share: real judges over every kind of wall, detectors, and an ordinary user."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ordinary_user import public_python, public_source

from regreen.sandbox.attacks.leak_monitor import LeakMonitor, ReadSuite, open_leak_monitor
from regreen.types import Suite
from regreen.verify.judge import SandboxJudge
from regreen.verify.suites import read_suite

__all__ = ["leak_monitor", "public_python", "public_source", "read"]


@pytest.fixture(scope="session")
def read() -> ReadSuite:
    """How checks become a suite."""

    def read(program: str, checks: str) -> Suite:
        return read_suite(checks, program=program, module="program", entry_point="answer")

    return read


@pytest.fixture(scope="session")
def leak_monitor(judge: SandboxJudge, read: ReadSuite) -> Iterator[LeakMonitor]:
    """Witnesses on this side of the wall."""
    with open_leak_monitor() as leak_monitor:
        leak_monitor.check_on(judge, read)
        yield leak_monitor
