"""Limits in time for code that runs in this very process, by signals and CPU time."""

from __future__ import annotations

import resource
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
_LEAST_HURRIED_SECONDS = 0.1
DEAF_FACTOR = 3.0
_DEAF_SECONDS = 0.1
"""What a mutation has left, after its CPU time, to heed the ring."""
_LOOK_SECONDS = 0.05
_IDLE_LOOKS = 3
"""So many looks in a row at a process that sleeps, and it is taken to wait for ever."""


def hurried_limit(seconds: float) -> float:
    """The limit of a check that comes after one that hung, where the run is in a hurry."""
    return min(seconds, max(_LEAST_HURRIED_SECONDS, seconds / 10))


class _Timer:
    """Where the timers ring."""

    __slots__ = ("armed", "held", "rung")

    def __init__(self) -> None:
        self.armed = False
        """Whether a ring means anything: a late one, after the limit was lifted, does not."""
        self.held = False
        """Whether a ring has to wait, since stopping here would leave a message half sent or half read."""
        self.rung = False
        """Whether one is waiting."""


TIMER = _Timer()


class _SleepDetector:
    """Tells a process that sleeps from one that is kept waiting for a processor, where the wall clock cannot."""

    __slots__ = ("known", "looks", "watched")

    def __init__(self) -> None:
        self.watched = False
        """Whether the ring of the wall clock is but a look."""
        self.looks = 0
        self.known = (0.0, 0, 0)

    def begin(self) -> None:
        """From now on."""
        self.watched, self.looks, self.known = True, 0, (0.0, 0, 0)

    def is_long(self) -> bool:
        """Whether it slept at this look and at those before."""
        usage = resource.getrusage(resource.RUSAGE_SELF)
        seconds, waits, evictions = self.known
        self.known = (usage.ru_utime + usage.ru_stime, usage.ru_nvcsw, usage.ru_nivcsw)
        busy = self.known[0] - seconds > _LOOK_SECONDS / 10
        # Who wants a processor and gets none neither gives it back nor is idle of its own will.
        asleep = not busy and self.known[1] > waits and self.known[2] == evictions
        self.looks = self.looks + 1 if asleep else 0
        return self.looks >= _IDLE_LOOKS


_SLEEP = _SleepDetector()


def _arm() -> None:
    TIMER.armed, TIMER.rung = True, False


def _ring(signum: int, frame: FrameType | None) -> None:
    if signum == signal.SIGALRM and _SLEEP.watched and not _SLEEP.is_long():
        return
    if TIMER.held:
        TIMER.rung = True
    elif TIMER.armed:
        raise OutOfTime


def install() -> None:
    """Make both timers raise OutOfTime in the main thread."""
    signal.signal(signal.SIGPROF, _ring)
    signal.signal(signal.SIGALRM, _ring)


def start_hard_limit(seconds: float) -> None:
    """Raise OutOfTime after `seconds` of CPU time, or a while of sleep; end the process soon if it is deaf to that.

    One long call into C code (a huge power, a sum over a huge range) runs no handler; the default action of a signal
    needs none. However busy the machine is, nothing is said of a process that just gets no processor.
    `stop_timers` ends the limit.
    """
    _arm()
    _SLEEP.begin()
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds + _DEAF_SECONDS)
    signal.setitimer(signal.ITIMER_PROF, seconds, NAG_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, _LOOK_SECONDS, _LOOK_SECONDS)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in the block after `seconds` of CPU time, or three times that of wall time."""
    _arm()
    signal.setitimer(signal.ITIMER_PROF, seconds, NAG_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, seconds * WALL_FACTOR, NAG_SECONDS)
    try:
        yield
    finally:
        stop_timers()


def stop_timers() -> None:
    """Stop all timers."""
    TIMER.armed = _SLEEP.watched = False
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def hold() -> None:
    """Keep rings back until `release`."""
    TIMER.held = True


def release() -> None:
    """Let it ring again. Raises OutOfTime when it rang meanwhile."""
    TIMER.held = False
    if TIMER.rung and TIMER.armed:
        TIMER.rung = False
        raise OutOfTime


def cpu_seconds() -> float:
    """CPU seconds of this process so far."""
    return time.process_time()


class CheckTimer:
    """Bounds the CPU time of one check after the other, and ends the process soon after if one is deaf to that.

    Wall time is not bounded: waiting for others is no fault. Most checks take a thousandth of their limit, and setting
    and lifting timers for each would cost more than that. So the timers run on, and one that rings too early for the
    check that is running is set anew.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.since = 0.0
        self.reach = 0.0
        """The limit for which the timers were set; 0 while none runs."""
        self.spent = False
        """Whether the check that is running has used up its time."""
        signal.signal(signal.SIGPROF, self._ring)

    def begin(self, seconds: float) -> None:
        """Raise OutOfTime once this process has spent so many seconds more."""
        TIMER.armed, TIMER.rung = True, False
        self.seconds, self.since = seconds, cpu_seconds()
        if seconds != self.reach:
            self._set(seconds)

    def end(self) -> None:
        """Lift the limit."""
        TIMER.armed = False
        if self.spent:
            self._lift()

    def _ring(self, signum: int, frame: FrameType | None) -> None:
        left = self.seconds - (cpu_seconds() - self.since)
        if not TIMER.armed:
            self._lift()
        elif left > 0:
            self._set(left)
        else:
            if not self.spent:
                self.spent = True
                signal.setitimer(signal.ITIMER_PROF, NAG_SECONDS, NAG_SECONDS)
            if not TIMER.held:
                raise OutOfTime
            TIMER.rung = True

    def _set(self, seconds: float) -> None:
        self.reach = self.seconds
        signal.setitimer(signal.ITIMER_VIRTUAL, DEAF_FACTOR * self.seconds)
        signal.setitimer(signal.ITIMER_PROF, seconds)

    def _lift(self) -> None:
        self.reach, self.spent = 0.0, False
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
