"""How often Python's garbage collector runs while repairs are under way."""

from __future__ import annotations

import contextlib
import gc
import threading
from collections.abc import Iterator

YOUNG_OBJECTS = 50_000
"""Allocations less deallocations that trigger a collection of the youngest generation; CPython's default is 700 to
2,000. Syntax trees are many small objects, nearly all of which die without the collector."""


class _Blocks:
    """How many blocks are open in this process, and the thresholds before the first of them."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.open = 0
        self.before = gc.get_threshold()


_BLOCKS = _Blocks()


@contextlib.contextmanager
def rare_collections() -> Iterator[None]:
    """Collect the youngest generation more rarely for the block; the last of several to end restores the threshold.

    A collector that is off, or set to run more rarely still, is left alone.
    """
    with _BLOCKS.lock:
        if not _BLOCKS.open:
            _BLOCKS.before = gc.get_threshold()
            if 0 < _BLOCKS.before[0] < YOUNG_OBJECTS:
                gc.set_threshold(YOUNG_OBJECTS, *_BLOCKS.before[1:])
        _BLOCKS.open += 1
    try:
        yield
    finally:
        with _BLOCKS.lock:
            _BLOCKS.open -= 1
            if not _BLOCKS.open:
                gc.set_threshold(*_BLOCKS.before)
