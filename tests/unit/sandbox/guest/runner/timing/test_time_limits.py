"""Limits in time by timers that run on."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

import pytest

from regreen.sandbox.guest.runner.timing.time_limits import CROSSINGS, CheckTimer, OutOfTime


@pytest.fixture
def watch() -> Iterator[CheckTimer]:
    """A watch, and no timer left of it."""
    before = signal.getsignal(signal.SIGPROF)
    yield CheckTimer()
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGPROF, before)


def spin(seconds: float) -> None:
    """Use that much CPU time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_a_check_that_takes_too_long_is_stopped(watch: CheckTimer) -> None:
    """By its own CPU time."""
    started = time.process_time()
    watch.begin(0.1)
    with pytest.raises(OutOfTime):
        spin(5)
    watch.end()
    assert 0.1 <= time.process_time() - started < 1


def test_each_check_has_all_of_its_time(watch: CheckTimer) -> None:
    """Timers that were set for an earlier one do not stop a later one."""
    stopped = 0
    for _ in range(6):
        watch.begin(0.1)
        try:
            spin(0.06)
        except OutOfTime:
            stopped += 1
        watch.end()
    assert stopped == 0


def test_who_does_not_listen_is_told_again(watch: CheckTimer) -> None:
    """Until the check is over, and not after."""
    watch.begin(0.05)
    for _ in range(3):
        with pytest.raises(OutOfTime):
            spin(5)
    watch.end()
    ended = time.process_time()
    spin(0.1)
    assert time.process_time() - ended >= 0.1


def test_a_longer_limit_is_not_cut_by_a_shorter_one(watch: CheckTimer) -> None:
    """Nor is the kernel's own timer, which kills, left as it was set for the shorter."""
    watch.begin(0.05)
    watch.end()
    watch.begin(1.0)
    assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] > 1
    spin(0.2)
    watch.end()


def cross(seconds: float, times: int) -> None:
    """Use that much CPU time for each of so many messages to the program's process."""
    for _ in range(times):
        CROSSINGS.begin()
        spin(seconds)
        CROSSINGS.end()


def test_what_crossings_take_is_not_the_checks(watch: CheckTimer) -> None:
    """Plain Python needs none of it; what the check takes by itself is counted as ever."""
    watch.begin(0.1)
    cross(0.04, 6)
    started = time.process_time()
    with pytest.raises(OutOfTime):
        spin(5)
    watch.end()
    assert 0.09 <= time.process_time() - started < 1


def test_a_check_that_crosses_for_ever_is_stopped(watch: CheckTimer) -> None:
    """After five times its limit, and what is left of it."""
    started = time.process_time()
    watch.begin(0.05)
    with pytest.raises(OutOfTime):
        cross(0.01, 1000)
    watch.end()
    assert 0.29 <= time.process_time() - started < 2


def test_time_between_checks_is_nobodys(watch: CheckTimer) -> None:
    """The timers ring once, and are lifted."""
    watch.begin(0.05)
    watch.end()
    spin(0.1)
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_a_shorter_limit_is_kept_after_a_longer_one(watch: CheckTimer) -> None:
    """Checks after one that hung are in a hurry."""
    watch.begin(5.0)
    watch.end()
    watch.begin(0.05)
    with pytest.raises(OutOfTime):
        spin(1)
    watch.end()
