"""Does a run that comes further get more CPU time, and one that does not none?"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the timers are those of Linux")
EXTENDED = """
from regreen.sandbox.guest.runner.timing import time_limits

time_limits.install()
answers = iter({answers})
begun = time_limits.cpu_seconds()
time_limits.start_hard_limit(0.08, comes_further=lambda: next(answers))
if {goes_on}:
    left = time_limits.limit_left()
    time_limits.stop_timers()
    left.go_on()
try:
    while True:
        pass
except time_limits.OutOfTime:
    time_limits.stop_timers()
print(len(list(answers)), time_limits.cpu_seconds() - begun)
"""


TRIES = 5
"""The kernel charges a whole tick to whoever runs when it ends, so that on a busy machine a timer may ring some of them
early; one that rings early by itself does so each time."""


@pytest.mark.parametrize("goes_on", [False, True])
@pytest.mark.parametrize(("answers", "least"), [([False], 0.08), ([True, True, False], 0.12)])
def test_what_comes_further_gets_more_time(answers: list[bool], least: float, goes_on: bool) -> None:
    """A quarter once more, each time; also where the timers were stopped in between."""
    script = EXTENDED.format(answers=answers, goes_on=goes_on)
    # The kernel counts CPU time by its ticks, and each of the timers may ring one of them early.
    tick = 1 / os.sysconf("SC_CLK_TCK")
    seconds = (_seconds_of(script) for _ in range(TRIES))
    assert any(taken >= least - len(answers) * tick for taken in seconds)


def _seconds_of(script: str) -> float:
    """How long the limit was, once every question had been asked."""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    unasked, seconds = done.stdout.split()
    assert int(unasked) == 0
    return float(seconds)
