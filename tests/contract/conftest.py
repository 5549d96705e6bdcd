"""A judge on each set of layers that this machine offers, and programs put before it in each isolation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from regreen.sandbox.pool import Pool
from regreen.types import Isolation, Limits, Verdict
from regreen.verify.judge import SandboxJudge
from regreen.verify.suites import read_suite

QUICK = Limits(seconds=0.3, total_seconds=10.0, memory_bytes=256 << 20, output_bytes=1 << 16)


@pytest.fixture(params=list(Isolation))
def isolation(request: pytest.FixtureRequest) -> Isolation:
    """Behind the wall, and in the candidate's own process."""
    return Isolation(request.param)


@pytest.fixture
def pool(judge: SandboxJudge) -> Pool:
    """The servers of that judge: they have imported pytest, if any test before has needed it."""
    return judge.pool


@pytest.fixture
def trial(judge: SandboxJudge, isolation: Isolation) -> Callable[..., Verdict]:
    """Judges a program by a text of tests, in each isolation."""

    def conduct(program: str, tests: str, *, limits: Limits = QUICK, **more: object) -> Verdict:
        suite = read_suite(tests, program=program, module="program", entry_point=None)
        companions = more.pop("companions", {})
        return judge.judge(program, replace(suite, isolation=isolation), limits, companions=companions, **more)

    return conduct
