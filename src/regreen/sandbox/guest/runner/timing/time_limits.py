"""Time limits for code in this very process, by the timers of setitimer(2).

ITIMER_PROF (SIGPROF) counts CPU time and ITIMER_REAL (SIGALRM) wall time: their handlers raise OutOfTime.
ITIMER_VIRTUAL (SIGVTALRM) counts CPU time in user mode and has no handler: its default action ends a process whose C
code lets no handler run (signal(7)).
"""

from __future__ import annotations

import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NamedTuple


class OutOfTime(BaseException):
    """The check's time is spent. No `except Exception` of the program stops this."""


WALL_FACTOR = 3.0
"""Wall time may be this many times the CPU time: a loaded machine is not the candidate's fault, sleeping is."""
COLLECTION_FACTOR = 3.0
"""Importing a project's tests, and all that they import, may take this many times the CPU limit of a check."""
GREEN_FACTOR = 4.0
"""A check that is known to pass may take this many times its CPU seconds while it is traced: counting takes time."""
_LEAST_EXTENSION, _MOST_EXTENSION = 0.02, 2.0
"""Seconds that a limit may be extended by, where what runs comes further: at a time, if a quarter of it is no more,
and in all."""
NAG_SECONDS = 0.02
"""A program that swallows OutOfTime gets the next one after this time."""
_LEAST_SHORTENED_SECONDS = 0.1
_DEAF_SECONDS = 0.1
"""A screener's process ends when a mutation has taken this much more than its CPU limit and no handler ran."""
_DEAF_JUDGE_SECONDS = 0.5
"""A judge's process ends when a check has taken this much more than its CPU limit and no handler ran."""
_LOOK_SECONDS = 0.05
"""How often a process is looked at that may be asleep."""
_IDLE_LOOKS = 3
"""A process found asleep at this many looks in a row is taken to wait for ever."""


def shortened_limit(seconds: float) -> float:
    """The CPU limit of checks after one that hung, where that is to shorten the rest: a twentieth, at least 0.1 s."""
    return min(seconds, max(_LEAST_SHORTENED_SECONDS, seconds / 20))


class _Timer:
    """Whether the timers' handlers may raise OutOfTime now."""

    __slots__ = ("armed", "held", "pending")

    def __init__(self) -> None:
        self.armed = False
        """Whether a limit is set: a signal that arrives after it was lifted is ignored."""
        self.held = False
        """Whether OutOfTime has to wait, since raising it now would leave a message half sent or half read."""
        self.pending = False
        """Whether the time ended while it was held."""


TIMER = _Timer()


class _SleepDetector:
    """Distinguishes a process that sleeps from one that waits for a processor, which the wall clock cannot."""

    __slots__ = ("known", "looks", "most", "watched")

    def __init__(self) -> None:
        self.watched = False
        """Whether SIGALRM only asks for a look, and is no limit."""
        self.looks = 0
        self.most = _IDLE_LOOKS
        self.known = (0.0, 0, 0)

    def begin(self, idle_seconds: float) -> None:
        """Start watching for a sleep that is longer than so many seconds and a little."""
        self.most = _IDLE_LOOKS + int(idle_seconds / _LOOK_SECONDS)
        self.watched, self.looks, self.known = True, 0, (0.0, 0, 0)

    def is_long(self) -> bool:
        """Whether it slept at this look and at those before."""
        usage = resource.getrusage(resource.RUSAGE_SELF)
        seconds, waits, evictions = self.known
        self.known = (usage.ru_utime + usage.ru_stime, usage.ru_nvcsw, usage.ru_nivcsw)
        busy = self.known[0] - seconds > _LOOK_SECONDS / 10
        # A process that waits for a processor has no voluntary switches, and is evicted when it had one (getrusage(2)).
        asleep = not busy and self.known[1] > waits and self.known[2] == evictions
        self.looks = self.looks + 1 if asleep else 0
        return self.looks >= self.most


_SLEEP = _SleepDetector()


def _arm() -> None:
    TIMER.armed, TIMER.pending = True, False


def _ring(signum: int, frame: FrameType | None) -> None:
    if signum == signal.SIGALRM and _SLEEP.watched and not _SLEEP.is_long():
        return
    if signum == signal.SIGPROF and _EXTENSION.is_due():
        return
    if TIMER.held:
        TIMER.pending = True
    elif TIMER.armed:
        raise OutOfTime


class _Extension:
    """More CPU time for what comes further."""

    __slots__ = ("comes_further", "left", "seconds")

    def __init__(self) -> None:
        self.comes_further: Callable[[], bool] | None = None
        self.seconds = self.left = 0.0

    def begin(self, seconds: float, comes_further: Callable[[], bool] | None) -> None:
        """Ask from now on, once so many seconds are over."""
        self.comes_further, self.left = comes_further, _MOST_EXTENSION
        self.seconds = min(seconds, max(_LEAST_EXTENSION, seconds / 4))

    def is_due(self) -> bool:
        """Whether more time is given; then the timers are set."""
        if self.comes_further is None or not TIMER.armed or TIMER.held or self.left <= 0 or not self.comes_further():
            return False
        self.left -= self.seconds
        _set_cpu_timers(self.seconds)
        return True


_EXTENSION = _Extension()


def _set_cpu_timers(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds + _DEAF_SECONDS)
    signal.setitimer(signal.ITIMER_PROF, seconds, NAG_SECONDS)


def install() -> None:
    """Make both timers raise OutOfTime in the main thread."""
    signal.signal(signal.SIGPROF, _ring)
    signal.signal(signal.SIGALRM, _ring)


def start_hard_limit(
    seconds: float, idle_seconds: float = 0.0, comes_further: Callable[[], bool] | None = None
) -> None:
    """Raise OutOfTime after `seconds` of CPU time, or after a sleep of 0.15 s and `idle_seconds`; until `stop_timers`.

    Where `comes_further` says so then, a quarter of them follows, up to two seconds in all.

    Code that lets no handler run (one long call into C: a huge power, a sum over a huge range) ends the process 0.1 s
    later. Waiting for a processor on a busy machine counts as neither.
    """
    _arm()
    _SLEEP.begin(idle_seconds)
    _EXTENSION.begin(seconds, comes_further)
    _set_cpu_timers(seconds)
    signal.setitimer(signal.ITIMER_REAL, _LOOK_SECONDS, _LOOK_SECONDS)


class LimitLeft(NamedTuple):
    """What is left of a hard limit, which is to go on after the timers were stopped."""

    seconds: float
    """0 where there was none."""
    comes_further: Callable[[], bool] | None

    def go_on(self) -> None:
        """Start it again."""
        if self.seconds:
            start_hard_limit(self.seconds, comes_further=self.comes_further)


def limit_left() -> LimitLeft:
    """Of the limit that is running."""
    return LimitLeft(signal.getitimer(signal.ITIMER_PROF)[0], _EXTENSION.comes_further)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in the block after `seconds` of CPU time, or three times as much wall time."""
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
    _EXTENSION.comes_further = None
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def hold() -> None:
    """Hold OutOfTime back until `release`."""
    TIMER.held = True


def release() -> None:
    """End `hold`. Raises OutOfTime when the time ended meanwhile."""
    TIMER.held = False
    if TIMER.pending and TIMER.armed:
        TIMER.pending = False
        raise OutOfTime


def cpu_seconds() -> float:
    """CPU seconds of this process so far."""
    return time.process_time()


class _Crossings:
    """CPU time of this process that went into messages to and from the program's process, which plain Python needs none
    of: a check of ten thousand calls has no less time than one of ten."""

    __slots__ = ("seconds", "since")

    def __init__(self) -> None:
        self.seconds = 0.0
        """Of all that have ended."""
        self.since = 0.0

    def begin(self) -> None:
        """A message is made."""
        self.since = cpu_seconds()

    def end(self) -> None:
        """Its answer is read, or the program asks the check for something, which takes the check's own time."""
        self.seconds += cpu_seconds() - self.since


CROSSINGS = _Crossings()
_MOST_CROSSED = 5.0
"""Crossings may take this many times the limit of a check: one that calls the program for ever ends, too."""
_LEAST_LEFT = 0.001
"""Seconds; a timer that is set to less than a millionth of one is none (setitimer(2))."""


class CheckTimer:
    """Bounds the CPU time of one check after the other; a check that lets no handler run ends the process.

    What the crossings to the program's process take is not counted, up to five times the limit. Wall time is not
    bounded: waiting for the guest is no fault. Most checks take a thousandth of their limit, less than setting and
    lifting timers. So the timers keep running between checks, and one that rings too early for the check under way is
    set again.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.since = 0.0
        self.crossed_before = 0.0
        """What crossings had taken when the check began, in seconds."""
        self.reach = 0.0
        """The limit for which the timers were set, in seconds; 0 while none runs."""
        self.spent = False
        """Whether the check that is running has used up its time."""
        signal.signal(signal.SIGPROF, self._ring)

    def begin(self, seconds: float) -> None:
        """Raise OutOfTime once this process has used that many more seconds of CPU time."""
        TIMER.armed, TIMER.pending, self.spent = True, False, False
        self.seconds, self.since, self.crossed_before = seconds, cpu_seconds(), CROSSINGS.seconds
        if seconds != self.reach:
            self._set(seconds)

    def end(self) -> None:
        """Lift the limit."""
        TIMER.armed = False
        if self.spent:
            self._lift()

    def _ring(self, signum: int, frame: FrameType | None) -> None:
        crossed = min(CROSSINGS.seconds - self.crossed_before, self.seconds * _MOST_CROSSED)
        left = self.seconds + crossed - (cpu_seconds() - self.since)
        if not TIMER.armed:
            self._lift()
        elif left > 0:
            self._set(max(left, _LEAST_LEFT))
        else:
            if not self.spent:
                self.spent = True
                signal.setitimer(signal.ITIMER_PROF, NAG_SECONDS, NAG_SECONDS)
            if not TIMER.held:
                raise OutOfTime
            TIMER.pending = True

    def _set(self, seconds: float) -> None:
        self.reach = self.seconds
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds + _DEAF_JUDGE_SECONDS)
        signal.setitimer(signal.ITIMER_PROF, seconds)

    def _lift(self) -> None:
        self.reach, self.spent = 0.0, False
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
