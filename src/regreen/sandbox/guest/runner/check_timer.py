"""The limit of one check after the other in a judge, where most take next to no time."""

from __future__ import annotations

import signal
from types import FrameType

from regreen.sandbox.guest.runner.time_limits import DEAF_FACTOR, NAG_SECONDS, TIMER, OutOfTime, cpu_seconds


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
