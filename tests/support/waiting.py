"""Waiting for what other threads and processes bring about: for the event, with a deadline, never for a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

STEP_SECONDS = 0.005
"""Between two looks."""


def wait_for(look: Callable[[], Found], seconds: float = 30.0, *, what: str = "") -> Found:
    """What `look` returns, as soon as that is something; fails, naming `what`, after so many seconds."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, f"waited in vain {seconds:g} s for {what or 'an event'}"
        time.sleep(STEP_SECONDS)
    return found
