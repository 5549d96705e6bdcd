"""Skips sleeping while candidates are screened: the clocks that the program and its checks see move on instead.

Only where nothing but time can pass: while another thread is running, and in checks whose result depends on real time,
sleeping is real. The judge's processes never do this: a verdict is plain Python's.
"""

from __future__ import annotations

import _thread
import contextlib
import selectors
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType
from typing import Any

from regreen.sandbox.guest.runner.lazy_values import is_plainly
from regreen.sandbox.guest.runner.timing.time_limits import OutOfTime

_READERS = ("time", "monotonic", "perf_counter")
_REAL_SLEEP = time.sleep
_REAL_WAIT = threading.Condition.wait
_SELECTORS: tuple[Any, ...] = tuple(
    getattr(selectors, name) for name in ("EpollSelector", "PollSelector", "SelectSelector") if hasattr(selectors, name)
)


class OverSlept(OutOfTime):
    """The program has slept for longer than it may."""


class VirtualClock:
    """How far the clocks of this process are ahead of the real ones."""

    def __init__(self) -> None:
        self.ahead_ns = 0
        self.skipping = False
        """Whether sleeping is skipped now."""
        self.most_ns = 0
        """How far ahead the clocks may go."""

    def begin(self, seconds: float) -> None:
        """Set the clocks right; from now on, skipped sleep past this many seconds raises OverSlept."""
        self.ahead_ns, self.most_ns, self.skipping = 0, int(seconds * 1e9), True

    def end(self) -> None:
        """Sleep for real from now on."""
        self.skipping = False

    @property
    def spent(self) -> bool:
        """Whether OverSlept was raised, even if the program swallowed it."""
        return self.ahead_ns > self.most_ns

    @property
    def skipped_seconds(self) -> float:
        """Seconds of sleep that were skipped since `begin`."""
        return self.ahead_ns / 1e9

    @contextlib.contextmanager
    def real(self) -> Iterator[None]:
        """Sleep for real in the block."""
        before, self.skipping = self.skipping, False
        try:
            yield
        finally:
            self.skipping = before

    def skip(self, seconds: float) -> bool:
        """Move on by so many seconds, if they can be skipped; else False."""
        # Another thread may do something meanwhile. What is negative or no number is Python's to refuse.
        if not self.skipping or _thread._count() or not isinstance(seconds, int | float) or not seconds > 0:
            return False
        self.ahead_ns += int(min(seconds, 1e9) * 1e9)
        if self.spent:
            raise OverSlept
        return True


CLOCK = VirtualClock()


_SAID_OF_FUNCTIONS = ("__module__", "__name__", "__qualname__", "__doc__")


class _TimeFunction:
    """What stands in for a function of `time`; an object, since a function of Python's would become a method where a
    class holds it. It says of itself what the function does: plugins find clocks by their names."""

    def __init__(self, real: Callable[..., Any]) -> None:
        self.real = real
        for name in _SAID_OF_FUNCTIONS:
            setattr(self, name, getattr(real, name))

    def __repr__(self) -> str:
        return repr(self.real)


class _Sleep(_TimeFunction):
    """`time.sleep`."""

    def __call__(self, seconds: float) -> None:
        if not CLOCK.skip(seconds):
            _REAL_SLEEP(seconds)


class _Seconds(_TimeFunction):
    """A clock in seconds."""

    def __call__(self) -> float:
        seconds: float = self.real() + CLOCK.ahead_ns / 1e9
        return seconds


class _Nanoseconds(_TimeFunction):
    """A clock in nanoseconds."""

    def __call__(self) -> int:
        nanoseconds: int = self.real() + CLOCK.ahead_ns
        return nanoseconds


def skip_sleep() -> None:
    """Put the skipping functions in place of those of `time`, of selectors and of conditions, for good."""
    replaced: dict[Any, Any] = {time.sleep: _Sleep(time.sleep)}
    for name in _READERS:
        replaced[getattr(time, name)] = _Seconds(getattr(time, name))
        replaced[getattr(time, name + "_ns")] = _Nanoseconds(getattr(time, name + "_ns"))
    for module in list(sys.modules.values()):
        # Our own modules measure real time.
        if not getattr(module, "__name__", "").startswith("regreen"):
            _replace_names(module, replaced)
    for kind in _SELECTORS:
        kind.select = _skipping_select(kind.select)
    threading.Condition.wait = _wait  # type: ignore[method-assign]


def _replace_names(module: Any, replaced: dict[Any, Any]) -> None:
    for name, value in list(getattr(module, "__dict__", {}).items()):
        if is_plainly(value, BuiltinFunctionType) and value in replaced:
            setattr(module, name, replaced[value])


def _skipping_select(real: Callable[..., Any]) -> Callable[..., Any]:
    """A selector's `select` that skips the wait when nothing is ready (asyncio sleeps there)."""

    def select(self: Any, timeout: float | None = None) -> Any:
        if timeout is None or timeout <= 0 or not CLOCK.skipping:
            return real(self, timeout)
        ready = real(self, 0)
        return ready if ready or CLOCK.skip(timeout) else real(self, timeout)

    return select


def _wait(self: threading.Condition, timeout: float | None = None) -> bool:
    """`Condition.wait`, on which events and queues are built: alone, nobody else can notify."""
    if timeout is not None and self._is_owned() and CLOCK.skip(timeout):  # type: ignore[attr-defined]
        return False
    return _REAL_WAIT(self, timeout)
