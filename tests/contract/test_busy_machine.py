"""A program that waits for a processor is not one that sleeps, whoever keeps the machine busy."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from regreen.sandbox.pool import open_pool
from regreen.sandbox.run_delay import run_delay
from regreen.types import Limits, Outcome
from regreen.verify.judge import SandboxJudge
from regreen.verify.suites import read_suite

pytestmark = [pytest.mark.sandbox, pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who waited")]

LIMITS = Limits(seconds=0.4, total_seconds=40.0)
BUSY = "import time\nend = time.monotonic() + 60\nwhile time.monotonic() < end:\n    pass\n"
COUNTS = """import time
def count():
    begun = time.process_time()
    while time.process_time() - begun < 0.3:
        pass
"""
SLEEPS = "import time\ndef count():\n    time.sleep(20)\n"
CHECKS = "assert count() is None\n"


@contextlib.contextmanager
def one_crowded_processor(others: int) -> Iterator[int]:
    """Everything that is started in the block shares one processor with so many busy processes; one of them is told."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    crowd = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(others)]
    try:
        yield crowd[0].pid
    finally:
        for process in crowd:
            process.kill()
            process.wait()
        os.sched_setaffinity(0, before)


def test_the_kernel_tells_who_waited() -> None:
    """Of two that want one processor each waits for the other; who sleeps does not, and nobody else is told of."""
    with one_crowded_processor(2) as busy, subprocess.Popen(["sleep", "60"]) as sleeper:
        end = time.monotonic() + 20
        while run_delay(os.getpid(), busy) < 0.2 and time.monotonic() < end:
            pass
        waited, slept = run_delay(os.getpid(), busy), run_delay(os.getpid(), sleeper.pid)
        sleeper.kill()
    assert waited > 0.1
    assert slept < waited / 2
    assert run_delay(os.getpid(), os.getpid()) == run_delay(os.getpid(), 0) == 0.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "outcome"), [(COUNTS, Outcome.PASSED), (SLEEPS, Outcome.TIMED_OUT)], ids=["counts", "sleeps"]
)
def test_a_program_beside_busy_ones_gets_its_time(layers: str, program: str, outcome: Outcome) -> None:
    """Where it gets a tenth of a processor, its wall clock runs ten times as fast; who sleeps has that alone."""
    suite = read_suite(CHECKS, program=program, module="program", entry_point="count")
    with one_crowded_processor(9), open_pool(layers=layers) as pool:
        begun = time.monotonic()
        (result,) = SandboxJudge(pool).judge(program, suite, LIMITS).results.values()
        took = time.monotonic() - begun
    assert result.outcome is outcome, f"{result} after {took:.1f} s"
