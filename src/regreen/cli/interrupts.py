"""Ctrl-C while a run works: once finishes what is in flight, twice stops."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_NOTICE = "Interrupted: finishing what is under way. Press Ctrl-C again to stop at once."


@contextlib.contextmanager
def draining(stream: Console) -> Iterator[threading.Event]:
    """An event for the block: the first Ctrl-C sets it, the second raises KeyboardInterrupt."""
    drain = threading.Event()

    def interrupted(number: int, frame: FrameType | None) -> None:
        if drain.is_set():
            raise KeyboardInterrupt
        drain.set()
        stream.print(_NOTICE, style="yellow", soft_wrap=True)

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield drain
    finally:
        signal.signal(signal.SIGINT, before)
