"""How often Python's garbage collector looks at what a repair makes."""

from __future__ import annotations

import contextlib
import gc
import threading
from collections.abc import Iterator

YOUNG = 50_000
"""Objects that are made, less those that are gone, before the youngest are looked at: Python's own number is 700 to
2,000. The trees of programs are many small objects, nearly all of which are gone without being looked at."""


class _Blocks:
    """The blocks that are under way in this process, and what held before the first of them."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.open = 0
        self.before = gc.get_threshold()


_BLOCKS = _Blocks()


@contextlib.contextmanager
def rare_collections() -> Iterator[None]:
    """Have the youngest objects looked at more rarely, for the block; of several at once the last to end puts it back.

    A collector that is off, or set to look more rarely still, is left alone.
    """
    with _BLOCKS.lock:
        if not _BLOCKS.open:
            _BLOCKS.before = gc.get_threshold()
            if 0 < _BLOCKS.before[0] < YOUNG:
                gc.set_threshold(YOUNG, *_BLOCKS.before[1:])
        _BLOCKS.open += 1
    try:
        yield
    finally:
        with _BLOCKS.lock:
            _BLOCKS.open -= 1
            if not _BLOCKS.open:
                gc.set_threshold(*_BLOCKS.before)
