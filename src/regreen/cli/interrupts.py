"""Ctrl-C and SIGTERM: while a run works, once finishes what is in flight, twice stops; elsewhere once stops."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_NOTICES = {
    signal.SIGINT: "Interrupted: finishing what is under way. Press Ctrl-C again to stop at once.",
    signal.SIGTERM: "Told to end (SIGTERM): finishing what is under way. A second signal stops at once.",
}


@contextlib.contextmanager
def ending_on_sigterm() -> Iterator[None]:
    """SIGTERM raises KeyboardInterrupt for the block, as Ctrl-C does; only the main thread can ask for that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def told(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, told)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def draining(stream: Console) -> Iterator[threading.Event]:
    """An event for the block: the first Ctrl-C or SIGTERM sets it, the second raises KeyboardInterrupt."""
    drain = threading.Event()

    def interrupted(number: int, frame: FrameType | None) -> None:
        if drain.is_set():
            raise KeyboardInterrupt
        drain.set()
        stream.print(_NOTICES[signal.Signals(number)], style="yellow", soft_wrap=True)

    before = {number: signal.signal(number, interrupted) for number in _NOTICES}
    try:
        yield drain
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
