"""Limits in time for code that runs in this very process, by signals and CPU time."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfTime(BaseException):
    """The check's time is spent. No `except Exception` of the program stops this."""


WALL_FACTOR = 3.0
"""Wall time may be this many times the CPU time: a loaded machine is not the candidate's fault, sleeping is."""
NAG_SECONDS = 0.02
"""A program that swallows the first OutOfTime gets another at this distance."""


def _ring(signum: int, frame: FrameType | None) -> None:
    raise OutOfTime


def install() -> None:
    """Make both timers raise OutOfTime in the main thread."""
    signal.signal(signal.SIGPROF, _ring)
    signal.signal(signal.SIGALRM, _ring)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in the block after `seconds` of CPU time, or three times that of wall time."""
    signal.setitimer(signal.ITIMER_PROF, seconds, NAG_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, seconds * WALL_FACTOR, NAG_SECONDS)
    try:
        yield
    finally:
        quiet()


def quiet() -> None:
    """Stop both timers, even while they ring."""
    while True:
        try:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            return
        except OutOfTime:
            continue


def cpu() -> float:
    """CPU seconds of this process so far."""
    return time.process_time()
